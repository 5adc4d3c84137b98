package scheduling

import (
	"cmp"
	"slices"
)

// String is the taint as kubectl writes it.
func (t Taint) String() string {
	if t.Value == "" {
		return t.Key + ":" + string(t.Effect)
	}
	return t.Key + "=" + t.Value + ":" + string(t.Effect)
}

// tolerates follows the rules of Kubernetes.
func (t Toleration) tolerates(taint Taint) bool {
	if t.Effect != "" && t.Effect != taint.Effect {
		return false
	}
	if t.Key != "" && t.Key != taint.Key {
		return false
	}
	return t.Exists || t.Value == taint.Value
}

// untolerated is the first taint, by key, of one of the effects which the
// deployment does not tolerate.
func (d Deployment) untolerated(c Cluster, effects ...Effect) (Taint, bool) {
	var out []Taint
	for _, t := range c.Taints {
		if slices.Contains(effects, t.Effect) && !d.tolerates(t) {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return Taint{}, false
	}
	return slices.MinFunc(out, func(a, b Taint) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Value, b.Value), cmp.Compare(a.Effect, b.Effect))
	}), true
}

func (d Deployment) tolerates(t Taint) bool {
	return slices.ContainsFunc(d.Tolerations, func(to Toleration) bool { return to.tolerates(t) })
}
