package devices

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// FuzzSelector is any text as a selector, and a device it may be true of.
func FuzzSelector(f *testing.F) {
	f.Fuzz(func(t *testing.T, selector, quantity, version string) {
		n := node(
			dev("gpu", 2).capacity("memory", quantity).version("cuda", version).str("architecture", version).integer("lanes", 16),
			synthetic("nic", 1).driver("nic.example.com"),
		)
		requests := []Request{req("gpu", 1, selector)}
		a := agrees(t, requests, n)
		_, err := Compile(selector)
		if err != nil && a.OK {
			t.Errorf("matched a selector that does not compile: %v", err)
		}
		if _, again := Compile(selector); (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
			t.Errorf("compiled twice: %v, %v", err, again)
		}
	})
}

// agrees checks that a matcher's answers agree with each other, whatever order a
// node's devices are listed in and whatever was asked before.
func agrees(t *testing.T, requests []Request, n []Device) Assignment {
	t.Helper()
	m := NewMatcher()
	a := m.Assign(requests, m.Node(n))
	miss := m.Explain(requests, m.Node(n))
	ways := m.Ways(requests, m.Node(n))
	if a.OK != (miss == Miss{}) || a.OK != (len(ways) > 0) {
		t.Errorf("assigned %v, explained %+v, %d ways", a.OK, miss, len(ways))
	}
	if a.OK && !cmp.Equal(a, ways[0]) {
		t.Errorf("the first way is not the assigned one: %s", cmp.Diff(a, ways[0]))
	}
	if len(miss.Want) > maxWant || len(miss.Have) > maxHave || !utf8.ValidString(miss.Lack()+miss.Closest()) {
		t.Errorf("not for people: %+v", miss)
	}

	reversed := slices.Clone(n)
	slices.Reverse(reversed)
	other := NewMatcher()
	if diff := cmp.Diff(miss, other.Explain(requests, other.Node(reversed))); diff != "" {
		t.Errorf("explained in another order: -want, +got:\n%s", diff)
	}
	if diff := cmp.Diff(ways, other.Ways(requests, other.Node(reversed))); diff != "" {
		t.Errorf("ways in another order: -want, +got:\n%s", diff)
	}
	return a
}

// FuzzValue is a device that publishes values of any form. Where nothing is
// wrong with it, what its vocabulary says is true of it.
func FuzzValue(f *testing.F) {
	f.Fuzz(func(t *testing.T, driver, name, quantity, version, text string, number int64, count int) {
		for _, s := range []string{driver, name, quantity, version, text} {
			if !utf8.ValidString(s) {
				t.Skip("not text, which no object can have")
			}
		}
		d := dev("d", count).driver(driver).class("d.example.com").
			capacity(name, quantity).version(name+"_v", version).str(name+"_s", text).integer(name+"_i", number).boolean(name+"_b", number > 0)
		n := node(d)
		problems := Validate(n)
		for _, s := range Vocabulary(n) {
			agrees(t, []Request{req("r", 1, s)}, n)
			if _, err := Compile(s); err != nil {
				t.Errorf("Vocabulary says %s: %v", s, err)
			}
			if len(problems) == 0 && count > 0 && !assign([]Request{req("r", 1, s)}, n).OK {
				t.Errorf("Vocabulary says %s, which is not true", s)
			}
		}
	})
}

// thrown dice are bytes, one for each throw. When there are no more, they are
// zero: the least there can be of everything.
type thrown struct{ bytes []byte }

func (t *thrown) IntN(n int) int {
	if len(t.bytes) == 0 {
		return 0
	}
	b := t.bytes[0]
	t.bytes = t.bytes[1:]
	return int(b) % n
}

// FuzzAssign makes a pod and a node of bytes, and compares with trying
// everything.
func FuzzAssign(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		requests, n := randomPod(&thrown{data})
		a := agrees(t, requests, n)
		if want := bruteForce(requests, n); a.OK != want {
			t.Fatalf("assigned %v, and it fits: %v\n%+v\n%+v", a.OK, want, requests, n)
		}
		for _, way := range waysOn(requests, n) {
			checkClaims(t, requests, n, way)
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(n), func(i, j int) { n[i], n[j] = n[j], n[i] })
		if diff := cmp.Diff(a, assign(requests, n)); diff != "" {
			t.Errorf("shuffled: -want, +got:\n%s", diff)
		}
	})
}
