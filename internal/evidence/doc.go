// Package evidence is what is known about one Argo CD application at one moment: a small model of our own, the facts it
// is made of, and the case file that contains them all.
//
// The model keeps only the fields that a diagnosis reads, under the names that the Argo CD and Kubernetes APIs give
// them, so a case file is exactly what the APIs returned. There is no I/O here: a [Source] reads, whether it is a
// live Argo CD or a case file, and nothing in this package knows which.
package evidence
