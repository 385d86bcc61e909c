package render

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/argo-why/argo-why/internal/diagnose"
	"github.com/argo-why/argo-why/internal/diagnose/advice"
	"github.com/argo-why/argo-why/internal/diagnose/message"
	"github.com/argo-why/argo-why/internal/diagnose/pattern"
)

// SOPS runs within helm (helm-secrets), Kustomize (KSOPS) and plugins, and speaks the same in all of them. That it cannot decrypt a
// file decides, whatever the reason within mentions: a missing keyring, a network, a deadline.
var (
	sops       = pattern.MustCompile(`Failed to get the data key required to decrypt|Error getting data key|[Ff]ailed to decrypt sops|could not decrypt data key|no master key was able to decrypt|trouble decrypting file|sops metadata not found|error decrypting file|Error while decrypting file|[Ee]rror decrypting key|MAC mismatch`)
	sopsSaid   = pattern.MustCompile(`(?:error decrypting file "|Error while decrypting file: |trouble decrypting file "?)([^\s"\\:]+)`)
	sopsFile   = pattern.MustCompile(`(?:(?:--values |--set-file [^\s=]+=)secrets(?:\+[\w-]+)?://|sops (?:-d|--decrypt|exec-\w+) |source \\?")([^\s"\\:]+\.(?:ya?ml|json|env|enc|sops)[\w.]*)`)
	sopsReason = pattern.MustCompile(`FAILED - \|? ?(.*?)(?: Recovery failed| Group \d+:|$)`)
	keyFile    = pattern.MustCompile(`open (/\S+): no such`)
	sopsCloud  = pattern.MustCompile(`failed to decrypt sops data key with [^:]+: (.*)`)
	sopsKey    = pattern.MustCompile(`(arn:aws:kms:\S+?|projects/\S+?/cryptoKeys/\S+?|age1[a-z0-9]{20,}|[0-9A-F]{40}|https://\S+\.vault\.azure\.net\S*?): FAILED`)
)

// undecrypted is the finding about a file that SOPS cannot decrypt.
func undecrypted(r rendered) (diagnose.Finding, bool) {
	flat := r.s.Failure.Flat()
	if !sops.MatchString(flat) {
		return diagnose.Finding{}, false
	}
	out := diagnose.Finding{
		Confidence: diagnose.Certain, OutsideGit: true,
		Title: "SOPS cannot decrypt a file of the application",
		Why:   inSource(r.s) + "It gets the data key from none of the file's master keys.",
	}
	m := sopsSaid.FindStringSubmatch(flat)
	if m == nil { // where the command reads several, nothing says which of them it is
		m = onlyOne(sopsFile.FindAllStringSubmatch(flat, -1))
	}
	if m != nil {
		out.Title = "SOPS cannot decrypt " + strings.TrimPrefix(relative(m[1]), "./")
		name, _ := lastElement(m[1])
		out.Short = "SOPS cannot decrypt " + name
	}
	if m := sopsReason.FindStringSubmatch(flat); m != nil {
		reason := strings.Join(strings.Fields(strings.ReplaceAll(m[1], "|", " ")), " ")
		out.Says = diagnose.Said{Who: "SOPS says", Text: message.LastClause(reason)}
	}
	if m := sopsCloud.FindStringSubmatch(flat); m != nil && out.Says.Text == "" {
		out.Says = diagnose.Said{Who: "SOPS says", Text: message.LastClause(m[1])}
	}
	key := ""
	if m := sopsKey.FindStringSubmatch(flat); m != nil {
		key = m[1]
	}
	out.Fix = append(keyFor(r, flat, key), diagnose.Fix{Text: "If the file was encrypted for other keys, re-encrypt it with a key that Argo CD has (sops updatekeys FILE), and push"})
	if strings.Contains(flat, "sops metadata not found") {
		out.Why, out.OutsideGit = inSource(r.s)+"The file is not encrypted, or its sops section was removed.", false
		out.Fix = advice.Steps("Encrypt the file with sops and push, or read it without decryption")
	}
	if strings.Contains(flat, "MAC mismatch") {
		out.Why, out.OutsideGit = inSource(r.s)+"The file was edited without sops after it was encrypted, so its checksum no longer matches.", false
		out.Fix = advice.Steps("Edit the file with sops (sops FILE), which computes the checksum again, and push")
	}
	return out, true
}

// onlyOne is the match that names a file where all name the same.
func onlyOne(all [][]string) []string {
	for _, m := range all {
		if m[1] != all[0][1] {
			return nil
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

// keyFor are the steps that give the decrypting component its key, by the kind of key.
func keyFor(r rendered, said, key string) []diagnose.Fix {
	who, container := "the repo-server", ""
	if r.s.Failure.Plugin {
		who, container = "the plugin's sidecar", " -c SIDECAR"
	}
	environment := ofRepoServer(r.in, "Show the environment of the repo-server and its sidecars", "set env deploy/PART --list")
	has := func(words ...string) bool { return message.HasAny(strings.ToLower(said), words...) }
	switch {
	case has("aws kms", "arn:aws:kms", "kms:decrypt"):
		grant := "Grant kms:Decrypt on " + cmp.Or(key, "the key") + " to the IAM role of " + who
		if has("imds", "no ec2", "nocredentialproviders", "retrieve credentials", "no valid providers") {
			grant = fmt.Sprintf("Give %s AWS credentials with kms:Decrypt on %s: annotate its service account with an IAM role, then restart it", who, cmp.Or(key, "the key"))
		}
		return []diagnose.Fix{{Text: grant}, serviceAccount(r.in)}
	case has("gcp kms", "cloudkms", "cryptokeys"):
		return []diagnose.Fix{{Text: fmt.Sprintf("Grant roles/cloudkms.cryptoKeyDecrypter on %s to the Google account of %s", cmp.Or(key, "the key"), who)}, serviceAccount(r.in)}
	case has("vault.azure.net", "azure key vault", "azkv"):
		return []diagnose.Fix{{Text: "Grant the decrypt permission on " + cmp.Or(key, "the Azure key") + " to the identity of " + who}, serviceAccount(r.in)}
	case has("pgp", "gpg", "secring"):
		return []diagnose.Fix{
			{Text: fmt.Sprintf("Import the private key %sinto the keyring of %s (from a Secret, at start, into its GNUPGHOME)", spaced(key), who)},
			ofRepoServer(r.in, "List the private keys that it has", "exec deploy/PART"+container+" -- gpg --list-secret-keys"),
		}
	case has("age", "identity"):
		step := diagnose.Fix{Text: fmt.Sprintf("Mount the private age key into %s, and set SOPS_AGE_KEY_FILE to its path", who)}
		if m := keyFile.FindStringSubmatch(said); m != nil {
			step.Text = fmt.Sprintf("Mount the private age key into %s as %s, where it is looked for, or set SOPS_AGE_KEY_FILE to its path", who, m[1])
		}
		return []diagnose.Fix{step, environment}
	}
	return []diagnose.Fix{{Text: fmt.Sprintf("Give %s the key: an age key (SOPS_AGE_KEY_FILE), a PGP key in its keyring, or access to the cloud's key service", who)}, environment}
}

func serviceAccount(in *diagnose.In) diagnose.Fix {
	account := diagnose.Shell("$(kubectl -n %s get deploy PART -o jsonpath='{.spec.template.spec.serviceAccountName}')", advice.ArgoNamespace(in))
	return ofRepoServer(in, "Show the service account of the repo-server, and its annotations", "get serviceaccount "+account+" -o yaml")
}

func spaced(word string) string {
	if word == "" {
		return ""
	}
	return word + " "
}
