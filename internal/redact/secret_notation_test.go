package redact

import (
	"strconv"
	"strings"
	"testing"
)

// secretNotations show a Secret as programs print it. § is a value: none of it may come out, and what is around it stays.
var secretNotations = []struct{ story, text string }{
	{"a map of Go", `object map[apiVersion:v1 data:map[field-a:§ field-b:§] kind:Secret metadata:map[name:db namespace:shop] type:Opaque] rejected`},
	{"a map of Go, the kind first", `got map[kind:Secret data:map[field-a:§] type:Opaque]`},
	{"stringData in a map of Go", `map[apiVersion:v1 kind:Secret metadata:map[name:db] stringData:map[field-a:§] type:Opaque]`},
	{"a map of Go, cut", `object map[apiVersion:v1 data:map[field-a:§`},
	{"%#v of a map", `map[string]interface {}{"apiVersion":"v1", "data":map[string]interface {}{"field-a":"§", "field-b":"§"}, "kind":"Secret"}`},
	{"String of a Secret", `&Secret{ObjectMeta:{db  shop  0 0001-01-01 <nil>},Data:map[string][]byte{field-a: [¶],field-b: [¶],},Type:Opaque,StringData:map[string]string{field-c: §,},Immutable:nil,}`},
	{"%+v of a Secret", `&{TypeMeta:{Kind: APIVersion:} ObjectMeta:{Name:db Labels:map[app:shop]} Immutable:<nil> Data:map[field-a:[¶] field-b:[¶]] StringData:map[field-c:§] Type:Opaque}`},
	{"%v of a Secret", `{{Secret v1} {db shop  0 map[app:shop]} <nil> map[field-a:[¶]] map[field-c:§] Opaque}`},
	{"%v of a Secret without its kind", `{{ } {db shop  0 map[app:shop]} <nil> map[field-a:[¶]] map[] kubernetes.io/tls}`},
	{"%#v of a Secret", `v1.Secret{TypeMeta:v1.TypeMeta{Kind:"", APIVersion:""}, Data:map[string][]uint8{"field-a":[]uint8{¶}, "field-b":[]uint8{¶}}, StringData:map[string]string{"field-c":"§"}, Type:"Opaque"}`},
	{"bytes of Go as text", `corev1.Secret{Data: map[string][]byte{"field-a": []byte("§"), "field-b": []byte("§")}}`},
	{"go-spew", "(v1.Secret) {\n Data: (map[string][]uint8) (len=1) {\n  (string) (len=7) \"field-a\": ([]uint8) (len=5 cap=5) {\n§}\n }\n}"},
	{"JSON", `failed: {"apiVersion":"v1","kind":"Secret","data":{"field-a":"§","field-b":"§"}}`},
	{"JSON, the data first", `{"data":{"field-a":"§"},"kind":"Secret"} x`},
	{"JSON over several lines", "{\n  \"kind\": \"Secret\",\n  \"stringData\": {\n    \"field-a\": \"§\"\n  }\n} x"},
	{"a diff of JSON", " {\n   \"kind\": \"Secret\",\n   \"data\": {\n-    \"field-a\": \"§\",\n+    \"field-a\": \"§\",\n     \"field-b\": \"§\"\n   }\n }"},
	{"kubectl patch", `kubectl patch secret db -n shop -p '{"data":{"field-a":"§"}}'`},
	{"kubectl patch, the options first", `kubectl -n shop patch secret/db --type merge --patch '{"stringData":{"field-a":"§"}}'`},
	{"kubectl patch as YAML", `kubectl patch secrets db -p 'data: {field-a: §}'`},
	{"a JSON patch", `kubectl patch secret db --type=json -p '[{"op":"replace","path":"/data/field-a","value":"§"},{"op":"add","path":"/data/field-b","value":"§"}]'`},
	{"a JSON patch, the value first", `patching Secret db: [{"value":"§","path":"/data/field-a","op":"add"}]`},
	{"a JSON patch alone", `[{"op":"replace","path":"/stringData/field-a","value":"§"}]`},
	{"a JSON patch of encoded data alone", `[{"op":"replace","path":"/data/field-a","value":"¤"}]`},
	{"a JSON patch of all data", `secret/db: [{"op":"add","path":"/data","value":{"field-a":"§"}}]`},
	{"a JSON patch in Go", `patching Secret db: [map[op:replace path:/data/field-a value:§]]`},
	{"a patch that kubectl prints", "error when applying patch:\n{\"data\":{\"field-a\":\"§\"}}\nto:\nResource: \"/v1, Resource=secrets\", GroupVersionKind: \"/v1, Kind=Secret\"\nName: \"db\""},
	{"the last applied configuration", `{"metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"apiVersion\":\"v1\",\"data\":{\"field-a\":\"§\"},\"kind\":\"Secret\"}\n"}}} x`},
	{"the last applied configuration in a text", `msg="{\"annotations\":{\"last-applied-configuration\":\"{\\\"data\\\":{\\\"field-a\\\":\\\"§\\\"},\\\"kind\\\":\\\"Secret\\\"}\"}}" x`},
	{"the last applied configuration in a map of Go", `map[annotations:map[kubectl.kubernetes.io/last-applied-configuration:{"apiVersion":"v1","data":{"field-a":"§"},"kind":"Secret"}]]`},
	{"the API server", `Secret "db" is invalid: patch: Invalid value: "map[data:map[field-a:§] metadata:map[name:db]]": illegal base64`},
	{"the API server, as JSON", `Secret "db" is invalid: patch: Invalid value: "{\"data\":{\"field-a\":\"§\"}}": illegal base64`},
	{"an admission webhook", `admission webhook "policy" denied the request: Secret shop/db: data map[field-a:§] is not encrypted`},
	{"an admission review", `{"resource":{"group":"","version":"v1","resource":"secrets"},"object":{"data":{"field-a":"§"}}}`},
	{"Python", `{'apiVersion': 'v1', 'kind': 'Secret', 'data': {'field-a': '§', 'field-b': '§'}} x`},
	{"Python client", `{'api_version': 'v1', 'data': {'field-a': '§'}, 'kind': 'Secret', 'string_data': None}`},
	{"Ruby", `{"kind"=>"Secret", "data"=>{"field-a"=>"§", "field-b"=>"§"}} x`},
	{"Ruby symbols", `{:kind=>"Secret", :data=>{:field=>"§"}} x`},
	{"PHP print_r", "Array\n(\n    [kind] => Secret\n    [data] => Array\n        (\n            [field-a] => §\n            [field-b] => §\n        )\n)\n"},
	{"PHP var_dump", "array(2) {\n  [\"kind\"]=>\n  string(6) \"Secret\"\n  [\"data\"]=>\n  array(1) {\n    [\"field-a\"]=>\n    string(5) \"§\"\n  }\n}\n"},
	{"PHP var_export", "array (\n  'kind' => 'Secret',\n  'data' => array (\n    'field-a' => '§',\n  ),\n)"},
	{"Java", `Secret(apiVersion=v1, data={field-a=§, field-b=§}, immutable=null, kind=Secret, type=Opaque)`},
	{"Rust", `Secret { data: Some({"field-a": ByteString("§")}), type_: Some("Opaque") }`},
	{"Terraform", "resource \"kubernetes_secret\" \"db\" {\n  data = {\n    field-a = \"§\"\n    \"field-b\" = \"§\"\n  }\n}\n"},
	{"a plan of Terraform", "# kubernetes_secret.db will be updated\n ~ data = {\n   ~ \"field-a\" = \"§\" -> \"§\"\n }\n"},
	{"YAML in a flow", `{apiVersion: v1, kind: Secret, data: {field-a: §, field-b: §}}`},
	{"YAML in a text", `cannot apply "apiVersion: v1\ndata:\n  field-a: §\nkind: Secret\n"`},
	{"YAML, the data first", "apiVersion: v1\ndata:\n  field-a: §\n  field-b: §\nkind: Secret\nmetadata:\n  name: db\n"},
	{"a unified diff", "--- live\n+++ target\n@@ -1,5 +1,5 @@\n kind: Secret\n stringData:\n-  field-a: §\n+  field-a: §\n   field-b: §\n type: Opaque\n"},
	{"TOML", "kind = \"Secret\"\n[data]\nfield-a = \"§\"\nfield-b = \"§\"\n[metadata]\nname = \"db\"\n"},
	{"XML", "<Secret><data><entry key=\"field-a\">§</entry><field>§</field></data><name>db</name></Secret>"},
	{"quoted YAML", "\"kind\": \"Secret\"\n\"data\":\n  \"field-a\": §\n"},
	{"a diff without context", "===== /Secret x/db ======\n4c4\n<   field-a: §\n---\n>   field-a: §\n"},
	{"a diff of helm", "db, Secret (v1) has changed:\n  data:\n-   field-a: §\n+   field-a: §\n"},
	{"what cannot be decoded", `Secret in version "v1" cannot be handled as a Secret: error found in #10 byte of ...|§|..., bigger context ...|§|...`},
	{"a template of Go", "Secret db data field-a=§"},
	{"Ruby client", `#<Kubeclient::Resource kind="Secret", data=#<Kubeclient::Resource field="§">>`}, {"Elixir", `%{"kind" => "Secret", "data" => %{"field-a" => "§"}}`}, {"Clojure", `{:kind "Secret", :data {:field "§"}}`},
	{"Scala", `Map(kind -> Secret, data -> Map(field -> §))`}, {"PowerShell", `@{kind=Secret; data=@{field=§}}`}, {"logfmt", `level=error kind=Secret name=db data="map[field-a:§]" x`},
	{"a document in a document", `{"kind":"Secret","data":"{\"field-a\":\"§\"}"}`}, {"a patch in YAML", "- op: add\n  path: /stringData/field-a\n  value: §\n"},
	{"what dyff prints", "(v1/Secret/shop/db)\ndata.field-a\n  ± value change\n    - §\n    + §\n"}, {"a path and two values", `secret/db: /data/field-a: "§" != "§"`},
	{"a context diff", "kind: Secret\ndata:\n! field-a: §\n"}, {"YAML with comments", "kind: Secret # x\ndata:\n  field-a: §\n"}, {"YAML with anchors", "kind: &k Secret\ndata: &d\n  field-a: §\n"},
	{"vault kv get", "===== Data =====\nKey        Value\n---        -----\nfield-a    §\nfield-b    §\n"},
	{"XML of a kind", "<kind>Secret</kind><data><a>§</a></data>"}, {"kubectl get", "kubectl get secret db -o jsonpath='{.data}'\nmap[field-a:§]"},
	{"paths", "kind = Secret\ndata.field-a = §\ndata.field-b = \"§\"\ntype = Opaque\n"},
	{"gron", "json.kind = \"Secret\";\njson.data[\"field-a\"] = \"§\";\n"},
	{"the text of a protocol buffer", `kind:"Secret" data:<key:"field-a" value:"§" > type:"Opaque"`},
}

func TestTheDataOfASecretNeverComesOutInAnyNotation(t *testing.T) {
	bytesOf := func(s, sep string) string {
		var out []string
		for i := range len(s) {
			out = append(out, strconv.Itoa(int(s[i])))
		}
		return strings.Join(out, sep)
	}
	for _, tt := range secretNotations {
		for i, v := range []string{"correcthorse", base64Of("user-" + fake("", lowers, 8)), fake("q", alnum, 9) + "!#$%*+/" + fake("", alnum, 3), "https://db.example.com:5432/x?a=b"} {
			sep := " "
			if strings.Contains(tt.text, "uint8{") {
				sep = ", "
			}
			in := strings.NewReplacer("§", v, "¶", bytesOf(v, sep), "¤", base64Of(v)).Replace(tt.text)
			got := String(in)
			for _, bad := range []string{v, v[1:], v[len(v)/2:], bytesOf(v, sep), bytesOf(v[1:], sep), base64Of(v)} {
				if strings.Contains(got, bad) {
					t.Errorf("%s, value %d:\n of %s\ngot %s", tt.story, i, in, got)
					break
				}
			}
			// One replacement for each value, and nothing beside them is lost.
			if i < 2 {
				want := strings.NewReplacer("§", Replacement, "¶", Replacement, "¤", Replacement).Replace(tt.text)
				if got != want {
					t.Errorf("%s, value %d:\n of %s\n got %s\nwant %s", tt.story, i, in, got, want)
				}
			}
			if again := String(got); again != got {
				t.Errorf("%s: a second time changes it: %s", tt.story, again)
			}
		}
	}
}

// What is said of a Secret, and the data of other kinds.
func TestWhatIsSaidOfASecretStays(t *testing.T) {
	for _, s := range []string{
		`{"kind":"ConfigMap","data":{"host":"db"}} and secret "x" not found`, `map[apiVersion:v1 data:map[host:db] kind:ConfigMap]`,
		`[map[apiVersion:v1 data:map[host:db] kind:ConfigMap] map[apiVersion:v1 kind:Secret metadata:map[name:db]]]`,
		`{"kind":"ConfigMap","data":{"host":"db"}} before {"kind":"Secret","metadata":{"name":"db"}}`,
		`[{"op":"replace","path":"/data/host","value":"db"}]`, `[{"op":"replace","path":"/spec/replicas","value":3}]`,
		`Secret "db" is invalid: data[tls.crt]: Required value`, `data[tls.key]: differs (secret values are not shown)`, `Secret shop/db: data.user: unchanged`,
		`secret "db" has no key "user"`, `Secret/db: data was pruned`, `cannot handle Secret: data is missing`, `{"kind":"Secret","data":{},"type":"Opaque"}`, `map[data:map[] kind:Secret]`,
		`{"kind":"Secret","data":{"user":"++++++++"}}`, `&Secret{ObjectMeta:{db},Data:map[string][]byte{},Type:Opaque,StringData:map[string]string{},}`,
	} {
		if got := String(s); got != s {
			t.Errorf("\n got %s\nwant %s", got, s)
		}
	}
}
