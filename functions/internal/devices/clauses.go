package devices

import (
	"slices"
	"strconv"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"
)

// A clause is one conjunct of a selector, and what it speaks of as far as that
// can be read from it. It serves explanations only: whether a device matches is
// decided by the selector as written.
type clause struct {
	text       string     // The conjunct as CEL.
	phrase     string     // The conjunct for people: memory >= 141Gi.
	properties []property // What it asks of a device.
	driver     string     // The driver it demands, if it compares the driver with one.
	order      int        // 1 if more of its only property is closer, -1 if less is, 0 if neither.
}

// clauses splits a selector at its outermost &&. A selector that cannot be
// split into conjuncts that compile is one clause.
func clauses(expression string, env *cel.Env) []clause {
	whole := []clause{{text: expression, phrase: expression}}
	parsed, issues := env.Parse(expression)
	if issues.Err() != nil {
		return whole
	}

	tree := parsed.NativeRep()
	root := ast.NavigateAST(tree)
	whole[0] = describe(expression, root)

	parts := conjuncts(root)
	if len(parts) == 1 {
		return whole
	}
	out := make([]clause, 0, len(parts))
	for _, part := range parts {
		text, err := parser.Unparse(part, tree.SourceInfo())
		if err != nil {
			return whole
		}
		if _, err := Compile(text); err != nil {
			return whole
		}
		out = append(out, describe(text, part))
	}
	return out
}

func conjuncts(e ast.NavigableExpr) []ast.NavigableExpr {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.LogicalAnd {
		return []ast.NavigableExpr{e}
	}
	var out []ast.NavigableExpr
	for _, child := range e.Children() {
		out = append(out, conjuncts(child)...)
	}
	return out
}

func describe(text string, e ast.NavigableExpr) clause {
	c := clause{text: text, phrase: text, properties: properties(e)}
	if p, ok := propertyOf(e); ok {
		c.phrase = p.String()
	}
	cmp, ok := comparisonOf(e)
	if !ok {
		return c
	}
	c.phrase = cmp.property.String() + " " + cmp.operator + " " + cmp.value
	c.order = cmp.order()
	if cmp.property.kind == driverName && cmp.operator == "==" {
		c.driver, _ = strconv.Unquote(cmp.value)
	}
	return c
}

// properties finds what an expression asks of a device. It is conservative: an
// access it cannot read, through a variable say, is reported as its domain or
// not at all.
func properties(e ast.NavigableExpr) []property {
	if p, ok := propertyOf(e); ok {
		return []property{p}
	}
	if p, ok := domainOf(e); ok {
		return []property{p}
	}
	var out []property
	for _, child := range e.Children() {
		for _, p := range properties(child) {
			out = appendNew(out, p)
		}
	}
	return out
}

// propertyOf reads device.driver, device.capacity["domain"].id and
// device.capacity["domain"]["id"].
func propertyOf(e ast.Expr) (property, bool) {
	if isField(e, "driver") {
		return property{kind: driverName}, true
	}
	if e.Kind() == ast.SelectKind {
		p, ok := domainOf(e.AsSelect().Operand())
		p.id = e.AsSelect().FieldName()
		return p, ok
	}
	operand, key, ok := index(e)
	if !ok {
		return property{}, false
	}
	p, ok := domainOf(operand)
	p.id = key
	return p, ok
}

// domainOf reads device.capacity["domain"].
func domainOf(e ast.Expr) (property, bool) {
	operand, key, ok := index(e)
	if !ok {
		return property{}, false
	}
	if isField(operand, "attributes") {
		return property{kind: attribute, domain: key}, true
	}
	if isField(operand, "capacity") {
		return property{kind: capacity, domain: key}, true
	}
	return property{}, false
}

// isField says whether the expression is device.<name>.
func isField(e ast.Expr, name string) bool {
	if e.Kind() != ast.SelectKind || e.AsSelect().FieldName() != name {
		return false
	}
	operand := e.AsSelect().Operand()
	return operand.Kind() == ast.IdentKind && operand.AsIdent() == "device"
}

// index reads operand["key"].
func index(e ast.Expr) (operand ast.Expr, key string, ok bool) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != operators.Index {
		return nil, "", false
	}
	args := e.AsCall().Args()
	if len(args) != 2 || args[1].Kind() != ast.LiteralKind {
		return nil, "", false
	}
	s, ok := args[1].AsLiteral().(types.String)
	return args[0], string(s), ok
}

func appendNew(ps []property, p property) []property {
	if slices.Contains(ps, p) {
		return ps
	}
	return append(ps, p)
}
