package webhook

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/argo-why/argo-why/internal/sanitize"
	"github.com/argo-why/argo-why/internal/text"
)

// checkTimeout is for one check: kubelet gives a probe 1 second by default, so a check should look at what is known
// already rather than ask others.
const checkTimeout = 900 * time.Millisecond

// Check is a part of the bot that can be in order or not.
type Check struct {
	Name string // "slack", "argocd/prod"
	// Ready says in one line why it is not.
	Ready func(context.Context) error
}

// readiness answers 200 with "ok" when every check is good, else 503 with "not ready". Somebody on the same machine, as through
// kubectl port-forward, also gets one line for each check: "ok NAME" or "failed NAME: REASON". The names of the Argo CD instances
// and their errors are nothing for everybody who can reach the port for webhooks.
func readiness(checks []Check) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), checkTimeout)
		defer cancel()
		errs := make([]error, len(checks))
		var wg sync.WaitGroup
		for i := range checks {
			wg.Go(func() { errs[i] = ask(ctx, checks[i]) })
		}
		wg.Wait()
		status, failed := http.StatusOK, 0
		var lines strings.Builder
		for i, err := range errs {
			if err == nil {
				fmt.Fprintf(&lines, "ok %s\n", checks[i].Name)
				continue
			}
			status = http.StatusServiceUnavailable
			failed++
			fmt.Fprintf(&lines, "failed %s: %s\n", checks[i].Name, sanitize.Text(text.OneLine(err.Error())))
		}
		head := "ok"
		if failed > 0 {
			head = "not ready"
		}
		if !fromHere(r) {
			line(w, status, head)
			return
		}
		if failed > 0 {
			head = fmt.Sprintf("not ready: %d of %d checks failed", failed, len(checks))
		}
		line(w, status, strings.TrimSuffix(head+"\n"+lines.String(), "\n"))
	})
}

// forwarded are the headers by which a proxy on this machine says that somebody else is asking.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via"}

// fromHere reports whether the client is on this machine, or in this pod: it uses the loopback address for itself and for us.
// The sidecar of a service mesh connects from 127.0.0.6, and a page in a browser asks for another host.
func fromHere(r *http.Request) bool {
	client, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || client.Addr() != netip.IPv6Loopback() && client.Addr().Unmap() != netip.AddrFrom4([4]byte{127, 0, 0, 1}) {
		return false
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); host != "localhost" && (err != nil || !addr.IsLoopback()) {
		return false
	}
	return !slices.ContainsFunc(forwarded, func(name string) bool { return r.Header.Get(name) != "" })
}

// ask gives a check up after its time, also one that does not look at its context.
func ask(ctx context.Context, c Check) error {
	answer := make(chan error, 1)
	go func() { answer <- c.Ready(ctx) }()
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return fmt.Errorf("no answer within %s", checkTimeout)
	}
}
