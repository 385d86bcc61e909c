package rules_test

import (
	"runtime"
	"strings"
	"testing"
)

// TestValuesThatWouldBecomeTooLarge: Helm's values of some kilobytes can stand for gigabytes. They are not read, and the report says so.
func TestValuesThatWouldBecomeTooLarge(t *testing.T) {
	e := engine(t)
	for _, name := range []string{"render/helm-template/own-nulled-parent", "render/helm-template/own-defaults-at-fault"} {
		t.Run(name, func(t *testing.T) {
			c := caseNamed(t, name)
			c.Application.Spec.Source.Helm.ValuesObject = nil
			c.Application.Spec.Source.Helm.Values = "a: &a " + strings.Repeat("x", 100_000) + "\nb: [" + strings.Repeat("*a, ", 30_000) + "]\n"
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			rep := diagnosed(t, e, c)
			runtime.ReadMemStats(&after)
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 100 {
				t.Errorf("it took %d MiB", used)
			}
			const want = "What the Application sets itself is not known: spec.source.helm.values is too large to read: more than 4 MiB with its YAML aliases replaced."
			if rep.Root() == nil || !strings.Contains(rep.Root().Why, want) {
				t.Errorf("got  %+v\nwant %s", rep.Root(), want)
			}
		})
	}
}
