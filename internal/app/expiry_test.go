package app

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/argo-why/argo-why/config"
	"github.com/argo-why/argo-why/internal/argo"
	"github.com/argo-why/argo-why/internal/argo/argotest"
	"github.com/argo-why/argo-why/internal/evidence"
	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/incident"
	"github.com/argo-why/argo-why/internal/incident/bolt"
	"github.com/argo-why/argo-why/internal/simulator"
	"github.com/argo-why/argo-why/internal/slack/deliver"
)

// issued is an Argo CD with tokens, and the instance that reads it.
func issued(t *testing.T) (*argotest.Server, *instance) {
	t.Helper()
	server, now := argotest.NewServer(t), time.Now()
	const day = 24 * time.Hour
	for _, token := range []struct {
		holder, id string
		age, left  time.Duration
	}{
		{simulator.Account, "mine", 30 * day, 2 * day}, {"ci", "old", 30 * day, 2 * day}, {"ci", "new", day, 90 * day}, {"forever", "f", 30 * day, 0},
		{"shop/deploy", "role", 30 * day, 2 * day}, {"shop/deploy", "endless", 20 * day, 0},
	} {
		one := simulator.IssuedToken{Holder: token.holder, ID: token.id, Issued: now.Add(-token.age)}
		if token.left != 0 {
			one.Expires = now.Add(token.left)
		}
		server.Issue(one)
	}
	connection, err := gateway.Connect(t.Context(), gateway.Options{Argo: argo.Options{Server: server.Address, AuthToken: argotest.Token, PlainText: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := connection.Close(); err != nil {
			t.Error(err)
		}
	})
	return server, &instance{Instance: gateway.NewInstance(gateway.InstanceOptions{Name: "prod", Connection: connection, Log: slog.New(slog.DiscardHandler)})}
}

// shortly are the tokens that expire, in words.
func shortly(tokens ...evidence.Token) (all []string) {
	for _, t := range tokens {
		if t.Expires.IsZero() {
			continue
		}
		line := strings.Join(strings.Fields(t.Account+" "+t.Project+" "+t.Role+" "+t.ID), " ")
		if t.Replaced {
			line += " replaced"
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

// TestTokensThatExpireAreThoseThatTheAccountMaySee, as Argo CD's API lists them.
func TestTokensThatExpireAreThoseThatTheAccountMaySee(t *testing.T) {
	server, in := issued(t)
	read := func() []string {
		t.Helper()
		tokens, err := in.Tokens(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return shortly(tokens...)
	}
	if got, want := read(), []string{"argo-why mine", "ci new", "ci old replaced", "shop deploy role replaced"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	server.Deny("accounts", "get", "*")
	server.Deny("projects", "get", "*")
	if got, want := read(), []string{"argo-why mine"}; !slices.Equal(got, want) {
		t.Errorf("without rights %q, want %q", got, want)
	}
}

// TestWhoLeadsAnnouncesTokensThatExpire, and records it.
func TestWhoLeadsAnnouncesTokensThatExpire(t *testing.T) {
	_, in := issued(t)
	journal, err := bolt.Open(filepath.Join(t.TempDir(), "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	discard := slog.New(slog.DiscardHandler)
	s := &shard{election: alone{}, incidents: incident.NewStore(incident.Policy{ConnectionChannel: "operators"}, nil)}
	s.syncer = incident.NewSyncer(s.incidents, journal, &deliver.DryRun{Log: discard}, discard, incident.Metrics{})
	b := &bot{shards: shards{s}, instances: []*instance{in}}
	jobs := b.expiryJob(config.Default())
	if len(jobs) != 1 {
		t.Fatalf("%d jobs", len(jobs))
	}
	run := func(want ...string) {
		t.Helper()
		if err := jobs[0].Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		over, end := context.WithCancel(t.Context())
		end() // which has it write what is left
		if err := s.syncer.Run(over); err != nil {
			t.Fatal(err)
		}
		held, err := journal.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, i := range held {
			if i.Channel != "operators" {
				t.Errorf("in channel %s", i.Channel)
			}
			for _, token := range i.Expiry.Tokens {
				got = append(got, shortly(token.Token)...)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("announced %q, want %q", got, want)
		}
	}
	run()
	s.begin()
	run("argo-why mine", "ci old replaced", "shop deploy role replaced")
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
	off := config.Default()
	off.Connections.Schedule = ""
	if jobs := b.expiryJob(off); len(jobs) != 0 {
		t.Errorf("%d jobs where connections are not watched", len(jobs))
	}
}
