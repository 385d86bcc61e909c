package deliver

import (
	"net/http"
	"strings"

	"github.com/slack-go/slack"
)

// Client is Slack's Web API as a bot. apiURL is "" for Slack's own; h is nil for the usual connections. Its own retries are
// off: the Sender has a line for each channel and knows what a second attempt may do.
func Client(token, apiURL string, h *http.Client) *slack.Client {
	var options []slack.Option
	if h != nil {
		options = append(options, slack.OptionHTTPClient(h))
	}
	if apiURL != "" {
		options = append(options, slack.OptionAPIURL(strings.TrimSuffix(apiURL, "/")+"/"))
	}
	return slack.New(token, options...)
}
