package rules_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/evidence"
)

// printedOf is all that a person would see of the findings: titles, reasons, steps, commands and patches.
func printedOf(t *testing.T, c *evidence.Case) string {
	t.Helper()
	var b strings.Builder
	for _, f := range diagnosed(t, engine(t), c).Findings {
		b.WriteString(f.Title + "\n" + f.Why + "\n")
		for _, fix := range f.Fix {
			b.WriteString(fix.Text + "\n" + fix.Command + "\n" + fix.Patch + "\n")
		}
	}
	return b.String()
}

// failing is an application of the tenant with an error text that Argo CD might have met.
func failing(t *testing.T, condition, said string) *evidence.Case {
	t.Helper()
	quoted, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	return forged(t, `{"sync": {"status": "Unknown"}, "controllerNamespace": "team-a", "conditions": [{"type": "`+condition+`", "message": `+string(quoted)+`}]}`)
}

func whileRendering(said string) string {
	return "Failed to load target state: failed to generate manifest for source 1 of 1: rpc error: code = Unknown desc = " + said
}

func shows(t *testing.T, printed string, want, never []string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(printed, w) {
			t.Errorf("%q is missing in:\n%s", w, printed)
		}
	}
	for _, n := range never {
		if strings.Contains(printed, n) {
			t.Errorf("%q is in:\n%s", n, printed)
		}
	}
}

// TestAForgedDenialGrantsNothing: a policy line is for this application and for a role to be filled in, whatever the text names.
func TestAForgedDenialGrantsNothing(t *testing.T) {
	const words = "only the error text says who was refused what"
	for name, x := range map[string]struct {
		said, namespace string
		want, never     []string
	}{
		"another application":              {"exec, create, payments/api, sub: mallory", "", []string{words, "mallory", "payments/api"}, []string{"allow\n"}},
		"an account":                       {"accounts, update, admin, sub: proj:team-a:ci", "", []string{words}, []string{"allow\n"}},
		"all of a project":                 {"applications, sync, team-a/*, sub: mallory", "", []string{words}, []string{"allow\n"}},
		"the repositories of the project":  {"repositories, create, team-a/team-a/shop, sub: mallory", "", []string{words}, []string{"allow\n"}},
		"one of the same name in Argo CD":  {"applications, sync, team-a/shop, sub: mallory", "", []string{words}, []string{"allow\n"}},
		"every action":                     {"applications, *, team-a/team-a/shop, sub: mallory", "", []string{"would be read as a pattern"}, []string{"allow\n"}},
		"its own":                          {"applications, sync, team-a/team-a/shop, sub: mallory", "", []string{"a role or group of mallory for ROLE", "\np, role:ROLE, applications, sync, team-a/team-a/shop, allow\n"}, []string{"p, mallory"}},
		"its own, by a role of it":         {"logs, get, team-a/team-a/shop, sub: proj:team-a:ci", "", []string{"AppProject/team-a", "\np, proj:team-a:ROLE, logs, get, team-a/team-a/shop, allow\n"}, []string{"p, proj:team-a:ci"}},
		"its own, by a role of another":    {"logs, get, team-a/team-a/shop, sub: proj:payments:ci", "", []string{"\np, role:ROLE, logs, get, team-a/team-a/shop, allow\n"}, []string{"p, proj:", "AppProject/payments"}},
		"its own, where Argo CD runs":      {"applications, sync, team-a/shop, sub: dana", "argocd", []string{"\np, role:ROLE, applications, sync, team-a/shop, allow\n"}, []string{"p, dana"}},
		"a subject of more than one line":  {"applications, sync, team-a/team-a/shop, sub: x\np", "", []string{"\np, role:ROLE, applications, sync, team-a/team-a/shop, allow\n"}, []string{"p, x"}},
		"no subject":                       {"applications, sync, team-a/team-a/shop", "", []string{"\np, role:ROLE, applications, sync, team-a/team-a/shop, allow\n"}, nil},
		"its own, by a role with a longer": {"logs, get, team-a/team-a/shop, sub: proj:team-a2:ci", "", []string{"\np, role:ROLE, logs"}, []string{"p, proj:"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := failing(t, "SyncError", "permission denied: "+x.said+", iat: 2026-11-20T18:00:00Z")
			if x.namespace != "" {
				c.Application.Metadata.Namespace = x.namespace
			}
			shows(t, printedOf(t, c), x.want, x.never)
		})
	}
}

// TestAURLThatCanBeReadTwiceGetsNoToken: a person reads github.com in these, and programs another host. No command that stores a token is
// printed for one, none makes a token of AWS for it, and no sentence says that it is GitHub.
func TestAURLThatCanBeReadTwiceGetsNoToken(t *testing.T) {
	const words = "no command is printed: the URL can be read as one of several hosts"
	never := []string{"argocd repo add", "get-login-password", "_json_key", "github.com denies", "github.com rejects", "host github.com", "ECR in"}
	for _, url := range []string{
		"https://evil.example#@github.com/charts", "https://evil.example?@github.com/charts", `https://evil.example\@github.com/charts`,
		"https://evil.example?@github.com/1.dkr.ecr.us-east-1.amazonaws.com", "evil.example?@github.com/1.dkr.ecr.us-east-1.amazonaws.com",
		"https://evil.example#.pkg.dev/charts",
	} {
		t.Run("charts "+url, func(t *testing.T) {
			c := failing(t, "ComparisonError", whileRendering("`helm pull --destination /tmp/x --version 1.0.0 --repo "+url+" web` failed exit status 1: Error: looks like \""+url+"\" is not a valid chart repository or cannot be reached: failed to fetch "+url+"/index.yaml : 401 Unauthorized"))
			c.Application.Spec.Source.RepoURL, c.Application.Spec.Source.Chart, c.Application.Spec.Source.Path = url, "web", ""
			shows(t, printedOf(t, c), []string{words}, never)
		})
	}
	for _, url := range []string{"ssh://git@evil.example?@github.com/x.git", "evil.example#@github.com:x/y.git", `https://evil.example\@github.com/x.git`, "https://evil.example#@github.com/x.git", "ssh://git@github.com@evil.example/x.git"} {
		t.Run("Git "+url, func(t *testing.T) {
			c := failing(t, "ComparisonError", whileRendering("failed to list refs: authentication required"))
			c.Application.Spec.Source.RepoURL = url
			shows(t, printedOf(t, c), []string{words}, append(never, "--repo https://github.com"))
		})
	}
}

// TestOnlyARegistryOfAWSGetsATokenOfAWS: what makes a registry one of AWS or Google is the end of its host.
func TestOnlyARegistryOfAWSGetsATokenOfAWS(t *testing.T) {
	for url, want := range map[string]string{
		"123456789012.dkr.ecr.eu-west-1.amazonaws.com/charts":             "get-login-password --region eu-west-1",
		"europe-docker.pkg.dev/p/charts":                                  "_json_key",
		"evil.example/1.dkr.ecr.us-east-1.amazonaws.com":                  "--username USER --password TOKEN",
		"1.dkr.ecr.us-east-1.amazonaws.com.evil.example/charts":           "--username USER --password TOKEN",
		"1.dkr.ecr.us-east-1.amazonaws.com:5000@evil.example:5000/charts": "no command is printed",
		"evilpkg.dev/charts":                                              "--username USER --password TOKEN",
		"evil.example/pkg.dev":                                            "--username USER --password TOKEN",
	} {
		c := failing(t, "ComparisonError", whileRendering("`helm pull oci://"+url+"/web --version 1.0.0 --destination /tmp/x` failed exit status 1: Error: failed to authorize: unexpected status: 401 Unauthorized"))
		c.Application.Spec.Source.RepoURL, c.Application.Spec.Source.Chart, c.Application.Spec.Source.Path = url, "web", ""
		printed := printedOf(t, c)
		shows(t, printed, []string{want}, nil)
		if strings.HasPrefix(want, "--username") {
			shows(t, printed, []string{"Check first that "}, []string{"get-login-password", "_json_key"})
		}
	}
}

// TestAKeyIsReadFromTheHostOfTheURL: the name that ssh-keyscan asks is a host, and not a user and a host.
func TestAKeyIsReadFromTheHostOfTheURL(t *testing.T) {
	for url, want := range map[string]string{
		"ssh://git@github.com@evil.example/x.git": "ssh-keyscan HOST",
		"github.com@evil.example:x/y.git":         "ssh-keyscan evil.example |",
		"ssh://git@git.example.com:2222/x.git":    "ssh-keyscan -p 2222 git.example.com |",
	} {
		c := failing(t, "ComparisonError", whileRendering("failed to list refs: ssh: handshake failed: knownhosts: key mismatch"))
		c.Application.Spec.Source.RepoURL = url
		shows(t, printedOf(t, c), []string{want}, []string{"github.com@evil.example |"})
	}
}

// TestAKeyOfAnAppIsForTheHostOfTheRepository: the text names a host, and what the key of a GitHub App signs goes to that of the repository.
func TestAKeyOfAnAppIsForTheHostOfTheRepository(t *testing.T) {
	c := failing(t, "ComparisonError", whileRendering("failed to list refs: could not refresh installation id 42's token: received non 2xx response status \"401 Unauthorized\" when fetching https://evil.example/api/v3/app/installations/42/access_tokens"))
	c.Application.Spec.Source.RepoURL = "https://github.example.com/team-a/shop.git"
	shows(t, printedOf(t, c), []string{"--github-app-enterprise-base-url https://github.example.com/api/v3"}, []string{"https://evil.example"})
}

// TestCodeCommitIsAHostOfAWS: a text that speaks as CodeCommit does has nobody enter credentials of AWS for another host.
func TestCodeCommitIsAHostOfAWS(t *testing.T) {
	said := whileRendering("failed to list refs: unexpected client error: authentication required: SPNEGO token required")
	c := failing(t, "ComparisonError", said)
	c.Application.Spec.Source.RepoURL = "https://git-codecommit.eu-west-1.amazonaws.com.evil.example/v1/repos/shop"
	shows(t, printedOf(t, c), []string{"Check first that "}, []string{"IAM"})
	c.Application.Spec.Source.RepoURL = "https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/shop"
	shows(t, printedOf(t, c), []string{"Git credentials for CodeCommit in IAM"}, nil)
}

// TestAPullSecretIsForAHostThatWasChecked: the image of a pod says which registry gets the login, so its step says to look at it first; and it
// is for a namespace of the application still.
func TestAPullSecretIsForAHostThatWasChecked(t *testing.T) {
	const warning, command = "Check first that r.example.com is a host of yours", "--docker-server=r.example.com"
	for name, x := range map[string]struct {
		namespaces, registered string
		want, never            []string
	}{
		"an own namespace":     {"*", "", []string{warning, command}, nil},
		"a host that is known": {"*", "https://r.example.com/charts", []string{command}, []string{warning}},
		"a foreign namespace":  {"team-a", "", []string{"only the error text and the status say that it belongs to this application"}, []string{command}},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("testdata/cases/health/image-pull/own-05.json")
			if err != nil {
				t.Fatal(err)
			}
			var c evidence.Case
			if err := json.Unmarshal(text, &c); err != nil {
				t.Fatal(err)
			}
			project := `{"metadata": {"name": "x", "namespace": "argocd"}, "spec": {"sourceRepos": ["*"], "destinations": [{"server": "*", "namespace": "` + x.namespaces + `"}]}}`
			if err := json.Unmarshal([]byte(project), &c.Project); err != nil {
				t.Fatal(err)
			}
			c.Repositories = []evidence.Repository{{Repo: x.registered}}
			shows(t, printedOf(t, &c), x.want, x.never)
		})
	}
}

// TestRestrictionsKeepTheirValue: an option of Kustomize 3 gets the name that its value has since Kustomize 4.
func TestRestrictionsKeepTheirValue(t *testing.T) {
	for options, want := range map[string]string{
		"--enable_helm --load_restrictor none":                 `"--enable-helm --load-restrictor LoadRestrictionsNone"`,
		"--load_restrictor=none --enable_helm":                 `"--load-restrictor=LoadRestrictionsNone --enable-helm"`,
		"--load_restrictor rootOnly --enable_helm":             `"--load-restrictor LoadRestrictionsRootOnly --enable-helm"`,
		"--load_restrictor LoadRestrictionsNone --enable_helm": `"--load-restrictor LoadRestrictionsNone --enable-helm"`,
	} {
		c := failing(t, "ComparisonError", whileRendering("`kustomize build /tmp/x "+options+"` failed exit status 1: Error: unknown flag: --load_restrictor"))
		c.Application.Status.ControllerNamespace = "argocd" // where the settings are, else no command changes them
		shows(t, printedOf(t, c), []string{want}, nil)
	}
}
