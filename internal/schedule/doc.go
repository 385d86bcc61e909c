// Package schedule runs named jobs by the clock: the sweep that finds what webhook and watch both missed, and what else is
// due at fixed times. It knows no job; internal/app hands them in.
package schedule
