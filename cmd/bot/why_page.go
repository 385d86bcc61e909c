package main

import (
	"strings"

	"github.com/argo-why/argo-why/internal/gateway"
	"github.com/argo-why/argo-why/internal/pageurl"
)

// takePages takes the server and the names of applications from the addresses of their pages.
func (o *whyOptions) takePages() error {
	given := o.reach
	for i, word := range o.apps {
		page, ok := pageurl.Parse(word)
		switch {
		case !ok && strings.Contains(word, "://"):
			return usageErrorf("%s is not the address of an application's page: expected one such as https://argocd.example.com/applications/argocd/web", word)
		case !ok:
			continue
		}
		var there gateway.Options
		there.Argo.Server, there.Argo.ServerFromPage = page.Server.String(), true
		switch {
		case given.Argo.Server != "" && !gateway.SameServer(given, there):
			return usageErrorf("%s is an application of %s, but --server says %s: leave one of the two out", word, page.Server.Host, given.Argo.Server)
		case o.reach.Argo.Server != "" && !gateway.SameServer(o.reach, there):
			return usageErrorf("%s is an application of %s, and one before it is of another Argo CD: ask about one Argo CD at a time", word, page.Server.Host)
		case given.Argo.Server == "":
			o.reach.Argo.Server, o.reach.Argo.ServerFromPage = there.Argo.Server, true
		}
		o.apps[i] = strings.Join(page.Path, "/")
	}
	return nil
}
