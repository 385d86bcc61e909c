package setup

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// People answer with what they have at hand: a link, a name as it is shown. These make of it what the configuration needs, and leave alone
// what they do not understand: the checks say what is wrong with it.

var (
	// slackID is a workspace, an organization, or a channel in the address of a page in Slack.
	slackTeam    = regexp.MustCompile(`^[TE][A-Z0-9]{2,}$`)
	slackChannel = regexp.MustCompile(`^[CG][A-Z0-9]{8,}$`)
)

// slackPage are the host and the parts of the path of a page in Slack; host is "" for anything else.
func slackPage(answer string) (host string, path []string) {
	if !strings.Contains(answer, "://") {
		answer = "https://" + answer
	}
	u, err := url.Parse(answer)
	if err != nil || !strings.HasSuffix(strings.ToLower(u.Host), ".slack.com") {
		return "", nil
	}
	return strings.ToLower(u.Host), strings.Split(u.Path, "/")
}

// first is the first of the parts that has a form.
func first(parts []string, form *regexp.Regexp) string {
	if i := slices.IndexFunc(parts, form.MatchString); i >= 0 {
		return parts[i]
	}
	return ""
}

// asCommand takes argo, @argo and /Argo for /argo.
func asCommand(answer string) string { return "/" + strings.ToLower(strings.TrimLeft(answer, "/@")) }

// asTeam takes the ID from the address of the client, and the workspace from any other: acme.slack.com.
func asTeam(answer string) string {
	host, path := slackPage(answer)
	if id := first(path, slackTeam); id != "" {
		return id
	}
	if host != "" && host != "app.slack.com" {
		return host
	}
	return answer
}

// isWorkspaceHost reports whether a team is an address instead of an ID. Only Slack knows the ID of it.
func isWorkspaceHost(team string) bool { return strings.HasSuffix(team, ".slack.com") }

// asChannel takes #alerts for alerts, and the ID from a link to the channel or to a message in it.
func asChannel(answer string) string {
	_, path := slackPage(answer)
	if id := first(path, slackChannel); id != "" {
		return id
	}
	if slackChannel.MatchString(answer) {
		return answer
	}
	return strings.ToLower(strings.TrimPrefix(answer, "#"))
}

// argoCDPage is where the page begins in an address that was copied from a browser.
var argoCDPage = regexp.MustCompile(`/(applications|settings|login|user-info)(/.*|\?.*)?$`)

// asServer leaves out the page.
func asServer(answer string) string { return argoCDPage.ReplaceAllString(answer, "") }

// hostName is one without a scheme, as browsers show it.
var hostName = regexp.MustCompile(`^[\w-]+(\.[\w-]+)+(:\d+)?(/.*)?$`)

// asAddress also adds the scheme.
func asAddress(answer string) string {
	if hostName.MatchString(answer) {
		answer = "https://" + answer
	}
	return asServer(answer)
}
