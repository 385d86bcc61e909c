package secretname

// single are the last words of names whose value is a secret.
var single = map[string]Kind{
	"password": {Class: Password}, "passwords": {Class: Password, Plural: true},
	"passwd": {Class: Password}, "passwds": {Class: Password, Plural: true},
	"passphrase": {Class: Password}, "passphrases": {Class: Password, Plural: true},
	"passcode": {Class: Password}, "passwort": {Class: Password}, "kennwort": {Class: Password}, "senha": {Class: Password}, "contraseña": {Class: Password},
	"pass": {Class: Password}, "pwd": {Class: Password}, "pw": {Class: Password}, "psk": {Class: Password}, "mnemonic": {Class: Password},
	"requirepass": {Class: Password}, "masterauth": {Class: Password}, "storepass": {Class: Password}, "keypass": {Class: Password},
	"dockerconfigjson": {Class: Key}, "dockercfg": {Class: Key}, "kubeconfig": {Class: Ambiguous}, "htpasswd": {Class: Key}, "salt": {Class: Key}, "pepper": {Class: Key},
	"netrc": {Class: Key}, "pgpass": {Class: Key}, "authtok": {Class: Password}, "keytab": {Class: Ambiguous},
	"license": {Class: Ambiguous, weak: true}, "licence": {Class: Ambiguous, weak: true},
	"token": {Class: Ambiguous}, "tokens": {Class: Ambiguous, Plural: true},
	"secret": {Class: Ambiguous}, "secrets": {Class: Ambiguous, Plural: true},
	"credential": {Class: Ambiguous, Plural: true}, "credentials": {Class: Ambiguous, Plural: true}, "creds": {Class: Ambiguous, Plural: true}, "cred": {Class: Ambiguous},
	"auth": {Class: Ambiguous}, "cookie": {Class: Ambiguous}, "jwt": {Class: Ambiguous}, "hmac": {Class: Ambiguous},
	"jsessionid": {Class: Ambiguous}, "phpsessid": {Class: Ambiguous},
	"pin": {Class: Code}, "otp": {Class: Code}, "totp": {Class: Code},
	"dsn": {Class: Address}, "webhook": {Class: Address},
}

// joined are names of several words whose last word alone says too little, or something else.
var joined = map[string]Kind{
	"secret key": {Class: Ambiguous}, "secret keys": {Class: Ambiguous, Plural: true},
	"client secret": {Class: Password}, "shared secret": {Class: Password},
	"secret key base": {Class: Key}, "erlang cookie": {Class: Password},
	"key data": {Class: Key}, "pass phrase": {Class: Password}, "pass word": {Class: Password},
	"seed phrase": {Class: Password}, "recovery phrase": {Class: Password}, "secret phrase": {Class: Password}, "mnemonic phrase": {Class: Password},
	"recovery code": {Class: Password}, "recovery codes": {Class: Password, Plural: true}, "backup codes": {Class: Password, Plural: true},
	"connection string": {Class: Address}, "connection strings": {Class: Address, Plural: true}, "conn string": {Class: Address}, "conn str": {Class: Address}, "connection uri": {Class: Address},
	"webhook url": {Class: Address}, "webhook uri": {Class: Address}, "webhook endpoint": {Class: Address},
	"community string": {Class: Password}, "shared access signature": {Class: Key}, "sas url": {Class: Address}, "code verifier": {Class: Key},
	"id rsa": {Class: Key}, "id dsa": {Class: Key}, "id ecdsa": {Class: Key}, "id ed": {Class: Key},
	"credentials json": {Class: Ambiguous}, "verification code": {Class: Code}, "mfa code": {Class: Code},
	"secret id": {Class: Ambiguous}, "inline string": {Class: Ambiguous},
	"pre shared": {Class: Password}, "session cookie": {Class: Ambiguous},
	"ext pat": {Class: Key}, "devops pat": {Class: Key}, "github pat": {Class: Key}, "gitlab pat": {Class: Key}, "git pat": {Class: Key}, "azure pat": {Class: Key}, "access pat": {Class: Key},
	"art api": {Class: Key}, "erl cookie": {Class: Password},
	"keystone authtoken": {},
}

// keys are the words before "key" that make it a secret one. A bare key, and primary, public, sort, cache or topology key, is none.
var keys = setOf(`access account activation admin aes age agent algolia amplitude anthropic api apim app application auth authentication azure bootstrap bugsnag
	cipher client connection consumer cookie crypto csrf datadog dd decryption deploy deployment des developer device docker dsa ecdsa ed elastic enc encrypt encryption
	enrollment environment fernet function github gitlab google gossip gpg grafana hash hmac honeycomb ingest ingestion install installation instrumentation integration join jwe jwk jwt
	launchdarkly license licence mac mailgun master merchant minio mixpanel newrelic openai otp partner provisioning psk query read pagerduty peer pem pgp preshared product private recovery registry relic replicaset rollbar
	root rsa sa sas segment sendgrid sentry server service session set setup shared sign signing sops splunk ssh ssl storage stripe subscription symmetric
	system telegram tls twilio totp unseal upload vapid vault webhook wireguard wrapping write`)

// harmlessKeys are the words before "key" with which it is a key of a map, of a table, of a queue, one that all may know, or that of a Secret.
var harmlessKeys = setOf(`annotation bucket cache column composite config correlation data dedup deduplication dictionary event field file filter finger foreign
	group header host idempotency index item json label lock lookup map message metric natural node object order partition password passwd passphrase path pass primary property public
	rate record redis ref request resource routing row search secondary secret selector shard sort storage surrogate tag token topology translation trust unique version`)

// secretOwners are the words before "secret" with which it is the value and not an object's name, as in clientSecret.
var secretOwners = setOf(`access admin api app application auth bot ci client consumer cookie csrf database db deploy git github gitlab hmac id jwt
	login oauth otp refresh registry repo root session shared signing slack token totp user vault webhook`)

// modifiers follow the name of a secret without saying where it is: passwordOld, db_password_v2, token-value.
var modifiers = setOf(`again b backup base clear cleartext confirm confirmation content current data decoded default dev enc encoded encrypted
	hash hashed initial live new next old orig original pem plain plaintext previous primary private prod production raw repeat s secondary staging str
	string temp temporary test text txt v val value`)

// elsewhere are the words anywhere in a name that make its value the name of an object: existingSecret, imagePullSecrets.
var elsewhere = setOf(`existing external sealed pull`)

// suffixes are names that are written without a gap: dbpassword, MYSQLPWD, accesskey. The longest come first.
var suffixes = []struct {
	end  string
	kind Kind
}{
	{"connectionstring", Kind{Class: Address}}, {"connstr", Kind{Class: Address}}, {"webhookurl", Kind{Class: Address}},
	{"passphrases", Kind{Class: Password, Plural: true}}, {"passphrase", Kind{Class: Password}},
	{"passwords", Kind{Class: Password, Plural: true}}, {"password", Kind{Class: Password}}, {"passwd", Kind{Class: Password}},
	{"credentials", Kind{Class: Ambiguous, Plural: true}}, {"secretkey", Kind{Class: Ambiguous}},
	{"clientsecret", Kind{Class: Password}}, {"sharedsecret", Kind{Class: Password}}, {"secret", Kind{Class: Ambiguous}}, {"tokens", Kind{Class: Ambiguous, Plural: true}}, {"token", Kind{Class: Ambiguous}},
	{"pass", Kind{Class: Password}}, {"pwd", Kind{Class: Password}},
}

// words that end like a secret's name by chance.
var chance = setOf(`bypass compass encompass trespass surpass underpass overpass multipass onepass lastpass keepass sshpass lowpass highpass bandpass
	renderpass allpass cwd`)

// pwOwners are what is before "pw" in a word that ends with it.
var pwOwners = setOf(`admin app bind db default ftp ldap mail mgr mysql pg postgres proxy rabbit redis root smtp ssh sql su sys system user my`)

// schemes are kinds of authentication: what auth, token or secret is set to where it is no secret.
var schemes = setOf(`aad anonymous authorization auto aws azure basic bearer cert certificate client cram custom database default digest disabled enabled env
	external gcp github gitlab google gssapi header iam internal jwt kerberos kubernetes ldap local login md5 mtls native none ntlm oauth oauth2 oidc off on
	optional password peer pam plain private public required sasl saml scram secret service sso ssh ssl static tls token trust userpass vault xoauth2
	bcrypt argon2 argon2id argon2i scrypt pbkdf2 sha1 sha256 sha384 sha512 hs256 hs384 hs512 rs256 rs384 rs512 es256 es384 es512 eddsa aes256 aes128 rsa`)

func setOf(list string) map[string]bool {
	set := map[string]bool{}
	start := -1
	for i := range len(list) + 1 {
		if i < len(list) && list[i] > ' ' {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			set[list[start:i]] = true
			start = -1
		}
	}
	return set
}
