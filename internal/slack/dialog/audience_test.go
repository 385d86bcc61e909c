package dialog_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/action"
	"github.com/argo-why/argo-why/internal/audience"
	"github.com/argo-why/argo-why/internal/incident/posted"
)

// planned and recorded are for somebody who sees everything.
func planned(p *action.Plan) posted.Plan {
	seen, no := posted.PlanTo(audience.All(), p)
	if no != nil {
		panic(no)
	}
	return seen
}

func recorded(r *action.Record) posted.Record { return posted.RecordTo(audience.All(), r) }

// TestDialogsAreMadeOfWhatWasMadeForTheirReaders: a plan, a record or a refusal that was made for no audience may name applications which those
// who read the dialog do not see.
func TestDialogsAreMadeOfWhatWasMadeForTheirReaders(t *testing.T) {
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, 0) //nolint:staticcheck // types are not needed: the names of imports are fixed
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for _, file := range packages["dialog"].Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if made, ok := n.(*ast.CompositeLit); ok && strings.HasPrefix(qualified(made.Type), "posted.") {
				t.Errorf("%s is made here", qualified(made.Type))
			}
			return true
		})
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() {
				continue
			}
			for _, p := range f.Type.Params.List {
				ast.Inspect(p.Type, func(n ast.Node) bool {
					e, ok := n.(ast.Expr)
					if !ok {
						return true
					}
					switch of := qualified(e); {
					case of == "action.Plan", of == "action.Record", of == "action.Refusal", of == "action.Change", strings.HasPrefix(of, "incident."), strings.HasPrefix(of, "diagnose."):
						t.Errorf("%s takes an %s, which is for no audience", f.Name.Name, of)
					case strings.HasPrefix(of, "posted."):
						taken++
					}
					return true
				})
			}
		}
	}
	if taken < 8 {
		t.Errorf("only %d times something for an audience is taken", taken)
	}
}

func qualified(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	from, ok := s.X.(*ast.Ident)
	if !ok {
		return ""
	}
	return from.Name + "." + s.Sel.Name
}
