// Package setup writes what an installation needs: the Slack app's manifest, the values of the Helm chart, the tokens as files, and scripts
// that make the account in Argo CD and the Secret. It asks for what it is not given, and validates each answer as the bot itself will.
package setup
