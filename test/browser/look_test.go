//go:build browser

package browser

import (
	_ "embed"
	"os"
	"strings"
)

// layout finds text that is cut, boxes that lie over each other, and a page that is wider than the screen.
//
//go:embed layout.js
var layout string

// look checks what a person with good eyes, and one with a screen reader, would stumble over, and takes a picture.
func (b *tab) look(name string) {
	b.t.Helper()
	b.shot(name)
	for _, problem := range eval[[]string](b, layout) {
		b.t.Errorf("%s: %s", name, problem)
	}
	axe, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if err != nil {
		b.t.Fatal("axe-core is not there: npm ci in test/browser: ", err)
	}
	eval[bool](b, string(axe)+"; true")
	found := eval[[]string](b, `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations
		.filter(v => v.impact === "serious" || v.impact === "critical")
		.map(v => v.id + ": " + v.help + ": " + v.nodes.map(n => n.html.slice(0, 200) + " " + (n.any[0] || n.all[0] || n.none[0] || {}).message).slice(0, 3).join(" | ")))`)
	if len(found) > 0 {
		b.t.Errorf("%s: axe-core finds:\n%s", name, strings.Join(found, "\n"))
	}
}
