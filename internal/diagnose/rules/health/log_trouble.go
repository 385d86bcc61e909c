package health

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
	"github.com/argo-why/argo-why/internal/diagnose/unhealthy"
)

// logTrouble is the error that the log of a container names, where it is one of those that look alike in all programs: what it is, behind
// the container's name in a title; the same without names; what helps. Empty where it is the program's own.
type logTrouble struct {
	what, short string
	fix         []diagnose.Fix
}

// logTroubleOf knows those errors, the special before the general.
func logTroubleOf(in *diagnose.In, s *unhealthy.Resource) logTrouble {
	said := s.LogSays().Text
	lower := strings.ToLower(said)
	switch {
	case said == "", s.Need != nil: // what it needs has its own step
		return logTrouble{}
	case forbiddenAccount.MatchString(said):
		m := forbiddenAccount.FindStringSubmatch(said)
		t := logTrouble{what: fmt.Sprintf("may not %s %s", m[3], m[4]), short: "Service account lacks a right", fix: accountSteps(m)}
		if strings.Contains(s.Log.Text, "managed-namespaces-limitation") {
			t.fix = advice.Steps("GKE does not let workloads use its own namespaces: make the program keep what it keeps there in its own one (a leader election: in the chart of cert-manager global.leaderElection.namespace)")
		}
		return t
	case strings.Contains(lower, "assumerolewithwebidentity"):
		return logTrouble{what: "may not assume its IAM role", short: "IAM role cannot be assumed", fix: webIdentitySteps(s)}
	case execFailure.MatchString(lower):
		return logTrouble{fix: execSteps(s, lower)}
	}
	if t := environmentTrouble(in, s, said, lower); t.fix != nil {
		return t
	}
	return programTrouble(said, lower)
}

// environmentTrouble is about what the container finds around it: its variables, files, ports and servers.
func environmentTrouble(in *diagnose.In, s *unhealthy.Resource, said, lower string) logTrouble {
	switch {
	case missingVariable(said) != "" && (!strings.HasPrefix(said, "KeyError") || strings.Contains(s.Log.Text, "environ")): // else a key of the program's own
		names := missingVariable(said)
		env := []string{"env:"}
		for name := range strings.SplitSeq(names, ",") {
			env = append(env, "- name: "+strings.TrimSpace(name), "  value: "+placeholder+"   # or valueFrom: a Secret or ConfigMap")
		}
		return logTrouble{what: "lacks variable " + names, fix: []diagnose.Fix{{Text: fmt.Sprintf("Set %s in Git, or in the Secret or ConfigMap that the container reads", names), Patch: s.PatchContainer(env...)}}}
	case lostAndFound.MatchString(said):
		return dataDirectory(s, lostAndFound.FindStringSubmatch(said)[1])
	case message.HasAny(lower, "permission denied for ", "must be owner of"):
		return logTrouble{what: "lacks a right in the database", fix: advice.Steps("Grant the right that is missing in the database to the user that the container logs in with")}
	case message.HasAny(lower, "pg_hba.conf"):
		return logTrouble{what: "is refused by pg_hba.conf", short: "Database refuses the connection", fix: advice.Steps("Allow this host, user and database in pg_hba.conf of the server; where it says \"no encryption\" or \"SSL off\", turn on TLS in the client instead (sslmode=require)")}
	case message.HasAny(lower, "bind", "listen") && message.HasAny(lower, "permission denied", "eacces"):
		return logTrouble{what: "may not listen on its port", fix: advice.Steps("Let it listen on a port above 1023 in Git: its user may not use a lower one")}
	case message.HasAny(lower, "read-only file system", "erofs"):
		return logTrouble{what: "writes to a read-only file system", fix: readOnlySteps(s, said)}
	case fileDenied(said, lower):
		return logTrouble{what: "may not use " + cmp.Or(pathIn(said), "its files"), short: "Container may not use its files", fix: writeSteps(s, said)}
	case missingFile.MatchString(said):
		m := missingFile.FindStringSubmatch(said)
		return logTrouble{what: "lacks " + cmp.Or(m[1], m[2]), short: "Container lacks a file", fix: advice.Steps(fmt.Sprintf("Make sure that %s exists in the container: in the image, or mounted there from a ConfigMap, Secret or volume in Git", cmp.Or(m[1], m[2])))}
	case message.HasAny(lower, "eaddrinuse", "address already in use", "was already in use"):
		return logTrouble{what: "finds its port in use", fix: advice.Steps("Give the port to one process only: another one in the pod, or on the node with hostNetwork, listens on it already")}
	case loginRefused(lower):
		return logTrouble{what: "cannot log in to a server", short: "Container cannot log in to a server", fix: credentialsUsed(in, s)}
	case message.HasAny(lower, "inotify", "fsnotify"):
		return logTrouble{what: "gets no further inotify watch", fix: advice.Steps("Raise fs.inotify.max_user_instances and fs.inotify.max_user_watches on the nodes (sysctl): all pods of a node share them")}
	case message.HasAny(lower, "vm.max_map_count"):
		return logTrouble{what: "needs a higher vm.max_map_count", fix: advice.Steps("Set vm.max_map_count to at least 262144 on the nodes (sysctl, or a privileged init container); for Elasticsearch, node.store.allow_mmap: false avoids it")}
	case message.HasAny(lower, "no space left on device", "disk quota exceeded"):
		return logTrouble{what: "finds its disk full", fix: advice.Steps("Free space on the volume that it writes to, or enlarge its claim in Git")}
	case message.HasAny(lower, "x509", "certificate verify failed", "pkix path building failed", "self signed certificate", "self-signed certificate", "unable to get local issuer"):
		return logTrouble{what: "does not trust a server's certificate", fix: advice.Steps("Give the container the CA certificate of the server that it talks to, or correct the server's certificate")}
	case message.HasAny(lower, "too many clients", "too many connections", "remaining connection slots"):
		return logTrouble{what: "gets no further database connection", fix: advice.Steps("Let its clients keep fewer connections (pool sizes times replicas), or raise max_connections of the server")}
	case message.CannotReach(said):
		return unreachedHost(s, said)
	}
	return logTrouble{}
}

// programTrouble is about what the container is made of: its program, its flags, its data.
func programTrouble(said, lower string) logTrouble {
	switch {
	case dirtyMigration.MatchString(lower):
		return logTrouble{what: "finds a migration half done", short: "Container finds a migration half done", fix: advice.Steps("Undo or finish manually what the failed migration left in the database; then clear the failed state with the migration tool (migrate force, or its equivalent) and restart the pod")}
	case missingDatabase.MatchString(said):
		return logTrouble{what: "finds no such database", fix: advice.Steps("Create what the server says is missing, or correct its name in Git")}
	case message.HasAny(lower, "database files are incompatible"):
		return logTrouble{what: "cannot read data of another version", fix: advice.Steps("Go back to the image of the major version that wrote the data, or migrate the data first (pg_upgrade, or dump and restore)")}
	case message.HasAny(lower, "java heap space", "heap out of memory", "outofmemoryerror"):
		return logTrouble{what: "runs out of heap", fix: advice.Steps("Raise its memory limit in Git, and the heap size of the process with it")}
	case message.HasAny(lower, "unknown command", "unknown flag", "unknown option", "unrecognized option", "unrecognized arguments", "flag provided but not defined", "unknown shorthand flag", "unexpected argument", "no such option"):
		return logTrouble{what: "does not know one of its arguments", fix: advice.Steps("Correct command and args in Git to what this version of the image knows")}
	case missingModule(said) != "":
		name := missingModule(said)
		return logTrouble{what: "lacks " + name, short: "Container lacks a part of its program", fix: advice.Steps(moduleFix(name))}
	case shellNotFound.MatchString(said), message.HasAny(lower, "cannot find module", "modulenotfounderror", "no module named", "classnotfoundexception", "could not find or load main class", "unable to access jarfile", "cannot load such file", "production build", "error loading shared libraries"):
		return logTrouble{what: "lacks a part of its program", fix: advice.Steps("Build the image so that it contains what is missing, or correct command and working directory in Git")}
	case message.HasAny(lower, "no target backup found", "no backup sets to restore", "no backups found", "unable to find backup", "no backup found"):
		return logTrouble{what: "finds no backup to restore", fix: advice.Steps("Correct in Git which backup it restores: bucket and path, the name of the server that made it, the time to go back to; and the credentials for it. Check that the store has a finished backup there")}
	case message.HasAny(lower, "assignment to entry in nil map", "nil pointer dereference", "index out of range [", "slice bounds out of range", "concurrent map"):
		return logTrouble{what: "has a fault in its program", fix: advice.Steps("This is a fault in the program: go back to the version of the image that worked, or use one that fixes it")}
	case message.HasAny(lower, "no matches for kind", "no kind is registered", "failed to get api group resources", "could not find the requested resource"):
		return logTrouble{what: "finds a CRD missing", fix: []diagnose.Fix{{Text: "Install the CustomResourceDefinitions that this version of the program needs, then list them", Command: "kubectl get customresourcedefinitions"}}}
	}
	return logTrouble{}
}

// fileDenied reports whether a process may not use a file: an API and the kernel deny other things in the same words.
func fileDenied(said, lower string) bool {
	return message.HasAny(lower, "permission denied", "eacces", "operation not permitted") && !message.HasAny(lower, "publickey", "iptables", "googleapi", "rpc error") &&
		(pathIn(said) != "" || message.HasAny(lower, "eacces", "errno 13", "(13"))
}

// loginRefused reports whether a server refuses who logs in.
func loginRefused(lower string) bool {
	return message.HasAny(lower, "password authentication failed", "access denied for user", "authentication failed", "authenticationfailed", "invalid username or password", "wrongpass", "noauth", "invalid username-password", "login failed for user", "invalid password", "sasl authentication")
}

// modules are how Python, Node.js, Ruby, Java, .NET and the dynamic linkers of glibc and musl name a part of a program that they do not find.
var modules = pattern.MustCompile(`No module named ['"]?([\w.]+)|Cannot find (?:module|package) ['"]([^'"]+)['"]|cannot load such file -- (\S+)|(?:ClassNotFoundException|NoClassDefFoundError): ([\w./$]+)|Could not (?:find or )?load (?:main class |file or assembly ['"])([\w.$]+)|(?i:error (?:while )?loading shared librar(?:y|ies)):? (\S+?):|Unable to access jarfile (\S+)|Uncaught Error: Class ["']([\w\\]+)["'] not found|ImportError: (lib\S+\.so\S*):|(lib[\w.+-]+\.so\S*): cannot open shared object`)

// missingModule is the part of its program that a container does not find: a package, class, library or file; empty where the line names none.
func missingModule(said string) string {
	return firstGroup(modules.FindStringSubmatch(said))
}

// firstGroup is the first group of a match that has text.
func firstGroup(match []string) string {
	if match == nil {
		return ""
	}
	return cmp.Or(match[1:]...)
}

// moduleFix is what helps: a file is where the command points at, a package is in the image.
func moduleFix(name string) string {
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, ".") {
		return fmt.Sprintf("Correct command, args or workingDir in Git if the file %s is elsewhere in the image; if it is not there, build the image with it. A volume that is mounted over its directory hides it", name)
	}
	return fmt.Sprintf("Use an image that contains %s: another tag, or one that is built with it. If the command, a script or a setting in Git asks for it without need, change that", name)
}

var (
	// variables are how programs name a variable of the environment that they miss.
	variables = []*pattern.Regexp{
		pattern.MustCompile(`required key ([A-Z][A-Z0-9_]+) missing value`),
		pattern.MustCompile(`^KeyError: '([A-Z][A-Z0-9_]{2,})'$`),
		pattern.MustCompile(`(?i:environment variable|env(?:ironment)? var|variable):? [\x60"'$]?([A-Z][A-Z0-9_]{2,})[\x60"']? (?i:is )?(?i:not set|missing|required|is not defined|not defined|undefined|must be set|not found)`),
		pattern.MustCompile(`(?i:missing|required|undefined)(?i: required)?(?i: environment variables?| env vars?):? [\x60"'$]?([A-Z][A-Z0-9]*_[A-Z0-9_]+(?:, ?[A-Z][A-Z0-9]*_[A-Z0-9_]+)*)\b`),
		pattern.MustCompile(`(?:^|[\s\x60"'$:])([A-Z][A-Z0-9]*_[A-Z0-9_]+)[\x60"']?:?(?i: environment variable| env var)? (?i:is not set|not set|must be set|is required|is missing|is not defined|is undefined|unbound variable)`),
		pattern.MustCompile(`(?:must|need to) (?:specify|set|provide) ([A-Z][A-Z0-9]*_[A-Z0-9_]+)`),
	}
	// lostAndFound is how a database says that its directory has files in it, and which.
	lostAndFound    = pattern.MustCompile(`initdb: error: directory "([^"]+)" exists but is not empty`)
	missingDatabase = pattern.MustCompile(`(?:database|role) "[^"]+" does not exist|Unknown database '[^']+'|Cannot open database "[^"]+"`)
	shellNotFound   = pattern.MustCompile(`(?:^|: )(?:line )?\d+: \S+: (?:command )?not found$`)
)

// missingVariable is the variable of the environment that a log says is missing, or several with commas; empty where it names none.
func missingVariable(said string) string {
	for _, v := range variables {
		if m := v.FindStringSubmatch(said); m != nil {
			return m[1]
		}
	}
	return ""
}

// dataDirectory is about a database whose data directory is the mount point of a volume: new file systems have a directory lost+found.
func dataDirectory(s *unhealthy.Resource, dir string) logTrouble {
	return logTrouble{
		what: "finds its data directory not empty", short: "Data directory of the database is not empty",
		fix: []diagnose.Fix{{
			Text:  "If the volume is new (it has a directory lost+found), let PostgreSQL use a directory below it in Git. If it has data of an unfinished start, look at it first",
			Patch: s.PatchContainer("env:", "- name: PGDATA", "  value: "+strings.TrimSuffix(dir, "/")+"/pgdata"),
		}},
	}
}

// webIdentitySteps are about an IAM role that does not trust the service account.
func webIdentitySteps(s *unhealthy.Resource) []diagnose.Fix {
	account := s.Object.Text("spec", "serviceAccountName")
	if account == "" {
		return advice.Steps("Correct the trust policy of the IAM role: it must name the cluster's OIDC provider and the pod's service account")
	}
	return []diagnose.Fix{
		{Text: fmt.Sprintf("Correct the trust policy of the IAM role: it must name the cluster's OIDC provider and system:serviceaccount:%s:%s", s.Target().Namespace, account)},
		{Text: "Show which role the service account names", Command: diagnose.Shell("kubectl %sget serviceaccount %s -o yaml", advice.InNamespace(s.Target()), account)},
	}
}
