package devices

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// corpora are what the files of FuzzAssign's corpus are, by name.
var corpora = map[string]func([]Request, []Device, Assignment, Miss) bool{
	"fits":    func(rs []Request, _ []Device, a Assignment, _ Miss) bool { return a.OK && len(rs) > 2 },
	"too-few": func(rs []Request, _ []Device, _ Assignment, miss Miss) bool { return miss.TooFew && len(rs) > 1 },
	"no-match": func(_ []Request, n []Device, a Assignment, miss Miss) bool {
		return !a.OK && !miss.TooFew && len(n) > 1
	},
	"split": func(rs []Request, _ []Device, a Assignment, _ Miss) bool { return len(a.Claims) > len(rs) },
	"synthetic": func(rs []Request, _ []Device, a Assignment, _ Miss) bool {
		return len(a.Claims) > 0 && len(a.Claims) < len(rs)
	},
	"many-ways": func(rs []Request, n []Device, a Assignment, _ Miss) bool { return a.OK && len(waysOn(rs, n)) > 30 },
	"alike":     func(_ []Request, n []Device, a Assignment, _ Miss) bool { return a.OK && len(Merge(n)) < len(n) },
}

var update = flag.Bool("update", false, "make the corpus of FuzzAssign anew")

// TestCorpora keeps the corpus what its names say. Where the random cases change
// it is made anew: go test -run TestCorpora -update.
func TestCorpora(t *testing.T) {
	for name, is := range corpora {
		path := filepath.Join("testdata", "fuzz", "FuzzAssign", name)
		if *update {
			text := fmt.Sprintf("go test fuzz v1\n[]byte(%q)\n", shortest(is))
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, line, _ := strings.Cut(strings.TrimSpace(string(file)), "\n")
		data, err := strconv.Unquote(strings.TrimSuffix(strings.TrimPrefix(line, "[]byte("), ")"))
		if err != nil || !decides(is, &thrown{[]byte(data)}) {
			t.Errorf("%s is not what it says: %v", name, err)
		}
	}
}

func decides(is func([]Request, []Device, Assignment, Miss) bool, d dice) bool {
	requests, n := randomPod(d)
	m := NewMatcher()
	return is(requests, n, m.Assign(requests, m.Node(n)), m.Explain(requests, m.Node(n)))
}

// recorded dice remember what was thrown.
type recorded struct {
	dice
	bytes []byte
}

func (r *recorded) IntN(n int) int {
	v := r.dice.IntN(n)
	r.bytes = append(r.bytes, byte(v))
	return v
}

// shortest of many random cases that are something.
func shortest(is func([]Request, []Device, Assignment, Miss) bool) []byte {
	var best []byte
	for seed := range uint64(6000) {
		r := &recorded{dice: rand.New(rand.NewPCG(seed, 2))}
		if decides(is, r) && (best == nil || len(r.bytes) < len(best)) {
			best = r.bytes
		}
	}
	return best
}
