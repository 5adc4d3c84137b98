package scheduling

import (
	"fmt"
	"math"
)

// unlabelled is how far a cluster without the label is from an even spread that
// is not required: further than any that has it.
const unlabelled = 1 << 20

// A spread is one constraint and the replicas in each of its domains, which are
// the values of a cluster label. Those of clusters that are selected, Ready and
// tolerated count as domains even while they are full or empty.
type spread struct {
	Spread
	replicas map[string]int
	domains  map[string]bool
	least    int // Replicas of the emptiest domain.
}

func newSpreads(constraints []Spread, sites []*site) []*spread {
	out := make([]*spread, 0, len(constraints))
	for _, c := range constraints {
		sp := &spread{Spread: c, replicas: map[string]int{}, domains: map[string]bool{}}
		for _, st := range sites {
			if value, ok := st.Labels[c.TopologyKey]; ok && st.refused == nil {
				sp.domains[value] = true
			}
		}
		out = append(out, sp)
	}
	return out
}

// count adds replicas to a cluster's domain.
func (s *spread) count(c Cluster, by int) {
	if value, ok := c.Labels[s.TopologyKey]; ok {
		s.replicas[value] += by
		s.least = s.emptiest()
	}
}

func (s *spread) emptiest() int {
	least := math.MaxInt
	for domain := range s.domains {
		least = min(least, s.replicas[domain])
	}
	return least
}

// excess is by how much one more replica on the cluster would exceed the skew
// allowed. There is none if it is not more than zero.
func (s *spread) excess(c Cluster) int {
	value, ok := c.Labels[s.TopologyKey]
	if !ok {
		return unlabelled
	}
	return s.replicas[value] + 1 - min(s.least, s.replicas[value]) - max(1, s.MaxSkew)
}

// uneven sums by how much one more replica on the cluster would exceed the
// spreads that are not required.
func (d *decision) uneven(st *site) int {
	n := 0
	for _, sp := range d.spreads {
		if !sp.Required {
			n += max(0, sp.excess(st.Cluster))
		}
	}
	return n
}

// violated is the first required spread one more replica on the cluster would
// exceed.
func (d *decision) violated(st *site) *Rejection {
	for _, sp := range d.spreads {
		if !sp.Required || sp.excess(st.Cluster) <= 0 {
			continue
		}
		value, ok := st.Labels[sp.TopologyKey]
		if !ok {
			return refuse(st.Name, SpreadViolated, "no label "+sp.TopologyKey+" to spread over", "")
		}
		why := fmt.Sprintf("would exceed maxSkew %d of %s", max(1, sp.MaxSkew), sp.TopologyKey)
		return refuse(st.Name, SpreadViolated, why, fmt.Sprintf("%d replicas in %s", sp.replicas[value], value))
	}
	return nil
}
