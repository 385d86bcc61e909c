// Command labd is what the lab needs beside Kubernetes and Argo CD, on loopback:
//
//	/git/NAME.git      a Git repository, read only
//	/private/NAME.git  the same, for the user lab with the password lab
//	/require-owner     an admission webhook (over TLS) that denies objects without the annotation "owner"
package main

import (
	"context"
	"encoding/json"
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
	admissionAddress := flag.String("admission-address", "", "where the admission webhook is served, host:port")
	cert := flag.String("cert", "", "TLS certificate of the admission webhook, PEM")
	key := flag.String("key", "", "its key, PEM")
	flag.Parse()

	git, err := gitServer(context.Background(), *repositories)
	if err != nil {
		slog.Error("cannot serve Git", "err", err)
		os.Exit(1)
	}
	admission := http.NewServeMux()
	admission.HandleFunc("POST /require-owner", requireOwner)

	ended := make(chan error, 2)
	go func() { ended <- server(*gitAddress, git).ListenAndServe() }()
	go func() { ended <- server(*admissionAddress, admission).ListenAndServeTLS(*cert, *key) }()
	slog.Error("stopped", "err", <-ended)
	os.Exit(1)
}

func server(address string, h http.Handler) *http.Server {
	return &http.Server{Addr: address, Handler: h, ReadHeaderTimeout: 5 * time.Second}
}

// gitServer serves bare repositories with Git's own CGI program.
func gitServer(ctx context.Context, repositories string) (http.Handler, error) {
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
	private := at("/private")
	mux := http.NewServeMux()
	mux.Handle("/git/", at("/git"))
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

// review is what is read and written of an AdmissionReview.
// https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/
type review struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Request    *struct {
		UID    string `json:"uid"`
		Object struct {
			Metadata struct {
				Name        string            `json:"name"`
				Annotations map[string]string `json:"annotations"`
			} `json:"metadata"`
		} `json:"object"`
	} `json:"request,omitempty"`
	Response *response `json:"response,omitempty"`
}

type response struct {
	UID     string  `json:"uid"`
	Allowed bool    `json:"allowed"`
	Status  *status `json:"status,omitempty"`
}

type status struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func requireOwner(w http.ResponseWriter, r *http.Request) {
	var in review
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Request == nil {
		http.Error(w, "not an AdmissionReview", http.StatusBadRequest)
		return
	}
	object := in.Request.Object.Metadata
	out := response{UID: in.Request.UID, Allowed: object.Annotations["owner"] != ""}
	if !out.Allowed {
		out.Status = &status{Code: http.StatusForbidden, Message: "policy require-owner: " + object.Name + " must carry an owner annotation"}
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(review{APIVersion: in.APIVersion, Kind: in.Kind, Response: &out}); err != nil {
		slog.Error("cannot answer an admission review", "err", err)
	}
}
