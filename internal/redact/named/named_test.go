package named_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/redact/named"
)

const hidden = "[hidden]"

// hide replaces what was found.
func hide(s string) string {
	found := named.Find(s)
	slices.SortFunc(found, func(a, b named.Span) int { return cmp.Compare(a.Start, b.Start) })
	var b strings.Builder
	at := 0
	for _, f := range found {
		if f.Start < at {
			at = max(at, f.End)
			continue
		}
		b.WriteString(s[at:f.Start] + hidden)
		at = f.End
	}
	return b.String() + s[at:]
}

// notation is a way to write a name and its value: ¶ and §.
type notation struct {
	story, text string
	// chars are the odd characters that a value may contain in it.
	chars string
	// style is the spelling that the notation has for names: "" for any.
	style string
}

const (
	capitals = "DB_PASSWORD REDIS_AUTH SMTP_PW LICENSE_KEY PASSWORD_SALT ENCRYPTION_KEY SECRET_KEY_BASE API_TOKEN CLIENT_SECRET MASTER_KEY"
	camel    = "password adminPassword rootPass clientSecret apiKey signingKey erlangCookie authToken secretAccessKey replicaSetKey"
	snake    = "password db_passwd api_key client_secret auth_token license_key secret_key_base private_key smtp_pass"
	goNames  = "Password AdminPassword APIKey ClientSecret AuthToken SigningKey Passphrase"
)

func notations() []notation {
	return []notation{
		{"environment", "starting with HOST=db ¶=§ USER=app", "#$%@!*+/~^", capitals},
		{"environment, at the end of a sentence", "cannot start with ¶=§.", "#$%@!", capitals},
		{"environment, a line of several", "HOST=db\n¶=§\nUSER=app\n", "#$%@!,;&='", capitals},
		{"exported", "export ¶='§'\nnext", "#$ %@!,;&=\"", capitals},
		{"exported with double quotes", "export ¶=\"§\"\nnext", "# %@!,;&='", capitals},
		{"set", "set ¶=§\r\nnext", "#%@!", capitals},
		{"PowerShell", "$env:¶ = \"§\"\nnext", "# %@!,;&=", capitals},
		{"docker run", "docker run -e ¶=§ -e USER=app image", "#%@!/", capitals},
		{"Dockerfile", "STEP 4: ENV ¶ §\nnext", "#%@!/", capitals},
		{"Dockerfile, argument", "ARG ¶=§\nnext", "#%@!/", capitals},
		{"YAML", "user: app\n¶: §\nhost: db\n", "@!%;&=()/", camel},
		{"YAML in double quotes", "user: app\n¶: \"§\"\nhost: db\n", "@# !%:,;&='{}[]", camel},
		{"YAML in single quotes", "user: app\n¶: '§'\nhost: db\n", "@# !%:,;&=\"{}[]", camel},
		{"YAML with a comment", "user: app\n¶: §  # rotate me\nhost: db\n", "@!%", camel},
		{"YAML with a tag", "user: app\n¶: !!str §\nhost: db\n", "@!%", camel},
		{"YAML with an anchor", "user: app\n¶: &pw §\nhost: db\n", "@!%", camel},
		{"YAML on the next line", "user: app\n¶:\n  §\nhost: db\n", "@!%", camel},
		{"YAML in quotes on the next line", "user: app\n¶:\n  \"§\"\nhost: db\n", "@! %", camel},
		{"YAML as a block", "a:\n  ¶: |-\n    §\n  host: db\n", "@! %", camel},
		{"YAML in a flow", "auth: {¶: §, user: app}\nhost: db\n", "@!%;&=", camel},
		{"YAML at the end of a flow", "auth: {user: app, ¶: §}\nhost: db\n", "@!%;&=", camel},
		{"YAML of a list", "- user: app\n  ¶: §\n- ¶: §\n  user: b\n", "@!%", camel},
		{"YAML in a diff", "@@ -1,3 +1,3 @@\n auth:\n-  ¶: §\n+  ¶: x-§\n   user: app", "@!%", camel},
		{"YAML in a text", `{"values":"auth:\n  ¶: §\n  user: app\n"} failed`, "@!%", camel},
		{"YAML environment", "env:\n- name: ¶\n  value: §\n- name: HOST\n  value: db\n", "@!%", capitals},
		{"YAML environment the other way round", "env:\n- value: §\n  name: ¶\n- name: HOST\n  value: db\n", "@!%", capitals},
		{"YAML environment with lines between", "env:\n- name: ¶\n  optional: true\n  value: \"§\"\n- name: HOST\n  value: db\n", "@ !%", capitals},
		{"JSON", `{"user":"app","¶":"§","host":"db"}`, "@# !%:,;&='{}[]", camel},
		{"JSON with spaces", "{\n  \"¶\": \"§\",\n  \"host\": \"db\"\n}", "@# !%:,;&='{}[]", camel},
		{"JSON on the next line", "{\n  \"¶\":\n    \"§\",\n  \"host\": \"db\"\n}", "@# !%:,;&='{}[]", camel},
		{"JSON in a text", `msg="{\"user\":\"app\",\"¶\":\"§\",\"host\":\"db\"}" next`, "@# !%:,;&='{}[]", camel},
		{"JSON in a text in a text", `{"m":"{\"n\":\"{\\\"¶\\\":\\\"§\\\",\\\"a\\\":1}\"}"} x`, "@# !%:,;&='{}[]", camel},
		{"JSON that is cut", `{"user":"app","¶":"§`, "@# !%:,;&='{}[]", camel},
		{"JSON pair", `"env":[{"name":"¶","value":"§"},{"name":"PORT","value":"8080"}]`, "@# !%:,;&='", capitals},
		{"JSON pair the other way round", `"env":[{"value":"§","name":"¶"},{"name":"PORT","value":"8080"}] x`, "@# !%:,;&='", capitals},
		{"JSON list", `{"¶":["§"],"host":["db"]} x`, "@# !%:,;&='", camel},
		{"properties", "app.host=db\napp.¶=§\napp.user = x\n", "@# !%:,;&='", camel},
		{"properties with spaces", "[db]\nhost = db\n¶ = §\nuser = x\n", "@ !%:,;&='", snake},
		{"TOML", "[db]\nhost = \"db\"\n¶ = \"§\"\nuser = \"x\"\n", "@# !%:,;&='", snake},
		{"HCL", "variable \"x\" {\n  ¶ = \"§\"\n  host = \"db\"\n}", "@# !%:,;&='", snake},
		{"XML attribute", `<db user="app" ¶="§" host="db"/>`, "@# !%:,;='", camel},
		{"XML element", "<user>app</user><¶>§</¶><host>db</host>", "@# !%:,;='\"", camel},
		{"XML element on lines", "<¶>\n  §\n</¶>", "@# !%:,;='\"", camel},
		{"XML setting", `<add key="¶" value="§"/><add key="Host" value="db"/>`, "@# !%:,;='", camel},
		{"XML setting the other way round", `<add value="§" key="¶"/><add key="Host" value="db"/>`, "@# !%:,;='", camel},
		{"XML entry", `<entry key="¶">§</entry><entry key="host">db</entry>`, "@# !%:,;='", camel},
		{"Hadoop", "<property><name>javax.¶</name><value>§</value></property><property><name>host</name><value>db</value></property>", "@# !%:,;='", goNames},
		{"PHP array", "['user' => 'app', '¶' => '§', 'host' => 'db']", "@# !%:,;&=\"", snake},
		{"PHP with a quote", `['user' => 'app', '¶' => '\'§', 'host' => 'db']`, "@# !%:,;&=", snake},
		{"PHP element", "$config['¶'] = '§';\n$config['host'] = 'db';", "@# !%:,;&=\"", snake},
		{"PHP constant", "define('¶', '§');", "@# !%:,;&=\"", capitals},
		{"Ruby hash", `{:user=>"app", :¶=>"§", :host=>"db"}`, "@# !%:,;&='", snake},
		{"Python dict", "{'user': 'app', '¶': '§', 'host': 'db'}", "@# !%:,;&=\"", snake},
		{"Python arguments", "connect(user='app', ¶='§', host='db')", "@# !%:,;&=\"", snake},
		{"Python bytes", "connect(user='app', ¶=b'§', host='db')", "@# !%:,;&=\"", snake},
		{"Go struct", "config: {Host:db ¶:§ Port:5432}", "@#!%,;&=", goNames},
		{"Go struct with spaces", "config: {Host:db ¶:my own § Port:5432}", "@#!%,;&=", goNames},
		{"Go struct at its end", "config: &{Host:db ¶:§}", "@#!%;&=", goNames},
		{"Go struct with types", `config: main.Config{Host:"db", ¶:"§", Port:5432}`, "@# !%:,;&='", goNames},
		{"Go map", "map[host:db ¶:§ user:app]", "@#!%;&=", snake},
		{"Go values of a form", "map[host:[db] ¶:[§] user:[app]]", "@#!%;&=", snake},
		{"Go bytes", `¶:[]byte("§"), Port:1`, "@# !%:,;&='", goNames},
		{"Rust", `Config { host: "db", ¶: Some("§"), port: 5432 }`, "@# !%:,;&='", snake},
		{"Rust type", `Config { host: "db", auth: ¶("§"), port: 5432 }`, "@# !%:,;&='", "Password Passphrase ApiKey"},
		{"Java", "Config{host=db, ¶=§, user=app}", "@#!%:&", camel},
		{"Java, at its end", "Config(host=db, ¶=§)", "@#!%:&", camel},
		{"Java, alone", "Config[¶=§]", "@#!%:&", camel},
		{"logfmt", `level=info user=app ¶=§ host=db`, "@#!%:/+", snake},
		{"logfmt in quotes", `level=info user=app ¶="§" host=db`, "@# !%:;&'", snake},
		{"connection string", "Server=db;User Id=sa;¶=§;Encrypt=true", "@#!%:/+", "Password Pwd pwd password"},
		{"connection string at the end", "Server=db;User Id=sa;¶=§", "@#!%:/+", "Password Pwd pwd password"},
		{"query", "GET https://api.example.com/v1/items?¶=§&page=2 failed", "@!%:+", snake},
		{"form", "grant_type=x&¶=§&scope=all", "@!%:+", snake},
		{"JDBC", "jdbc:postgresql://db:5432/shop?user=app&¶=§&ssl=true", "@!%+", "password sslpassword trustStorePassword"},
		{"flag", "Error: command \"migrate --user app --¶ § --host db\" failed", "@#!%:/+=", "password db-password api-key auth-token client-secret signing-key"},
		{"flag with equals", "migrate --user app --¶=§ --host db", "@#!%:/+", "password db-password api-key auth-token client-secret signing-key"},
		{"flag in quotes", "migrate --user app --¶ '§' --host db", "@# !%:/+=;,", "password db-password api-key auth-token client-secret"},
		{"flag with one dash", "keytool -alias x -¶ § -file y", "@#!%:/+", "storepass keypass password token"},
		{"flag in a list", `args: ["--user", "app", "--¶", "§", "--host", "db"]`, "@# !%:/+=;,", "password db-password api-key auth-token client-secret"},
		{"flag in YAML", "args:\n- --¶\n- §\n- --host\n- db\n", "@!%/+", "password db-password api-key auth-token client-secret"},
		{"flag of Helm", "helm upgrade x --set host=db,auth.¶=§,b=c --wait", "@!%/+", "password rootPassword adminPassword"},
		{"SQL", "CREATE USER app WITH ¶ '§' LOGIN", "@# !%:,;&=\"", "PASSWORD"},
		{"SQL with equals", "CREATE LOGIN app WITH ¶ = N'§', CHECK_POLICY = OFF", "@# !%:,;&=\"", "PASSWORD"},
		{"SQL of MySQL", "SET ¶ FOR 'app'@'%' = '§'; next", "@# !%:,;&=", "PASSWORD"},
		{"SQL update", "UPDATE users SET ¶ = '§' WHERE id = 7", "@# !%:,;&=\"", snake},
		{"Redis", "127.0.0.1:6379> CONFIG SET ¶ §\nOK", "@#!%:/+", "requirepass masterauth"},
		{"Redis configuration", "port 6379\n¶ §\nbind 0.0.0.0\n", "@#!%:/+", "requirepass masterauth"},
		{"npmrc", "//registry.npmjs.org/:_¶=§\nemail=x@example.com\n", "@!%:+/", "authToken password auth"},
		{"header", "> X-Acme-¶: §\n> Accept: */*", "!%+/", "Token Secret Api-Key Auth-Token"},
		{"PHP var_dump", "array(2) {\n  [\"host\"]=>\n  string(2) \"db\"\n  [\"¶\"]=>\n  string(20) \"§\"\n}", "@# !%:,;&='", camel},
		{"PHP property", "object(Config)#3 (1) {\n  [\"¶\":protected]=>\n  string(16) \"§\"\n}", "@# !%:,;&='", camel},
		{"PHP property of a class", "  [\"¶\":\"App\\Config\":private]=>\n  string(16) \"§\"\n}", "@# !%:,;&='", camel},
		{"PHP print_r", "Array\n(\n    [host] => db\n    [¶] => §\n    [¶:protected] => §\n)\n", "@#!%:/+", snake},
		{"Bicep", "param ¶ string = '§'\n", "@# !%:,;&=\"", camel},
		{"TypeScript", "const ¶: string = '§';\n", "@# !%:,;&=\"", camel},
		{"Kotlin", "val ¶: String = \"§\"\n", "@# !%:,;&='", camel},
		{"name and type", "¶ (string): §\nnext", "@!%", snake},
		{"SOAP", "<ns1:¶ xsi:type=\"xsd:string\">§</ns1:¶><host>db</host>", "@# !%:,;='", camel},
		{"AsciiDoc", "¶:: §\nnext", "@#!%", "password db_passwd smtp_pass"},
		{"colons", "¶::§\nnext", "@#!%", "password db_passwd smtp_pass"},
		{"a dash", "• ¶ — §\nnext", "@#!%", "password db_passwd smtp_pass"},
		{"a list of two", "- [¶, §]\n- [host, db]\n", "@#!%", "password db_passwd smtp_pass api_key"},
		{"a pair of Go", "[{host db} {¶ §}]", "@#!%", "Password APIKey ClientSecret"},
		{"an output of a workflow", "::set-output name=¶::§\nnext", "@#!%", "password token api_key"},
		{"an environment file of a workflow", "¶<<EOF\n§\nEOF\nnext", "@ !%", capitals},
		{"old and new", "¶ changed from '§' to '§'", "@#!%", snake},
		{"kubectl", "USER   ¶   HOST\napp    §   db\nweb    §   db\n\nnext", "@#!%/+", camel},
		{"psql", " user | ¶ | host \n------+----------+------\n app  | § | db\n(1 row)\n", "@# !%/+", snake},
		{"mysql", "+------+------+\n| user | ¶ |\n+------+------+\n| app | § |\n+------+------+\n", "@# !%/+", snake},
		{"Markdown table", "| user | ¶ |\n|------|:----|\n| app | § |\n\nnext", "@# !%/+", snake},
		{"CSV", "user,¶,host\napp,§,db\nweb,§,db\n", "@#!%/+", snake},
		{"CSV with quotes", "\"user\",\"¶\"\n\"app\",\"§\"\n", "@#!%/+,", snake},
		{"TSV", "user\t¶\napp\t§\n", "@# !%/+", snake},
		{"an object around it", `{"¶":{"value":"§","ttl":3}} x`, "@# !%/+", camel},
		{"ODBC", "UID=sa;¶={§};DB=x", "@#!%", "Pwd Password"},
		{"heredoc", "¶ = <<EOF\n§\nEOF\nhost = \"db\"\n", "@ !%:+/", snake},
	}
}

// value makes a value with the odd characters in its middle.
func value(seed, chars string) string {
	const alphabet = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	x := uint64(14695981039346656037)
	for i := range len(seed) {
		x = (x ^ uint64(seed[i])) * 1099511628211
	}
	var b strings.Builder
	b.WriteByte("hkqz"[x%4])
	for i := range 10 {
		x = x*6364136223846793005 + 1442695040888963407
		b.WriteByte(alphabet[(x>>33)%uint64(len(alphabet))])
		if i < len(chars) {
			b.WriteByte(chars[i])
		}
	}
	for i := 10; i < len(chars); i++ {
		b.WriteString(chars[i:i+1] + "7k")
	}
	return b.String() + "9w"
}

func TestAValueIsHiddenInEveryNotationAndTheRestStays(t *testing.T) {
	n := 0
	for _, c := range notations() {
		t.Run(c.story, func(t *testing.T) {
			for name := range strings.FieldsSeq(c.style) {
				for _, v := range []string{value(name, ""), value(name, c.chars)} {
					n++
					in := strings.ReplaceAll(strings.ReplaceAll(c.text, "¶", name), "§", v)
					want := strings.ReplaceAll(strings.ReplaceAll(c.text, "¶", name), "§", hidden)
					got := hide(in)
					got, want = strings.ReplaceAll(got, `'`+hidden, `'\'`+hidden), strings.ReplaceAll(want, `\'`+hidden, hidden)
					got, want = normal(got), normal(want)
					if got != want {
						t.Errorf("\n  of %q\n got %q\nwant %q", in, got, want)
					}
				}
			}
		})
	}
	t.Logf("%d texts", n)
}

// normal takes what belongs to a value in the table, but not to §, for a part of it.
func normal(s string) string {
	for _, lead := range []string{`\'`, "x-", "my own "} {
		s = strings.ReplaceAll(s, lead+hidden, hidden)
	}
	return s
}
