package startup

import (
	"runtime"
	"runtime/metrics"
	"testing"
)

func TestPostpone(t *testing.T) {
	t.Setenv("GOGC", "")
	if !postpone() {
		t.Fatal("not postponed")
	}
	if got := percent(); got != firstPercent {
		t.Fatalf("until the first collection it waits for %d %%, want %d %%", got, firstPercent)
	}
	runtime.GC()
	for percent() != goPercent { // the cleanup runs after the collection, by itself; if it never does, go test ends this
		runtime.Gosched()
	}
}

func TestGOGCIsRespected(t *testing.T) {
	t.Setenv("GOGC", "50")
	before := percent()
	if postpone() || percent() != before {
		t.Errorf("waits for %d %% in spite of GOGC, before %d %%", percent(), before)
	}
}

func percent() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
