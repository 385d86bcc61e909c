package config

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"time"
)

// Default is what a file that leaves everything out means: all defaults stand here, each with its reason.
func Default() *Config {
	return &Config{
		Slack: Slack{Command: "/argo", APIURL: "https://slack.com/api/"},
		Incidents: Incidents{
			OpenAfter: 30 * time.Second, // a pod that starts late and a sync that is repeated at once wake nobody
			OpenAfterByRule: map[string]time.Duration{
				"drift/*":                      15 * time.Minute, // somebody at work: merged and not yet synced, or trying something by hand
				"operation/retrying":           5 * time.Minute,  // Argo CD's own retries, 5 with a growing pause, often cure it
				"operation/in-progress":        15 * time.Minute, // a long sync is no failure yet
				"wave/in-progress":             15 * time.Minute, // nor is one whose wave takes its time
				"health/unschedulable":         5 * time.Minute,  // an autoscaler brings a new node in 2 to 4 minutes
				"health/volume-pending":        5 * time.Minute,  // detaching from the old node takes its time
				"health/load-balancer-pending": 5 * time.Minute,  // clouds take minutes for an address
				"health/rollout-paused":        time.Hour,        // paused by somebody, who looks at it
				"health/suspended":             time.Hour,
			},
			HoldFor:      time.Minute,         // an application that flaps is not recovered at each flap
			ReopenWithin: 24 * time.Hour,      // tomorrow's failure of the same kind is still the same story
			RemindAfter:  4 * time.Hour,       // once or twice a shift
			GroupFrom:    3,                   // two may be a coincidence
			ExpireAfter:  30 * 24 * time.Hour, // `history` looks a month back
		},
		Journal: Journal{Path: "argo-why.db"},
		HTTP:    HTTP{Listen: ":8080"},
		Sweep:   "@every 5m", // Argo CD itself looks at Git every 3
		Log:     Log{Level: "info", Format: "json"},
	}
}

// approvalExpires is how long an approval may be given: who asked is still there, and what was shown still fresh.
const approvalExpires = 15 * time.Minute

// complete fills in what follows from other values. A time that the file gives as 0 is left for validate to refuse.
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

// browserURL is where the user interface is when nobody says so: at the server itself.
func browserURL(a *Instance) string {
	switch {
	case a.Server == "" || strings.Contains(a.Server, "://"):
		return a.Server
	case a.PlainText:
		return "http://" + a.Server
	}
	return "https://" + a.Server
}

// Resolve decides the open kind of a journal from where the process runs, and leaves a given one alone.
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
