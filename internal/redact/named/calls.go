package named

import (
	"strings"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// Functions that take a password as their second or third argument, without a name for it.
const (
	secondOfCall = `auth basic basicauth basic_auth setbasicauth set_basic_auth httpbasicauth httpdigestauth login authenticate pscredential networkcredential
		withbasicauth withcredentials usernamepassword usernamepasswordcredentials usernamepasswordauthenticationtoken passwordauthentication
		plaintextauthprovider basicawscredentials awsbasiccredentials ftp_login imap_login ssh2_auth_password httpauth
		changeuserpassword setuserpassword changepassword
		pgp_sym_encrypt pgp_sym_decrypt aes_encrypt aes_decrypt des_encrypt des_decrypt hmac createhmac createcipheriv`
	thirdOfCall = `sequelize pdo getconnection mysql_connect mysqli mysqli_connect oci_connect plainauth imap_open ldap_bind`
)

// callPlaces tells the place of the password by the name of the function.
var callPlaces = func() map[string]int {
	all := map[string]int{}
	for name := range wordsOf(secondOfCall) {
		all[name] = 2
	}
	for name := range wordsOf(thirdOfCall) {
		all[name] = 3
	}
	return all
}()

// placeInCall is the place of the password in a call of the function with that name, 0 if it takes none.
func placeInCall(name string) int {
	return callPlaces[strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])]
}

// arguments hides the argument at that place of a call whose first one begins at s[at]: db.auth("app", "x").
func (f *finder) arguments(at, place int) {
	s := f.s
	limit := min(len(s), at+maxPair)
	f.look(maxPair)
	for at < limit {
		at = f.skipSpace(at)
		q, isQuoted := openQuote(s, min(at, len(s)))
		if place--; place == 0 {
			if isQuoted {
				f.quotedValue(field{Kind: secretname.Of("password")}, q, secretname.Quoted)
			}
			return
		}
		if isQuoted {
			at = min(len(s), f.quoteEnd(q)+len(q.mark))
		}
		for at < limit && s[at] != ',' {
			if isEnd(s[at]) || s[at] == ')' || s[at] == '{' {
				return
			}
			at++
		}
		at++
	}
}
