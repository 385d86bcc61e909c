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
		want := func(when string, tested time.Time, status string) {
			t.Helper()
			clusters := []evidence.Connection{
				{Kind: evidence.ConnectionToCluster, Address: eu1, Status: evidence.ConnectionSuccessful, Tested: evidence.Time{Time: tested}},
				{Kind: evidence.ConnectionToCluster, Address: "https://paused", Status: evidence.ConnectionSuccessful, Skipped: true},
			}
			reports := in.controllerReports(clusters, time.Now())
			if len(reports) != 1 || reports[0].Status != status || (clusters[0].Status == "") != reports[0].Fails() || clusters[1].Status == "" {
				t.Errorf("%s: %+v of clusters %+v, want the controller %q", when, reports, clusters, status)
			}
		}
		want("at first", other, "")
		for n := range 20 { // it reports every 20 s
			time.Sleep(20 * time.Second)
			want("while it reports", other.Add(time.Duration(n+1)*20*time.Second), evidence.ConnectionSuccessful)
		}
		stopped := other.Add(20 * 20 * time.Second)
		time.Sleep(silentAfter - time.Second)
		want("before it is called silent", stopped, evidence.ConnectionSuccessful)
		time.Sleep(time.Second)
		want("when it is called silent", stopped, evidence.ConnectionFailed)
		time.Sleep(10 * time.Minute)
		want("after Argo CD has forgotten the cluster", time.Time{}, evidence.ConnectionFailed)
		in = &Instance{} // another process
		want("right after a restart", time.Time{}, "")
		time.Sleep(silentAfter)
		want("some minutes after a restart", time.Time{}, evidence.ConnectionFailed)
		want("when it reports again", stopped.Add(time.Hour), evidence.ConnectionSuccessful)
		time.Sleep(time.Hour) // another process leads, and sees it report, and stop
		in.ForgetReports()
		want("when this process leads again", stopped.Add(90*time.Minute), "")
	})
}
