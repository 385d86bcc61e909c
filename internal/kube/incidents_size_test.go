package kube

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/argo-why/argo-why/internal/incident/journaltest"
)

// TestAReportThatDoesNotFitIsLeftOut: the next diagnosis brings it again.
func TestAReportThatDoesNotFitIsLeftOut(t *testing.T) {
	i := journaltest.Full("web-1")
	i.Report.Headline = strings.Repeat("x", maxStatus)
	s, split, err := encodeStatus(i)
	if err != nil || len(split) > 0 || s.Report != nil || !slices.Equal(s.Cut, []string{"the report"}) || len(s.Members) != len(i.Members) {
		t.Errorf("%d parts, cut %v, %v", len(split), s.Cut, err)
	}
	if i.Report == nil {
		t.Error("the caller's own was cut")
	}
	i.Trouble = strings.Repeat("x", maxStatus)
	if _, _, err = encodeStatus(i); err == nil || !strings.Contains(err.Error(), "bytes with 2 applications, and the limit of a custom resource is 1000000; keep the journal in a file (journal.kind: file)") {
		t.Errorf("got %v", err)
	}
}

// TestWhatAnOlderVersionPackedIsRead: it kept the members of a large incident in the object itself.
func TestWhatAnOlderVersionPackedIsRead(t *testing.T) {
	members := journaltest.Full("web-1").Members
	raw, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(raw); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	o := newObject(journaltest.Small("web-1"))
	o.Object["status"] = map[string]any{"id": "web-1", "phase": "Open", "members": []any{}, "packedMembers": base64.StdEncoding.EncodeToString(packed.Bytes())}
	i, err := newListed(o).incident(nil)
	if err != nil || len(i.Members) != len(members) || i.Members[1].App != members[1].App {
		t.Errorf("%+v, %v", i, err)
	}
}

func TestLabelsAreWhatKubernetesTakes(t *testing.T) {
	long := strings.Repeat("very-long-", 12)
	for text, want := range map[string]string{
		"web":              "web",
		"":                 "",
		"Team_A.web-1":     "Team_A.web-1",
		"team/web":         "team-web-a5cb1ff6",
		"-":                "3973e022",
		"größer":           "gr-er-",
		long + "name":      "very-long-very-long-very-long-very-long-very-long-very-",
		long + "othername": "very-long-very-long-very-long-very-long-very-long-very-",
	} {
		got := labelValue(text)
		if problems := validation.IsValidLabelValue(got); len(problems) > 0 || !strings.HasPrefix(got, want) || got != labelValue(text) {
			t.Errorf("%q: %q, %v", text, got, problems)
		}
	}
	if labelValue(long+"name") == labelValue(long+"othername") {
		t.Error("two names have one label")
	}
}
