package story

import (
	"fmt"
	"slices"
	"strings"
)

// sent checks whether the bot has ever sent a text to channels, and to people alone.
func (p *Player) sent(where, text string, wanted bool) error {
	for to := range strings.SplitSeq(where, ",") {
		if name, ok := strings.CutPrefix(to, "#"); ok {
			if _, err := p.channel([]string{name}, 0); err != nil {
				return err
			}
		} else if err := p.known(to); err != nil {
			return err
		}
		all := p.Slack.Sent(to)
		at := slices.IndexFunc(all, func(raw string) bool { return strings.Contains(strings.ToLower(raw), strings.ToLower(text)) })
		switch {
		case wanted && at < 0:
			return fmt.Errorf("%s never got it in %d messages", to, len(all)/2)
		case !wanted && at >= 0:
			return fmt.Errorf("%s got %s", to, all[at])
		}
	}
	return nil
}
