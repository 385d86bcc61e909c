package world

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/argo-why/argo-why/config"
)

// Timing is when a failure becomes a thread, and when the thread says that it is over.
type Timing struct {
	OpenAfter, HoldFor, ReopenWithin, RemindAfter, ExpireAfter time.Duration
	GroupFrom                                                  int
	QuietAfter                                                 time.Duration // 0: what fails before the start gets its thread
	// Digest is when there is a digest, and DigestZone its time zone; "": never.
	Digest, DigestZone string
}

// DefaultTiming shows within seconds what a real bot shows within minutes: a visitor does not wait until somebody who is at
// work would have finished.
func DefaultTiming() Timing {
	return Timing{
		OpenAfter: time.Second, HoldFor: 3 * time.Second, ReopenWithin: time.Hour, RemindAfter: 4 * time.Hour,
		ExpireAfter: 24 * time.Hour, GroupFrom: 3,
	}
}

// SweepEvery is how often all applications are looked at: short, so that a visitor sees the sweep find what a lost notification would have said.
const SweepEvery = 15 * time.Second

// Grant lets people do some actions, as an entry of `actions` in the configuration. Users and Groups are IDs.
type Grant struct {
	Actions, Users, Groups []string
	Approval               *Approval // nil: nobody has to approve
}

// Approval is who has to agree, and for how long they can.
type Approval struct {
	Users, Groups []string
	ExpireAfter   time.Duration
}

//go:embed config.yaml
var configText string

var configTemplate = template.Must(template.New("config.yaml").Funcs(template.FuncMap{
	"quote": strconv.Quote,
	"list": func(words []string) string {
		quoted := make([]string, len(words))
		for i, w := range words {
			quoted[i] = strconv.Quote(w)
		}
		return "[" + strings.Join(quoted, ", ") + "]"
	},
}).Parse(configText))

// settings are what the configuration of the bot is made of.
type settings struct {
	Dir  string // of the configuration, the secrets and the journal
	File string // the configuration
	// Namespace is where the journal is; "" for a file.
	Namespace string
	// Leaders is journal.leaders; "" for its default.
	Leaders string

	Team, Channel, Command, SlackAPI string
	Instance, ArgoCD, ArgoCDPages    string
	Listen, Metrics                  string // addresses
	Timing                           Timing
	Grants                           []Grant

	// The secrets; in the file there are the paths of files with them.
	BotToken, AppToken, ArgoCDToken, WebhookToken string
	// Filled in by write.
	Rules      []string // those with a time of their own
	Journal    string
	SweepEvery time.Duration
}

// write writes the configuration and the secrets that it names, and returns its path.
func (s *settings) write() (string, error) {
	s.Rules = slices.Sorted(maps.Keys(config.Default().Incidents.OpenAfterByRule))
	s.Journal, s.SweepEvery = filepath.Join(s.Dir, "argo-why.db"), SweepEvery
	for name, secret := range map[string]*string{
		"slack-bot-token": &s.BotToken, "slack-app-token": &s.AppToken, "argocd-token": &s.ArgoCDToken, "webhook-token": &s.WebhookToken,
	} {
		path := filepath.Join(s.Dir, name)
		if err := os.WriteFile(path, []byte(*secret), 0o600); err != nil {
			return "", fmt.Errorf("write the secrets of the demo: %w", err)
		}
		*secret = path
	}
	var out bytes.Buffer
	if err := configTemplate.Execute(&out, s); err != nil {
		return "", fmt.Errorf("write the configuration of the demo: %w", err)
	}
	path := filepath.Join(s.Dir, s.File)
	if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
		return "", fmt.Errorf("write the configuration of the demo: %w", err)
	}
	return path, nil
}
