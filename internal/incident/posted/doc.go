// Package posted is an incident as one audience sees it. Rendering takes nothing else, so it cannot name an application that it was not
// given for that audience: what may not be named is replaced by [evidence.Private], or left out and counted.
package posted
