package render

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

func TestBrowsed(t *testing.T) {
	for url, clone := range map[string]string{
		"https://github.com/ops/deploy/tree/main/apps":              "https://github.com/ops/deploy",
		"https://gitlab.com/ops/team/deploy/-/blob/main/a.yaml":     "https://gitlab.com/ops/team/deploy",
		"https://bitbucket.org/ops/deploy/src/master/":              "https://bitbucket.org/ops/deploy",
		"https://github.com/ops/deploy.git":                         "",
		"https://git.example.com/src/deploy.git":                    "",
		"https://dev.azure.com/acme/Platform/_git/deploy":           "",
		"https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/x": "",
		"git@github.com:ops/tree.git":                               "",
	} {
		got := ""
		if m := browsed.FindStringSubmatch(url); m != nil {
			got = m[1]
		}
		if got != clone {
			t.Errorf("%s: %q, want %q", url, got, clone)
		}
	}
}

func TestHTTPSURL(t *testing.T) {
	for ssh, https := range map[string]string{
		"git@github.com:ops/deploy.git":                  "https://github.com/ops/deploy.git",
		"git@ssh.dev.azure.com:v3/acme/Platform/deploy":  "https://dev.azure.com/acme/Platform/_git/deploy",
		"ssh://git@git.example.com:7999/ops/deploy.git":  "", // the port for HTTPS is not known
		"acme@vs-ssh.visualstudio.com:v3/acme/Plat/repo": "",
	} {
		if got, _ := httpsURL(ssh); got != https {
			t.Errorf("%s: %q, want %q", ssh, got, https)
		}
	}
}

func TestChartHost(t *testing.T) {
	for url, want := range map[string]bool{
		"https://prometheus-community.github.io/helm-charts":      true,
		"https://charts.jetstack.io":                              true,
		"https://gitlab.com/api/v4/projects/7/packages/helm/main": true,
		"https://github.com/acme/helm-charts":                     true, // isGitURL excludes it
		"https://git.example.com/ops/deploy.git":                  false,
		"https://git.charts.example.com/ops/deploy":               false,
	} {
		if got := chartHost.MatchString(url); got != want {
			t.Errorf("%s: %v, want %v", url, got, want)
		}
	}
	if !isGitURL("https://github.com/acme/helm-charts") {
		t.Error("a repository on GitHub is taken for one of charts")
	}
}

func TestHostSays(t *testing.T) {
	for text, want := range map[string]string{
		"`git fetch origin` failed exit status 128: remote: Your account is suspended.\nfatal: unable to access 'https://x/': The requested URL returned error: 403": "Your account is suspended.",
		"`git fetch origin` failed exit status 128: remote: Repository 'a/b' is disabled.\nremote: Please ask the owner.\nfatal: no":                                 "Repository 'a/b' is disabled. Please ask the owner.",
		"failed to list refs: authentication required": "",
	} {
		f := message.Parse(text)
		if got := hostSays(&f); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
