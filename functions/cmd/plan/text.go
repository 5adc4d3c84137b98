package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/modelplane-go/modelplane/functions/internal/planning"
)

// text is a report for people.
func text(r *report) string {
	p := &page{}
	for i, plan := range r.Plans {
		if i > 0 {
			p.line("")
			p.line("")
		}
		writePlan(p, plan)
	}
	p.bullets("Notes on the fleet", r.Notes)
	return p.String()
}

func writePlan(p *page, plan planning.Plan) {
	p.line(heading(plan))
	p.bullets("What is wrong with the deployment", plan.Mistakes)
	p.table("", verdicts(plan))
	p.table("Placements", placements(plan))
	p.table("What would go", drops(plan.Drops))
	p.table("What would stay where it would not be placed", drifts(plan.Drifts))
	p.table("What would have to change for another replica: all that is said of a cluster, and of one of its pools", changes(plan))
}

func heading(plan planning.Plan) string {
	s := fmt.Sprintf("ModelDeployment %s/%s: ", plan.Namespace, plan.Name)
	if plan.Held {
		return s + "nothing would be done until it is corrected"
	}
	s += fmt.Sprintf("%d of %d replicas would be placed", plan.Placed, plan.Wanted)
	if plan.Kept > 0 {
		s += fmt.Sprintf(", %d of them there already", plan.Kept)
	}
	return s
}

func verdicts(plan planning.Plan) [][]string {
	rows := [][]string{{"CLUSTER", "REPLICAS", "ROOM FOR", "WHY NO MORE"}}
	for _, v := range plan.Clusters {
		rows = append(rows, []string{v.Cluster, strconv.Itoa(v.Replicas), room(v), orNone(v.Why)})
	}
	return rows
}

// room of a cluster. Others make way where there is not enough.
func room(v planning.Verdict) string {
	s := strconv.Itoa(v.Room)
	if v.RoomForMore {
		s += " or more"
	}
	if v.Replicas > v.Room {
		s += fmt.Sprintf(", %d if others make way", v.Replicas)
	}
	return s
}

func placements(plan planning.Plan) [][]string {
	evicts := slices.ContainsFunc(plan.Placements, func(pl planning.Placement) bool { return len(pl.MakeWay) > 0 })
	rows := [][]string{{"CLUSTER", "INDEX", "REPLICA", "ENGINE -> POOL", "PODS", "DEVICES OF EACH POD"}}
	if evicts {
		rows[0] = append(rows[0], "MAKE WAY")
	}
	for _, pl := range plan.Placements {
		replica := pl.Replica
		if replica == "" {
			replica = "new"
		}
		for i, e := range pl.Engines {
			row := []string{pl.Cluster, strconv.Itoa(pl.Index), replica, enginePool(e), strconv.Itoa(pods(e)), devices(e)}
			if evicts && i == 0 {
				row = append(row, orNone(makeWay(pl.MakeWay)))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func enginePool(e planning.Engine) string {
	if e.Engine == "" {
		return e.Pool
	}
	return e.Engine + " -> " + e.Pool
}

func pods(e planning.Engine) int {
	n := 0
	for _, m := range e.Members {
		n += m.Pods
	}
	return n * e.Copies
}

// devices of each pod of an engine: said once if it is the same for all.
func devices(e planning.Engine) string {
	var all []string
	for _, m := range e.Members {
		all = append(all, takes(m))
	}
	if len(slices.Compact(slices.Clone(all))) == 1 {
		return all[0]
	}
	for i, m := range e.Members {
		if m.Role != "" {
			all[i] = m.Role + ": " + all[i]
		}
	}
	return strings.Join(all, "; ")
}

func takes(m planning.Member) string {
	if m.WholeNode {
		return "a whole node"
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(m.Devices)) {
		out = append(out, fmt.Sprintf("%d %s", m.Devices[name], name))
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, ", ")
}

func makeWay(es []planning.Evicted) string {
	out := make([]string, len(es))
	for i, e := range es {
		out[i] = fmt.Sprintf("%s/%s/%d (priority %d)", e.Namespace, e.Deployment, e.Index, e.Priority)
	}
	return strings.Join(out, ", ")
}

func drops(ds []planning.Drop) [][]string {
	rows := [][]string{{"CLUSTER", "INDEX", "REPLICA", "WHY"}}
	for _, d := range ds {
		why := string(d.Reason)
		if d.Detail != "" {
			why += ": " + d.Detail
		}
		rows = append(rows, []string{d.Cluster, strconv.Itoa(d.Index), d.Replica, why})
	}
	return rows
}

func drifts(ds []planning.Drift) [][]string {
	rows := [][]string{{"CLUSTER", "REPLICA", "WHY"}}
	for _, d := range ds {
		rows = append(rows, []string{d.Cluster, d.Replica, d.Detail})
	}
	return rows
}

func changes(plan planning.Plan) [][]string {
	engines := slices.ContainsFunc(plan.Changes, func(c planning.Change) bool { return c.Engine != "" })
	rows := [][]string{{"CLUSTER", "ENGINE", "POOL", "CHANGE"}}
	for _, c := range plan.Changes {
		rows = append(rows, []string{c.Cluster, orNone(c.Engine), orNone(c.Pool), c.Change})
	}
	if engines {
		return rows
	}
	for i := range rows {
		rows[i] = slices.Delete(rows[i], 1, 2)
	}
	return rows
}

func orNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
