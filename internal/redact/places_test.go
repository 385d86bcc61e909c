package redact

import (
	"strings"
	"testing"
)

// places are texts in which the place of a secret tells that it is one. § is before it, ¶ behind.
func places() map[string]string {
	word := func(n int) string { return "§" + fake("", alnum, n) + "¶" }
	hex := func(n int) string { return "§" + fake("", hexa, n) + "¶" }
	uuid := "§" + fake("", hexa, 8) + "-1111-4111-8111-" + fake("", hexa, 12) + "¶"
	return map[string]string{
		"Okta":                         "Authorization: SSWS " + word(42),
		"OAuth":                        "Authorization: OAuth " + uuid,
		"HMAC":                         "Authorization: HMAC-SHA256 §shop:" + fake("", alnum, 43) + "¶",
		"Digest":                       `Authorization: Digest username="app", realm="x", response="` + hex(32) + `"`,
		"bearer below":                 "Authorization: Bearer\n" + word(40),
		"JWK":                          `{"kty":"RSA","n":"abc","e":"AQAB","d":"` + word(86) + `"}`,
		"symmetric JWK":                `{"kty":"oct","k":"` + word(43) + `","alg":"HS256"}`,
		"Terraform":                    "variable \"db_password\" {\n  type    = string\n  default = \"" + word(14) + "\"\n}",
		"section":                      `"Jwt": { "Issuer": "shop", "Key": "` + word(48) + `" }`,
		"rclone":                       "type = b2\naccount = 001\nkey = " + word(31),
		"browser":                      `{"name":"session","value":"` + word(40) + `"}`,
		"PostgreSQL":                   "DETAIL: Key (api_token)=(" + word(40) + ") already exists.",
		"Spanish":                      "contraseña: " + word(18),
		"French":                       "mot de passe : " + word(14),
		"Chinese":                      "密码：" + word(14),
		"Kustomize":                    "accumulating resources: secretGenerator literals: [value=" + word(20) + "] malformed",
		"URL without a scheme":         `parse "app:` + word(18) + `@db:5432/orders": first path segment in URL cannot contain colon`,
		"urlparse":                     "Port could not be cast to integer value as '" + word(20) + "@db:5432'",
		"reset":                        "GET https://app.example.org/reset-password/" + word(43) + " 404",
		"hook":                         "POST https://app.example.org/hooks/token/" + word(40) + "/push",
		"code":                         "https://app.example.org/callback?code=" + word(40) + "&state=x",
		"InfluxDB":                     "http://influx:8086/query?u=admin&p=" + word(12) + "&q=SHOW",
		"echo":                         "echo " + word(24) + " | docker login -u ci --password-stdin ghcr.io",
		"printf":                       "printf '" + word(14) + "' | gcloud secrets versions add db --data-file=-",
		"chpasswd":                     "echo '§deploy:" + fake("", alnum, 20) + "¶' | chpasswd",
		"Erlang":                       "erl -name a@b -setcookie " + word(20),
		"PowerShell":                   "ConvertTo-SecureString '" + word(18) + "' -AsPlainText -Force",
		"net use":                      `net use \\\\fs\share ` + word(20) + ` /user:CORP\svc`,
		"WireGuard":                    "wg set wg0 peer x preshared-key §" + fake("", alnum, 43) + "=¶",
		"Plaid":                        "plaid: INVALID §access-" + "production-" + fake("", hexa, 8) + "-1111-4111-8111-" + fake("", hexa, 12) + "¶",
		"Mailchimp":                    "denied §" + fake("", hexa, 32) + "-us14¶",
		"Mollie":                       "denied §" + "live" + "_" + fake("", alnum, 30) + "¶",
		"a command for a password":     "restic --password-command 'echo " + word(20) + "' backup",
		"kubeseal":                     "echo -n " + word(20) + " | kubeseal --raw --name db",
		"a mask":                       "::add-mask::" + word(20),
		"keytab":                       "keytab entry: key 0x" + hex(64),
		"PostgreSQL's hash":            "role app has §md5" + fake("", hexa, 32) + "¶",
		"a quote in a password":        "dial postgresql://app:" + word(8) + "'" + word(9) + "@db/app",
		"a password in quotes":         `postgres://app:"` + word(12) + `"@db/app`,
		"a bracket in a password":      "postgres://app:" + word(8) + "<" + word(9) + "@db/app",
		"a domain before the user":     `http://CORP\app:` + word(20) + "@proxy:8080",
		"a space in a password":        "dial https://ci:" + word(16) + "7 " + word(12) + "@api.corp: bad",
		"a line end in a password":     "postgres://app:" + word(16) + "7\n@db:5432/app",
		"a key in a query":             "https://maps.corp/api?key=" + word(38) + "&q=x",
		"Azure in Hadoop":              "fs.azure.account.key.acc.blob.core.windows.net=" + word(80) + "==",
		"Poetry":                       "poetry config pypi-token.acme " + word(60),
		"Postfix":                      "[smtp.example.org]:587 noreply@example.org:" + word(20),
		"said twice":                   `invalid argument "` + word(24) + `" for "--db-password" flag: strconv.ParseInt: parsing "` + word(24) + `": invalid syntax`,
		"Hibernate":                    "binding parameter [2] as [VARCHAR] - password [" + word(18) + "]",
		"Pydantic":                     "db_password\n  Value error, too short [type=value_error, input_value='" + word(20) + "', input_type=str]",
		"a list of arguments":          `\"command\":[\"mysqladmin\",\"ping\",\"-p` + word(20) + `\"]`,
		"HikariCP":                     "dataSource.password......... " + word(16),
		"a generated password":         "A temporary password is generated for root@localhost: " + word(18),
		"a password on its own":        "Please use the following password to proceed to installation:\n\n" + hex(32) + "\n\nIt is also at: /var/x",
		"MySQL":                        "Duplicate entry '" + word(40) + "' for key 'users.api_token'",
		"value of key":                 `value "` + word(16) + `" of key DB_PASSWORD at path /spec/x is not allowed`,
		"Gatekeeper":                   "container <web> has env <API_TOKEN> with literal value <" + word(32) + ">",
		"too long":                     `spec.auth.token: Too long: may not be more than 32 bytes: "` + word(40) + `"`,
		"Helm":                         "cannot overwrite table with non table for shop.auth.password (" + word(24) + ")",
		"PHP":                          "define( 'DB_PASSWORD', '" + word(18) + "' );",
		"an Erlang tuple":              `{password,<<"` + word(16) + `">>}`,
		"headers of Go":                `http.Header{"X-Api-Key":[]string{"` + word(32) + `"}}`,
		"an address among several":     `"ConnectionStrings": { "Default": "Server=db;Password=` + word(18) + `;" }`,
		"Linode":                       "[401] Invalid Token " + hex(64),
		"Vault":                        "vault kv put secret/shop value=" + word(14),
		"on the next line":             "DB_PASSWORD=\n" + word(20) + "\n",
		"a name in mixed cases":        `{"user":"app","pAsSwOrD":"` + word(18) + `"}`,
		"two pieces":                   "adminPassword: \"" + word(9) + "\" +\n  \"" + word(15) + "\"",
		"a header of a probe":          "httpHeaders:\n- name: Authorization\n  value: " + word(32) + "\n",
		"a parameter of a plugin":      `{"parameters":[{"name":"token","string":"` + word(32) + `"}]}`,
		"Czech":                        "heslo pro zalohu je §Kettle" + "river36#¶",
		"German, of somebody":          "Das Kennwort für svc-backup lautet " + word(12),
		"Arabic":                       "كلمة المرور: " + word(12),
		"Korean":                       "비밀키=" + word(30),
		"a flag of no known tool":      "shopctl push -k " + hex(40) + ": 401",
		"a flag beside a user":         "shopsql -U dbadmin -w §kettleriver36¶ -c x",
		"an account is made":           "useradd -m -p §kettleriver36¶ bob",
		"a key in a query, as hex":     "https://api.example.io/notify?key=" + hex(32),
		"a file of tokens":             hex(32) + `,alice,1001,"system:masters"`,
		"mysql.user":                   "| root | % | *§" + strings.ToUpper(fake("", hexa, 40)) + "¶ |",
		"cloud-init":                   "chpasswd:\n  list: |\n    root:" + word(12) + "\n",
		"SNMP":                         "snmp-server community §wkm3ividcu5y¶ RO",
		"CHAP":                         `"client" pppoe "§wkm3ividcu5y¶" *`,
		"kubeadm":                      "kubeadm token create §abcdef.0123456789abcdef¶ --ttl 2h",
		"a label in emphasis":          "*Password:* §kettleriver36¶",
		"a host without a scheme":      "dial app:" + word(16) + "@db.example.com:5432",
		"notes of a chart":             "2. Login with admin / §kettleriver36¶",
		"SQLite":                       "PRAGMA key = '§kettle river 36¶'",
		"pgcrypto":                     "SELECT pgp_sym_decrypt(col, '§quartz-marble-meadow¶')",
		"DNS":                          "nsupdate -y hmac-sha256:ddns:" + word(32),
		"Postfix, static":              "static:app:§kettleriver36¶",
		"unattended":                   "<AdminPassword>\n  <Value>§kettleriver36¶</Value>",
		"one time":                     "Your one-time code is §764696¶ (valid 10 minutes)",
		"a service's key":              "agent: API Key ending invalid: " + hex(32),
		"sqlplus":                      `sqlplus sys/"§JX?BG1t+CKCA~T¶"@ORCL as sysdba`,
		"a name with a UUID":           "hec_token " + uuid,
		"a space that is none":         "Authorization:\u00a0Bearer\u00a0" + word(40),
		"a secret read from a cluster": "kubectl get secret x -o jsonpath={.data.a} | base64 -d; echo\n§CUnjNJdaztDjCFJo¶",
		"French, as hex":               "clé secrète : " + hex(40),
		"Russian, a token":             "Токен: " + hex(40),
		"a row in HTML":                "<tr><td>password</td><td>§kettleriver36¶</td></tr>",
		"a row with code in HTML":      "<tr><th>token</th><td><code>" + hex(40) + "</code></td></tr>",
		"a password in brackets":       "default password (§kettleriver36¶) is used",
		"a column of a statement":      "INSERT INTO users (name, password) VALUES ('bob', '§kettleriver36¶')",
		"a literal of a generator":     "secretGenerator:\n- name: db\n  literals:\n  - user=§harbor¶\n",
		"a Secret, encoded as a form":  "kind%3A+Secret%0AstringData%3A%0A++user%3A+§kettleriver36¶%0Atype%3A+Opaque",
		"a block of YAML in a diff":    "+  password: |-\n+    §harbor¶\n+  user: x\n",
		"a list beside a user":         `args: ["-u","root","-p","§kettleriver36¶"]`,
		"a part of a form":             "Content-Disposition: form-data; name=\"client_secret\"\r\n\r\n§kettleriver36¶\r\n--boundary",
		"an echoed variable":           "$ echo $DB_PASSWORD\n§kettleriver36¶",
		"Ansible Vault":                "$ANSIBLE_VAULT;1.1;AES256\n" + hex(80) + "\n" + hex(80),
		"age":                          "-----BEGIN AGE ENCRYPTED FILE-----\n" + word(64) + "\n" + word(20) + "\n-----END AGE ENCRYPTED FILE-----",
		"a table function":             "SELECT * FROM mysql('db:3306', 'shop', 't', 'app', '§kettleriver36¶')",
		"Consul":                       "token with AccessorID '' SecretID '" + uuid + "' lacks permission",
		"WordPress":                    "mysqli_real_connect(Object(mysqli), 'db', 'wp', '§kettleriver36¶', NULL)",
		"Perl":                         "DBI->connect(\"dbi:Pg:dbname=shop\", \"app\", \"§kettleriver36¶\")",
		"a user with a domain":         "govc about -u admin@vsphere.local:" + word(16) + "@vc.corp",
		"htdigest":                     "htdigest: admin:realm:" + hex(32),
		"the registry of Windows":      "DefaultPassword    REG_SZ    §kettleriver36¶",
		"Teradata":                     ".LOGON tdprod/dbc,§kettleriver36¶",
		"ZooKeeper":                    "addauth digest super:§kettleriver36¶",
		"a decrypted text":             "ciphertext=vault:v1:abc\nplaintext    §a2V0dGxlcml2ZXI=¶",
		"a secure link":                "secure_link_md5 \"$secure_link_expires$uri §pmYcbemgmo1oGe6L¶\"; # cdn",
		"PgBouncer":                    "\"app\" \"§kettleRiver36x¶\"\n",
		"Oracle's driver":              "cx_Oracle.connect(\"hr\", \"§kettleriver36¶\", \"ora/XE\")",
		"Kong":                         "keyauth_credentials:\n- key: §kettleriver36¶",
		"sbt":                          "Credentials(\"Nexus\", \"nexus.corp\", \"ci\", \"§kettleriver36¶\")",
		"HAProxy":                      "stats auth admin:§kettleriver36¶",
		"Squid":                        "cache_peer proxy parent 3128 0 login=app:§kettleriver36¶",
		"curl in PHP":                  "curl_setopt($ch, CURLOPT_USERPWD, 'ci:§kettleriver36¶');",
		"IRC":                          "PRIVMSG NickServ :IDENTIFY §kettleriver36¶",
		"a login module":               "PlainLoginModule required\n  username=\"a\"\n  user_app=\"§kettleriver36¶\";",
		"a password is reset":          "Password for the [elastic] user successfully reset.\nNew value: §kettleriver36¶",
		"Event Grid":                   "SharedAccessSignature r=https%3a%2f%2fx&e=1&s=§kettleriver36%3D¶",
		"davfs2":                       "https://dav.corp/remote.php svc §kettleRiver36x¶",
		"a keystore":                   "echo \"§kettleriver36¶\" | bin/elasticsearch-keystore add -x a.b",
		"a setting":                    "invalid value \"" + hex(40) + "\" for setting authToken",
		"a comparison":                 "assert '§gboyaQoPqjyIXt4Q¶' == os.environ['DB_PASSWORD']",
		"two cells":                    "key,value\nredisPassword,§yAkieQMpeWakmd6O3ZWylU254PWMQzy3¶",
		"a key of Ceph":                "userKey: §AQnJqQxDTlJSHbSssBLcRSstFPghlpSEaRVCHN==¶",
		"a function of MongoDB":        "db.changeUserPassword(\"app\", \"§K3ttl3.Guitar2002¶\")",
		"letters that nobody speaks":   "unknown word §wJOwnqswuu2S¶ here",
	}
}

func TestAPlaceTellsASecret(t *testing.T) {
	for name, text := range places() {
		t.Run(name, func(t *testing.T) {
			in := strings.NewReplacer("§", "", "¶", "").Replace(text)
			got := String(in)
			for part := range strings.SplitSeq(text, "§") {
				if secret, _, ok := strings.Cut(part, "¶"); ok && strings.Contains(got, secret[len(secret)/2:]) {
					t.Errorf("the secret is still there:\n  of %s\n got %s", in, got)
				}
			}
			if again := String(got); again != got {
				t.Errorf("a second time changes it: %q, %q", got, again)
			}
		})
	}
}

// What stands where a secret could.
func TestWhatOnlyStandsThereStays(t *testing.T) {
	for _, s := range []string{
		"Authorization: Bearer <token>.", "Authorization: Bearer ***.", "Authorization: AWS4-HMAC-SHA256 Credential=[redacted]", "authorization mode: Node,RBAC denied request",
		`{"kty":"RSA","n":"` + fake("", alnum, 86) + `","e":"AQAB"}`, `variable "db_password" { default = "" }`, "key = my-cache-key-of-the-production-shop", "key = AAAAB3NzaC1yc2EAAAADAQABAAABgQ",
		`{"name":"web-session-affinity","value":"true"}`, "Key (name)=(web) already exists.", "contraseña incorrecta", "mot de passe : obligatoire", "docker-pullable://nginx:1.27@sha256:" + fake("", hexa, 64),
		"GET https://app.example.org/hooks/deployment-finished-production 404", "https://idp.example.com/oauth2/token/introspection-endpoint", "https://x/callback?code=access_denied", "https://x/?code=404",
		"echo done | tee log", `echo "$PASSWORD" | docker login --password-stdin`, "postgres://app:xxxxx@db:5432/orders", "postgres://app:***@db/orders", "password: <path:secret/data/shop#password>",
		"password => [FILTERED]", "password: REPLACE_ME", "{Host:db User:app Password: Port:5432}", "UPDATE users SET password = ? WHERE id = ?", "INSERT INTO users (name, password) VALUES ($1, $2)",
		"AutomountServiceAccountToken:(*bool)(0xc0004f2b38)", `MountVolume.SetUp failed for volume "db-password" : secret "db-password" not found`, `password authentication failed for user "appUser2b"`,
		"no password for v1.SecretKeySelector (db-7f9c6d5b4-x2k4z)", "password rejected (2026-11-20T18:32:00Z)", `the password on "Shop-DB-2" (PostgreSQL 16.2) has expired`, "live_migration_of_the_production_database",
		`MountVolume.SetUp failed for volume "db-password": secret "db-password" not found`, `Password:(string) (len=0) ""`, "INSERT INTO users (name, password) VALUES ($1, $2).",
		`failed for volume "db-password": …`, `{"a":"volume \"db-password\": secret \"db-password\" not found"}`, `{"x":"Password:(string) (len=0) \"\""}`,
		"A0pAss(", "PASSWORD=", "x (token, ", `{password,<<"`, "password[", "argument \"x\" for \"--db-password",
		"    clientSecret: $oidc.auth0.clientSecret", "a leaked encryption key can allow XSS ([GHSA-pmjg-52h9-72qv](https://x.example/advisories/GHSA-pmjg-52h9-72qv))",
		"if secret, ok := resource.(*v1.Secret); ok {", "addSecretExpiration(secret, timeString(2*time.Second))", "[]x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}",
		"add anytoken authenticator ([@deads2k](https://github.com/deads2k))", "pass: []string{}", `"${KUBE_PASSWORD}" =~ ^[-._@#%/a-zA-Z0-9]+$`,
		"Run all containers as an unprivileged user (issue #5281)",
		"Please set a password:\n\nusage: app [flags]", "the password is generated by: external-secrets", "vault kv put secret/shop value=$VALUE", "access-production-gateway",
		"password:  20 bytes", `"password": "***MASKED***"`, "apiKey: process.env.API_KEY", "git show -p " + fake("", hexa, 40), "docker run -t " + fake("", hexa, 64), "shopctl -u app -p 8080 -w /srv/data1",
		"Login with SSO: https://sso.example.com/login", "heslo je nesprávné", "Das Kennwort für app ist abgelaufen", "nginx:1.27@sha256:" + fake("", hexa, 64), "rsync app@db.example.com:5432/x",
		"$ kubectl get secret app -o jsonpath={.data.a} | base64 -d\nError: not found", "$ echo $TOKEN\n/var/run/token", "-----BEGIN PGP PUBLIC KEY BLOCK-----\nmQENBF\n-----END PGP PUBLIC KEY BLOCK-----",
		"plaintext traffic is refused", "password (base64) is wrong", "password [2026-11-20T18:32:00Z] rejected", "article secretary: name", "the remote has changed: 3f2a91c", "plaintext: false", "https://x.example GET 200", "https://x.example connection refused", `"app" "web-frontend"`, "registry.example.com/app/web: digest: sha256", "password,username,email",
	} {
		if got := String(s); got != s {
			t.Errorf("%q becomes %q", s, got)
		}
	}
}

// In a document, what is beside a value tells as much as in a text.
func TestADocumentInATextIsReadAsBoth(t *testing.T) {
	secret := fake("", alnum, 32)
	for _, doc := range []string{
		`{"routing_key":"` + strings.ToUpper(secret) + `"}`, `{"kty":"oct","k":"` + secret + `"}`, `["mysqladmin","ping","-u","root","-p` + secret + `"]`,
		`{"auth":{"credentials":{"secret":"` + secret + `"}}}`, `{"name":"session","value":"` + secret + `"}`, `{"env":[{"name":"PAT","value":"` + secret + `"}]}`, `{"httpHeaders":[{"name":"Authorization","value":"` + secret + `"}]}`, `{"spec":{"command":["redis-cli","-a","` + secret + `","ping"]}}`,
	} {
		outer, err := encode(map[string]any{"message": doc, "list": []any{doc, "x"}})
		if err != nil {
			t.Fatal(err)
		}
		clean, err := JSON(outer)
		if err != nil || strings.Contains(strings.ToLower(string(clean)), strings.ToLower(secret[8:])) {
			t.Errorf("%s, %v", clean, err)
		}
		if clean, err := JSON([]byte(doc)); err != nil || strings.Contains(string(clean), secret) && !strings.Contains(doc, "session") {
			t.Errorf("%s, %v", clean, err)
		}
	}
}
