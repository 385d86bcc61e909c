// Package advice holds what rules of several groups advise: verdicts on Sync, steps of a fix with their commands, and the
// names in them (the application, its project, a namespace).
package advice
