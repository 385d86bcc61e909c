package gateway

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
)

// made is an application that is well, of a repository, deployed to a cluster.
func made(name, source, cluster string) []byte {
	return fmt.Appendf(nil, `{"application": {
		"metadata": {"name": %q, "namespace": "argocd", "resourceVersion": "1"},
		"spec": {"project": "default", "source": %s, "destination": {"server": %q, "namespace": "shop"}},
		"status": {"sync": {"status": "Synced"}, "health": {"status": "Healthy"}}}}`, name, source, cluster)
}

const (
	gitSource  = `{"repoURL": "https://git.example.com/team/deploy.git", "path": "web", "targetRevision": "main"}`
	helmSource = `{"repoURL": "https://charts.example.com", "chart": "web", "targetRevision": "1.2.3"}`
	eu1        = "https://eu1.example.com:6443"
)

func failed(kind evidence.ConnectionKind, address, repositoryType, message string) evidence.Connection {
	return evidence.Connection{
		Kind: kind, Address: address, Type: repositoryType, Status: evidence.ConnectionFailed, Message: message,
		Tested: evidence.Time{Time: time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC)},
	}
}

// known is a cluster that Argo CD has been connected to.
func known(c evidence.Connection) evidence.Connection {
	c.Version, c.Resources = "1.31", 1240
	return c
}

// TestWhyAConnectionFailsIsSaidAsOfAnApplication: the messages are those of Argo CD 2.14, see Connection.Case.
func TestWhyAConnectionFailsIsSaidAsOfAnApplication(t *testing.T) {
	const tested = "Unable to connect to repository: rpc error: code = Unknown desc = error testing repository connectivity: "
	for _, test := range []struct {
		name              string
		c                 evidence.Connection
		rule, says, share string
		fix               string
	}{
		{"git credentials", failed("repository", "https://git.example.com/team/deploy", "git", tested+"unable to ls-remote HEAD on repository: failed to list refs: authentication required: Repository not found."),
			"render/git-auth", "prod: ", "Git host git.example.com", "argocd repo add https://git.example.com/team/deploy.git"},
		{"git host", failed("repository", "https://git.example.com/team/deploy.git", "", tested+`unable to ls-remote HEAD on repository: failed to list refs: Get "https://git.example.com/team/deploy.git/info/refs?service=git-upload-pack": dial tcp: lookup git.example.com on 10.96.0.10:53: no such host`),
			"render/git-unreachable", "prod: ", "Git host git.example.com", ""},
		{"git certificate", failed("repository", "https://git.example.com/team/deploy.git", "git", tested+`Get "https://git.example.com/team/deploy.git/info/refs?service=git-upload-pack": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-24T08:00:00Z is after 2026-11-23T00:00:00Z`),
			"render/git-unreachable", "prod: Git host", "Git host git.example.com", "openssl s_client"},
		{"chart host", failed("repository", "https://charts.example.com", "helm", tested+`error loading repo index: error making HTTP request: Get "https://charts.example.com/index.yaml": dial tcp 10.0.0.9:443: connect: connection refused`),
			"render/chart-repository", "prod: ", "chart repository charts.example.com", ""},
		{"chart credentials", failed("repository", "https://charts.example.com/", "helm", tested+"error loading repo index: failed to get index: 401 Unauthorized"),
			"render/chart-repository-auth", "prod: ", "chart repository charts.example.com", "argocd repo add https://charts.example.com --type helm"},
		{"no known cause", failed("repository", "https://git.example.com/team/deploy.git", "git", "Configuration error - please check the server logs"),
			"unknown", "prod: Argo CD cannot connect to git.example.com/team/deploy.git", "", "argocd repo get https://git.example.com/team/deploy.git --refresh hard"},
		{"cluster unreachable", failed("cluster", eu1, "", `error synchronizing cache state : Get "https://eu1.example.com:6443/version?timeout=32s": dial tcp 10.0.0.1:6443: i/o timeout`),
			"compare/cluster-unreachable", "prod: ", "cluster " + eu1, "argocd cluster get " + eu1},
		{"cluster of a known version", known(failed("cluster", eu1, "", "error synchronizing cache state : the server has asked for the client to provide credentials")),
			"compare/cluster-unreachable", "rejects Argo CD's login", "cluster " + eu1, "argocd cluster add CONTEXT --upsert"},
		{"cluster token", failed("cluster", eu1, "", "error synchronizing cache state : the server has asked for the client to provide credentials"),
			"compare/cluster-unreachable", "rejects Argo CD's login", "cluster " + eu1, "argocd cluster add CONTEXT --upsert"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := argotest.NewServer(t, made("web", gitSource, eu1), made("chart", helmSource, "https://kubernetes.default.svc"))
			in := watching(t, s)
			for name, source := range map[string]string{"web": "https://git.example.com/team/deploy.git", "chart": "https://charts.example.com"} {
				e := Entry{Project: "default", Repositories: argo.RepositoryKey(source)}
				if name == "web" {
					e.Cluster = eu1
				}
				in.Directory.put(named(name), e)
			}
			if test.c.Kind == evidence.ConnectionToCluster {
				test.c.Name = "eu-1" // which the application does not use
			}
			s.Connect(test.c)
			all, read, err := in.Connections(t.Context())
			if err != nil || len(read) == 0 {
				t.Fatalf("read %v: %v", read, err)
			}
			for _, c := range all {
				if c.Address != test.c.Address || c.Kind != test.c.Kind {
					continue
				}
				if len(c.Dependents) != 1 || c.Report == nil {
					t.Fatalf("dependents %v, report %v", c.Dependents, c.Report)
				}
				f := &c.Report.Findings[0]
				if f.Rule != test.rule || f.Shared != test.share || !strings.Contains(c.Report.Headline, test.says) {
					t.Errorf("%s: %+v", c.Report.Headline, f)
				}
				if want := min(1, len(test.c.Version)) + 1; len(f.Evidence) != want || f.Evidence[0].Text != test.c.Message || want > 1 && f.Evidence[1].Text != "Kubernetes 1.31, 1,240 objects in its cache" {
					t.Errorf("evidence %+v", f.Evidence)
				}
				var commands []string
				for _, fix := range f.Fix {
					if strings.HasPrefix(fix.Command, "argocd app ") {
						t.Errorf("the step %q is about an application", fix.Command)
					}
					commands = append(commands, fix.Command)
				}
				if !strings.Contains(strings.Join(commands, "\n"), test.fix) {
					t.Errorf("fix %q lacks %s", commands, test.fix)
				}
				return
			}
			t.Fatalf("not listed: %v", all)
		})
	}
}

// TestARepositoryThatWasNotTestedIsUnknown: Argo CD keeps for an hour that its repo-server was away for a moment.
func TestARepositoryThatWasNotTestedIsUnknown(t *testing.T) {
	s := argotest.NewServer(t, made("web", gitSource, eu1))
	s.Connect(failed("repository", "https://git.example.com/team/deploy.git", "git", `Unable to connect to repository: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 10.43.1.2:8081: connect: connection refused"`))
	in := watching(t, s)
	in.Directory.put(named("web"), Entry{Project: "default", Repositories: argo.RepositoryKey("https://git.example.com/team/deploy")})
	all, _, err := in.Connections(t.Context())
	if err != nil || len(all) != 3 || all[0].Report != nil || len(all[0].Dependents) != 1 || all[0].Fails() {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestAnAccountWithoutTheRightIsTold(t *testing.T) {
	s := argotest.NewServer(t, made("web", gitSource, eu1))
	s.Connect(failed("repository", "https://git.example.com/team/deploy.git", "git", "Unable to connect to repository: timeout"))
	s.Deny("clusters", "get", "*")
	in := watching(t, s)
	all, read, err := in.Connections(t.Context())
	missing, ok := errors.AsType[*MissingRightError](err)
	if !ok || missing.Resource != "clusters" || len(read) != 1 || read[0] != evidence.ConnectionToRepository || len(all) != 1 {
		t.Errorf("read %v of %v: %v", all, read, err)
	}
	if want := "p, argo-why, clusters, get, *, allow"; !strings.Contains(err.Error(), want) {
		t.Errorf("%v lacks %s", err, want)
	}
}

func TestNoSecretOfAConnectionGoesOn(t *testing.T) {
	s := argotest.NewServer(t, made("web", gitSource, eu1))
	s.Connect(failed("repository", "https://bot:hunter2hunter2@git.example.com/team/deploy.git", "git",
		`Unable to connect to repository: rpc error: code = Unknown desc = error testing repository connectivity: Get "https://bot:hunter2hunter2@git.example.com/team/deploy.git/info/refs": EOF`))
	in := watching(t, s)
	all, _, err := in.Connections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%+v", all); strings.Contains(text, "hunter2") {
		t.Error(text)
	}
}
