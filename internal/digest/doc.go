// Package digest makes the figures of a digest: what fails now and since when, what recovered, what made applications fail and how long
// that took. They come from the incidents on record alone, so that they survive a restart and agree with the list and the metrics. The same
// incidents and the same time give the same figures. There is no I/O here; internal/slack/render and internal/terminal write them.
package digest
