// Package access asks Slack who is in the user groups that the policies name, and who still has a say.
package access
