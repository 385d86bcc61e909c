package socket

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhatWasSeenIsForgottenInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSeen(deliveredFor)
		if s.Before("a", "") || !s.Before("a", "b") || !s.Before("b") {
			t.Error("a and b were seen once, then again")
		}
		time.Sleep(deliveredFor + time.Second)
		if s.Before("a") {
			t.Error("remembered for ever")
		}
		for n := range 3 * maxSeen {
			s.Before(fmt.Sprint(n))
		}
		if n := len(s.at); n > maxSeen+1 || n != s.order.Len() {
			t.Errorf("%d are remembered", n)
		}
		s.Forget(fmt.Sprint(3*maxSeen - 1))
		if s.Before(fmt.Sprint(3*maxSeen - 1)) {
			t.Error("not forgotten")
		}
	})
}
