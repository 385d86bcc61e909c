package foreign_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/test/foreign"
)

const root = "../.."

// own are the files and directories that decode by themselves, each with what it decodes.
var own = map[string]string{
	"internal/foreign":                  "is what decodes for all others",
	"internal/simulator":                "is Argo CD, for tests and the demo",
	"internal/workspace":                "is Slack, for tests and the demo",
	"internal/demo":                     "reads its own simulations",
	"internal/incident/damaged.go":      "an entry of the journal that argo-why wrote",
	"internal/incident/parts/parts.go":  "a part of an entry of the journal that argo-why wrote",
	"internal/incident/bolt/parts.go":   "a part of an entry of the journal that argo-why wrote",
	"internal/action/bolt/journal.go":   "an entry of the journal that argo-why wrote",
	"internal/kube/actions_object.go":   "an entry of the journal that argo-why wrote",
	"internal/kube/incidents_object.go": "an entry of the journal that argo-why wrote",
	"internal/kube/incidents_status.go": "an entry of the journal that argo-why wrote; what it is packed in is limited as well",
	"internal/slack/button/value.go":    "the value of a button, after its signature was checked",
	"internal/slack/button/keys.go":     "the keys of buttons, from a Secret of argo-why's own",
	"internal/diagnose/drift/lists.go":  "the key of a list's member, which it wrote",
	"internal/redact/load.go":           "the rules of gitleaks, which are part of the binary",
	"config":                            "argo-why's configuration",
}

// TestOnlyOneReaderOfWhatOthersWrote: an alias bomb or a list of millions of entries ends a process that decodes it.
func TestOnlyOneReaderOfWhatOthersWrote(t *testing.T) {
	used := map[string]bool{}
	read := 0
	for _, dir := range []string{"internal", "cmd", "config"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || isForTests(file) {
				return err
			}
			source, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			read++
			found, err := foreign.Decoders(file, source)
			at, _ := filepath.Rel(root, file)
			if reason := reasonOf(at); reason != "" && len(found) > 0 {
				used[reason] = true
				return err
			}
			for _, place := range found {
				t.Errorf("%s:%s: use a Limits of internal/foreign (Field, Application, Answer, File), which refuses what would become too large; "+
					"if argo-why wrote this itself, say so in the list of this test", at, place)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for at := range own {
		if !used[at] {
			t.Errorf("%s decodes nothing any more: remove it from the list", at)
		}
	}
	if read < 500 {
		t.Errorf("only %d files were read", read)
	}
}

// isForTests recognises packages that only tests use.
func isForTests(file string) bool {
	return strings.HasSuffix(filepath.Base(filepath.Dir(file)), "test")
}

// reasonOf is the entry of the list for a file; empty without one.
func reasonOf(at string) string {
	for entry := range own {
		if at == entry || strings.HasPrefix(at, entry+"/") {
			return entry
		}
	}
	return ""
}

func TestEachDecoderIsSeen(t *testing.T) {
	source := `package x
import (
	"encoding/json"
	other "encoding/json"
	. "encoding/json"
	"sigs.k8s.io/yaml"
	"go.yaml.in/yaml/v4"
	"gopkg.in/yaml.v3"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	kyaml "sigs.k8s.io/yaml/goyaml.v2"
)
func f(b []byte) {
	json.Unmarshal(b, nil)
	other.NewDecoder(nil)
	read := json.Unmarshal
	yaml.NewLoader(nil)
	utiljson.Unmarshal(b, nil)
	kyaml.Unmarshal(b, nil)
	json.Marshal(nil)
	yaml.Marshal(nil)
	json.Valid(b)
	utiljson.Marshal(nil)
}`
	found, err := foreign.Decoders("x.go", []byte(source))
	want := []string{"5: imports encoding/json as .", "13: json.Unmarshal", "14: other.NewDecoder", "15: json.Unmarshal", "16: yaml.NewLoader", "17: utiljson.Unmarshal", "18: kyaml.Unmarshal"}
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("got  %q, %v\nwant %q", found, err, want)
	}
}
