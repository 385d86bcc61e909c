package incident

import (
	"slices"
	"testing"
	"time"

	"github.com/argo-why/argo-why/internal/evidence"
)

const aDay = 24 * time.Hour

func tokenOf(account string, left, life time.Duration) evidence.Token {
	return evidence.Token{Account: account, ID: "1", Issued: morning.Add(left - life), Expires: morning.Add(left)}
}

// announcedFor are the accounts that an announcement is about.
func announcedFor(s *Store, ids []string) (accounts []string) {
	for _, id := range ids {
		for _, t := range s.entries[id].Expiry.Tokens {
			accounts = append(accounts, t.Account)
		}
	}
	return accounts
}

// TestATokenIsAnnouncedWithTheNoticesThatItsLifeHasRoomFor: one that a program makes for each run is not.
func TestATokenIsAnnouncedWithTheNoticesThatItsLifeHasRoomFor(t *testing.T) {
	for _, c := range []struct {
		name       string
		left, life time.Duration
		want       time.Duration
	}{
		{"far", 15 * aDay, 90 * aDay, 0},
		{"14 days", 14 * aDay, 90 * aDay, 14 * aDay},
		{"between", 4 * aDay, 90 * aDay, 14 * aDay},
		{"3 days", 3 * aDay, 90 * aDay, 3 * aDay},
		{"the last day", aDay, 90 * aDay, aDay},
		{"the last second", time.Second, 90 * aDay, aDay},
		{"expired", 0, 90 * aDay, 0},
		{"long ago", -aDay, 90 * aDay, 0},
		{"of two weeks", 13 * aDay, 14 * aDay, 0},
		{"of two weeks, later", 2 * aDay, 14 * aDay, 3 * aDay},
		{"of a day", time.Hour, aDay, 0},
	} {
		token := ExpiringToken{Token: tokenOf("ci", c.left, c.life)}
		if got := token.notice(morning); got != c.want {
			t.Errorf("%s: announced %v before, want %v", c.name, got, c.want)
		}
	}
}

// TestATokenIsAnnouncedOncePerNotice, also after a restart, and by whichever leader.
func TestATokenIsAnnouncedOncePerNotice(t *testing.T) {
	s := newStory(t)
	tokens := []evidence.Token{tokenOf("ci", 14*aDay, 90*aDay), tokenOf("ops", 20*aDay, 90*aDay)}
	look := func(after time.Duration, want ...string) {
		t.Helper()
		ids := s.store.AnnounceExpiry("prod", tokens, morning.Add(after))
		if got := announcedFor(s.store, ids); !slices.Equal(got, want) {
			t.Errorf("after %v: %v announced, want %v", after, got, want)
		}
	}
	restart := func() {
		var held []*Incident
		for _, e := range s.store.entries {
			held = append(held, e.Clone())
		}
		s.store = NewStore(s.store.policy, held)
	}
	look(0, "ci")
	look(10 * time.Minute)
	restart()
	look(5 * aDay)
	look(6*aDay, "ops")
	look(11*aDay, "ci")
	restart()
	look(11*aDay + time.Hour)
	look(19*aDay, "ops") // nobody looked when it had three days left
	look(30 * aDay)
}

// TestAnAnnouncementBelongsToTheLeaderOfItsArgoCD, and is no failure: neither a list nor a thread has it.
func TestAnAnnouncementBelongsToTheLeaderOfItsArgoCD(t *testing.T) {
	s := newStory(t)
	ids := s.store.AnnounceExpiry("staging", []evidence.Token{tokenOf("ci", aDay, 90*aDay)}, morning)
	if len(ids) != 1 {
		t.Fatalf("touched %v", ids)
	}
	if n := len(s.store.Failing()) + len(s.store.All()); n != 0 {
		t.Errorf("%d failures", n)
	}
	held := []*Incident{s.store.entries[ids[0]].Clone()}
	for _, part := range Shards([]string{"prod", "staging"}) {
		own, _ := part.Of(held, morning)
		if has := len(own) == 1; has != (part.Name == "staging") {
			t.Errorf("shard %s has it: %v", part.Name, has)
		}
	}
	again := tokenOf("ci", aDay, 90*aDay)
	if ids := s.store.AnnounceExpiry("prod", []evidence.Token{again}, morning); len(ids) != 1 {
		t.Error("a token of the same name in another Argo CD is not announced")
	}
}

// TestAnAnnouncementIsRememberedUntilItsTokensExpired: for longer than incidents, where those are soon forgotten.
func TestAnAnnouncementIsRememberedUntilItsTokensExpired(t *testing.T) {
	s := newStory(t)
	s.store.policy.KeepFor = time.Hour
	tokens := []evidence.Token{tokenOf("ci", 13*aDay, 90*aDay), tokenOf("ops", 14*aDay, 90*aDay)}
	id := s.store.AnnounceExpiry("prod", tokens, morning)[0]
	if got := s.store.entries[id].Expires; !got.Equal(morning.Add(14 * aDay)) {
		t.Errorf("forgotten %v", got)
	}
}

// TestAnAnnouncementThatSlackRefusesGoesWhereTheConfigurationSaysNow.
func TestAnAnnouncementThatSlackRefusesGoesWhereTheConfigurationSaysNow(t *testing.T) {
	tokens := []evidence.Token{tokenOf("ci", 14*aDay, 90*aDay)}
	p := policy()
	p.ConnectionChannel = "oprators"
	s := NewStore(p, nil)
	id := s.AnnounceExpiry("prod", tokens, morning)[0]
	refused := s.entries[id].Clone()
	refused.Trouble = "channel_not_found"
	p.ConnectionChannel = "operators"
	s = NewStore(p, []*Incident{refused})
	if touched := s.AnnounceExpiry("prod", tokens, morning.Add(time.Hour)); !slices.Equal(touched, []string{id}) || s.entries[id].Channel != "operators" {
		t.Errorf("touched %v, and it is for %s", touched, s.entries[id].Channel)
	}
}
