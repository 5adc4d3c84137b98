package preview

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/modelplane-go/modelplane/schemas/modelplane/v1alpha1"
)

// report what would run where, and why.
func (p *Preview) report() (*report, error) {
	r := &report{}
	r.line(0, "Preview of "+p.name+". Nothing was applied to any cluster.")
	for _, section := range []func(*report) error{p.reportFleet, p.reportDeployments, p.reportServices, p.reportTrouble} {
		if err := section(r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// reportFleet says what the clusters have and who is charged for it.
func (p *Preview) reportFleet(r *report) error {
	clusters, err := allAs[v1alpha1.InferenceCluster](p.world, v1alpha1.KindInferenceCluster)
	if err != nil {
		return err
	}
	rows := [][]string{{"CLUSTER", "READY", "POOL", "CLASS", "NODES CHARGED", "DEVICES OF A NODE", "CHARGED TO"}}
	for _, c := range clusters {
		rows = append(rows, pools(c)...)
	}
	r.blank()
	r.line(0, "Fleet, "+plural(len(clusters), "cluster"))
	if len(rows) > 1 {
		r.table(1, rows)
	}
	return nil
}

// pools of a cluster: those its ledger has, and those it should have.
func pools(c *v1alpha1.InferenceCluster) [][]string {
	ready := yesNo(meta.IsStatusConditionTrue(c.Status.Conditions, "Ready"))
	var rows [][]string
	known := map[string]bool{}
	for _, p := range c.Status.GPUPools {
		known[p.Name] = true
		nodes := fmt.Sprintf("%d of %d", p.NodesCharged, p.Nodes)
		rows = append(rows, []string{c.Name, ready, p.Name, orNone(p.ClassName), nodes, orNone(devices(p.Devices)), orNone(charges(p.Charges))})
	}
	for _, p := range c.Spec.NodePools {
		if !known[p.Name] {
			rows = append(rows, []string{c.Name, ready, p.Name, p.ClassName, "-", "unknown", "-"})
		}
	}
	if len(rows) == 0 {
		rows = append(rows, []string{c.Name, ready, "-", "-", "-", "-", "-"})
	}
	return rows
}

// devices a node has: 8 gpu (memory 80Gi).
func devices(ds []v1alpha1.Device) string {
	out := make([]string, 0, len(ds))
	for _, d := range ds {
		var notes []string
		if d.Claim == v1alpha1.ClaimSynthetic {
			notes = append(notes, "synthetic")
		}
		for _, name := range slices.Sorted(maps.Keys(d.Capacity)) {
			v := d.Capacity[name].Value
			notes = append(notes, name+" "+v.String())
		}
		text := fmt.Sprintf("%d %s", d.Count, d.Name)
		if len(notes) > 0 {
			text += " (" + strings.Join(notes, ", ") + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// charges of a pool, by deployment: ml-team/qwen3-8b 16 gpu.
func charges(cs []v1alpha1.Charge) string {
	taken := map[string]map[string]int32{}
	for _, c := range cs {
		who := c.Namespace + "/" + c.Deployment
		if taken[who] == nil {
			taken[who] = map[string]int32{}
		}
		for _, g := range c.Groups {
			charge(taken[who], g)
		}
	}
	out := make([]string, 0, len(taken))
	for _, who := range slices.Sorted(maps.Keys(taken)) {
		var parts []string
		for _, thing := range slices.Sorted(maps.Keys(taken[who])) {
			parts = append(parts, fmt.Sprintf("%d %s", taken[who][thing], thing))
		}
		out = append(out, who+" "+strings.Join(parts, " + "))
	}
	return strings.Join(out, ", ")
}

// charge adds up the devices of a group, or its nodes if it takes whole ones.
func charge(taken map[string]int32, g v1alpha1.PodGroup) {
	for _, p := range g.Pods {
		pods := max(1, g.Copies) * max(1, p.Count)
		if len(p.Devices) == 0 {
			taken["whole nodes"] += pods
		}
		for name, n := range p.Devices {
			taken[name] += pods * n
		}
	}
}

// reportDeployments says where each replica runs, and why others do not.
func (p *Preview) reportDeployments(r *report) error {
	for _, k := range p.deployments {
		md, err := as[v1alpha1.ModelDeployment](p.world.objects[k])
		if err != nil {
			return err
		}
		r.blank()
		r.line(0, fmt.Sprintf("ModelDeployment %s/%s, %s", k.namespace, k.name, plural(int(*md.Spec.Replicas), "replica")))
		if rows := placements(md.Status.Placements); len(rows) > 1 {
			r.table(1, rows)
		}
		for _, c := range md.Status.Conditions {
			if !ofCrossplane(c.Type) {
				r.paragraph(1, conditionText(c))
			}
		}
	}
	return nil
}

func placements(ps []v1alpha1.Placement) [][]string {
	rows := [][]string{{"REPLICA", "CLUSTER", "ENGINE -> POOL", "REVISION", "READY"}}
	for _, pl := range ps {
		pools := make([]string, 0, len(pl.Pools))
		for _, ep := range pl.Pools {
			pools = append(pools, ep.Engine+" -> "+ep.Pool)
		}
		rows = append(rows, []string{pl.Replica, pl.Cluster, strings.Join(pools, ", "), orNone(pl.Revision), yesNo(pl.Ready)})
	}
	return rows
}

// reportServices says where each service is reached, and what it sends where.
func (p *Preview) reportServices(r *report) error {
	endpoints, err := allAs[v1alpha1.ModelEndpoint](p.world, v1alpha1.KindModelEndpoint)
	if err != nil {
		return err
	}
	urls := map[string]string{}
	for _, e := range endpoints {
		urls[e.Namespace+"/"+e.Name] = e.Spec.URL
	}
	for _, k := range p.services {
		ms, err := as[v1alpha1.ModelService](p.world.objects[k])
		if err != nil {
			return err
		}
		r.blank()
		r.line(0, fmt.Sprintf("ModelService %s/%s at %s", k.namespace, k.name, orNone(ms.Status.Address)))
		rows := [][]string{{"ENDPOINT", "WEIGHT", "READY", "URL"}}
		for _, e := range ms.Status.Endpoints {
			rows = append(rows, []string{e.Name, fmt.Sprint(e.Weight), yesNo(e.Ready), orNone(urls[k.namespace+"/"+e.Name])})
		}
		if len(rows) > 1 {
			r.table(1, rows)
		}
	}
	return nil
}

// reportTrouble says what is not as it should be, and what was warned of.
func (p *Preview) reportTrouble(r *report) error {
	var trouble []string
	for _, k := range sortedKeys(p.world.objects) {
		o := p.world.objects[k]
		if !p.world.isXR(o) {
			continue
		}
		c, err := as[conditioned](o)
		if err != nil {
			return err
		}
		for _, c := range c.Status.Conditions {
			if c.Status != metav1.ConditionTrue && !p.reported(k, c) {
				trouble = append(trouble, title(o)+": "+conditionText(c))
			}
		}
		for _, warning := range p.world.warnings[k] {
			trouble = append(trouble, title(o)+" warns: "+warning)
		}
	}
	if len(trouble) == 0 {
		return nil
	}
	r.blank()
	r.line(0, "Not as it should be")
	for _, t := range trouble {
		r.paragraph(1, t)
	}
	return nil
}

// A conditioned object has conditions.
type conditioned struct {
	Status struct {
		Conditions []metav1.Condition `json:"conditions"`
	} `json:"status"`
}

// reported says whether a condition is reported beside what it is about.
func (p *Preview) reported(k key, c metav1.Condition) bool {
	return slices.Contains(p.deployments, k) && !ofCrossplane(c.Type)
}

// ofCrossplane says whether a condition is one Crossplane itself sets.
func ofCrossplane(typ string) bool {
	return slices.Contains([]string{"Ready", "Responsive", "Synced"}, typ)
}

func conditionText(c metav1.Condition) string {
	text := fmt.Sprintf("%s is %s (%s)", c.Type, c.Status, c.Reason)
	if c.Message != "" {
		text += ": " + c.Message
	}
	return text
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func orNone(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
