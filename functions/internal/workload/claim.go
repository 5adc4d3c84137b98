package workload

import (
	"encoding/json"

	resourcev1ac "k8s.io/client-go/applyconfigurations/resource/v1"

	"github.com/modelplane-go/modelplane/functions/internal/names"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// A keyedTemplate is a claim template with the key it is composed under. Both
// carry a hash of its content.
type keyedTemplate struct {
	key    string
	object *resourcev1ac.ResourceClaimTemplateApplyConfiguration
}

// claims says whether the pods of a member claim devices.
func claims(m v1alpha1.ReplicaMember) bool {
	return len(m.DeviceRequests) > 0
}

// claimTemplate is what each pod of a member claims its devices by.
func claimTemplate(r Replica, engine string, m v1alpha1.ReplicaMember) (keyedTemplate, error) {
	claim := resourcev1ac.DeviceClaim()
	for _, q := range m.DeviceRequests {
		claim.WithRequests(deviceRequest(q))
	}

	content, err := json.Marshal(claim)
	if err != nil {
		return keyedTemplate{}, err
	}
	name := names.ClaimTemplate(r.Name, engine, string(m.Role), string(content))
	return keyedTemplate{
		key: names.KeyClaimTemplate(engine, string(m.Role), string(content)),
		object: resourcev1ac.ResourceClaimTemplate(name, r.Namespace).WithSpec(resourcev1ac.ResourceClaimTemplateSpec().
			WithSpec(resourcev1ac.ResourceClaimSpec().WithDevices(claim))),
	}, nil
}

func deviceRequest(q v1alpha1.ResolvedDeviceRequest) *resourcev1ac.DeviceRequestApplyConfiguration {
	exactly := resourcev1ac.ExactDeviceRequest().
		WithDeviceClassName(q.DeviceClassName).
		WithCount(int64(max(1, q.Count)))
	for _, s := range q.Selectors {
		exactly.WithSelectors(resourcev1ac.DeviceSelector().WithCEL(resourcev1ac.CELDeviceSelector().WithExpression(s.CEL)))
	}
	return resourcev1ac.DeviceRequest().WithName(q.Name).WithExactly(exactly)
}
