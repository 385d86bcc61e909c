package story

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Form is one way to write a step.
type Form struct {
	Verb string
	// Args is how the arguments are written: upper-case words are placeholders, lower-case words are literal, a|b is one of
	// them, WORD… is one or more, [what is in brackets] can be left out.
	Args string
	Does string
}

// Forms are the language, in the order in which doc.go lists it. A verb with several forms is listed several times.
func Forms() []Form {
	return []Form{
		{"config", "KEY=VALUE…", "openAfter, hold, reopen, remind, keep, quiet (durations), group (a number), digest (HH:MM@ZONE: every day); only before start; each has a default"},
		{"people", "NAME…", "add people to the workspace and the channel"},
		{"people", "@GROUP NAME…", "put them in a user group"},
		{"guests", "NAME…", "add guests of the workspace to the channel"},
		{"leaves", "WHO [@GROUP]", "an account is deactivated, or someone is taken out of a user group"},
		{"demotes", "WHO", "someone becomes a guest of the workspace"},
		{"allow", "KINDS WHO [approval WHO DURATION]", "a rule about who can act; KINDS and WHO are comma-separated lists: before start"},
		{"access", "PROJECT WHO [public]", "an entry of access: who can see the projects; both are comma-separated lists, WHO of people, @groups and #channels, or everyone; public: answers to them are for all who read the channel: before start"},
		{"project", "PROJECT APP…", "the applications are in that project of Argo CD, whatever their cases say"},
		{"channel", "NAME [WHO…]", "add another channel, with the bot and these people in it"},
		{"shared", "[CHANNEL]", "from now on people of another organization read the channel, through Slack Connect"},
		{"route", "APP CHANNEL", "report the application in that channel, whether it exists or not"},
		{"route", "project PROJECT CHANNEL", "report the applications of the project in that channel"},
		{"start", "", "start the bot; it looks at what changed while it was down"},
		{"stop", "", "ask the bot to stop, and let it finish posting"},
		{"kill", "[before|after CALL [N]]", "kill the bot, now or around the Nth CALL (a Slack method, put, delete, sync …)"},
		{"leader", "changes [before|after CALL [N]]", "the replica that leads is cut off, now or around the Nth CALL, and does not notice it; 11 s later another one leads"},
		{"killed", "anywhere", "in a test: play it again with the bot killed before and after each thing it does"},

		{"fleet", "", "in the demo: all of its applications exist and are healthy"},
		{"called", "OLD NEW", "in the cases of the steps that follow, that word reads like this"},
		{"fail", "APP… CASE", "the applications fail like the recorded case (a path in internal/diagnose/rules/testdata/cases); the bot is notified"},
		{"well", "APP…", "make them Synced and Healthy"},
		{"roll", "APP…", "start a rollout of them"},
		{"gone", "APP…", "delete them"},
		{"unheard", "STEP…", "fail, well, roll or gone, but neither webhook nor watch reports it"},
		{"hints", "APP N", "N webhooks about the application arrive at the same time"},
		{"sweep", "", "the bot reads all applications, as it does on schedule"},
		{"fixed", "APP [REVISION]", "its cause is fixed, with that commit: the next refresh or sync succeeds"},
		{"synced", "APP WHO [REVISION]", "someone else, or auto-sync, fixes the cause and syncs it, with that commit or else the one that failed"},
		{"refuses", "APP TEXT…", "the next dry runs are refused with that text"},
		{"git", "APP REVISION [elsewhere]", "Git is at that commit now; elsewhere: it changes nothing for the application"},
		{"sync", "APP", "someone syncs it in Argo CD itself"},
		{"job", "APP running|gone|another", "what happens to the Job of its hook"},
		{"operation", "APP ends", "someone else ends the operation"},
		{"argocd", "down|up", "Argo CD stops responding, or responds again"},
		{"argocd", "removed|added", "the configuration no longer names it, or does again: before start"},
		{"connection", "ADDRESS fails MESSAGE…", "Argo CD cannot connect to that repository, or cluster NAME=ADDRESS, and says so; in a test all applications depend on it"},
		{"connection", "ADDRESS works|removed", "it can again, or its settings no longer have it"},
		{"connection", "ADDRESS serves APP…", "in a test: only these applications depend on it"},
		{"controller", "stops|reports", "Argo CD's application controller stops reporting on the clusters, or reports again"},
		{"token", "HOLDER ID expires DURATION", "Argo CD has issued a token to an account, or to a role PROJECT/ROLE, 60 days before it expires; own: as ID, the bot logs in with it"},
		{"token", "HOLDER ID deleted", "Argo CD no longer accepts it"},
		{"window", "PROJECT KIND DURATION CRON…", "a project in Argo CD has a sync window, allow or deny, at five cron fields in UTC"},
		{"journal", "down|up", "the journal stops responding, or responds again"},
		{"journal", "conflict", "someone else writes the entries of all incidents"},

		{"wait", "DURATION", "let time pass"},
		{"await", "TEXT…", "wait, for at most 2 min, until it is shown in a channel, a thread, a dialog, or to one person"},

		{"ask", "TEXT…", "alice types /argo TEXT in the channel"},
		{"ask", "@argo TEXT…", "alice mentions the bot in the channel"},
		{"asks", "WHO TEXT…", "someone else types /argo TEXT in the channel, or mentions the bot as @argo TEXT"},
		{"tells", "WHO TEXT…", "someone writes TEXT to the bot in a direct message"},
		{"reply", "APP TEXT…", "alice mentions the bot with TEXT in the thread of the application"},
		{"tap", "LABEL…", "alice presses the button of the last message that only she sees"},
		{"press", "WHO APP LABEL…", "press the last button with that name in the thread of the application"},
		{"mute", "WHO APP 1h|4h|24h|0", "choose from its mute menu"},
		{"submit", "WHO [prune] [dry-run] [fixed]", "press the button of the open dialog, with these boxes ticked"},
		{"approve", "WHO APP", "press the last Approve in the thread of the application, read the plan in the dialog, and confirm it"},
		{"reason", "WHO TEXT…", "press the button of the open dialog for denying, with this reason"},
		{"slack", "429|500|hang|lost|drop METHOD [N]", "the next N (1) calls of the method fail like that; lost: the call succeeds, but the response is lost"},
		{"slack", "late DURATION METHOD [N]", "the next N (1) calls of the method take effect, and are answered, only after that time, whether the bot still waits or not"},
		{"slack", "not_in_channel|invited [CHANNEL]", "someone removes the bot from the channel, or invites it"},
		{"slack", "delete-root APP", "an administrator deletes the first message of its thread; the replies stay"},
		{"slack", "rename NAME", "someone renames the channel"},
		{"slack", "CODE METHOD [N]", "Slack refuses the next N (1) calls of the method with that code"},
		{"socket", "twice|silent|cut|refresh", "the next envelope arrives twice; the connection is dead but open, is cut, has to be replaced"},

		{"show", "NAME [CHANNEL]", "the channel, or as @WHO someone's direct messages with the bot, at a glance: the first line of each message"},
		{"details", "APP NAME", "the first message of its thread, in full"},
		{"thread", "APP NAME [FROM…]", "its thread in full, or starting with the first message that shows FROM"},
		{"alone", "NAME", "the last message that only alice sees, in full"},
		{"page", "WHO APP NAME", "the whole page as WHO sees it, with the thread of the application open beside the channel"},
		{"dialog", "WHO NAME", "the dialog that WHO has open"},
		{"reached", "WHERE TEXT…", "fail unless the bot has sent TEXT to each of the #channels, and people alone, of the comma-separated list"},
		{"kept-from", "WHERE TEXT…", "fail if it has ever sent TEXT to one of them: texts, blocks, values of buttons, metadata, files, dialogs"},
		{"did", "NAME", "what was done to applications and clusters, in order"},
		{"no-button", "APP LABEL…", "fail if the thread has a button with that name"},
		{"entries", "N", "fail unless the journal has N incidents"},
		{"calls", "METHOD N", "fail unless Slack was called N times since the last calls step, or the start"},
	}
}

// formsOf are the forms of a verb.
func formsOf(verb string) (found []Form) {
	for _, f := range Forms() {
		if f.Verb == verb {
			found = append(found, f)
		}
	}
	return found
}

// Help is the language as a person reads it: a line for each form.
func Help() string {
	var b strings.Builder
	for _, f := range Forms() {
		written := strings.TrimSpace(f.Verb + " " + f.Args)
		fmt.Fprintf(&b, "%s%s  %s\n", written, strings.Repeat(" ", max(0, column-utf8.RuneCountInString(written))), f.Does)
	}
	return b.String()
}

// column is as wide as the longest form.
const column = 42
