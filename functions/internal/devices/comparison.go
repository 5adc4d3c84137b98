package devices

import (
	"fmt"
	"strconv"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"k8s.io/apimachinery/pkg/api/resource"
)

// A comparison is a property compared with a constant.
type comparison struct {
	property property
	operator string
	value    string // As people write it: 141Gi, "Hopper".
}

// order is 1 if a device with more of the property is closer, -1 if one with
// less is.
func (c comparison) order() int {
	switch c.operator {
	case ">", ">=":
		return 1
	case "<", "<=":
		return -1
	}
	return 0
}

// comparisonOf reads p >= 5, p.compareTo(quantity("5")) >= 0 and
// p.isGreaterThan(quantity("5")), and the like.
func comparisonOf(e ast.Expr) (comparison, bool) {
	if e.Kind() != ast.CallKind {
		return comparison{}, false
	}
	call := e.AsCall()
	if c, ok := ordered(call); ok {
		return c, true
	}
	operator, ok := infix(call.FunctionName())
	if !ok || len(call.Args()) != 2 {
		return comparison{}, false
	}
	left, right := call.Args()[0], call.Args()[1]
	if p, ok := propertyOf(left); ok {
		value, ok := constant(right)
		return comparison{property: p, operator: operator, value: value}, ok
	}
	if value, ok := constant(right); !ok || value != "0" {
		return comparison{}, false
	}
	p, value, ok := method(left, "compareTo")
	return comparison{property: p, operator: operator, value: value}, ok
}

// ordered reads p.isGreaterThan(x) and p.isLessThan(x).
func ordered(call ast.CallExpr) (comparison, bool) {
	if p, value, ok := methodOf(call, "isGreaterThan"); ok {
		return comparison{property: p, operator: ">", value: value}, true
	}
	p, value, ok := methodOf(call, "isLessThan")
	return comparison{property: p, operator: "<", value: value}, ok
}

// method reads p.name(x).
func method(e ast.Expr, name string) (property, string, bool) {
	if e.Kind() != ast.CallKind {
		return property{}, "", false
	}
	return methodOf(e.AsCall(), name)
}

func methodOf(call ast.CallExpr, name string) (property, string, bool) {
	if !call.IsMemberFunction() || call.FunctionName() != name || len(call.Args()) != 1 {
		return property{}, "", false
	}
	p, ok := propertyOf(call.Target())
	if !ok {
		return property{}, "", false
	}
	value, ok := constant(call.Args()[0])
	return p, value, ok
}

// constant reads a literal, or quantity("141Gi") and semver("9.0.0") as what
// they are of.
func constant(e ast.Expr) (string, bool) {
	if e.Kind() == ast.LiteralKind {
		return literal(e)
	}
	if e.Kind() != ast.CallKind {
		return "", false
	}
	call := e.AsCall()
	if call.IsMemberFunction() || len(call.Args()) != 1 || call.Args()[0].Kind() != ast.LiteralKind {
		return "", false
	}
	if name := call.FunctionName(); name != "quantity" && name != "semver" {
		return "", false
	}
	s, ok := call.Args()[0].AsLiteral().(types.String)
	return string(s), ok
}

func literal(e ast.Expr) (string, bool) {
	switch v := e.AsLiteral().(type) {
	case types.String:
		return strconv.Quote(string(v)), true
	case types.Int, types.Uint, types.Double, types.Bool:
		return fmt.Sprint(v.Value()), true
	}
	return "", false
}

func infix(function string) (string, bool) {
	switch function {
	case operators.GreaterEquals:
		return ">=", true
	case operators.Greater:
		return ">", true
	case operators.LessEquals:
		return "<=", true
	case operators.Less:
		return "<", true
	case operators.Equals:
		return "==", true
	case operators.NotEquals:
		return "!=", true
	}
	return "", false
}

// compareValues orders two values as numbers, quantities or versions. Values
// that are neither are equal.
func compareValues(a, b string) int {
	qa, errA := resource.ParseQuantity(a)
	qb, errB := resource.ParseQuantity(b)
	if errA == nil && errB == nil {
		return qa.Cmp(qb)
	}
	va, errA := semver.Parse(a)
	vb, errB := semver.Parse(b)
	if errA == nil && errB == nil {
		return va.Compare(vb)
	}
	return 0
}
