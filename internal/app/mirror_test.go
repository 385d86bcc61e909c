package app

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/argo-why/argo-why/internal/incident"
)

// TestWhatOthersWriteReachesWhoStandsBy: and nobody else, from when they begin to until they lead.
func TestWhatOthersWriteReachesWhoStandsBy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var write func([]*incident.Incident)
		follows := 0
		m := newMirror(func(ctx context.Context, changed func([]*incident.Incident)) {
			follows++
			write = changed
			<-ctx.Done()
			follows--
		})
		all := map[string]*shard{}
		for _, part := range incident.Shards([]string{"eu", "us"}) {
			all[part.Name] = &shard{Shard: part, incidents: incident.NewStore(incident.Policy{Shard: part}, nil)}
		}
		expect := func(eu, us string, following int) {
			t.Helper()
			synctest.Wait()
			shown := func(s *shard) (ids string) {
				for _, i := range s.incidents.All() {
					ids += i.ID
				}
				return ids
			}
			if shown(all["eu"]) != eu || shown(all["us"]) != us || follows != following {
				t.Errorf("eu %q, us %q, followed %d times; want %q, %q, %d", shown(all["eu"]), shown(all["us"]), follows, eu, us, following)
			}
		}
		held := func(n int) (list []*incident.Incident) {
			for _, instance := range []string{"eu", "us"} {
				app := incident.App{Instance: instance, Name: "web"}
				list = append(list, &incident.Incident{ID: fmt.Sprintf("%s-%d", instance, n), Phase: incident.Open, Members: []incident.Member{{App: app}}})
			}
			return list
		}
		m.join(t.Context(), all["eu"], true)
		synctest.Wait()
		write(held(1))
		expect("eu-1", "", 1)
		m.join(t.Context(), all["us"], true) // which need not wait for a change
		expect("eu-1", "us-1", 1)
		m.leave(all["eu"])
		write(held(2))
		expect("eu-1", "us-2", 1)
		late := write
		m.leave(all["us"])
		expect("eu-1", "us-2", 0)
		m.join(t.Context(), all["eu"], true)
		synctest.Wait()
		late(held(3)) // of the one that was stopped
		expect("eu-1", "us-2", 1)
		write(held(4))
		expect("eu-4", "us-2", 1)
		m.leave(all["eu"])
	})
}
