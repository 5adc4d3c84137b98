package devices

import (
	"context"
	"errors"
	"fmt"
	"sync"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/dynamic-resource-allocation/cel"
)

// maxPrograms bounds the compile cache. A fleet has hundreds of selectors.
const maxPrograms = 4096

// programs are the selectors compiled so far, failures included. Compiling is
// a thousand times dearer than evaluating, and every reconcile of every
// deployment asks for the same few.
//
// The DRA library's own cache is not used because it compiles for expressions
// that are stored already, skips the cost estimate a ResourceClaim's validation
// makes, and forgets failures.
var programs = &cache{entries: map[string]*Program{}} //nolint:gochecknoglobals // A cache, invisible in results.

type cache struct {
	mu      sync.Mutex
	entries map[string]*Program
}

func (c *cache) get(expression string) *Program {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries[expression]
}

func (c *cache) add(expression string, p *Program) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries) >= maxPrograms {
		clear(c.entries)
	}
	c.entries[expression] = p
}

// A Program is a compiled selector. It is safe for concurrent use.
type Program struct {
	result cel.CompilationResult
	err    error

	clauses func() []clause // What the selector's conjuncts speak of. Computed once.
}

// Compile compiles a selector as the API server would on creation of a
// ResourceClaim. The error is the author's and says what to change.
func Compile(expression string) (*Program, error) {
	if p := programs.get(expression); p != nil {
		return p, p.err
	}
	p := compile(expression)
	if len(expression) <= resourcev1.CELSelectorExpressionMaxLength {
		programs.add(expression, p)
	}
	return p, p.err
}

func compile(expression string) *Program {
	if n := len(expression); n > resourcev1.CELSelectorExpressionMaxLength {
		return &Program{err: fmt.Errorf("too long: %d bytes, at most %d", n, resourcev1.CELSelectorExpressionMaxLength)}
	}

	env := environment.NewExpressions
	result := cel.GetCompiler(cel.Features{}).CompileCELExpression(expression, cel.Options{EnvType: &env})
	if result.Error != nil {
		return &Program{err: errors.New(result.Error.Detail)}
	}
	if result.MaxCost > resourcev1.CELSelectorExpressionMaxCost {
		return &Program{err: fmt.Errorf("too complex: may cost %d, at most %d", result.MaxCost, resourcev1.CELSelectorExpressionMaxCost)}
	}

	p := &Program{result: result}
	p.clauses = sync.OnceValue(func() []clause { return clauses(expression, result.Environment) })
	return p
}

// matches says whether the program is true of a device, and if it failed, how.
func (p *Program) matches(d cel.Device) (bool, error) {
	ok, _, err := p.result.DeviceMatches(context.Background(), d)
	return ok && err == nil, err
}
