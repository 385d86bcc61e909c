package repourl

import "testing"

func TestAuthority(t *testing.T) {
	for repo, want := range map[string]string{
		"https://github.com/org/repo.git":             "github.com",
		"https://user:token@GitHub.com:8443/org/repo": "github.com:8443",
		"https://github.com./org/repo":                "github.com",
		"https://org@dev.azure.com/org/p/_git/r":      "dev.azure.com",
		"ssh://git@github.com:22/org/repo":            "github.com:22",
		"git@github.com:org/repo.git":                 "github.com",
		"git@github.com:2222/repo.git":                "github.com",
		"github.com:org/repo":                         "github.com",
		"registry.example.com:5000/charts":            "registry.example.com:5000",
		"oci://123.dkr.ecr.eu-west-1.amazonaws.com/x": "123.dkr.ecr.eu-west-1.amazonaws.com",
		"https://[redacted]@example.com:8443/x":       "example.com:8443",
		"https://10.0.0.1/x":                          "10.0.0.1",
		"https://[2001:db8::1]:8443/x":                "[2001:db8::1]:8443",
		"https://evil.example/@github.com/x":          "evil.example",
		"https://github.com@evil.example/x":           "evil.example",
		"github.com@evil.example:x/y":                 "evil.example",

		"https://evil.example#@github.com/charts":         "",
		"https://evil.example?@github.com/charts":         "",
		`https://evil.example\@github.com/charts`:         "",
		"https://evil.example%23@github.com/charts":       "",
		"https://a@evil.example@github.com/charts":        "",
		"https://github.com /charts":                      "",
		"https://github.com\u00a0.evil.example/charts":    "",
		"https://github.com\uff0f@evil.example/charts":    "",
		"https://g\u0456thub.com/charts":                  "",
		"evil.example#@github.com:x/y.git":                "",
		"evil.example:x@github.com:y":                     "",
		"evil.example/x@github.com:y":                     "",
		"evil.example?@github.com/1.dkr.ecr.x.amazonaws.": "",
		"https://[redacted].example.com/x":                "",
		"https://*.example.com/x":                         "",
		"!https://evil.example/x":                         "",
		"!git@evil.example:x":                             "",
		"file:///etc/passwd":                              "",
		"https:///x":                                      "",
		"https://[fe80::1%25eth0]/x":                      "",
		"https://-oProxyCommand=x/y":                      "",
		"the host":                                        "",
		"":                                                "",
	} {
		if got := Authority(repo); got != want {
			t.Errorf("Authority(%q) = %q, want %q", repo, got, want)
		}
	}
	if got := Host("ssh://git@github.com:22/org/repo"); got != "github.com" {
		t.Errorf("Host keeps the port: %q", got)
	}
}

func TestNormal(t *testing.T) {
	for _, same := range [][2]string{
		{"https://git.example.com/Ops/Deploy.git", "https://git.example.com/ops/deploy"},
		{"git@git.example.com:ops/deploy.git", "ssh://git@git.example.com/ops/deploy"},
		{"oci://quay.io/ops/charts", "quay.io/ops/charts"},
	} {
		if a, b := Normal(same[0]), Normal(same[1]); a != b {
			t.Errorf("%s is %s, but %s is %s", same[0], a, same[1], b)
		}
	}
	for _, other := range [][2]string{
		{"https://git.example.com/ops/deploy", "http://git.example.com/ops/deploy"},
		{"https://git.example.com/ops/deploy", "https://git.example.com/ops/deploy/"}, // Argo CD keeps the slash
		{"https://git.example.com/ops/deploy", "git@git.example.com:ops/deploy"},
	} {
		if Normal(other[0]) == Normal(other[1]) {
			t.Errorf("%s and %s are the same", other[0], other[1])
		}
	}
}
