package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/modelplane-go/modelplane/functions/internal/devices"
	"github.com/modelplane-go/modelplane/functions/internal/xfn"
	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// compose an InferenceClass: read its devices, judge them, write what may be
// selected by.
func compose(c *xfn.Call) error {
	class := &v1alpha1.InferenceClass{}
	if err := c.Composite(class); err != nil {
		return err
	}

	all := devices.From(class.Spec.Devices)
	problems := devices.Validate(all)

	c.Prune()
	c.SetConditions(accepted(all, problems))
	c.SetReady(len(problems) == 0)
	return c.SetStatus(v1alpha1.InferenceClassStatus{
		Summary:    &v1alpha1.InferenceClassSummary{Devices: summary(all)},
		Vocabulary: devices.Vocabulary(all),
	})
}

func accepted(all []devices.Device, problems []string) v1alpha1.Condition {
	if len(problems) > 0 {
		return v1alpha1.ClassInvalid("spec.devices: " + strings.Join(problems, "; "))
	}
	return v1alpha1.ClassAvailable(fmt.Sprintf("device selectors may use the drivers' domains %s: see status.vocabulary", strings.Join(drivers(all), ", ")))
}

// drivers of the devices, each once, sorted.
func drivers(all []devices.Device) []string {
	out := make([]string, 0, len(all))
	for _, d := range all {
		out = append(out, d.Driver)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// summary of what a node has, in the order of the class.
func summary(all []devices.Device) string {
	out := make([]string, 0, len(all))
	for _, d := range all {
		out = append(out, fmt.Sprintf("%d %s", d.Count, d.Name))
	}
	return strings.Join(out, ", ")
}
