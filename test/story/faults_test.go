package story_test

import "strconv"

func (s *script) outage(of, how string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case how == "conflict":
		return s.bot.meddle()
	case how == "removed", how == "added":
		s.removed = how == "removed"
	case of == "argocd":
		s.argoDown = how == "down"
	default:
		s.logDown = how == "down"
	}
	return nil
}

func (s *script) killWhen(args []string) error {
	if len(args) == 0 {
		s.bot.die()
		return nil
	}
	k := killing{after: args[0] == "after", step: args[1], nth: 1}
	if len(args) > 2 {
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		k.nth = n
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k.nth += s.steps[k.step]
	s.kill = k
	return nil
}
