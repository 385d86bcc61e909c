package story

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/argo-why/argo-why/internal/action"
)

// Setting is one of `config`.
type Setting struct {
	Key      string
	Duration time.Duration
	Number   int // of group
	// Schedule and Zone are those of digest: five fields of cron, and the IANA name.
	Schedule, Zone string
}

// Settings are those of a step `config`.
func Settings(args []string) ([]Setting, error) {
	var all []Setting
	for _, arg := range args {
		key, value, _ := strings.Cut(arg, "=")
		s := Setting{Key: key}
		var err error
		switch {
		case key == "group":
			s.Number, err = strconv.Atoi(value)
		case key == "digest":
			s.Schedule, s.Zone, err = daily(value)
		case slices.Contains([]string{"openAfter", "hold", "reopen", "remind", "keep", "quiet"}, key):
			s.Duration, err = time.ParseDuration(value)
		default:
			err = fmt.Errorf("no such key; there are openAfter, hold, reopen, remind, keep, quiet, group and digest")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		all = append(all, s)
	}
	return all, nil
}

// Connection is one of `connection`: how Argo CD sees it from now on.
type Connection struct {
	// Cluster is what Argo CD calls the cluster; "" of a repository.
	Cluster, Address string
	// Error is why it fails; "" where it works. Removed: the settings of Argo CD no longer have it.
	Error   string
	Removed bool
	// Dependents are the only ones that depend on it, where the step is about that.
	Dependents []string
}

// Connection is that of a step `connection`.
func (s Step) Connection() Connection {
	c := Connection{Address: s.Args[0], Removed: s.Args[1] == "removed"}
	if name, server, ok := strings.Cut(c.Address, "="); ok {
		c.Cluster, c.Address = name, server
	}
	switch s.Args[1] {
	case "fails":
		c.Error = s.Rest(2)
	case "serves":
		c.Dependents = s.Args[2:]
	}
	return c
}

// Token is one of `token`.
type Token struct {
	// Account has it, or Role of Project.
	Account, Project, Role string
	ID                     string
	Deleted                bool
	// Left is for how long it is valid.
	Left time.Duration
}

// TokenLife is for how long a token of a story is valid in all.
const TokenLife = 60 * 24 * time.Hour

// Token is that of a step `token`.
func (s Step) Token() (Token, error) {
	t := Token{Account: s.Args[0], ID: s.Args[1], Deleted: s.Args[2] == "deleted"}
	if project, role, ok := strings.Cut(t.Account, "/"); ok {
		t.Account, t.Project, t.Role = "", project, role
	}
	if t.Deleted {
		return t, nil
	}
	var err error
	t.Left, err = time.ParseDuration(s.Args[3])
	return t, err
}

// daily is the schedule of HH:MM@ZONE.
func daily(value string) (fields, zone string, err error) {
	clock, zone, _ := strings.Cut(value, "@")
	at, err := time.Parse("15:04", clock)
	if err != nil {
		return "", "", fmt.Errorf("%q is not HH:MM@ZONE, such as 09:00@Europe/Vienna", value)
	}
	return fmt.Sprintf("%d %d * * *", at.Minute(), at.Hour()), zone, nil
}

// Grant is one of `allow`: who can do what. Names are those of people, and of user groups with @.
type Grant struct {
	Kinds []action.Kind
	Who   []string
	// Approvers is empty where nobody needs to approve.
	Approvers []string
	Expire    time.Duration
}

// NewGrant is that of a step `allow`.
func NewGrant(args []string) (Grant, error) {
	g := Grant{Who: strings.Split(args[1], ",")}
	for name := range strings.SplitSeq(args[0], ",") {
		if !slices.Contains(action.Kinds, action.Kind(name)) {
			return g, fmt.Errorf("no action %s; there are %s", name, strings.ReplaceAll(strings.Trim(fmt.Sprint(action.Kinds), "[]"), " ", ", "))
		}
		g.Kinds = append(g.Kinds, action.Kind(name))
	}
	if len(args) == 2 {
		return g, nil
	}
	var err error
	g.Approvers = strings.Split(args[3], ",")
	g.Expire, err = time.ParseDuration(args[4])
	return g, err
}
