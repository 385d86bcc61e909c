package webhook_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/webhook"
)

// BenchmarkHook sends hooks over loopback at a steady 200 a second, however slow the answers are. With a Sink in memory it
// fails when more than one in a hundred takes 20 ms; with one that writes each through to the disk it tells what that adds.
//
//	go test -run '^$' -bench Hook -benchtime 2000x ./internal/webhook
func BenchmarkHook(b *testing.B) {
	b.Run("memory", func(b *testing.B) {
		var n notes
		if p99, most := load(b, n.take), 20*time.Millisecond; b.N >= 100 && p99 > most {
			b.Errorf("p99 is %s, want at most %s", p99, most)
		}
	})
	b.Run("disk", func(b *testing.B) {
		file, err := os.Create(filepath.Join(b.TempDir(), "notes"))
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = file.Close() })
		var mu sync.Mutex
		load(b, func(_ context.Context, app diagnose.AppName) error {
			mu.Lock()
			defer mu.Unlock()
			if _, err := file.WriteString(app.Name + "\n"); err != nil {
				return err
			}
			return file.Sync()
		})
	})
}

func load(b *testing.B, sink webhook.Sink) (p99 time.Duration) {
	b.Helper()
	const rate = 200
	address, _, _ := serve(b, newServer(b, sink))
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	took := make([]time.Duration, b.N)
	tick := time.NewTicker(time.Second / rate)
	defer tick.Stop()
	var wg sync.WaitGroup
	b.ResetTimer()
	for i := range b.N {
		due := <-tick.C
		wg.Go(func() {
			status, err := post(b, client, address)
			took[i] = time.Since(due)
			if err != nil || status != http.StatusAccepted {
				b.Errorf("answered %d, %v", status, err)
			}
		})
	}
	wg.Wait()
	slices.Sort(took)
	p99 = took[(len(took)-1)*99/100]
	b.ReportMetric(float64(p99.Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
	b.ReportMetric(0, "ns/op") // only the pace
	return p99
}
