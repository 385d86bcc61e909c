package diagnose

import "testing"

// TestNoCommandForWhatWouldRun: a value that a program reads as an option or runs makes no command, wherever it stands.
func TestNoCommandForWhatWouldRun(t *testing.T) {
	type named string
	for _, evil := range []any{"--upload-pack=touch /tmp/pwned;true", " -x", "\u200b-x", "ext::sh -c touch% /tmp/pwned", "fd::17", "ssh://-oProxyCommand=x/y", named("-x"), []string{"a", "ext::"}} {
		got := Printed(Shell("cd dir && ") + Shell("git ls-remote %s", evil) + " | sort")
		if _, list := evil.([]string); !list && got != "" {
			t.Errorf("%q is printed as %s", evil, got)
		}
	}
	for want, got := range map[string]string{
		"a --user=-x fe80::1":  Shell("a --user=%s %s", "-x", "fe80::1"),
		"a -n b 3 '$(rm)'":     Shell("a %s %d %s", Raw("-n b"), 3, named("$(rm)")),
		"a '[$(rm)]'":          Shell("a %s", []string{"$(rm)"}),
		"":                     Printed(Shell("a %s%s", "", "-x")),
		"git show HEAD:--x.go": Shell("git show HEAD:%s", "--x.go"),
	} {
		if got != want {
			t.Errorf("%q is not %q", got, want)
		}
	}
	fix := Fix{Text: "Look at it", Command: Shell("git ls-remote %s", "-x")}.printed()
	if fix.Command != "" || fix.Text != "Look at it ("+notPrinted+")" {
		t.Errorf("the step is %+v", fix)
	}
}

// TestNoCommandAllowsMoreThanOneThing: a name that a program reads as a pattern, or as the name of everybody, makes no command that allows it.
func TestNoCommandAllowsMoreThanOneThing(t *testing.T) {
	for _, command := range []string{
		Shell("argocd proj add-source %s %s", "shop", "*"),
		Shell("argocd proj add-source %s %s", "shop", "https://git.example.com/**"),
		Shell("argocd proj add-destination %s %s %s", "shop", "https://kubernetes.default.svc", "kube-*"),
		Shell("argocd proj add-destination %s %s %s", "shop", "!https://eu.example.com", "[a-z]?"),
		Shell("argocd proj %s %s %s %s --list allow", "allow-cluster-resource", "shop", "*", "ClusterRole"),
		Shell("kubectl create role %s --verb=%s --resource=%s", "plugin", "get", "*"),
		Shell("kubectl create clusterrolebinding argocd-sync --clusterrole=%s %s", "argocd-sync", Raw(Shell("--user=%s", "system:anonymous"))),
		Shell("git fetch origin %s", "+refs/heads/evil:refs/heads/main"),
		Shell("git fetch origin %s", "evil:main"),
		Shell("git rm %s", "*"),
		Shell("git rm %s", ":/"),
	} {
		if command = Printed(command); command != "" {
			t.Errorf("printed: %s", command)
		}
	}
	for want, got := range map[string]string{
		"argocd proj add-source shop https://git.example.com/shop.git":             Shell("argocd proj add-source %s %s", "shop", "https://git.example.com/shop.git"),
		"argocd proj add-destination-service-account shop '*' web SERVICE_ACCOUNT": Shell("argocd proj add-destination-service-account %s %s %s SERVICE_ACCOUNT", "shop", Raw("'*'"), "web"),
		"argocd proj remove-destination shop '*' 'kube-*'":                         Shell("argocd proj remove-destination %s %s %s", "shop", "*", "kube-*"),
		"git fetch origin release/1.2":                                             Shell("git fetch origin %s", "release/1.2"),
		"git rm charts/web/link":                                                   Shell("git rm %s", "charts/web/link"),
	} {
		if got != want {
			t.Errorf("%q is not %q", got, want)
		}
	}
}
