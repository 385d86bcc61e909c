// Package growth is for tests of functions that must take time in proportion to what they are given.
package growth

import "time"

// Excess is how many times as long a function takes for one large text as for as many small ones of the same size: 1 if its time is in
// proportion to the text, and times if it is quadratic. Both take equally long on a busy machine, which cannot be said of one large and one small
// text. The least of some measurements counts, and none is made that cannot change whether it is below enough.
func Excess(times int, enough float64, small, large func()) float64 {
	const tries = 10
	least := float64(times) * float64(times)
	for range tries {
		start := time.Now()
		for range times {
			small()
		}
		between := time.Now()
		large()
		least = min(least, time.Since(between).Seconds()/between.Sub(start).Seconds())
		if least < enough {
			break
		}
	}
	return least
}
