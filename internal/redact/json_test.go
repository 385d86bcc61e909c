package redact

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestADocumentIsRedacted(t *testing.T) {
	pw, word := fake("", alnum, 14), fake("", lowers, 8)
	encoded := base64Of(pw)
	quote := func(s string) string {
		out, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	secret := `{"apiVersion":"v1","data":{"user":"§"},"kind":"Secret","metadata":{"name":"db"}}`
	wantSecret := strings.ReplaceAll(secret, "§", Replacement)
	secret = strings.ReplaceAll(secret, "§", encoded)
	tests := []struct{ story, in, want string }{
		{"a Secret keeps its keys", `{"kind":"Secret","data":{"b":"` + encoded + `","a":null},"stringData":{"x":"y"},"binaryData":{"z":"AA=="},"type":"Opaque"}`,
			`{"binaryData":{"z":"[redacted]"},"data":{"a":null,"b":"[redacted]"},"kind":"Secret","stringData":{"x":"[redacted]"},"type":"Opaque"}`},
		{"the kind may come last, and values need not be strings", `{"data":{"n":1,"o":{"p":"` + word + `"},"l":["a"]},"kind":"Secret"}`,
			`{"data":{"l":["[redacted]"],"n":"[redacted]","o":{"p":"[redacted]"}},"kind":"Secret"}`},
		{"data of another kind is kept", `{"data":{"host":"db"},"kind":"ConfigMap"}`, `{"data":{"host":"db"},"kind":"ConfigMap"}`},
		{"the live state is a document in a string", `{"liveState":` + quote(secret) + `}`, `{"liveState":` + quote(wantSecret) + `}`},
		{"the last applied configuration is one in a document in a string",
			`{"liveState":` + quote(`{"kind":"Secret","metadata":{"annotations":{"`+lastApplied+`":`+quote(secret+"\n")+`}}}`) + `}`,
			`{"liveState":` + quote(`{"kind":"Secret","metadata":{"annotations":{"`+lastApplied+`":`+quote(wantSecret+"\n")+`}}}`) + `}`},
		{"a patch of a Secret is known by the last applied configuration", `{"data":{"user":"` + encoded + `"},"metadata":{"annotations":{"` + lastApplied + `":` + quote(secret) + `}}}`,
			`{"data":{"user":"[redacted]"},"metadata":{"annotations":{"` + lastApplied + `":` + quote(wantSecret) + `}}}`},
		{"a diff of a Secret need not repeat the kind", `{"diff":` + quote(`{"data":{"user":"`+encoded+`"}}`) + `,"kind":"Secret"}`, `{"diff":` + quote(`{"data":{"user":"[redacted]"}}`) + `,"kind":"Secret"}`},
		{"the masks of Argo CD are kept, their length tells a difference", `{"data":{"a":"++++++++","b":"+++++++++"},"kind":"Secret"}`, `{"data":{"a":"++++++++","b":"+++++++++"},"kind":"Secret"}`},
		{"a JSON patch of a Secret", `{"patch":[{"op":"add","path":"/stringData/a","value":"` + word + `"},{"op":"add","path":"/data/a","value":"` + encoded + `"},{"op":"add","path":"/data/a","value":"plain"}]}`,
			`{"patch":[{"op":"add","path":"/stringData/a","value":"[redacted]"},{"op":"add","path":"/data/a","value":"[redacted]"},{"op":"add","path":"/data/a","value":"plain"}]}`},
		{"a secret in an environment", `{"env":[{"name":"DB_PASSWORD","value":"` + word + `"},{"name":"API_TOKEN","value":"` + word + `"},{"name":"HOST","value":"db"},{"name":"DB_PASSWORD","value":"$(PW)"},{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"key":"password","name":"db"}}}]}`,
			`{"env":[{"name":"DB_PASSWORD","value":"[redacted]"},{"name":"API_TOKEN","value":"[redacted]"},{"name":"HOST","value":"db"},{"name":"DB_PASSWORD","value":"$(PW)"},{"name":"DB_PASSWORD","valueFrom":{"secretKeyRef":{"key":"password","name":"db"}}}]}`},
		{"a parameter of a chart", `{"parameters":[{"name":"auth.password","value":"` + word + `"}]}`, `{"parameters":[{"name":"auth.password","value":"[redacted]"}]}`},
		{"arguments after a flag", `{"args":["--user","app","--password","` + word + `","--token=` + pw + `","-v"]}`, `{"args":["--user","app","--password","[redacted]","--token=[redacted]","-v"]}`},
		{"credentials of a cluster", `{"config":{"bearerToken":"` + pw + `","password":12345678,"tlsClientConfig":{"keyData":"` + encoded + `","insecure":false}}}`,
			`{"config":{"bearerToken":"[redacted]","password":"[redacted]","tlsClientConfig":{"insecure":false,"keyData":"[redacted]"}}}`},
		{"where a secret is, is no secret", `{"existingSecret":"db-1","passwordSecretRef":{"key":"password","name":"db"},"secret":{"secretName":"db"},"secretKey":"password","tokenURL":"https://a/b"}`,
			`{"existingSecret":"db-1","passwordSecretRef":{"key":"password","name":"db"},"secret":{"secretName":"db"},"secretKey":"password","tokenURL":"https://a/b"}`},
		{"a message", `{"message":"Get https://ci:` + pw + `@git/x: EOF <&>"}`, `{"message":"Get https://ci:[redacted]@git/x: EOF <&>"}`},
		{"numbers survive", `{"a":12345678901234567890,"b":1.10,"c":1e3,"resourceVersion":"9007199254740993","t":{"token":7}}`,
			`{"a":12345678901234567890,"b":1.10,"c":1e3,"resourceVersion":"9007199254740993","t":{"token":7}}`},
		{"a document in a string without secrets keeps its form", `{"x":"{ \"b\": 1, \"a\": 2 }\n"}`, `{"x":"{ \"b\": 1, \"a\": 2 }\n"}`},
		{"values of a chart in a string", `{"values":"auth:\n  password: ` + word + `\n  user: app\n"}`, `{"values":"auth:\n  password: [redacted]\n  user: app\n"}`},
		{"names of secrets", `{"apiKey":"§","auth":{"rootPass":"§","token":"§"},"clientSecret":"§","dbPasswordOld":"§","passphrase":"§","passwd":"§","passwords":["§","$X"],"secret":"§","tokens":["§"]}`,
			`{"apiKey":"[redacted]","auth":{"rootPass":"[redacted]","token":"[redacted]"},"clientSecret":"[redacted]","dbPasswordOld":"[redacted]","passphrase":"[redacted]","passwd":"[redacted]","passwords":["[redacted]","$X"],"secret":"[redacted]","tokens":["[redacted]"]}`},
		{"parameters", `{"parameters":[{"name":"auth.rootPassword","value":"§"},{"name":"auth.rootPassword","value":12345678},{"name":"a.token","value":"§"},{"name":"auth.existingSecret","value":"db-1"},{"array":["§"],"name":"passwords"},{"name":"image.tag","value":"v1"}]}`,
			`{"parameters":[{"name":"auth.rootPassword","value":"[redacted]"},{"name":"auth.rootPassword","value":"[redacted]"},{"name":"a.token","value":"[redacted]"},{"name":"auth.existingSecret","value":"db-1"},{"array":["[redacted]"],"name":"passwords"},{"name":"image.tag","value":"v1"}]}`},
		{"a map of passwords", `{"passwords":{"app":"§","existingSecret":"db"},"password":{"name":"db","key":"password"}}`, `{"password":{"key":"password","name":"db"},"passwords":{"app":"[redacted]","existingSecret":"db"}}`},
		{"what makes a Secret", `{"kind":"ExternalSecret","spec":{"data":[{"secretKey":"password"}],"target":{"template":{"data":{"a":"§","b":"{{ .b }}"},"metadata":{"name":"db"}}}}}`,
			`{"kind":"ExternalSecret","spec":{"data":[{"secretKey":"password"}],"target":{"template":{"data":{"a":"[redacted]","b":"{{ .b }}"},"metadata":{"name":"db"}}}}}`},
		{"stringData of any object", `{"kind":"SealedSecret","spec":{"template":{"stringData":{"a":"§"}}},"x":{"stringData":{"a":"§"}}}`, `{"kind":"SealedSecret","spec":{"template":{"stringData":{"a":"[redacted]"}}},"x":{"stringData":{"a":"[redacted]"}}}`},
		{"what we do not know of a case file", `{"case":1,"later":{"note":{"password":"§","text":"password=§"}}}`, `{"case":1,"later":{"note":{"password":"[redacted]","text":"password=[redacted]"}}}`},
		{"a colour in a string", `{"text":"pass\u001b[1mword=§","other":"\u001b[1mx"}`, `{"other":"\u001b[1mx","text":"password=[redacted]"}`},
		{"names of objects", `{"imagePullSecrets":["regcred"],"secrets":["db-creds"],"tlsSecret":"shop-tls","tokenSecretRef":{"key":"token","name":"x"},"tokenKey":"a","bypass":"yes1","properties":{"password":{"type":"string"}},"passwordFile":"/x"}`,
			`{"bypass":"yes1","imagePullSecrets":["regcred"],"passwordFile":"/x","properties":{"password":{"type":"string"}},"secrets":["db-creds"],"tlsSecret":"shop-tls","tokenKey":"a","tokenSecretRef":{"key":"token","name":"x"}}`},
		{"items of a SecretList do not repeat the kind", `{"kind":"SecretList","items":[{"data":{"user":"§"},"metadata":{"name":"db"}}]}`, `{"items":[{"data":{"user":"[redacted]"},"metadata":{"name":"db"}}],"kind":"SecretList"}`},
		{"templates of a SopsSecret", `{"kind":"SopsSecret","spec":{"secretTemplates":[{"data":{"user":"§"},"name":"db"}]}}`, `{"kind":"SopsSecret","spec":{"secretTemplates":[{"data":{"user":"[redacted]"},"name":"db"}]}}`},
		{"literals of kustomize", `{"secretGenerator":[{"literals":["user=§","host=$HOST"],"name":"db"}],"configMapGenerator":[{"literals":["user=§"],"name":"c"}]}`,
			`{"configMapGenerator":[{"literals":["user=` + word + `"],"name":"c"}],"secretGenerator":[{"literals":["user=[redacted]","host=$HOST"],"name":"db"}]}`},
		{"credentials for a registry", `{"kind":"ConfigMap","data":{".dockerconfigjson":"{\"auths\":{}} §","host":"db"}}`, `{"data":{".dockerconfigjson":"[redacted]","host":"db"},"kind":"ConfigMap"}`},
		{"an operation of a JSON patch", `[{"op":"replace","path":"/spec/auth/adminPassword","value":"§"},{"op":"add","path":"/spec/replicas","value":3},{"op":"add","path":"/a/pin","value":1234}]`,
			`[{"op":"replace","path":"/spec/auth/adminPassword","value":"[redacted]"},{"op":"add","path":"/spec/replicas","value":3},{"op":"add","path":"/a/pin","value":"[redacted]"}]`},
		{"names in capitals", `{"Env":[{"Name":"DB_PASSWORD","Value":"§"}],"REDIS_AUTH":"§","SALT":"§","LICENSE_KEY":"§","BASIC_AUTH":"basic","SMTP_PW":"§"}`,
			`{"BASIC_AUTH":"basic","Env":[{"Name":"DB_PASSWORD","Value":"[redacted]"}],"LICENSE_KEY":"[redacted]","REDIS_AUTH":"[redacted]","SALT":"[redacted]","SMTP_PW":"[redacted]"}`},
		{"a file in a ConfigMap", `{"kind":"ConfigMap","data":{"app.properties":"user=app\nspring.datasource.password=§\n"}}`, `{"data":{"app.properties":"user=app\nspring.datasource.password=[redacted]\n"},"kind":"ConfigMap"}`},
		{"not only objects", `["a",null,true,"token=` + pw + `1"]`, `["a",null,true,"token=[redacted]"]`},
	}
	for _, tt := range tests {
		t.Run(tt.story, func(t *testing.T) {
			got, err := JSON([]byte(strings.ReplaceAll(tt.in, "§", word)))
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
			again, err := JSON(got)
			if err != nil || string(again) != string(got) {
				t.Errorf("a second time changes it: %s, %v", again, err)
			}
		})
	}
}

func TestWhatIsNotOneDocumentIsRefused(t *testing.T) {
	for _, in := range []string{``, `{`, `{} {}`, `{"a":1} x`} {
		if got, err := JSON([]byte(in)); err == nil || got != nil {
			t.Errorf("%q gives %q and no error", in, got)
		}
	}
}
