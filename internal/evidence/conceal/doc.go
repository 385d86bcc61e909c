// Package conceal takes other applications out of the evidence about one, where the reader of the diagnosis may not see them: before any
// rule reads it, as internal/evidence/clean does with secrets. An app of apps names its children in its resources, the results of its
// syncs and its tree; Argo CD names others in warnings, tracking IDs and labels.
//
// What is left of such an application is its kind and its state. Its name is replaced by [evidence.PrivateName], its messages are
// removed, and what could be read of it is not read.
package conceal
