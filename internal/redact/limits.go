package redact

// NotShown is in place of a text that could not be searched for secrets.
const NotShown = "[not shown: too long to be checked for secrets]"

const (
	// longest is the longest text that is searched. An object of Kubernetes has 1.5 MiB at most, because etcd refuses a larger one,
	// and so has every text in it; logs are read up to a few hundred KiB. A longer text is none that anybody would read.
	longest = 2 << 20
	// A search may take so many steps, see [effort.Meter]. An ordinary text takes a few dozen a byte, one in which every word is the name of
	// a secret some hundreds; more is only needed for a text that was made to be expensive.
	stepsPerByte = 8 << 10
	leastSteps   = 1 << 20
	// passes is how often each byte is looked at in any case.
	passes = 8
	// A regular expression takes about as much longer than a look at a byte; a short one less, and an anchored one ends at the first byte
	// that does not belong to it.
	expressionSteps = 64
	sequenceSteps   = 32
	anchoredSteps   = 128
)

const (
	// Nearly all texts are clean after one round, and the second one finds nothing.
	ordinaryRounds = 5
	// In the last ones, a line in which something is found is hidden as a whole, so that nothing new can come into view.
	maxRounds = 8
)
