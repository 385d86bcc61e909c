package hooks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
	"github.com/argo-why/argo-why/internal/text"
)

// places are how tools name the migration that failed, and the line of it.
var places = []*pattern.Regexp{
	pattern.MustCompile(`Location +: (?:\S*/)?([\w.-]+\.\w+)\b[^\n]*\s+Line +: (\d+)`), // Flyway
	pattern.MustCompile(`ERROR: Migration (\S+\.\w+) failed`),
	pattern.MustCompile(`Migration failed for change ?set (\S+::\S+::[^\s:]+)`), // Liquibase
	pattern.MustCompile(`Migration name: (\S+)`),                                // Prisma
	pattern.MustCompile(`(db/migrate/[\w.]+\.rb):(\d+)`),                        // Rails
	pattern.MustCompile(`migration file "([^"]+)" failed`),                      // Knex
	pattern.MustCompile(`Migration "([^"]+)" failed`),                           // TypeORM
	pattern.MustCompile(`(\d{4}_\d\d_\d\d_\d{6}_\w+) [ .\d,ms]*FAIL`),           // Laravel
}

// begun are how tools name a migration that they begin. What they add to the line once it is done is the second group.
var begun = []*pattern.Regexp{
	pattern.MustCompile(`Running upgrade (\S* ?-> [\w()]+(?: \(\w+\))?)`), // Alembic
	pattern.MustCompile(`(?m)^ +Applying ([\w.]+)\.\.\.( OK)?`),           // Django
	pattern.MustCompile(`(?m)== (\S+): migrating =+$`),                    // Sequelize
	pattern.MustCompile(`(?m)^== +(\d{14} \w+): migrating =+$`),           // Rails
	pattern.MustCompile("Applying migration ['`]([^'`]+)['`]"),            // Entity Framework, Prisma
	pattern.MustCompile(`(?m)^Applying: (\S+)$`),                          // dbmate
}

// migrates are words of which a log has one where it names a migration.
var migrates = []string{"migrat", "Migrat", "Running upgrade", "Applying"}

// migration says in which migration it failed, or which it began last, where the log names one and the error does not.
func (h *run) migration() string {
	line, names := h.lastWords()
	if !names || !message.HasAny(h.log.Text, migrates...) {
		return ""
	}
	for _, place := range places {
		m := place.FindStringSubmatch(h.log.Text)
		switch {
		case m == nil:
			continue
		case strings.Contains(line, m[1]):
			return ""
		case len(m) > 2:
			return fmt.Sprintf("It failed in migration %s, line %s.", m[1], m[2])
		}
		return fmt.Sprintf("It failed in migration %s.", m[1])
	}
	for _, b := range begun {
		all := b.FindAllStringSubmatch(h.log.Text, -1)
		if len(all) == 0 {
			continue
		}
		last := all[len(all)-1]
		if len(last) > 2 && last[2] != "" || strings.Contains(line, last[1]) {
			return ""
		}
		return fmt.Sprintf("The last migration that it began is %s.", last[1])
	}
	return ""
}

// hosts are how programs name the host that they cannot reach; a name comes before the address that it resolved to.
var hosts = []*pattern.Regexp{
	pattern.MustCompile(`(?:lookup|bad address) ['"]?([\w.-]+)`),
	pattern.MustCompile("(?i)(?:translate host name|server at|connect to server|mysql server on|resolve host:?|host=|unknown host:?|unknownhostexception:) *[\"'`(]?([\\w.-]+)"),
	pattern.MustCompile(`(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH) ([\w.-]+)`),
	pattern.MustCompile(`://(?:[^/@\s"']*@)?([\w.-]+)`),
	pattern.MustCompile(`([\w.-]*[A-Za-z][\w.-]*|\d+\.\d+\.\d+\.\d+):\d{2,5}\b`),
	pattern.MustCompile(`(?i)connect(?:ion)? to ([\w-]+(?:\.[\w-]+)+)`),
}

// host is the host that the hook cannot reach, or waits for; empty where its log names none.
func (h *run) host() string {
	line, names := h.lastWords()
	if (!names || !message.CannotReach(line)) && !waitsForHost(line) {
		return ""
	}
	for _, e := range hosts {
		if m := e.FindStringSubmatch(line); m != nil {
			return strings.TrimRight(m[1], ".-")
		}
	}
	return ""
}

// address is an IP address of version 4.
var address = pattern.MustCompile(`^\d+\.\d+\.\d+\.\d+$`)

// reachSteps are the steps that find out why the hook cannot reach a host.
func (h *run) reachSteps() []diagnose.Fix {
	host := h.host()
	labels := strings.Split(host, ".")
	namespace := h.ref.Namespace
	if len(labels) > 2 && labels[2] == "svc" {
		namespace, labels = labels[1], labels[:1]
	}
	switch {
	case host == "":
		return nil
	case host == "localhost", strings.HasPrefix(host, "127."):
		return []diagnose.Fix{{Text: h.ownPod(host)}}
	case address.MatchString(host):
		return []diagnose.Fix{{Text: fmt.Sprintf("Check what should answer at %s, and whether a network policy or firewall keeps the hook's pod from it", host)}}
	case len(labels) == 1 && namespace != "":
		return []diagnose.Fix{{
			Text:    fmt.Sprintf("Check that Service/%s exists in namespace %s and has endpoints. If it does not exist, correct the host in the hook's settings", labels[0], namespace),
			Command: diagnose.Shell("kubectl -n %s get services,endpoints --field-selector metadata.name=%s", namespace, labels[0]),
		}}
	}
	return []diagnose.Fix{{Text: fmt.Sprintf("Check the host %s in the hook's settings, and that its pod can resolve and reach it (DNS, network policy, firewall)", host)}}
}

// ownPod is the step for a hook that finds nobody at its own pod's address: a proxy that is not up yet, or a setting that is missing.
func (h *run) ownPod(host string) string {
	failed, beside := cmp.Or(pods.FailedContainer(h.podNode), pods.TellingContainer(h.pod)), []string{}
	for _, c := range pods.ContainerSpecs(h.pod) {
		if name := c.Text("name"); name != failed {
			beside = append(beside, name)
		}
	}
	if len(beside) == 0 || failed == "" {
		return fmt.Sprintf("In Git, set the host that the hook connects to: %s is its own pod, and nothing answers there", host)
	}
	return fmt.Sprintf("%s is its own pod. If %s should answer there, let the hook wait until it listens; if not, set the right host in Git", text.UpperFirst(host), strings.Join(beside, " or "))
}

// wayOut are the steps that help with what the hook's log says, as far as that is known.
func (h *run) wayOut(in *diagnose.In) []diagnose.Fix {
	if known := slices.Concat(h.peerSteps(in), h.stumbleOf().steps(h), h.tokenSteps(in)); len(known) > 0 {
		return known
	}
	if known := h.logSteps(in); len(known) > 0 {
		return known
	}
	if known := h.obstacleOf().steps(h); len(known) > 0 { // a server that says what is wrong was reached
		return known
	}
	return h.reachSteps()
}

// logSteps are the steps that the rules about health know for what the log says.
func (h *run) logSteps(in *diagnose.In) []diagnose.Fix {
	if h.cause == nil || h.trouble != pods.Crash {
		return nil
	}
	return slices.DeleteFunc(h.taken(in).Fix, func(step diagnose.Fix) bool { // the rules about hooks have these
		return strings.Contains(step.Command, " logs ") || strings.Contains(step.Command, " describe ")
	})
}
