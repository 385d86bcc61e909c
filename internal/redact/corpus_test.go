package redact

import (
	"encoding/base64"
	"hash/fnv"
	"strings"
)

const (
	digits = "0123456789"
	hexa   = digits + "abcdef"
	lowers = "abcdefghijklmnopqrstuvwxyz"
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum  = digits + lowers + uppers
	base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

// fake makes a value of n characters that looks random and is always the same for the same prefix. Every secret of the
// tests is made here, when they run: none may stand in the source, where scanners of secrets would rightly find it.
func fake(prefix, alphabet string, n int) string {
	h := fnv.New64a()
	h.Write([]byte(prefix + alphabet))
	x := h.Sum64() | 1
	var b strings.Builder
	b.WriteString(prefix)
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		b.WriteByte(alphabet[int(x>>33)%len(alphabet)])
	}
	return b.String()
}

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

func webToken(claims string) string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + enc([]byte(claims)) + "." + fake("", alnum, 43)
}

func pemBody(separator string) string {
	var lines []string
	for i := range 4 {
		lines = append(lines, fake("MII"[:i%3], alnum+"+/", 60))
	}
	return separator + strings.Join(lines, separator) + separator
}

func pem(kind, separator string) (begin, body, end string) {
	return "-----BEGIN " + kind + "PRIVATE " + "KEY-----", pemBody(separator), "-----END " + kind + "PRIVATE " + "KEY-----"
}

// planted is a text with a secret at every "§": exactly the secret must be replaced.
type planted struct{ story, text, secret string }

func plantedSecrets() []planted {
	argocd := webToken(`{"iss":"argocd","sub":"ci:apiKey","jti":"x"}`)
	slackBot := "xox" + "b-" + fake("", digits, 12) + "-" + fake("1", digits, 12) + "-" + fake("", alnum, 24)
	hook := "https://hooks." + "slack.com/services/" + fake("T", uppers, 9) + "/" + fake("B", uppers, 9) + "/" + fake("", alnum, 24)
	awsSecret := fake("", alnum+"/+", 40)
	begin, body, end := pem("RSA ", "\n")
	oneBegin, oneLine, oneEnd := pem("", `\n`)
	pw := fake("", alnum, 14)
	odd := "p#" + fake("", alnum, 6) + "!$%"
	return []planted{
		{"AWS access key in an error of the SDK", "InvalidAccessKeyId: The key § does not exist in our records, status code: 403", fake("AK"+"IA", base32, 16)},
		{"AWS temporary key", "assumed role with § until 2026-11-20T18:32:00Z", fake("AS"+"IA", base32, 16)},
		{"AWS secret key in an environment", "AWS_REGION=eu-west-1 AWS_SECRET_ACCESS_KEY=§ ./backup", awsSecret},
		{"AWS secret key in an ini file", "[default]\naws_secret_access_key = §\nregion = eu-west-1", awsSecret},
		{"GitHub personal token in a clone URL", "git clone https://§@github.com/acme/shop.git failed", fake("gh"+"p_", alnum, 36)},
		{"GitHub app token in a URL with a user", "fatal: unable to access 'https://x-access-token:§@github.com/acme/shop.git/': The requested URL returned error: 403", fake("gh"+"s_", alnum, 36)},
		{"GitHub fine-grained token", "Bad credentials for § (401)", fake("github"+"_pat_", alnum+"_", 82)},
		{"GitHub token as the user of a URL", "https://§:x-oauth-basic@github.com/acme/shop.git", fake("", hexa, 40)},
		{"GitLab personal token", "remote: HTTP Basic: Access denied for § today", fake("gl"+"pat-", alnum, 20)},
		{"GitLab token of a runner in a URL", "https://gitlab-ci-token:§@gitlab.example.com/acme/shop.git", fake("", alnum, 20)},
		{"GitLab header", "curl --header \"PRIVATE-TOKEN: §\" https://gitlab.example.com/api/v4/projects", fake("", alnum, 20)},
		{"Slack bot token", "slack: invalid_auth for § in #deploys", slackBot},
		{"Slack webhook", "POST § returned 404 no_service", hook},
		{"GCP API key", "googleapi: Error 400: API key not valid: § , badRequest", fake("AI"+"za", alnum, 35)},
		{"GCP service account", `{"type": "service_account", "private_key_id": "1", "private_key": "§", "client_email": "ci@acme.iam.gserviceaccount.com"}`, oneBegin + oneLine + oneEnd + `\n`},
		{"Azure client secret", "AADSTS7000215: Invalid client secret provided: § for app", fake("", alnum, 3) + "8Q~" + fake("", alnum, 34)},
		{"Azure storage connection string", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=§;EndpointSuffix=core.windows.net", fake("", alnum+"+/", 86) + "=="},
		{"Azure service bus", "Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=§", fake("", alnum+"+/", 43) + "="},
		{"Azure signed URL", "GET https://shop.blob.core.windows.net/charts/a.tgz?sv=2022-11-02&sr=b&sig=§&se=2026-01-01 403", fake("", alnum, 43) + "%3D"},
		{"AWS signed URL", "https://shop.s3.amazonaws.com/a.tgz?X-Amz-Date=20261120T183200Z&X-Amz-Signature=§&X-Amz-Expires=60", fake("", hexa, 64)},
		{"Stripe key", "stripe: Invalid API Key provided, have § here", fake("sk"+"_live_", alnum, 24)},
		{"npm token", "npm error 401 with //registry.npmjs.org/:_authToken=§", fake("np"+"m_", lowers+digits, 36)},
		{"PyPI token", "403 Forbidden from https://upload.pypi.org/legacy/ using § .", fake("pypi-"+"AgEIcHlwaS5vcmc", alnum, 60)},
		{"SendGrid key", "mail: 401 for key § (sendgrid)", fake("S"+"G.", alnum, 66)},
		{"Vault token in a header", "PUT /v1/auth/token/renew-self X-Vault-Token: § 403", fake("hv"+"s.", alnum, 95)},
		{"Vault token in prose", "vault login failed for § : permission denied", fake("hv"+"s.", alnum, 95)},
		{"Argo CD token in a log", "level=info msg=\"logged in\" auth=§, user=ci", argocd},
		{"Argo CD token in a flag", "argocd app sync shop --auth-token § --grpc-web", argocd},
		{"Argo CD token in a cookie", "GET /api/v1/applications Cookie: §", "argocd.token=" + argocd + "; _ga=GA1.1"},
		{"web token in a bearer header", "> Authorization: Bearer §\n> Accept: */*", argocd},
		{"web token in a query", "wss://argocd.example.com/terminal?pod=a&token=§&shell=sh", argocd},
		{"opaque bearer token", `headers: {"Authorization":["Bearer §"],"Accept":["*/*"]}`, fake("", alnum, 32)},
		{"bearer token without a header", "got 401 using Bearer § , retrying", fake("", alnum, 32)},
		{"basic header", "Authorization: Basic §", base64Of("ci:" + pw)},
		{"curl with a header in single quotes", "curl -H 'Authorization: token §' https://api.github.com", fake("", hexa, 40)},
		{"bootstrap token", "kubeadm join 10.0.0.1:6443 --token § --discovery-token-unsafe-skip-ca-verification", fake("", lowers+digits, 6) + "." + fake("1", lowers+digits, 16)},
		{"RSA key in a log", "loaded key\n" + begin + "§" + end + "\nlistening on :8080", body},
		{"OpenSSH key that a log has cut", "ssh: cannot parse\n-----BEGIN OPENSSH PRIVATE " + "KEY-----§", strings.TrimRight(pemBody("\n"), "\n")},
		{"private key in a diff", " data:\n   ca.crt: abc\n+  key.pem: |\n+    -----BEGIN EC PRIVATE " + "KEY-----§-----END EC PRIVATE " + "KEY-----\n   other: x", pemBody("\n+    ")},
		{"private key of a kubeconfig", "users:\n- name: admin\n  user:\n    client-key-data: §\n", base64Of(begin + body + end)},
		{"password in an https URL", "rpc error: code = Unknown desc = Get \"https://ci:§@charts.example.com/index.yaml\": EOF", pw},
		{"password in a postgres URL", "dial error (connect postgres://app:§@db:5432/x?sslmode=disable): timeout", pw},
		{"odd password in a postgres URL", "cannot connect to postgres://app:§@db:5432/x", odd},
		{"password in an amqp URL", "amqp://shop:§@rabbit.mq.svc:5672/vhost: connection refused", pw},
		{"password in a redis URL without a user", "REDIS_URL is redis://:§@redis-master:6379/0", pw},
		{"password in a mongodb URL", "mongodb+srv://shop:§@cluster0.abcde.mongodb.net/?retryWrites=true", pw},
		{"password with an at sign", "mysql://root:§@mysql:3306/shop", "p@" + pw},
		{"password with a slash", `parse "postgres://app:§@db:5432/x" failed`, "pa/" + pw},
		{"MySQL DSN of Go", "sql: open \"shop:§@tcp(mysql.db.svc:3306)/shop?parseTime=true\": bad", odd},
		{"libpq string", "cannot connect: password=§ host=db user=app sslmode=disable", pw},
		{"libpq string in quotes", "host=db user=app password='§' dbname=x", pw + " x"},
		{".NET connection string", "Server=db;Database=shop;User Id=sa;Password=§;TrustServerCertificate=true", odd},
		{"JDBC URL", "jdbc:postgresql://db:5432/shop?user=app&password=§&ssl=true", pw},
		{"password flag", "Error: command \"migrate --user app --password § --host db\" failed", pw},
		{"password flag with equals", "helm registry login --username ci --password=§ registry.example.com", pw},
		{"password flag in a list of arguments", `args: ["--user", "app", "--password", "§", "--host", "db"]`, pw},
		{"token flag", "sonar-scanner --token § --verbose", fake("", hexa, 40)},
		{"mysql short flag", "mysqldump -u root -p§ shop > /dev/null", pw},
		{"redis short flag", "redis-cli -h redis -a § ping", pw},
		{"environment style", "starting with DB_HOST=db DB_PASSWORD=§ DB_USER=app", pw},
		{"environment style with a word", "starting with DB_HOST=db DB_PASSWORD=§ DB_USER=app", fake("", lowers, 7)},
		{"exported variable", "export PGPASSWORD='§'", pw},
		{"JSON in a log line", `{"level":"error","user":"app","password":"§","msg":"login failed"}`, pw},
		{"JSON within JSON in a log line", `{"msg":"request {\"user\":\"app\",\"password\":\"§\"} failed"}`, pw},
		{"JSON that a log has cut", `{"user":"app","password":"§`, pw},
		{"password of words in JSON", `{"user":"app","password":"§","host":"db"}`, "correct horse " + fake("", lowers, 7)},
		{"Go struct in a log", "config: {Host:db User:app Password:§ Port:5432}", pw},
		{"password in prose", "Your new password: § (change it soon)", pw},
		{"initial admin password", "admin password: §", fake("", alnum, 16)},
		{"client secret in a form", "grant_type=client_credentials&client_id=shop&client_secret=§&scope=all", pw},
		{"api key in a query", "GET https://api.example.com/v1/items?api_key=§&page=2", pw},
		{"api key in a header", "x-api-key: §", fake("", alnum, 24)},
		{"access token in a log", "refreshed access_token=§ expires_in=3600", fake("", alnum, 40)},
		{"token that is a UUID", "connecting with token=§ to the registry", "1b4e28ba-2fa1-11d2-883f-" + fake("", hexa, 12)},
		{"YAML values with a word", "auth:\n  username: app\n  password: §\n  database: shop\n", fake("", lowers, 9)},
		{"changed line of a diff", "@@ -1,3 +1,3 @@\n auth:\n-  adminPassword: §\n   user: app", pw},
		{"YAML environment", "env:\n- name: SMTP_PASSWORD\n  value: §\n- name: SMTP_HOST\n  value: mail", fake("", lowers, 8)},
		{"JSON environment", `"env":[{"name":"API_TOKEN","value":"§"},{"name":"PORT","value":"8080"}]`, pw},
		{"docker config", `{"auths":{"ghcr.io":{"auth":"§"}}}`, base64Of("ci:" + pw)},
		{"SQL statement", "ERROR executing CREATE USER shop IDENTIFIED BY '§';", pw},
		{"bcrypt hash of Argo CD", "the hash is § now", "$2a" + "$10$" + fake("", alnum, 53)},
		{"Secret in YAML", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  user: §\ntype: Opaque\n", base64Of("app-" + pw)},
		{"stringData in YAML", "---\nkind: Secret\nstringData:\n  config.ini: |\n    §\nmetadata:\n  name: x\n---\nkind: ConfigMap\ndata:\n  a: plain\n", "user = " + pw},
		{"stringData with the line ends of Windows", "kind: Secret\r\nstringData:\r\n  a: |\r\n    §\r\ntype: Opaque\r\n", "user = " + pw},
		{"Secret in a diff of kubectl", "diff -u -N /tmp/LIVE-1/v1.Secret.shop.db /tmp/MERGED-2/v1.Secret.shop.db\n@@ -1,4 +1,4 @@\n apiVersion: v1\n data:\n-  user: §\n metadata:\n   name: db\n", base64Of(pw)},
		{"Secret in JSON in an error", `cannot patch: {"apiVersion":"v1","data":{"user":"§"},"kind":"Secret","metadata":{"name":"db"}} is invalid`, base64Of(pw)},
		{"Secret in the patch that kubectl prints", `error when applying patch: {"data":{"user":"§"},"metadata":{"annotations":{"last":"{\"kind\":\"Secret\",\"metadata\":{}}"}}} to: x`, base64Of(pw)},
		{"Secret in a quoted document", `desc = "{\"kind\":\"Secret\",\"data\":{\"user\":\"§\"},\"metadata\":{\"name\":\"db\"}}"`, base64Of(pw)},
	}
}
