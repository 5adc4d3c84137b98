package main

import "testing"

func TestUpdated(t *testing.T) {
	cases := map[string]struct {
		reason            string
		replicas, updated int32
		copies            int32
		want              int32
	}{
		"AllUpdated": {
			reason:   "Every copy runs the current template.",
			replicas: 2, updated: 2, copies: 2,
			want: 2,
		},
		"HalfWay": {
			reason:   "A copy that is still of the older template is not up to date.",
			replicas: 3, updated: 2, copies: 3,
			want: 2,
		},
		"OldOneHasYetToGo": {
			reason:   "The new pod is there and the old one is not gone, which may be the one that is available.",
			replicas: 2, updated: 1, copies: 1,
			want: 0,
		},
		"NotCounted": {
			reason:  "What does not say how many copies there are has none of an older template.",
			updated: 1, copies: 1,
			want: 1,
		},
		"ScaledDown": {
			reason:   "Copies that are not wanted any more do not count.",
			replicas: 3, updated: 3, copies: 2,
			want: 2,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := serving{}
			s.Status.Replicas, s.Status.UpdatedReplicas = tc.replicas, tc.updated
			if got := s.updated(tc.copies); got != tc.want {
				t.Errorf("\n%s\nupdated(%d): want %d, got %d", tc.reason, tc.copies, tc.want, got)
			}
		})
	}
}
