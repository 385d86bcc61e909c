package incident

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

// Tokens that Argo CD issued are announced before they expire. Each announcement is an entry of the journal like a digest: without members, and
// over from the first. It remembers which tokens it announced, so none is announced twice, no matter when the bot is killed.

// TokenExpires stands for the rule of an announcement, which has none.
const TokenExpires = "token-expires"

// expiryNotices are how long before it expires a token is announced, the longest first.
var expiryNotices = []time.Duration{14 * 24 * time.Hour, 3 * 24 * time.Hour, 24 * time.Hour}

// Expiry is what was announced about the tokens of an Argo CD.
type Expiry struct {
	Instance string          `json:"instance"`
	Tokens   []ExpiringToken `json:"tokens"`
}

// ExpiringToken is a token as it was announced.
type ExpiringToken struct {
	evidence.Token
	// Notice is which of the notices it was announced with, in nanoseconds.
	Notice time.Duration `json:"notice,omitempty"`
}

// key is the same for the same token.
func (t *ExpiringToken) key() string {
	return strings.Join([]string{t.Account, t.Project, t.Role, t.ID, t.Expires.UTC().Format(time.RFC3339)}, "\n")
}

// notice is how long before its end a token is to be announced now; 0 if it is not, or never expires. A token that was never valid for longer than a notice is
// not announced with it: programs that make a token for each run know that it expires.
func (t *ExpiringToken) notice(now time.Time) (due time.Duration) {
	left, life := t.Expires.Sub(now), t.Expires.Sub(t.Issued)
	for _, notice := range expiryNotices {
		if left > 0 && left <= notice && notice < life {
			due = notice
		}
	}
	return due
}

// AnnounceExpiry has the tokens of an Argo CD announced that expire soon and were not announced with this notice or a later one. It returns
// what is to be saved and posted.
func (s *Store) AnnounceExpiry(instance string, tokens []evidence.Token, now time.Time) (touched []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	touched = s.moveAnnouncements(instance)
	announced := s.announcedTokens(instance)
	var due []ExpiringToken
	for _, issued := range tokens {
		t := ExpiringToken{Token: issued}
		last, before := announced[t.key()]
		if t.Notice = t.notice(now); t.Notice > 0 && (!before || t.Notice < last) {
			due = append(due, t)
		}
	}
	if len(due) == 0 {
		return touched
	}
	slices.SortFunc(due, func(x, y ExpiringToken) int {
		return cmp.Or(x.Expires.Compare(y.Expires), strings.Compare(x.key(), y.key()))
	})
	seed := TokenExpires + " " + instance
	for _, t := range due {
		seed += fmt.Sprintf(" %s %s", t.key(), t.Notice)
	}
	until := due[len(due)-1].Expires // before then, one could be announced a second time
	return append(touched, s.addNotice(seed, now, until, &Incident{
		Cause: Cause{Rule: TokenExpires, Key: TokenExpires}, Channel: s.policy.ConnectionChannel, Since: now, Expiry: &Expiry{Instance: instance, Tokens: due},
	})...)
}

// moveAnnouncements takes those that Slack has refused to where the configuration says now.
func (s *Store) moveAnnouncements(instance string) (touched []string) {
	to := s.policy.ConnectionChannel
	for id, e := range s.entries {
		if e.Expiry == nil || e.Expiry.Instance != instance || e.dropped || !e.refusedFor(to) {
			continue
		}
		e.Channel = to
		e.generation++
		touched = append(touched, id)
	}
	slices.Sort(touched)
	return touched
}

// announcedTokens are the tokens that were announced, by key, each with its last notice.
func (s *Store) announcedTokens(instance string) map[string]time.Duration {
	all := map[string]time.Duration{}
	for _, e := range s.entries {
		if e.Expiry == nil || e.Expiry.Instance != instance {
			continue
		}
		for n := range e.Expiry.Tokens {
			t := &e.Expiry.Tokens[n]
			if last, ok := all[t.key()]; !ok || t.Notice < last {
				all[t.key()] = t.Notice
			}
		}
	}
	return all
}

// AnnounceExpiry has the tokens of an Argo CD recorded that expire soon, and then posted.
func (s *Syncer) AnnounceExpiry(instance string, tokens []evidence.Token, now time.Time) {
	added := s.Store.AnnounceExpiry(instance, tokens, now)
	if len(added) > 0 {
		s.Log.Info("tokens expire soon", "instance", instance, "announcement", added)
	}
	s.Touch(added...)
}
