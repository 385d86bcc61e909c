package answer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"testing"
)

// forNobody are what was made for no audience: it has the names of applications that those who read an answer may not see.
var forNobody = []string{
	"incident.Incident", "incident.Member", "incident.Reply", "diagnose.Report", "diagnose.Finding", "action.Record", "action.Note", "action.Access", "evidence.Application", "evidence.ResourceDiff", "drift.Resource", "drift.Field",
}

// TestAnswersAreWrittenOfWhatWasMadeForTheirReaders: a function that makes blocks takes none of it, also not in the fields of what it takes, and
// nothing here makes what only posted makes.
func TestAnswersAreWrittenOfWhatWasMadeForTheirReaders(t *testing.T) {
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, 0) //nolint:staticcheck // types are not needed: the names of imports are fixed
	if err != nil {
		t.Fatal(err)
	}
	types := map[string]ast.Expr{}
	var functions []*ast.FuncDecl
	for name, file := range packages["answer"].Files {
		if len(name) > 8 && name[len(name)-8:] == "_test.go" {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				types[n.Name.Name] = n.Type
			case *ast.FuncDecl:
				functions = append(functions, n)
			case *ast.CompositeLit:
				if of := qualified(n.Type); len(of) > 7 && of[:7] == "posted." {
					t.Errorf("%s makes a %s itself", name, of)
				}
			}
			return true
		})
	}
	written := 0
	for _, f := range functions {
		if !writes(f) {
			continue
		}
		written++
		taken := slices.Clone(f.Type.Params.List)
		if f.Recv != nil {
			taken = append(taken, f.Recv.List...)
		}
		for _, p := range taken {
			if of := unseen(p.Type, types, map[string]bool{}); of != "" {
				t.Errorf("%s writes an answer and takes an %s, which is for no audience", f.Name.Name, of)
			}
		}
	}
	if written < 20 {
		t.Errorf("only %d functions write answers", written)
	}
}

// writes reports whether a function makes blocks.
func writes(f *ast.FuncDecl) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			from, _ := s.X.(*ast.Ident)
			found = found || from != nil && from.Name == "blocks"
		}
		return true
	})
	return found
}

// unseen is what a type has that is for nobody; "" for nothing.
func unseen(e ast.Expr, types map[string]ast.Expr, met map[string]bool) (of string) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType, *ast.InterfaceType: // what can be asked for, and is not given
			return false
		case *ast.Field: // its name is no type
			if in := unseen(n.Type, types, met); in != "" {
				of = in
			}
			return false
		case *ast.SelectorExpr:
			if name := qualified(n); slices.Contains(forNobody, name) {
				of = name
			}
			return false
		case *ast.Ident:
			if is := types[n.Name]; is != nil && !met[n.Name] {
				met[n.Name] = true
				if in := unseen(is, types, met); in != "" {
					of = in
				}
			}
		}
		return true
	})
	return of
}

func qualified(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if from, ok := s.X.(*ast.Ident); ok {
			return from.Name + "." + s.Sel.Name
		}
	}
	return ""
}
