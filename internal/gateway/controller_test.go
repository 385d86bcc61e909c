package gateway

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// TestAControllerThatStopsReportingIsNoticed by a time that stands still, whatever the clocks say.
func TestAControllerThatStopsReportingIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := &Instance{}
		other := time.Now().Add(-time.Hour) // Argo CD's clock
		look := func(tested time.Time) (cluster, report evidence.Connection) {
			clusters := []evidence.Connection{{Kind: evidence.ConnectionToCluster, Address: eu1, Status: evidence.ConnectionSuccessful, Tested: evidence.Time{Time: tested}}}
			reports := in.controllerReports(clusters, time.Now())
			if len(reports) != 1 {
				t.Fatalf("%d reports", len(reports))
			}
			return clusters[0], reports[0]
		}
		want := func(when string, tested time.Time, reports bool) {
			t.Helper()
			cluster, report := look(tested)
			if report.Fails() == reports || (cluster.Status == evidence.ConnectionSuccessful) != reports {
				t.Errorf("%s: the cluster is %q, the controller %q: %s", when, cluster.Status, report.Status, report.Message)
			}
		}
		for n := range 20 { // it reports every 20 s
			want("while it reports", other.Add(time.Duration(n)*20*time.Second), true)
			time.Sleep(20 * time.Second)
		}
		stopped := other.Add(20 * 20 * time.Second)
		want("the last time", stopped, true)
		time.Sleep(silentAfter - time.Second)
		want("before it is called silent", stopped, true)
		time.Sleep(time.Second)
		want("when it is called silent", stopped, false)
		time.Sleep(10 * time.Minute)
		want("after Argo CD has forgotten the cluster", time.Time{}, false)
		want("when it reports again", stopped.Add(time.Hour), true)
	})
}
