package planted

import "strings"

// names are names of secrets, in words.
var names = []string{
	"db password", "password", "admin passwd", "user pwd", "smtp pass", "mysql root pw", "key passphrase", "api token", "auth token",
	"access token", "client secret", "app secret", "api key", "secret access key", "private key", "encryption key", "signing key",
	"master key", "license key", "cookie salt", "secret key base", "registry auth", "redis auth", "session key", "erlang cookie", "jwt secret",
	"hmac secret", "account key", "keystore password", "sasl password", "refresh token", "webhook secret", "bearer token", "bot token",
}

// How names are written.
func snake(words string) string  { return strings.ReplaceAll(words, " ", "_") }
func upper(words string) string  { return strings.ToUpper(snake(words)) }
func kebab(words string) string  { return strings.ReplaceAll(words, " ", "-") }
func dotted(words string) string { return strings.ReplaceAll(words, " ", ".") }

func camel(words string) string {
	all := strings.Fields(words)
	for i := 1; i < len(all); i++ {
		all[i] = strings.ToUpper(all[i][:1]) + all[i][1:]
	}
	return strings.Join(all, "")
}

func pascal(words string) string { return strings.ToUpper(words[:1]) + camel(words)[1:] }

// notation is a way to write a name and its value, at № and §.
type notation struct {
	name, text string
	style      func(string) string
	// quoted: the value ends at a quote, so that it can contain other characters.
	quoted bool
}

var notations = []notation{
	{"environment", "DB_HOST=db №=§ DB_USER=app", upper, false},
	{"environment with quotes", `export №="§"`, upper, true},
	{"environment in single quotes", `№='§' ./start`, upper, true},
	{"PowerShell", `$env:№ = "§"`, upper, true},
	{"docker -e", `docker run -e №=§ -p 80:80 shop`, upper, false},
	{"Dockerfile", "ENV № §", upper, false},
	{"YAML", "host: db\n№: §\nport: 5432", camel, false},
	{"YAML with quotes", "host: db\n№: \"§\"\nport: 5432", kebab, true},
	{"YAML in flow style", "auth: {user: app, №: §, port: 5432}", camel, false},
	{"YAML on the next line", "№:\n  §\nport: 5432", camel, false},
	{"YAML block", "№: |\n  §\nport: 5432", snake, false},
	{"YAML with a tag", "№: !!str §\nport: 5432", camel, false},
	{"YAML with an anchor", "№: &it §\nport: 5432", camel, false},
	{"YAML with a comment", "№: § # rotated in May\nport: 5432", camel, false},
	{"YAML environment", "env:\n- name: №\n  value: §\n- name: PORT\n  value: \"80\"", upper, false},
	{"YAML environment, value first", "env:\n- value: §\n  name: №", upper, false},
	{"JSON", `{"host":"db","№":"§","port":5432}`, camel, true},
	{"JSON with spaces", `{ "host" : "db" , "№" : "§" }`, snake, true},
	{"escaped JSON", `{"msg":"request {\"user\":\"app\",\"№\":\"§\"} failed"}`, camel, false},
	{"JSON escaped twice", `"{\\\"user\\\":\\\"app\\\",\\\"№\\\":\\\"§\\\"}"`, camel, false},
	{"JSON that is cut", `{"user":"app","№":"§`, camel, false},
	{"JSON environment", `"env":[{"name":"№","value":"§"},{"name":"PORT","value":"80"}]`, upper, true},
	{"properties", "spring.№ = §\nserver.port = 80", dotted, false},
	{"properties with a colon", "spring.№: §", dotted, false},
	{"INI", "[database]\n№ = §\nhost = db", snake, false},
	{"TOML", "[database]\n№ = \"§\"\nhost = \"db\"", snake, true},
	{"HCL", "resource \"db\" \"x\" {\n  № = \"§\"\n}", snake, true},
	{"XML element", "<config><№>§</№></config>", camel, false},
	{"XML attribute", `<connection host="db" №="§" port="1"/>`, camel, true},
	{"XML add key", `<add key="№" value="§"/>`, pascal, true},
	{"PHP array", `'host' => 'db', '№' => '§', 'port' => 1`, snake, true},
	{"PHP print_r", "[host] => db\n[№] => §\n[port] => 1", snake, false},
	{"Ruby hash", `{:host=>"db", :№=>"§"}`, snake, true},
	{"Python dict", `{'host': 'db', '№': '§'}`, snake, true},
	{"Python call", `connect(host='db', №='§')`, snake, true},
	{"Go %+v", "config: {Host:db User:app №:§ Port:5432}", pascal, false},
	{"Go %#v", `main.Config{Host:"db", №:"§", Port:5432}`, pascal, true},
	{"Go map", "map[host:db №:§ user:app]", camel, false},
	{"Rust debug", `Config { host: "db", №: "§", port: 1 }`, snake, true},
	{"Rust Some", `Config { host: "db", №: Some("§") }`, snake, true},
	{"Java toString", "Config{host=db, №=§, user=app}", camel, false},
	{"Java record", "Config[host=db, №=§, user=app]", camel, false},
	{"Kotlin", "Config(host=db, №=§, user=app)", camel, false},
	{"logfmt", `level=error user=app №=§ msg="refused"`, snake, false},
	{"flag", "migrate --user app --№ § --host db", kebab, false},
	{"flag with equals", "migrate --user=app --№=§ --host=db", kebab, false},
	{"flag in a list", `args: ["--user", "app", "--№", "§", "--host", "db"]`, kebab, true},
	{"helm --set", "helm upgrade shop . --set image.tag=1,auth.№=§,replicas=2", camel, false},
	{"from-literal", "kubectl create secret generic db --from-literal=№=§", kebab, false},
	{"query", "GET /v1/items?page=2&№=§&limit=5", snake, false},
	{"form", "grant_type=password&№=§&scope=all", snake, false},
	{"header", "GET / HTTP/1.1\nX-№: §\nAccept: */*", kebab, false},
	{"changed line of a diff", "@@ -1,3 +1,3 @@\n auth:\n-  №: §\n   user: app", camel, false},
	{"connection string", "Server=db;User Id=sa;№=§;Encrypt=true", pascal, false},
	{"prose", `the value of № "§" was refused`, snake, true},
}

// named are secrets that are recognised by their name.
func named() []kind {
	var out []kind
	for _, n := range notations {
		out = append(out, kind{name: n.name, make: func(m *maker) sample {
			name := n.style(pick(m, names))
			value, secret := m.value(n.quoted)
			return sample{text: strings.NewReplacer("№", name, "§", value).Replace(n.text), secret: secret}
		}})
	}
	return out
}

// value makes what stands behind a name: characters of any kind, or with others between them where the notation allows it.
func (m *maker) value(quoted bool) (value string, secret []string) {
	a, b := m.of(alnum, 10), m.of(alnum, 9)
	if !quoted {
		switch m.IntN(3) {
		case 0:
			return a + pick(m, []string{"-", "_", "%", "+", "/", "!", "*"}) + b, []string{a, b}
		case 1:
			s := m.of(lowers, 12) // a word as far as anybody can tell
			return s, []string{s}
		}
		return a + b, []string{a + b}
	}
	odd := pick(m, []string{" ", "#", "@", ", ", ";", "$", ":", "&", "=", "(", "}", "|", "/", "%"})
	if m.IntN(2) == 0 {
		return a + b, []string{a + b}
	}
	return a + odd + b, []string{a, b}
}

// pairs are a name and a value that stand in two fields.
func pairs() []kind {
	var out []kind
	for _, style := range []struct {
		name string
		of   func(string) string
	}{{"snake", upper}, {"camel", camel}, {"kebab", kebab}, {"dotted", dotted}} {
		out = append(out, kind{name: "value of a named field (" + style.name + ")", isPair: true, make: func(m *maker) sample {
			value, secret := m.value(false)
			return sample{name: style.of(pick(m, names)), text: value, secret: secret}
		}})
	}
	return out
}
