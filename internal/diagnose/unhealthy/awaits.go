package unhealthy

import (
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/pods"
)

// Awaits is what the program of a pod that runs and is not ready waits for, in the words of its log; empty where its log does not end like
// that, or names an error.
func (s *Resource) Awaits() string {
	if s.Symptom.Trouble != pods.NotReady || s.Log.Previous {
		return ""
	}
	if _, names := message.Telling(s.Log.Text); names {
		return ""
	}
	return message.Awaits(s.Log.Text)
}

var (
	// firstStart is what has to be done once with a program that was never started before.
	firstStart = pattern.MustCompile(`(?i)\binit\b|\bnot (?:yet )?(?:been )?initiali[sz]ed|\buninitiali[sz]ed|\bmigrat|\bschema\b|\blicen[cs]e|\bunseal|\bis sealed|\breplset config`)
	// command is one in the words of a log: `cockroach init`.
	command = pattern.MustCompile("`([a-z][\\w.-]*(?: [\\w.-]+)+)`")
)

// AwaitsFirstStart reports whether it waits for what a person, or a Job after the installation, does once.
func (s *Resource) AwaitsFirstStart() bool { return firstStart.MatchString(s.Awaits()) }

// AskedFor is the step that does what the log asks for, where it names a command or is known for one.
func (s *Resource) AskedFor() []diagnose.Fix {
	line := strings.ToLower(s.Awaits())
	switch {
	case strings.Contains(line, "vault is sealed"):
		return []diagnose.Fix{{Text: "Unseal Vault in each of its pods (vault operator unseal), or configure auto-unseal"}}
	case message.HasAny(line, "security barrier not initialized", "seal configuration missing, not initialized"):
		return []diagnose.Fix{{Text: "Initialise Vault once (vault operator init in one of its pods), then unseal it in each"}}
	}
	m := command.FindStringSubmatch(s.Awaits())
	if m == nil {
		return nil
	}
	return []diagnose.Fix{{Text: fmt.Sprintf("Run %s once, as its log asks", m[1])}}
}
