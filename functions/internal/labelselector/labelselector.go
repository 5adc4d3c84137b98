// Package labelselector makes the API's label selectors into selectors that
// select. Their meaning is apimachinery's.
package labelselector

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// New returns what a label selector selects by. No selector selects everything,
// as does one that says nothing.
func New(s *v1alpha1.LabelSelector) (labels.Selector, error) {
	if s == nil {
		return labels.Everything(), nil
	}
	in := &metav1.LabelSelector{MatchLabels: make(map[string]string, len(s.MatchLabels))}
	for k, v := range s.MatchLabels {
		in.MatchLabels[k] = string(v)
	}
	for _, e := range s.MatchExpressions {
		r := metav1.LabelSelectorRequirement{Key: e.Key, Operator: e.Operator}
		for _, v := range e.Values {
			r.Values = append(r.Values, string(v))
		}
		in.MatchExpressions = append(in.MatchExpressions, r)
	}
	return metav1.LabelSelectorAsSelector(in)
}
