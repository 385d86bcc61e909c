package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
)

// enoughMemory is what the largest application that anybody has takes. The garbage collector keeps below it as long as it can,
// instead of letting the memory double before it looks; more is still possible.
const enoughMemory = 180 << 20

// saveMemory has no effect where GOMEMLIMIT says something else.
func saveMemory() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(enoughMemory)
	}
}

// memoryLimit is the variable that has the memory limit of the container in bytes: the chart fills it from limits.memory.
const memoryLimit = "ARGO_WHY_MEMORY_LIMIT"

// keepBelowLimit has Go keep to nine tenths of the memory limit, unless GOMEMLIMIT says something else: the rest is for what Go does not
// count, such as the pages of the binary, the journal's file and the kernel's own buffers.
func keepBelowLimit() {
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	if limit, err := strconv.ParseInt(os.Getenv(memoryLimit), 10, 64); err == nil && limit > 0 { // anything else is no limit
		debug.SetMemoryLimit(limit / 10 * 9)
	}
}
