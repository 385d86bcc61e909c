package volumes_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/volumes"
	"github.com/argo-why/argo-why/internal/evidence"
)

const claim = `{"metadata":{"name":"data","namespace":"shop"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"2Gi"}},"selector":{"matchLabels":{"media":"flash"}}}}`

func TestWhatKeepsAClaimFromAVolume(t *testing.T) {
	for name, x := range map[string]struct {
		volume     string
		want       []volumes.Obstacle
		has, wants string
	}{
		"nothing":                  {`{"capacity":{"storage":"2048Mi"},"accessModes":["ReadWriteOnce","ReadOnlyMany"]}`, nil, "", ""},
		"it is too small":          {`{"capacity":{"storage":"2000M"},"accessModes":["ReadWriteOnce"]}`, []volumes.Obstacle{volumes.Size}, "2000M", "2Gi"},
		"it is of another class":   {`{"capacity":{"storage":"2Gi"},"accessModes":["ReadWriteOnce"],"storageClassName":"slow"}`, []volumes.Obstacle{volumes.Class}, "slow", ""},
		"it is mounted otherwise":  {`{"capacity":{"storage":"2Gi"},"accessModes":["ReadWriteMany"]}`, []volumes.Obstacle{volumes.AccessMode}, "ReadWriteMany", "ReadWriteOnce"},
		"it is a block device":     {`{"capacity":{"storage":"2Gi"},"accessModes":["ReadWriteOnce"],"volumeMode":"Block"}`, []volumes.Obstacle{volumes.VolumeMode}, "Block", "Filesystem"},
		"its own claim has it":     {`{"capacity":{"storage":"2Gi"},"accessModes":["ReadWriteOnce"],"claimRef":{"name":"data","namespace":"shop"}}`, nil, "", ""},
		"another claim has it":     {`{"capacity":{"storage":"2Gi"},"accessModes":["ReadWriteOnce"],"claimRef":{"name":"old","namespace":"shop"}}`, []volumes.Obstacle{volumes.Taken}, "old", ""},
		"a claim elsewhere has it": {`{"capacity":{"storage":"2Gi"},"accessModes":["ReadWriteOnce"],"claimRef":{"name":"data","namespace":"other"}}`, []volumes.Obstacle{volumes.Taken}, "", ""},
		"two things":               {`{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteMany"]}`, []volumes.Obstacle{volumes.Size, volumes.AccessMode}, "1Gi", "2Gi"},
	} {
		var volume evidence.Object
		if err := json.Unmarshal([]byte(`{"metadata":{"name":"v","labels":{"media":"flash"}},"spec":`+x.volume+`}`), &volume); err != nil {
			t.Fatal(name, err)
		}
		var c evidence.Object
		if err := json.Unmarshal([]byte(claim), &c); err != nil {
			t.Fatal(err)
		}
		got := volumes.Fits(c, []evidence.Object{volume})[0]
		if len(got.Obstacles) != len(x.want) || got.Has != x.has || got.Wants != x.wants {
			t.Errorf("%s: %+v, want %v: has %q, wants %q", name, got, x.want, x.has, x.wants)
			continue
		}
		for i := range x.want {
			if got.Obstacles[i] != x.want[i] {
				t.Errorf("%s: %+v, want %v", name, got, x.want)
			}
		}
	}
}

func TestTheNearestVolumesLackTheSame(t *testing.T) {
	fits := []volumes.Fit{
		{Volume: "taken", Obstacles: []volumes.Obstacle{volumes.Taken}},
		{Volume: "far", Obstacles: []volumes.Obstacle{volumes.Class, volumes.Size}},
		{Volume: "small", Obstacles: []volumes.Obstacle{volumes.Size}},
		{Volume: "tiny", Obstacles: []volumes.Obstacle{volumes.Size}},
	}
	got := volumes.Nearest(fits)
	if len(got) != 2 || got[0].Volume != "small" || got[1].Volume != "tiny" {
		t.Errorf("the nearest are %+v, want small and tiny", got)
	}
}

// TestASelectorThatNobodyWritesIsNotCompared: each of its labels would be held against every volume.
func TestASelectorThatNobodyWritesIsNotCompared(t *testing.T) {
	for n, compared := range map[int]bool{100: true, 101: false} {
		selector := map[string]any{}
		for i := range n {
			selector[fmt.Sprint("k", i)] = "v"
		}
		c := evidence.Object{"spec": map[string]any{"selector": map[string]any{"matchLabels": selector}}}
		got := volumes.Fits(c, []evidence.Object{{}})[0]
		if (len(got.Obstacles) > 0) != compared {
			t.Errorf("%d labels: %v", n, got.Obstacles)
		}
	}
}

// TestAccessModesThatNobodyWritesAreNotCompared: the API server takes one again and again.
func TestAccessModesThatNobodyWritesAreNotCompared(t *testing.T) {
	claim := evidence.Object{"spec": map[string]any{"accessModes": slices.Repeat([]any{"ReadWriteOnce"}, 1000)}}
	if got := volumes.Fits(claim, []evidence.Object{{}})[0]; len(got.Obstacles) > 0 {
		t.Errorf("compared all the same: %d bytes", len(got.Wants))
	}
}
