package demo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// width of the view, in columns.
const width = 110

// A State is what the control plane says.
type State struct {
	Clusters    []v1alpha1.InferenceCluster
	Deployments []v1alpha1.ModelDeployment
	Replicas    []v1alpha1.ModelReplica
	Services    []v1alpha1.ModelService
}

// View shows a state to a person. Equal states give equal views.
func View(s State) string {
	b := &strings.Builder{}
	b.WriteString("CLUSTERS\n")
	table(b, clusterRows(s.Clusters))
	b.WriteString("\nMODELS\n")
	if len(s.Deployments) == 0 {
		b.WriteString("  none\n")
	}
	for _, md := range byName(s.Deployments, func(d v1alpha1.ModelDeployment) metav1.Object { return &d }) {
		deployment(b, md, s.Replicas)
	}
	if rows := serviceRows(s.Services); len(rows) > 0 {
		b.WriteString("\nADDRESSES\n")
		table(b, rows)
	}
	return b.String()
}

func clusterRows(clusters []v1alpha1.InferenceCluster) [][]string {
	rows := [][]string{}
	for _, c := range byName(clusters, func(c v1alpha1.InferenceCluster) metav1.Object { return &c }) {
		first := []string{c.GetName(), clusterState(c)}
		if len(c.Status.GPUPools) == 0 {
			rows = append(rows, append(first, "no pools known"))
		}
		for i, p := range c.Status.GPUPools {
			if i > 0 {
				first = []string{"", ""}
			}
			rows = append(rows, append(slices.Clone(first), p.Name, bar(p), devicesOf(p), chargedTo(p)))
		}
	}
	return rows
}

func clusterState(c v1alpha1.InferenceCluster) string {
	out := []string{"not ready"}
	if meta.IsStatusConditionTrue(c.Status.Conditions, "Ready") {
		out = []string{"Ready"}
	}
	for _, t := range c.Spec.Taints {
		out = append(out, fmt.Sprintf("tainted %s:%s", t.Key, t.Effect))
	}
	return strings.Join(out, ", ")
}

// bar draws a pool's nodes: those that are charged, and those that are free.
func bar(p v1alpha1.GPUPool) string {
	charged, nodes := int(p.NodesCharged), int(p.Nodes)
	return strings.Repeat("■", min(charged, nodes)) + strings.Repeat("□", max(0, nodes-charged)) + fmt.Sprintf(" %d/%d nodes", charged, nodes)
}

func devicesOf(p v1alpha1.GPUPool) string {
	out := []string{}
	for _, d := range p.Devices {
		s := fmt.Sprintf("%d× %s", max(1, d.Count), d.Name)
		if m, ok := d.Capacity["memory"]; ok {
			s += " " + m.Value.String()
		}
		out = append(out, s)
	}
	return strings.Join(out, ", ")
}

func chargedTo(p v1alpha1.GPUPool) string {
	out := []string{}
	for _, c := range p.Charges {
		out = append(out, c.Namespace+"/"+c.Deployment)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ", ")
}

func deployment(b *strings.Builder, md v1alpha1.ModelDeployment, replicas []v1alpha1.ModelReplica) {
	ready := "0/?"
	if md.Status.Summary != nil {
		ready = md.Status.Summary.Replicas
	}
	fmt.Fprintf(b, "  %s/%s  %s replicas serve\n", md.GetNamespace(), md.GetName(), ready)

	rows := [][]string{}
	for _, p := range md.Status.Placements {
		rows = append(rows, []string{"  " + p.Replica, p.Cluster + "/" + pools(p), howFar(p, md.GetNamespace(), replicas)})
	}
	table(b, rows)
	for _, t := range []v1alpha1.ConditionType{v1alpha1.TypeReplicasScheduled, v1alpha1.TypePlacementsCurrent} {
		c := meta.FindStatusCondition(md.Status.Conditions, string(t))
		if c != nil && c.Status == metav1.ConditionFalse {
			wrap(b, "    ", fmt.Sprintf("%s: %s", c.Reason, c.Message))
		}
	}
}

func pools(p v1alpha1.Placement) string {
	out := []string{}
	for _, e := range p.Pools {
		out = append(out, e.Pool)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), ",")
}

// howFar a replica is: it serves, or what it waits for.
func howFar(p v1alpha1.Placement, namespace string, replicas []v1alpha1.ModelReplica) string {
	i := slices.IndexFunc(replicas, func(r v1alpha1.ModelReplica) bool {
		return r.GetNamespace() == namespace && r.GetName() == p.Replica
	})
	if i < 0 {
		return "being made"
	}
	for _, t := range []v1alpha1.ConditionType{v1alpha1.TypeModelReady, v1alpha1.TypeModelAccepted} {
		c := meta.FindStatusCondition(replicas[i].Status.Conditions, string(t))
		if c != nil && c.Status == metav1.ConditionTrue {
			return c.Reason
		}
		if c != nil && c.Message != "" {
			return c.Reason + ": " + c.Message
		}
	}
	return "starting"
}

func serviceRows(services []v1alpha1.ModelService) [][]string {
	rows := [][]string{}
	for _, s := range byName(services, func(s v1alpha1.ModelService) metav1.Object { return &s }) {
		endpoints := ""
		if s.Status.Summary != nil {
			endpoints = s.Status.Summary.Endpoints + " endpoints"
		}
		rows = append(rows, []string{s.GetNamespace() + "/" + s.GetName(), cmp.Or(s.Status.Address, "no address yet"), endpoints})
	}
	return rows
}

// table writes rows in aligned columns.
func table(b *strings.Builder, rows [][]string) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		_, _ = fmt.Fprintln(w, "  "+strings.TrimRight(strings.Join(r, "\t"), "\t"))
	}
	_ = w.Flush() // A strings.Builder takes everything.
}

// wrap writes text in lines no longer than the view is wide.
func wrap(b *strings.Builder, indent, text string) {
	line := indent
	for word := range strings.FieldsSeq(text) {
		if len(line)+1+len(word) > width && strings.TrimSpace(line) != "" {
			b.WriteString(line + "\n")
			line = indent + "  "
		}
		if strings.TrimSpace(line) != "" {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}

// byName sorts objects by namespace and name.
func byName[T any](items []T, object func(T) metav1.Object) []T {
	out := slices.Clone(items)
	slices.SortFunc(out, func(a, b T) int {
		x, y := object(a), object(b)
		return cmp.Or(cmp.Compare(x.GetNamespace(), y.GetNamespace()), cmp.Compare(x.GetName(), y.GetName()))
	})
	return out
}
