// Package spec has the rules about an application that Argo CD does not accept: its specification, or its project, forbids it.
package spec
