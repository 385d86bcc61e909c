package setup

import (
	"fmt"
	"net/url"
	"strings"
)

// slackApp is the manifest under the names that were chosen.
func slackApp(manifest string, a Answers) (string, error) {
	name, err := scalar(a.AppName)
	if err != nil {
		return "", fmt.Errorf("write the manifest of the Slack app: %w", err)
	}
	mention := strings.TrimPrefix(a.Command, "/")
	for _, r := range []struct{ old, new string }{
		{"\n  name: argo-why\n", "\n  name: " + name + "\n"},
		{"\n    display_name: argo\n", "\n    display_name: " + quoted(mention) + "\n"},
		{"\n    - command: /argo\n", "\n    - command: " + a.Command + "\n"},
	} {
		if strings.Count(manifest, r.old) != 1 {
			return "", fmt.Errorf("write the manifest of the Slack app: it does not have %q once", r.old)
		}
		manifest = strings.Replace(manifest, r.old, r.new, 1)
	}
	return strings.ReplaceAll(manifest, "@argo ", "@"+mention+" "), nil // in its comments
}

// quoted is a name that may look like a number: scalar never fails for these.
func quoted(name string) string {
	text, err := scalar(name)
	if err != nil {
		return fmt.Sprintf("%q", name)
	}
	return text
}

const (
	newApp = "https://api.slack.com/apps?new_app=1"
	// maxLink is what every browser and proxy takes.
	maxLink = 2000
)

// appLink is where Slack creates an app from a manifest: with the manifest in it, if it is short enough.
func appLink(manifest string) string {
	var lines []string
	for line := range strings.Lines(manifest) {
		if s := strings.TrimSpace(line); s != "" && !strings.HasPrefix(s, "#") {
			lines = append(lines, line)
		}
	}
	link := newApp + "&manifest_yaml=" + strings.ReplaceAll(url.QueryEscape(strings.Join(lines, "")), "+", "%20")
	if len(link) > maxLink {
		return newApp
	}
	return link
}
