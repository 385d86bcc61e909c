// Package access asks Slack who is in the user groups that the policies name.
package access
