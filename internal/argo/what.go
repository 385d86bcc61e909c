package argo

import "github.com/argo-why/argo-why/internal/evidence"

// What is what happened, in one line and without the advice, which is for the command line of `bot why`.
func (e *Error) What() string {
	if e.what == "" {
		return e.Operation + ": " + evidence.OneLine(e.Err.Error())
	}
	return e.Operation + ": " + e.what
}
