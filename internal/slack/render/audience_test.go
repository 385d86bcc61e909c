package render_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// TestWhatIsExportedTakesIncidentsForAnAudience: an incident that was not made for the readers of a channel has the names of applications
// that they may not see, and a record of an action the words of Argo CD about one. Offering shows nothing: it finds the report whose actions are looked up.
func TestWhatIsExportedTakesIncidentsForAnAudience(t *testing.T) {
	packages, err := parser.ParseDir(token.NewFileSet(), ".", nil, 0) //nolint:staticcheck // types are not needed: the names of imports are fixed
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for _, file := range packages["render"].Files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !f.Name.IsExported() || f.Name.Name == "Offering" {
				continue
			}
			for _, p := range f.Type.Params.List {
				ast.Inspect(p.Type, func(n ast.Node) bool {
					s, ok := n.(*ast.SelectorExpr)
					if !ok {
						return true
					}
					from, _ := s.X.(*ast.Ident)
					switch of := from.Name + "." + s.Sel.Name; {
					case of == "diagnose.Report", of == "action.Record", of == "action.Note", of == "incident.Incident", of == "incident.Reply", of == "incident.Member", of == "incident.Digest", of == "incident.App":
						t.Errorf("%s takes an %s, which is for no audience", f.Name.Name, of)
					case strings.HasPrefix(of, "posted."):
						taken++
					}
					return true
				})
			}
		}
	}
	if taken < 4 {
		t.Errorf("only %d functions take incidents for an audience", taken)
	}
}
