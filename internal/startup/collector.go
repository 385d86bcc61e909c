// Package startup postpones the garbage collector while the program begins. cmd/bot imports it for that effect.
//
// A process begins with a limit of 4 MB, and initialising the packages of Argo CD's client allocates 10 MB, of which nearly all is
// kept: the collector would look through it four times before the command line is read, and find nothing to free. So the first
// collection waits for 32 MB, which a question about an ordinary application does not reach. It then brings back Go's own rule, for
// large applications and for serve.
//
// Go initialises packages in the order of their paths, each as soon as those that it imports are ready
// (https://go.dev/ref/spec#Package_initialization). This one therefore imports the standard library only, so that it comes before those
// that allocate most.
package startup

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	// goPercent is Go's own: a collection when the heap has doubled, but not below 4 MB.
	goPercent = 100
	// firstPercent makes these 4 MB 32 MB.
	firstPercent = 8 * goPercent
)

// sentinel is what the first collection frees. It has a pointer: Go allocates what is small and has none together with others, and frees it
// with the last of them.
type sentinel struct{ _ *byte }

var _ = postpone()

// postpone changes nothing where GOGC says something.
func postpone() bool {
	if os.Getenv("GOGC") != "" {
		return false
	}
	debug.SetGCPercent(firstPercent)
	runtime.AddCleanup(&sentinel{}, func(percent int) { debug.SetGCPercent(percent) }, goPercent)
	return true
}
