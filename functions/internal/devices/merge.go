package devices

import (
	"cmp"
	"slices"
)

// Merge returns a node's devices by name, each kind once: those that differ in
// their name only are one kind of the first one's name. A class may list like
// devices one by one.
func Merge(node []Device) []Device {
	out := make([]Device, 0, len(node))
	for _, d := range slices.SortedStableFunc(slices.Values(node), compareNames) {
		i := slices.IndexFunc(out, func(o Device) bool { return Alike(o, d) })
		if i < 0 {
			out = append(out, d)
			continue
		}
		out[i].Count = max(0, out[i].Count) + max(0, d.Count)
	}
	return out
}

func compareNames(a, b Device) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Count, b.Count))
}

// Alike says whether devices differ in name and number only, so that nothing but
// their names tells them apart.
func Alike(a, b Device) bool {
	if a.Driver != b.Driver || a.DeviceClassName != b.DeviceClassName || a.Synthetic != b.Synthetic ||
		len(a.Attributes) != len(b.Attributes) || len(a.Capacity) != len(b.Capacity) {
		return false
	}
	return contentKey(a) == contentKey(b)
}
