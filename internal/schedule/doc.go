// Package schedule runs named jobs at fixed times: the sweep that finds what webhook and watch both missed, and others. It knows
// no job; internal/app passes them in.
package schedule
