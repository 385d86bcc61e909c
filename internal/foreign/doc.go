// Package foreign reads the JSON and YAML that others wrote: files that somebody sends, answers of APIs, and documents in the fields of
// these. A few kilobytes can be made to take gigabytes, and nothing recovers from that: the process is killed, with everything else that
// it does. So a text is measured in one pass before it is decoded, and refused with a [TooLargeError] where it would become too large.
//
// What argo-why wrote itself (its configuration, its journal, the values of its buttons) is decoded directly; test/foreign knows all such
// places.
package foreign
