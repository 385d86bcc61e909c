package socket

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestASocketWithoutAGreetingIsGivenUpAndReadinessIsNotFooled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newConnectionState()
		s.open()
		s.greet()
		time.Sleep(time.Hour)
		s.heard()
		s.down(nil)
		for range 5 { // Slack takes each connection and says nothing on it
			s.open()
			time.Sleep(greetingTimeout + time.Second)
			if got := s.dead(); got != "no-hello" {
				t.Errorf("dead: %q", got)
			}
			s.down(fmt.Errorf("the socket was open but dead"))
		}
		if err := s.alive(); err == nil || !strings.Contains(err.Error(), "not connected for 1m45s: the socket was open but dead") {
			t.Errorf("alive: %v", err)
		}
	})
}

func TestASilentSocketIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newConnectionState()
		s.open()
		s.greet()
		for range 10 {
			time.Sleep(maxSilence)
			s.heard()
			if s.dead() != "" || s.alive() != nil {
				t.Fatalf("%q %v", s.dead(), s.alive())
			}
		}
		time.Sleep(maxSilence + time.Second)
		if s.dead() != "silent" || s.alive() == nil {
			t.Errorf("%q %v", s.dead(), s.alive())
		}
	})
}
