// Package pageurl reads the address of an application's page in Argo CD, which is what people have at hand: in Slack and in a terminal.
package pageurl

import (
	"net/url"
	"strings"
)

// Page is an application's page in Argo CD.
type Page struct {
	// Server is the address before the page: scheme, host, and the path under which a proxy has put Argo CD.
	Server *url.URL
	// Path is what follows /applications/: NAMESPACE/NAME or, from older versions, NAME.
	Path []string
}

const applications = "/applications/"

// Parse reads the address of a page; ok is false for anything else. The scheme may be missing, as browsers show addresses.
func Parse(address string) (page Page, ok bool) {
	if at := strings.Index(address, applications); at > 0 && !strings.Contains(address[:at], "/") {
		address = "https://" + address
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return Page{}, false
	}
	before, path, _ := strings.Cut(u.Path, applications)
	path = strings.Trim(path, "/")
	if path == "" {
		return Page{}, false
	}
	const namespaceAndName = 2 // a page of one of its resources has more
	parts := strings.Split(path, "/")
	return Page{
		Server: &url.URL{Scheme: u.Scheme, Host: u.Host, Path: before},
		Path:   parts[:min(len(parts), namespaceAndName)],
	}, true
}
