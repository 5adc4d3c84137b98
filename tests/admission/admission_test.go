package admission

import "testing"

func TestCases(t *testing.T) {
	servers := newServers(t)
	for kind, cases := range Cases() {
		for name, tc := range cases {
			t.Run(kind+"/"+name, func(t *testing.T) {
				_, err := servers.create(kind, tc.Object)
				if !Answers(err, tc.Field, tc.Want) {
					t.Errorf("\n%s\nwant error: %q %q\ngot: %v", tc.Reason, tc.Field, tc.Want, err)
				}
			})
		}
	}
}

func TestUpdates(t *testing.T) {
	servers := newServers(t)
	for kind, updates := range Updates() {
		for name, tc := range updates {
			t.Run(kind+"/"+name, func(t *testing.T) {
				_, err := servers.update(kind, tc.New, tc.Old)
				if !Answers(err, tc.Field, tc.Want) {
					t.Errorf("\n%s\nwant error: %q %q\ngot: %v", tc.Reason, tc.Field, tc.Want, err)
				}
			})
		}
	}
}

// TestEveryKindHasCases guards against a kind that nobody has thought about.
func TestEveryKindHasCases(t *testing.T) {
	for kind := range newServers(t) {
		if len(Cases()[kind]) == 0 {
			t.Errorf("there are no cases of %s", kind)
		}
	}
}
