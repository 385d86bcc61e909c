// Command labd is what the lab needs beside Kubernetes and Argo CD, on loopback:
//
//	/git/NAME.git      a Git repository, read only
//	/charts/           Helm repositories
//	/private/          both, for the user lab with the password lab: /private/NAME.git, /private/charts/
//	/require-owner     an admission webhook (over TLS) that denies objects without the annotation "owner"
//	/inject            another, which gives Deployments a mirror for their images and a toleration
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/cgi"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	gitAddress := flag.String("git-address", "", "where the repositories are served, host:port")
	repositories := flag.String("repositories", "", "directory of the bare repositories")
	charts := flag.String("charts", "", "directory of the Helm repositories")
	admissionAddress := flag.String("admission-address", "", "where the admission webhook is served, host:port")
	cert := flag.String("cert", "", "TLS certificate of the admission webhook, PEM")
	key := flag.String("key", "", "its key, PEM")
	flag.Parse()

	git, err := gitServer(context.Background(), *repositories, *charts)
	if err != nil {
		slog.Error("cannot serve Git", "err", err)
		os.Exit(1)
	}
	admission := http.NewServeMux()
	admission.HandleFunc("POST /require-owner", requireOwner)
	admission.HandleFunc("POST /inject", inject)

	ended := make(chan error, 2)
	go func() { ended <- server(*gitAddress, git).ListenAndServe() }()
	go func() { ended <- server(*admissionAddress, admission).ListenAndServeTLS(*cert, *key) }()
	slog.Error("stopped", "err", <-ended)
	os.Exit(1)
}

func server(address string, h http.Handler) *http.Server {
	return &http.Server{Addr: address, Handler: h, ReadHeaderTimeout: 5 * time.Second}
}

// gitServer serves bare repositories with Git's own CGI program, and Helm repositories as files.
func gitServer(ctx context.Context, repositories, charts string) (http.Handler, error) {
	root, err := filepath.Abs(repositories)
	if err != nil {
		return nil, fmt.Errorf("find the repositories: %w", err)
	}
	programs, err := exec.CommandContext(ctx, "git", "--exec-path").Output()
	if err != nil {
		return nil, fmt.Errorf("ask git where its programs are: %w", err)
	}
	at := func(prefix string) http.Handler {
		return &cgi.Handler{
			Path: filepath.Join(strings.TrimSpace(string(programs)), "git-http-backend"),
			Root: prefix,
			Env:  []string{"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1"},
		}
	}
	files := http.FileServer(http.Dir(charts))
	private := http.NewServeMux()
	private.Handle("/private/", at("/private"))
	private.Handle("/private/charts/", http.StripPrefix("/private/charts", files))
	mux := http.NewServeMux()
	mux.Handle("/git/", at("/git"))
	mux.Handle("/charts/", http.StripPrefix("/charts", files))
	mux.HandleFunc("/private/", func(w http.ResponseWriter, r *http.Request) {
		if user, password, ok := r.BasicAuth(); !ok || user != "lab" || password != "lab" {
			w.Header().Set("WWW-Authenticate", `Basic realm="lab"`)
			http.Error(w, "authentication required", http.StatusUnauthorized)
			return
		}
		private.ServeHTTP(w, r)
	})
	return mux, nil
}
