package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	bbolterrors "go.etcd.io/bbolt/errors"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/kube"
	"github.com/argo-why/argo-why/internal/preflight"
	"github.com/argo-why/argo-why/internal/text"
)

// proofs do once what the bot does all the time, and undo it: they write to the journal, read that and delete it, and send the bot that runs
// here a webhook. Messages are posted where the channels are checked.
func proofs(c *config.Config, version string) []preflight.Check {
	all := []preflight.Check{proveJournal(c.Journal.Resolve(), version)}
	for i := range c.ArgoCD {
		if c.ArgoCD[i].WebhookToken.Given() {
			all = append(all, proveWebhook(c.HTTP, &c.ArgoCD[i]))
		}
	}
	return all
}

// proveJournal writes an entry, reads it and deletes it. It is one of a replica that hands nothing over: nobody acts on it.
func proveJournal(c config.Journal, version string) preflight.Check {
	return func(ctx context.Context) []preflight.Finding {
		f := preflight.Finding{What: "journal entry"}
		journal, closeJournal, err := openForProof(c, version)
		if errors.Is(err, bbolterrors.ErrTimeout) {
			f.Optional, f.Problem, f.Remedy = true, "not tried: a running bot has the file open", "stop it first to try"
			return []preflight.Finding{f}
		}
		if err == nil {
			err = errors.Join(writeAndDelete(ctx, journal), closeJournal())
		}
		if err != nil {
			f.Problem = text.OneLine(err.Error())
			return []preflight.Finding{f}
		}
		f.Detail = "written, read and deleted"
		return []preflight.Finding{f}
	}
}

func openForProof(c config.Journal, version string) (incident.Journal, func() error, error) {
	if c.Kind == config.JournalFile {
		return openFileForProof(c.Path)
	}
	j, err := kube.OpenJournal(kube.Options{UserAgent: "argo-why/" + version}, c.Namespace)
	return j, func() error { return nil }, err
}

// openFileForProof leaves no file where there was none.
func openFileForProof(path string) (incident.Journal, func() error, error) {
	_, before := os.Stat(path)
	j, err := bolt.Open(path)
	if err != nil {
		return nil, nil, err
	}
	return j, func() error {
		if errors.Is(before, fs.ErrNotExist) {
			return errors.Join(j.Close(), os.Remove(path))
		}
		return j.Close()
	}, nil
}

func writeAndDelete(ctx context.Context, j incident.Journal) error {
	now := time.Now()
	i := &incident.Incident{
		ID: "check-" + strings.ToLower(rand.Text()[:10]), Phase: incident.HandedOver, Cause: incident.Cause{Rule: "check", Key: "check"},
		Since: now, Seen: now, Changed: now, Expires: now.Add(time.Minute),
	}
	if err := j.Put(ctx, i); err != nil {
		return fmt.Errorf("write an entry: %w", err)
	}
	read, err := j.Get(ctx, i.ID)
	switch {
	case err != nil:
		err = fmt.Errorf("read an entry: %w", err)
	case read.Cause.Key != i.Cause.Key:
		err = errors.New("the entry that was read is not the one that was written")
	}
	if failed := j.Delete(ctx, i); failed != nil {
		err = errors.Join(err, fmt.Errorf("delete entry %s: %w", i.ID, failed))
	}
	return err
}

// nobody is an application that does not exist: the bot looks for it, and finds nothing to say.
const nobody = `{"app": "argo-why-check", "namespace": "argo-why-check"}`

// proveWebhook sends the bot that runs on this machine, or in this pod, what Argo CD would.
func proveWebhook(at config.HTTP, a *config.Instance) preflight.Check {
	return func(ctx context.Context) []preflight.Finding {
		host, port, err := net.SplitHostPort(at.Listen)
		if host == "" {
			host = "127.0.0.1"
		}
		f := preflight.Finding{What: "argocd " + a.Name + " webhook"}
		token, unread := a.WebhookToken.Read()
		if err = errors.Join(err, unread); err != nil {
			f.Problem = text.OneLine(err.Error())
			return []preflight.Finding{f}
		}
		client, scheme := http.DefaultClient, "http"
		if at.TLS.Given() {
			client, scheme = showing(at.TLS.CertFile), "https"
		}
		url := scheme + "://" + net.JoinHostPort(host, port) + "/hooks/argocd/" + a.Name
		f.Problem, f.Remedy = sendHook(ctx, client, url, token)
		if f.OK() {
			f.Detail = "the bot at " + url + " took a test"
		}
		return []preflight.Finding{f}
	}
}

// showing talks to a server of this machine that shows the certificate in a file: it is for names that this machine may not have.
func showing(file string) *http.Client {
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{
		MinVersion:         tls.VersionTLS12,
		InsecureSkipVerify: true, //nolint:gosec // it is compared with the very certificate
		VerifyConnection: func(s tls.ConnectionState) error {
			raw, err := os.ReadFile(file)
			if err != nil {
				return fmt.Errorf("read the certificate: %w", err)
			}
			if block, _ := pem.Decode(raw); block == nil || !bytes.Equal(block.Bytes, s.PeerCertificates[0].Raw) {
				return fmt.Errorf("it does not show the certificate in %s", file)
			}
			return nil
		},
	}}}
}

func sendHook(ctx context.Context, client *http.Client, at, token string) (problem, remedy string) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader([]byte(nobody)))
	if err != nil {
		return text.OneLine(err.Error()), "correct http.listen"
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(request)
	if err != nil {
		return "no bot answers at " + at, "run this where the bot runs, after it has started: in a cluster with kubectl exec in its pod"
	}
	_ = answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusAccepted:
		return "", ""
	case http.StatusUnauthorized:
		return "the bot at " + at + " refuses the token", "restart it: it was started with another token or another configuration"
	}
	return fmt.Sprintf("the bot at %s answers HTTP %d", at, answer.StatusCode), "see its log"
}
