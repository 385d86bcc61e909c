package argo

import (
	"encoding/json"
	"testing"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/foreign"
)

// wire is an application as Argo CD 3.x encodes it: that of 2.14 with spec.syncPolicy.automated.enabled, which 2.14 has
// no type for.
func wire(enabled ...uint64) []byte {
	automated := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 1) // prune
	for _, v := range enabled {
		automated = protowire.AppendVarint(protowire.AppendTag(automated, 4, protowire.VarintType), v)
	}
	in := func(number protowire.Number, inner []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), inner)
	}
	metadata := in(1, in(1, []byte("web")))
	return append(metadata, in(2, append(in(3, []byte("default")), in(4, in(1, automated))...))...)
}

func TestAutoSyncSwitchOfArgoCD3(t *testing.T) {
	for _, tc := range []struct {
		name string
		data []byte
		want bool
	}{{"off", wire(0), false}, {"on", wire(1), true}, {"not said", wire(), true}} {
		t.Run(tc.name, func(t *testing.T) {
			s, answer := &autoSyncSwitch{measured: measured{limits: foreign.Application}}, &v1alpha1.Application{}
			if err := s.Unmarshal(tc.data, answer); err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(answer)
			if err != nil {
				t.Fatal(err)
			}
			var app evidence.Application
			if err := json.Unmarshal(s.restore(raw), &app); err != nil {
				t.Fatal(err)
			}
			if app.AutoSync() != tc.want || !app.Spec.SyncPolicy.Automated.Prune || app.Metadata.Name != "web" {
				t.Errorf("auto-sync %v, %+v", app.AutoSync(), app.Spec.SyncPolicy.Automated)
			}
		})
	}
}

func TestDamagedMessageIsNoSwitch(t *testing.T) {
	for i := range wire(0) {
		findVarint(wire(0)[:i], 2, 4, 1, 4) // must not panic
	}
	if _, found := findVarint([]byte{0xff}, 2, 4, 1, 4); found {
		t.Error("found a field in a damaged message")
	}
}
