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
	return s.strike(killing{how: (*bot).die}, args)
}

// strike has it done to the bot before or after the Nth call of a name, from now.
func (l *lab) strike(k killing, args []string) error {
	k.after, k.step, k.nth = args[0] == "after", args[1], 1
	if len(args) > 2 {
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		k.nth = n
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	k.nth += l.steps[k.step]
	l.kill = k
	return nil
}
