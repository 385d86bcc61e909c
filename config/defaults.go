package config

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"
)

// Default has all defaults, each with its reason.
func Default() *Config {
	return &Config{
		Slack: Slack{Guests: GuestsNamed, Command: "/argo", APIURL: "https://slack.com/api/"},
		Incidents: Incidents{
			OpenAfter: 30 * time.Second, // a pod that starts late and a sync that is retried immediately wake nobody
			OpenAfterByRule: map[string]time.Duration{
				"drift/*":                      15 * time.Minute, // somebody is working on it: merged but not synced yet, or changed manually for a test
				"operation/retrying":           5 * time.Minute,  // Argo CD's own retries, 5 with a growing pause, often fix it
				"operation/in-progress":        15 * time.Minute, // a sync that runs for long and shows nothing wrong is not a failure yet
				"health/unschedulable":         5 * time.Minute,  // an autoscaler adds a node in 2 to 4 minutes
				"health/volume-pending":        5 * time.Minute,  // detaching from the old node takes its time
				"health/load-balancer-pending": 5 * time.Minute,  // clouds take minutes to assign an address
				"health/rollout-paused":        time.Hour,        // paused by somebody who is watching it
				"health/suspended":             time.Hour,
			},
			HoldFor:      time.Minute,         // an application that flaps has not recovered
			ReopenWithin: 24 * time.Hour,      // tomorrow's failure with the same cause belongs to today's
			RemindAfter:  4 * time.Hour,       // once or twice a shift
			GroupFrom:    3,                   // two may be a coincidence
			QuietAfter:   time.Hour,           // longer than any update of the bot or of its node
			ExpireAfter:  30 * 24 * time.Hour, // `history` covers a month
		},
		Journal: Journal{Path: "argo-why.db", Leaders: LeadersOne},
		HTTP:    HTTP{Listen: ":8080", Metrics: ":9090"},
		Sweep:   "@every 5m", // Argo CD itself checks Git every 3
		// One request for each kind of connection, answered from Argo CD's cache. Twice in a row is what opens a warning: openAfter is shorter.
		Connections: Connections{Schedule: "@every 1m"},
		Digest:      Digest{OutOfSyncAfter: 24 * time.Hour}, // who merged yesterday may still be about to sync
		Log:         Log{Level: "info", Format: LogAuto},
	}
}

// approvalExpires is how long a request can be approved: the requester is still there, and what was shown is still true.
const approvalExpires = 15 * time.Minute

// complete fills in what follows from other values. It leaves a time of 0 in the file for validate to refuse.
func (c *Config) complete(f *findings) {
	if c.Slack.APIURL != "" && !strings.HasSuffix(c.Slack.APIURL, "/") {
		c.Slack.APIURL += "/" // methods are appended to it
	}
	for i := range c.ArgoCD {
		a := &c.ArgoCD[i]
		a.URL = strings.TrimSuffix(cmp.Or(a.URL, browserURL(a)), "/")
	}
	for i := range c.Actions {
		if a := &c.Actions[i].Approval; a.Needed() && f.lines[fmt.Sprintf("actions[%d].approval.expireAfter", i)] == 0 {
			a.ExpireAfter = approvalExpires
		}
	}
}

// browserURL is the default address of the user interface: the server itself, and the path that it is served under.
func browserURL(a *Instance) string {
	address := a.Server
	switch {
	case a.Server == "":
		return ""
	case strings.Contains(a.Server, "://"):
	case a.PlainText:
		address = "http://" + address
	default:
		address = "https://" + address
	}
	if path := strings.Trim(a.GRPCWebRootPath, "/"); path != "" {
		address = strings.TrimSuffix(address, "/") + "/" + path
	}
	return address
}

// Resolve decides the kind of a journal, unless it is given, from where the process runs.
func (j Journal) Resolve() Journal {
	if j.Kind != "" {
		return j
	}
	j.Kind = JournalFile
	if os.Getenv("KUBERNETES_SERVICE_HOST") != "" { // set in each pod
		j.Kind = JournalKubernetes
	}
	return j
}
