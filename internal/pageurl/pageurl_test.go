package pageurl

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for address, want := range map[string]string{
		"https://argocd.example.com/applications/argocd/web?view=tree&resource=": "https://argocd.example.com argocd/web",
		"https://argocd.example.com/applications/web":                            "https://argocd.example.com web",
		"http://argocd.example.com:8080/applications/argocd/web/":                "http://argocd.example.com:8080 argocd/web",
		"https://example.com/argo-cd/applications/team-a/web#top":                "https://example.com/argo-cd team-a/web",
		"https://argocd.example.com/applications/argocd/web/summary/x":           "https://argocd.example.com argocd/web",
		"https://dana:secret@argocd.example.com/applications/argocd/web":         "https://argocd.example.com argocd/web",
		"argocd.example.com/applications/argocd/web":                             "https://argocd.example.com argocd/web",
		"https://argocd.example.com/applications/":                               "",
		"https://argocd.example.com/applications?search=web":                     "",
		"https://argocd.example.com/settings/projects/web":                       "",
		"ftp://argocd.example.com/applications/argocd/web":                       "",
		"argocd/web":                          "",
		"web":                                 "",
		"":                                    "",
		"https://%zz/applications/argocd/web": "",
	} {
		got := ""
		if page, ok := Parse(address); ok {
			got = page.Server.String() + " " + strings.Join(page.Path, "/")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
