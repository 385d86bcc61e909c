package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
)

// enoughMemory is what the largest application that anybody has takes. Where one is diagnosed on a command line, the garbage collector keeps
// below it as long as it can, instead of letting the memory double before it looks; more is still possible.
const enoughMemory = 180 << 20

// memoryLimit is the variable that has the memory limit of the container in bytes: the chart fills it from limits.memory.
const memoryLimit = "ARGO_WHY_MEMORY_LIMIT"

// limitOfContainer is what Go may take of it: nine tenths. The rest is for what Go does not count, such as the pages of the binary, the journal's
// file and the kernel's own buffers. It is 0 where there is no limit.
func limitOfContainer() int64 {
	limit, err := strconv.ParseInt(os.Getenv(memoryLimit), 10, 64)
	if err != nil {
		return 0
	}
	return limit / 10 * 9
}

// keepBelow has Go keep to a limit, unless that is 0 or GOMEMLIMIT says something else.
func keepBelow(limit int64) {
	if limit > 0 && debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(limit)
	}
}
