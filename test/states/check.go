package states

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

const (
	module   = "github.com/argo-why/argo-why/"
	evidence = module + "internal/evidence"
	clean    = evidence + "/clean"
)

// writers make texts of whatever they are given: its String method does not count for %#v and for JSON.
var writers = []string{"encoding/json", "encoding/gob", "encoding/xml", "fmt", "log/slog", "reflect", "sigs.k8s.io/yaml", "text/template", "unsafe"}

// checker looks for ways from a state to its text.
type checker struct {
	pkg   *packages.Package
	found []string
}

// Leaks are the places in a package where a state becomes a text, "file.go:12: how".
func Leaks(pkg *packages.Package) []string {
	c := &checker{pkg: pkg}
	for _, file := range pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			c.node(n)
			return true
		})
	}
	return c.found
}

func (c *checker) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.CallExpr:
		c.call(n)
	case *ast.RangeStmt:
		if isState(c.typeOf(n.X)) {
			c.leak(n.Pos(), "goes through the characters of a state")
		}
	case *ast.IndexExpr:
		if isState(c.typeOf(n.X)) {
			c.leak(n.Pos(), "takes a character of a state")
		}
	case *ast.Ident:
		if i, ok := c.pkg.TypesInfo.Instances[n]; ok && slices.ContainsFunc(slices.Collect(i.TypeArgs.Types()), isState) && strings.HasPrefix(pathOf(c.pkg.TypesInfo.Uses[n]), module) {
			c.leak(n.Pos(), "gives a state to "+n.Name+", which takes any text")
		}
	case *ast.SelectorExpr:
		if f := c.pkg.TypesInfo.Uses[n.Sel]; f != nil && f.Name() == "Original" && pathOf(f) == clean {
			c.leak(n.Pos(), "reads the states as they were before their secrets were removed")
		}
	}
}

// call looks at conversions, builtins, and functions that make texts.
func (c *checker) call(n *ast.CallExpr) {
	if to := c.pkg.TypesInfo.Types[n.Fun]; to.IsType() {
		if isState(c.typeOf(n.Args[0])) && !isState(to.Type) && !types.IsInterface(to.Type) {
			c.leak(n.Pos(), fmt.Sprintf("converts a state to %s", to.Type))
		}
		return
	}
	switch called := c.called(n.Fun).(type) {
	case *types.Builtin:
		// Their other arguments are of the type of the list, unless that is bytes.
		if name := called.Name(); (name == "append" || name == "copy") && isState(c.typeOf(n.Args[len(n.Args)-1])) && isBytes(c.typeOf(n.Args[0])) {
			c.leak(n.Pos(), "makes bytes of a state with "+name)
		}
	case *types.Func:
		if slices.Contains(writers, pathOf(called)) && slices.ContainsFunc(n.Args, func(a ast.Expr) bool { return holdsState(c.typeOf(a), nil) }) {
			c.leak(n.Pos(), "gives a state to "+called.FullName())
		}
	}
}

// called is what a call calls, nil for the value of an expression.
func (c *checker) called(fun ast.Expr) types.Object {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return c.pkg.TypesInfo.Uses[f]
	case *ast.SelectorExpr:
		return c.pkg.TypesInfo.Uses[f.Sel]
	}
	return nil
}

func (c *checker) typeOf(e ast.Expr) types.Type { return c.pkg.TypesInfo.TypeOf(e) }

func (c *checker) leak(at token.Pos, how string) {
	p := c.pkg.Fset.Position(at)
	name := p.Filename[strings.LastIndex(p.Filename, "/")+1:]
	c.found = append(c.found, fmt.Sprintf("%s/%s:%d: %s", strings.TrimPrefix(c.pkg.PkgPath, module), name, p.Line, how))
}

func pathOf(o types.Object) string {
	if o == nil || o.Pkg() == nil {
		return ""
	}
	return o.Pkg().Path()
}

// isState reports whether a type is evidence.State, under whatever name.
func isState(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == "State" && pathOf(named.Obj()) == evidence
}

func isBytes(t types.Type) bool {
	s, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(s.Elem().Underlying(), types.Typ[types.Byte])
}

// holdsState reports whether a state can be reached from a value of a type. seen ends types that contain themselves.
func holdsState(t types.Type, seen []types.Type) bool {
	if t == nil || slices.ContainsFunc(seen, func(s types.Type) bool { return types.Identical(s, t) }) {
		return false
	}
	if isState(t) {
		return true
	}
	seen = append(seen, t)
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return holdsState(u.Elem(), seen)
	case *types.Slice:
		return holdsState(u.Elem(), seen)
	case *types.Array:
		return holdsState(u.Elem(), seen)
	case *types.Map:
		return holdsState(u.Key(), seen) || holdsState(u.Elem(), seen)
	case *types.Struct:
		for field := range u.Fields() {
			if holdsState(field.Type(), seen) {
				return true
			}
		}
	}
	return false
}
