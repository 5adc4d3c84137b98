package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelplane-go/modelplane/functions/internal/planning"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// Files have not been before an API server. Of its checks those are made without
// which a plan would say what cannot be, or nothing.

// check an object, unless it could not be read at all.
func (d document) check(err error, mistakes func() []string) error {
	if err != nil {
		return err
	}
	if found := mistakes(); len(found) > 0 {
		return fmt.Errorf("cannot read %s: %s", d.where, strings.Join(found, "; "))
	}
	return nil
}

func checkClass(c *v1alpha1.InferenceClass) []string {
	out := []string{}
	for i, d := range c.Spec.Devices {
		at := fmt.Sprintf("spec.devices[%d].", i)
		out = append(out, required(at+"name", d.Name)...)
		out = append(out, required(at+"driver", d.Driver)...)
		out = append(out, oneOf(at+"claim", d.Claim, v1alpha1.ClaimDRA, v1alpha1.ClaimSynthetic)...)
	}
	return out
}

func checkCluster(c *v1alpha1.InferenceCluster) []string {
	out := []string{}
	seen := map[string]bool{}
	for i, p := range c.Spec.NodePools {
		at := fmt.Sprintf("spec.nodePools[%d].", i)
		out = append(out, required(at+"name", p.Name)...)
		out = append(out, required(at+"className", p.ClassName)...)
		out = append(out, oneOf(at+"sharing", p.Sharing, v1alpha1.SharingDevice, v1alpha1.SharingNode)...)
		if p.NodeCount != nil && *p.NodeCount < 0 {
			out = append(out, at+"nodeCount is negative")
		}
		if seen[p.Name] {
			out = append(out, fmt.Sprintf("%sname %q is there twice", at, p.Name))
		}
		seen[p.Name] = true
	}
	for i, t := range c.Spec.Taints {
		at := fmt.Sprintf("spec.taints[%d].", i)
		out = append(out, required(at+"key", t.Key)...)
		out = append(out, required(at+"effect", t.Effect)...)
		out = append(out, oneOf(at+"effect", t.Effect, v1alpha1.TaintNoSchedule, v1alpha1.TaintNoExecute)...)
	}
	return out
}

func checkDeployment(md *v1alpha1.ModelDeployment) []string {
	out := []string{}
	if n := md.Spec.Replicas; n != nil && (*n < 0 || *n > planning.MaxReplicas) {
		out = append(out, fmt.Sprintf("spec.replicas is %d, and should be 0 to %d", *n, planning.MaxReplicas))
	}
	for i, t := range md.Spec.Tolerations {
		at := fmt.Sprintf("spec.tolerations[%d].", i)
		out = append(out, oneOf(at+"operator", t.Operator, v1alpha1.TolerationEqual, v1alpha1.TolerationExists)...)
		out = append(out, oneOf(at+"effect", t.Effect, v1alpha1.TaintNoSchedule, v1alpha1.TaintNoExecute)...)
	}
	for i, s := range md.Spec.Spread {
		at := fmt.Sprintf("spec.spread[%d].", i)
		out = append(out, required(at+"topologyKey", s.TopologyKey)...)
		out = append(out, oneOf(at+"whenUnsatisfiable", s.WhenUnsatisfiable, v1alpha1.SpreadDoNotSchedule, v1alpha1.SpreadScheduleAnyway)...)
	}
	if len(md.Spec.Engines) == 0 {
		out = append(out, "spec.engines has none: at least one is needed")
	}
	for i, e := range md.Spec.Engines {
		out = append(out, checkEngine(fmt.Sprintf("spec.engines[%d].", i), e)...)
	}
	return out
}

func checkEngine(at string, e v1alpha1.Engine) []string {
	out := required(at+"name", e.Name)
	roles := make([]v1alpha1.MemberRole, len(e.Members))
	selects := false
	for i, m := range e.Members {
		roles[i] = m.Role
		if m.NodeSelector == nil {
			continue
		}
		for j, d := range m.NodeSelector.Devices {
			selects = true
			out = append(out, required(fmt.Sprintf("%smembers[%d].nodeSelector.devices[%d].name", at, i, j), d.Name)...)
		}
	}
	if !gang(roles) {
		out = append(out, at+"members must be one of role Standalone, or one of role Leader and one of role Worker")
	}
	if !selects {
		out = append(out, at+"members: at least one must have a nodeSelector with devices")
	}
	return out
}

func gang(roles []v1alpha1.MemberRole) bool {
	if len(roles) == 1 {
		return roles[0] == "" || roles[0] == v1alpha1.RoleStandalone
	}
	return len(roles) == 2 && slices.Contains(roles, v1alpha1.RoleLeader) && slices.Contains(roles, v1alpha1.RoleWorker)
}

func required[T ~string](field string, value T) []string {
	if value != "" {
		return nil
	}
	return []string{field + " is missing"}
}

// oneOf allows no value too: the schema has a default for it.
func oneOf[T ~string](field string, value T, allowed ...T) []string {
	if value == "" || slices.Contains(allowed, value) {
		return nil
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	return []string{fmt.Sprintf("%s is %q, and should be %s", field, string(value), strings.Join(names, " or "))}
}
