package named_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/redact/effort"
	"github.com/argo-why/argo-why/internal/redact/named"
	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// What takes a secret without a name of the vocabulary directly before it: § is the value.
var forms = []string{
	"mysqldump -h db -u root -p§ shop > /dev/null", "pulumi config set --secret field §", "mysql --user=root -p'§' shop", "mysqladmin -uroot -p§ ping", "redis-cli -h redis -a § ping",
	"mongosh --host db -u root -p § --eval x", "docker login -u ci -p § registry.example.com", "helm registry login -u ci -p § registry.example.com",
	"sshpass -p § ssh host", "sshpass -p'§' ssh host", "sqlcmd -S db -U sa -P § -Q x", "curl -u app:§ https://x", "curl -sS --user 'app:§' https://x",
	"ldapsearch -x -D cn=admin -w § -b dc=x", "openssl pkcs12 -in a -passin pass:§ -out b", "openssl enc -aes -k § -in a", "keytool -list -storepass § -alias x",
	"htpasswd -bn app §", "htpasswd -b /etc/htpasswd app §", "az login --service-principal -u app -p § --tenant x", "gpg --batch --passphrase § -d x",
	"vault operator unseal §", "vault login §", "rabbitmqctl add_user app §", "rabbitmqctl change_password app §", "etcdctl --user root:§ get x",
	`["mysqldump", "-u", "root", "-p§", "shop"]`, `["redis-cli", "-a", "§", "ping"]`, `command: ["sshpass", "-p", "§", "ssh"]`,
	"kubectl create secret generic db --from-literal=user=§ --from-literal=host='§'", "kubectl -n shop create secret generic db --from-literal user=§",
	"CREATE USER shop IDENTIFIED BY '§';", "ALTER USER 'a'@'%' IDENTIFIED WITH mysql_native_password BY '§'", "create user shop identified by \"§\"",
	"redis> AUTH §", "redis> AUTH app §", "Unseal Key 1: §\nUnseal Key 2: §", "Initial Root Token: §", "machine git.example.com login app password §",
	"machine git.example.com\n  login app\n  password §\n", "default login x password §", "login with password § failed", "the password is §", "used password '§'.",
	"(pw §)", `the value of auth_token "§" was refused`, "passphrase '§' is wrong", "API key § is invalid", "Your new password: § (change it soon)", "the API key: §", "Secret Access Key: §",
	"passwords:\n- §\n- §\n", "passwords:\n  app: §\n  web: \"§\"\nuser: x\n", "tokens: [§, §]\n", `"apiKeys":["§","§"]`, "password: |\n  §\n  §\nuser: x\n",
	"password: >-\n  §\nuser: x\n", "+  password: |-\n+    §\n+  user: x\n", `{Name:DB_PASSWORD Value:§ ValueFrom:nil}`, `EnvVar { name: "DB_PASSWORD", value: Some("§") }`,
	`{"op":"replace","path":"/spec/auth/password","value":"§"}`, `{"key":"password","value":"§"}`, "name: password\nvalue: §\n", `name = "db_password"` + "\n" + `value = "§"`,
	"db.example.com: Pwd=§;Encrypt=1", "password=§&user=x", "a=1&amp;password=§&amp;b=2", "X-Acme-Token: §\r\nAccept: */*", `{"X-Acme-Api-Key":["§"]}`,
	"kubectl set env deploy/x DB_PASSWORD=§ A=b", "setenv DB_PASSWORD §", "ENV DB_PASSWORD §", "requirepass §", "config set requirepass §",
	"[\"DB_PASSWORD\"]=> string(16) \"§\"", `password: <%= "§" %>`, "Driver={ODBC 17};UID=sa;PWD={§};", `~ password = "§" -> "§"`, `~ password = "" -> "§"`,
	`data[password]: Invalid value: "§": must not be`, `spec.auth.adminPassword: Invalid value: "§"`, `spec.apiToken: Duplicate value: "§"`,
	"Incorrect API key provided: §.", "invalid token provided: §", "| db_password | § |", "**Password:** § ", "**Password**: § ",
	"sql.password=§ SASL authentication error", "ssl.keystore.password=§ keystore was tampered with, or password was incorrect", "error: cannot read secrets:\n  foo: §\n  bar: §\nx: y\n",
	"vault write auth/approle/login role_id=x secret_id=§", "PASSWORD_PEPPER=§", "token_secret: {name: token, inline_string: §}", "inline_string: \"§\"",
	"INSERT INTO users (name, password) VALUES ('bob', '§')", "insert into `t` (`token`, `a`) values (N'§', 1)", "ngrok config add-authtoken §",
	"set -gx sessionSecret §", "| password_salt | § |", "Key            Value\nsecret_id      §\nttl            0s\n", "Secret ID  = §", "cipher key: §", "knife bootstrap -P §",
	"password.txt: §", "global.imagePullSecretToken=§", "mc alias set m https://m.example § §", "sqlplus -s app/§", "map[host:db password:§ user:app]",
	"curl -sS -b 'SID=§' https://x", "command:\n- redis-cli\n- -a\n- §\n- ping\n", "command:\n  - mysql\nargs:\n  - -uroot\n  - -p§\n  - shop\n",
	`"command":["redis-cli"],"args":["-a","§"]`, `check failed at path /data/DB_PASSWORD/; found value "§"`, "env DB_PASSWORD must not be set, found value §.",
	`Failed to bind properties under 'a.datasource.password' to x.y.Config: Value: §`, ".data.PASSWORD: expected string, got &value.valueUnstructured{Value:§}", ".stringData.password: expected string, got &{§}",
	"ALTER CURRENT USER SET PASSWORD FROM '§' TO '§'", "ALTER USER app IDENTIFIED BY \"§\" REPLACE \"§\"", "key \"k\" { algorithm hmac-sha256; secret \"§\"; };",
	`(password . "§")`, `{"key": "password", "value": {"stringValue": "§"}}`, "passwords[app] = §", "password[0] = §", `password = """§"""`, "password = (\n  \"§\"\n)", "password = \\\n  \"§\"", "password:\n    value: §\n",
	"password (8 chars): §", "password equals §", "setting password to '§'", "default password (§)", "password [§]", "Password for app: §", "--password\n§\n", "--password \\\n  § \\\n  --x",
	`db.auth("app", "§")`, "New-Object PSCredential('app', '§')", "new Sequelize('app', 'app', '§', { host: 'db' })", `Credentials.basic("app", "§")`, `req.SetBasicAuth("app", "§")`,
	`HTTPBasicAuth('app', '§')`, `new PDO($dsn, 'app', '§')`, `DriverManager.getConnection(url, "app", "§")`,
	"requests.get(url, auth=('app', '§'))", "Erlang cookie: §",
	"sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username=\"u\" password=\"§\";",
}

func TestAFormWithoutANameOfItsOwnIsKnown(t *testing.T) {
	for _, form := range forms {
		in, want := strings.ReplaceAll(form, "§", value(form, "")), strings.ReplaceAll(form, "§", hidden)
		if got := hide(in); got != want {
			t.Errorf("\n  of %q\n got %q\nwant %q", in, got, want)
		}
	}
}

// A quoted word behind "token" or "secret" is mostly a name, but not if it looks like none.
func TestAQuotedTokenInASentenceIsHiddenIfItCannotBeAName(t *testing.T) {
	v := value("token", "") + value("more", "")
	if got, want := hide(`invalid token "`+v+`", giving up`), `invalid token "`+hidden+`", giving up`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, s := range []string{`secret "argocd/cluster-10.0.0.1-3948271234" not found`, `token "kubernetes.io/service-account-token"`, `unexpected token "}"`} {
		if got := hide(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

// Punctuation behind a value is a sentence's, and stays.
func TestASentenceGoesOnBehindAValue(t *testing.T) {
	v := value("sentence", "")
	for _, form := range []string{"DB_PASSWORD=§", "password=§", "api_key=§", "auth_token: \"§\"", "--password §", "password='§'", "the password is §"} {
		for _, rest := range []string{"", ".", ",", ":", ";", ")", "]", "}", ">", "\n", " failed", ". Try again.", ", giving up", "), giving up"} {
			in, want := strings.ReplaceAll(form, "§", v)+rest, strings.ReplaceAll(form, "§", hidden)+rest
			if got := hide(in); got != want {
				t.Errorf("\n  of %q\n got %q\nwant %q", in, got, want)
			}
		}
	}
}

// A placeholder is one as a whole; with anything beside it, it is a value.
func TestAPlaceholderStaysOnlyAsAWhole(t *testing.T) {
	for _, p := range []string{"$DB_PASSWORD", "${DB_PASSWORD}", "$(DB_PASSWORD)", "{{ .Values.password }}", "<password>", "***", "YOUR_PASSWORD", "%s"} {
		for _, form := range []string{"DB_PASSWORD=§", "password: §\nuser: x", "{\"password\":\"§\"}", "--password §", "password='§'"} {
			if in := strings.ReplaceAll(form, "§", p); hide(in) != in {
				t.Errorf("%q becomes %q", in, hide(in))
			}
			in, v := strings.ReplaceAll(form, "§", p+value(p, "")), value(p, "")
			if got := hide(in); strings.Contains(got, v[1:]) {
				t.Errorf("%q becomes %q", in, got)
			}
		}
	}
}

// What a diagnosis needs to read, and comes close to a secret.
var harmless = []string{
	"spec.data.password: Invalid type. Expected: string, given: integer", "data.password: expected string, got integer", "expected key password, found 3 keys", `Secret "db-password" is invalid: spec: Invalid value: "x1y2z3w4": field is immutable`,
	"command:\n- sh\n- -c\n- migrate\nargs:\n- --verbose\n", `["ssh", "-p", "2222", "-u"]`, `["mkdir", "-p", "/data/x1"]`, "curl -b cookies.txt https://x", `"command":["sh"],"args":["-p","8080:80"]`,
	`secret "x" not found`, `the value of auth_token "api-token-v2" was refused`, `secret "Shop1" not found`, `secrets "db-credentials" is forbidden`, "token expired", `password authentication failed for user "app"`, `failed to fetch oauth token: unexpected status: 403`,
	`couldn't find key password in Secret shop/db`, `key "password" not found in secret "db"`, "passwordSecretRef:\n  name: db\n  key: password\n", "existingSecret: shop-db-2026\n",
	"secretName: shop-tls\n", "secretKeyRef:\n  name: db\n  key: password\n", "tokenURL: https://idp.example.com/oauth2/token\n", "PASSWORD_FILE=/run/secrets/db", "TOKEN_TTL=30m", "passwordPolicy: strong",
	"automountServiceAccountToken: true", "imagePullSecrets:\n- name: regcred\n", "checksum/secret: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	"argocd.argoproj.io/tracking-id: payments-secrets:onepassword.com/OnePasswordItem:payments/smtp", `"tracking-id":"app-secret:external-secrets.io/ExternalSecret:shop/db"`,
	"Secret/app-client-secret: changed", "Touches Secret/x-token: created, Secret/app-password: changed", "token=default-token-x7k2p", "secret=argocd/repo-3948271 namespace=argocd",
	"Found signature made with RSA key 4AEE18F83AFDEB23, but verification failed", "- auth.password: required\n", "- auth.password: String length must be greater than or equal to 8\n",
	"password: rpc error: code = NotFound desc = secret not found", "cannot decrypt password: x509: certificate signed by unknown authority", "failed to get token: unauthorized: bad request",
	"required flag(s) \"password\" not set; use --password to set it, --token is deprecated", "Using --password via the CLI is insecure. Use --password-stdin.", "auth: basic", "auth=none",
	"max_tokens: 4096 tokens=128", "Write key: value1 in the manifest", "https://oauth2:token@x", "headersToExtAuth: [\"authorization\"]", "password = os.Getenv(\"DB_PASSWORD\")",
	"Can't locate revision identified by '31b8ab83c7d'", "machine learning with password rotation", "--- PASS: TestShop2 (0.01s)", "pass: 12, fail: 3", "PWD=/home/app OLDPWD=/",
	"(using password: YES)", "password: \"\"\ntoken: null\n", "clientSecret: $dex.github.clientSecret\n", "master_key: os.environ/PROXY_MASTER_KEY\n", "kubectl create secret generic db --from-literal=password='<VALUE>'",
	"public_key: AAAAB3NzaC1yc2E", "keyId: 1234567890abcdef", "mysql -u root -p shop", "redis-cli -a $REDIS_PASSWORD ping", "curl -u $USER:$PASSWORD https://x", "AUTH failed: invalid password",
	"primaryKey: 123456789abcdef", "sort-key=abc123456789", "compass=abc12345 bypass: x1234567", "{\"secret\":{\"secretName\":\"db\"},\"tokenKey\":\"a\"}", "secretKey: password\n", "apiKeySecret:\n  name: x-1\n  key: api-key\n",
	"token: /var/run/secrets/token", "dsn: postgres://db:5432/shop", "webhook: https://notify.shop.svc:8080/slack", "level=info msg=\"refreshing token\" token_type=bearer expires_in=3600", "password hashing with bcrypt took 12ms",
	"the password is required", "secret-hash: ab46f68cc1", "kubectl create secret generic db --from-file=password=./password.txt", "https://<user>:<password>@git.example/x.git",
	"password: ${DB_PASSWORD:-}", "password=(null)", "~ password = (sensitive value)", "password = (known after apply)", "password   required\n", "token      created\n", "bearer     Secret ID of app\n", "INSERT INTO users (password, name) VALUES (NULL, 'bobby99x')", "INSERT INTO audit (token_type, name) VALUES ('bearer', 'bobby99x')", `Get "https://auth.example/oauth2/token": dial tcp: i/o timeout`, `Post "https://idp.example/v2.0/token": context deadline exceeded`,
	"ALTER TABLE users ADD COLUMN password_hash varchar(255)", "CREATE TABLE t (password VARCHAR(60) NOT NULL, token_hash decimal(10,2))", "| Password | Role |", "| token | created |", "spec.passwordSecretRef.name: Invalid value: \"\": must be set", "token provided: none", "DB_PASSWORD=must be set", "password= cannot be empty",
	"password (required): must be set", "password [optional]", "<td>password</td><td>required</td>", "missing --password\nusage: x", "password for admin: unchanged", "password = \"\"\"\"\"\"", "password:\n  value: null\n", "secret:\n  name: db\n", "function password(user2)",
	"license: Apache-2.0", "password: EOF", "password: i/o timeout", "| secret | key |\n|---|---|\n| shop-db | password |\n| web-tls | tls.crt |", "echo $PASSWORD\nDone.", "secret::v1::Secret", "user;password;role\n",
	"NAME   STORE   STATUS\ndb-secret   vault   SecretSynced\n", "name,secret,namespace\ncert,shop-tls,shop\n", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop-db-Qx7Zt2: AccessDenied", "line 3: DB_PASSWORD: unbound variable", "API_TOKEN: parameter null or not set",
	"func login(user, password string) error", "auth(user, password)", "login('admin', getPassword())", "npm config set registry https://x", "vault login -method=oidc role=dev", "bundle config path vendor/bundle", "net use", "password: string = ", "[token, secret]", `required: ["password", "username"]`, "Password::new(x)", "secret::v1beta1", "token - see RFC6750", "password from 'db-secret' is wrong", "password/reset.html", "[{db-password}]", "idempotency-key: 01J9ZK3V7Y8Q2W4E6R8T0Y2U4I",
	"secretId: prod/db-credentials", "secret_id_num_uses: 0", "routing_key=orders.created", "inline_string: /etc/envoy/token", "imagePullSecret: regcred", "`password={password}`", "cannot read secrets:\n  name: x\n", "password must not be empty", "no password supplied", "invalid password for user app", "credentials: {secretRef: {name: x}}", "auth:\n  enabled: true\n  existingSecret: x\n", "session: 5f4dcc3b5aa765d61d8327deb882cf99",
}

func TestWhatOnlyComesCloseStays(t *testing.T) {
	for _, s := range harmless {
		if got := hide(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

// A name without a stem would never be found in a text.
func TestEveryNameOfTheVocabularyHasAStem(t *testing.T) {
	for _, c := range notations() {
		for name := range strings.FieldsSeq(c.style) {
			if secretname.Of(name).Class == secretname.None {
				t.Errorf("%s is no name", name)
			}
		}
	}
	for name := range strings.FieldsSeq("kennwort senha psk mnemonic pin otp jwt hmac salt cookie dsn kubeconfig .dockerconfigjson .dockercfg htpasswd seedPhrase recoveryCodes id_rsa connectionString") {
		s := name + "=" + value(name, "") + value(name+"x", "")
		if name == "pin" || name == "otp" {
			s = name + "=123456"
		}
		if name == "dsn" || name == "connectionString" {
			s = name + "=app/" + value(name, "") + "@db"
		}
		if hide(s) == s {
			t.Errorf("%s is not found", s)
		}
	}
}

// Eight times the text may take about eight times the steps, and not 64 times.
func TestAHostileTextTakesLinearTime(t *testing.T) {
	for _, unit := range []string{"password=", `"password":"`, "token=(", "password: {", "token: \\", `name: token `, "name: password value", "- name: x_token\n", "pass ", "'password' => ", "--password ", "mysql -p", "password=''", "secret: |\n", "tokens: [", "password:\n  ", "<password>", "{password: ", "AUTH ", "key ", `\"token\":`, "password&", "`pwd`", "pw:", "pw:a(", "{pw:a(\\", "[pw=", "INSERT INTO t (password) VALUES ("} {
		steps := func(n int) int {
			m := effort.New(t.Context(), 1<<60)
			named.FindWithin(strings.Repeat(unit, n/len(unit)), m)
			return m.Spent()
		}
		if small, large := steps(1<<14), steps(1<<17); large > 10*small {
			t.Errorf("%q: 8 times the text takes %d steps instead of %d", unit, large, small)
		}
	}
}

// sameTable reports whether the last line of before has as many cells as the first of text: then what is a header alone is one row of many.
func sameTable(before, text string) bool {
	before = strings.TrimRight(before, " \t\r\n")
	header, _, _ := strings.Cut(text, "\n")
	for _, mark := range [...]string{",", "\t", "  "} {
		if n := strings.Count(header, mark); n > 0 && strings.Count(before[strings.LastIndexByte(before, '\n')+1:], mark) >= n {
			return true
		}
	}
	return false
}

func FuzzAPlantedValueIsFound(f *testing.F) {
	all := notations()
	f.Add(uint16(1), uint16(0), "seed", "before ", " behind")
	f.Add(uint16(40), uint16(3), "x", "a: b\n", "\n")
	f.Fuzz(func(t *testing.T, which, name uint16, seed, before, behind string) {
		c := all[int(which)%len(all)]
		names := strings.Fields(c.style)
		v := value(seed, "")
		text := strings.ReplaceAll(strings.ReplaceAll(c.text, "¶", names[int(name)%len(names)]), "§", v)
		// The surroundings must not take the text into another notation: into a quote, a word, a longer line of a document.
		if strings.ContainsAny(before+behind, "\"'`\\<>{}[]()=:%|#&;$") || strings.Contains(before, v) || strings.Contains(behind, v) || sameTable(before, text) {
			return
		}
		got := hide(before + "\n" + text + "\n" + behind)
		if strings.Contains(got, v) && !strings.Contains(c.story, "cut") {
			t.Errorf("%s: %q becomes %q", c.story, before+"\n"+text+"\n"+behind, got)
		}
	})
}

// A statement about a name is recognised by the whole phrase, and an AWS resource by its five colons: neither is a value.
func TestAValueThatBeginsLikeAReferenceIsHidden(t *testing.T) {
	for _, s := range []string{
		"DB_PASSWORD: §", "DB_PASSWORD: unbound-§", "DB_PASSWORD=${DB_PASSWORD:-§}", "arn:aws:secret:§", "see arn:aws:s3:::bucket password=§", "DB_PASSWORD=${X:?unset} API_TOKEN=§",
		"/entrypoint.sh: line 12: DB_PASSWORD: unbound variable, API_TOKEN=§",
	} {
		in := strings.Replace(s, "§", "hunter2X9kQ", 1)
		var got strings.Builder
		at := 0
		for _, span := range named.Find(in) {
			got.WriteString(in[at:span.Start])
			at = span.End
		}
		got.WriteString(in[at:])
		if strings.Contains(got.String(), "hunter2X9kQ") {
			t.Errorf("%q: %q", s, got.String())
		}
	}
}
