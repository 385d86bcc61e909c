package argo

import (
	"encoding/json"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/argo-why/argo-why/internal/foreign"
)

// autoSyncSwitch rescues spec.syncPolicy.automated.enabled from the answer of an Argo CD 3.x. The types of 2.14 do not
// know the field and drop it, and an application whose auto-sync is switched off would look as if it synced itself. It is
// used for one call.
type autoSyncSwitch struct {
	measured

	enabled *bool
}

// option makes the call decode its answer through the switch.
func (s *autoSyncSwitch) option() grpc.CallOption { return grpc.ForceCodec(s) }

// Unmarshal implements encoding.Codec.
func (s *autoSyncSwitch) Unmarshal(data []byte, v any) error {
	// Field numbers: Application.spec 2, ApplicationSpec.syncPolicy 4, SyncPolicy.automated 1, its enabled 4.
	if n, ok := findVarint(data, 2, 4, 1, 4); ok {
		on := n != 0
		s.enabled = &on
	}
	return s.measured.Unmarshal(data, v)
}

// restore puts the field back into the application's JSON.
func (s *autoSyncSwitch) restore(raw []byte) []byte {
	if s.enabled == nil {
		return raw
	}
	var app map[string]any
	if foreign.Application.JSON(raw, &app) != nil {
		return raw
	}
	spec, _ := app["spec"].(map[string]any)
	policy, _ := spec["syncPolicy"].(map[string]any)
	automated, ok := policy["automated"].(map[string]any)
	if !ok {
		return raw
	}
	automated["enabled"] = *s.enabled
	if restored, err := json.Marshal(app); err == nil {
		return restored
	}
	return raw
}

// findVarint follows a path of field numbers through nested messages to a number.
func findVarint(data []byte, path ...protowire.Number) (value uint64, found bool) {
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			return 0, false
		}
		data = data[n:]
		if number == path[0] && len(path) == 1 && kind == protowire.VarintType {
			value, n = protowire.ConsumeVarint(data)
			return value, n > 0
		}
		if number == path[0] && len(path) > 1 && kind == protowire.BytesType {
			inner, n := protowire.ConsumeBytes(data)
			if n < 0 {
				return 0, false
			}
			return findVarint(inner, path[1:]...)
		}
		if n = protowire.ConsumeFieldValue(number, kind, data); n < 0 {
			return 0, false
		}
		data = data[n:]
	}
	return 0, false
}
