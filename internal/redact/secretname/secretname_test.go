package secretname_test

import (
	"strings"
	"testing"

	"github.com/argo-why/argo-why/internal/redact/secretname"
)

// What charts, operators and programs call a secret.
const secrets = `password passwd passphrase pwd DB_PW rootPass db_pass smtp.pass postgresPassword adminPassword rootPassword replicationPassword
	DB_PASSWORD dbpassword MYSQL_PWD PGPASSWORD MYSQLPASSWORD spring.datasource.password passwordOld db_password_v2 password1 PASSWORD_HASH
	REDIS_AUTH BASIC_AUTH SMTP_AUTH token authToken API_TOKEN apitoken X-Vault-Token registrationToken tokens secret clientSecret client_secret CLIENTSECRET
	apiKey API_KEY api.key x-api-key apikey accessKey AWS_SECRET_ACCESS_KEY secretKey private_key privateKey sshPrivateKey ENCRYPTION_KEY SIGNING_KEY MASTER_KEY
	LICENSE_KEY PASSWORD_SALT HASHIDS_SALT SECRET_KEY_BASE requirepass masterauth credentials creds bindpw erlangCookie ERLANG_COOKIE cookieSecret sessionSecret
	SESSION_KEY storepass keypass storePassword keyPassword unseal_key unsealKeys mnemonic seedPhrase recovery_codes userPin OTP TOTP_SECRET hmacKey
	jwtSecret JWT_SECRET accountKey AccountKey SharedAccessKey pgpKey gpg_key sshKey kubeconfig .dockerconfigjson htpasswd fernetKey FERNET_KEY
	replicaSetKey mongodb-replica-set-key keycloak.adminPassword minio.rootPassword grafana.adminPassword auth.replicationPassword oauth2-proxy.cookieSecret
	NPM_TOKEN cloudflareApiToken DIGITALOCEAN_ACCESS_TOKEN slackWebhookUrl SLACK_WEBHOOK DATABASE_DSN connectionString ConnectionStrings CONN_STR
	client-key-data keyData bearerToken refresh_token id_token csrfToken psk presharedKey preSharedKey DATADOG_API_KEY ddAppKey NEW_RELIC_LICENSE_KEY
	APP_KEY wireguardKey VAPID_PRIVATE_KEY tls.key id_rsa id_ed25519 SharedAccessSignature sasToken storageAccountKey subscriptionKey
	X-JFrog-Art-Api AUTHTOK pskKey CONNECTIONKEY FLAGSMITH_ENVIRONMENT_KEY joinKey gossipKey MJ_APIKEY_PRIVATE LICENSE keytab X-Acme-Key installKey setupKey
	passwort Kennwort db.Password2 PASSWORDS userPasswords initialPassword currentPassword newPassword password_confirmation`

// What says where or how a secret is, or is none.
const others = `secretName passwordSecretRef tokenURL token_url existingSecret auth.existingSecret PASSWORD_FILE passwordFile passwordPath tokenPath keyId access_key_id
	AWS_ACCESS_KEY_ID secretKeyRef secretKeyRef.name secretKeyRef.key TOKEN_TTL token_ttl passwordPolicy password_length tokenReview imagePullSecrets
	imagePullSecret checksum/secret secretStoreRef secretStore externalSecrets tokenExpiration tokenAudience key keys primaryKey publicKey public_key
	foreign_key sortKey partitionKey cacheKey topologyKey routingKey labelKey keyName author authority authenticate authorized passed passive passenger
	compass bypass byPass trespass keyboard monkey turkey token_type secretNamespace passwordKey adminPasswordKey tokenKey basalt pinned spinning shipping
	sshpass keepass user username host data value name test v2 oldValue hash salted webhookConfiguration cookieDomain sessionId authMethod
	passwordReset secretsEnabled pwmEnabled keystone_authtoken privateKeySecretRef certificate caBundle`

func TestANameOfASecretIsKnown(t *testing.T) {
	for name := range strings.FieldsSeq(secrets) {
		if secretname.Of(name).Class == secretname.None {
			t.Errorf("%s is the name of no secret", name)
		}
	}
	for name := range strings.FieldsSeq(others) {
		if k := secretname.Of(name); k.Class != secretname.None {
			t.Errorf("%s is the name of a secret: %+v", name, k)
		}
	}
}

func TestANotationDoesNotChangeAName(t *testing.T) {
	for _, spelled := range []string{"signing_key", "SIGNING_KEY", "signingKey", "SigningKey", "signing-key", "signing.key", "app.signing.key", "APP_SIGNING_KEY", "signingkey", "--signing-key", "SIGNING_KEY_2", "signing_key_old"} {
		if got := secretname.Of(spelled).Class; got != secretname.Key {
			t.Errorf("%s: %v", spelled, got)
		}
	}
}

func TestAValueOfItsNameIsHiddenUnlessItIsAReference(t *testing.T) {
	random := strings.Repeat("aB3x", 5)
	tests := []struct {
		name  string
		hides []string
		shows []string
	}{
		{"password", []string{"hunter", "changeme", "12345", "my-secret-1", "/a/b", "$ecretPa55", "<tok>" + random, "${X}" + random, "xxxx" + random, "{{ .a }}" + random, "${DB_PASSWORD:-hunter}", "required"},
			[]string{"", "$X", "${X}", "$(POSTGRES_PASSWORD)", "$password", "$db.password", "<password>", "<your password>", "{{ .Values.password | quote }}", "***", "++++++++", "xxx", "YOUR_PASSWORD", "DB_PASSWORD", "true", "null", "%s", "%(password)s", "[redacted]", "${X:-}", "${{ secrets.X }}", "vault:secret/data/db#password", "op://vault/db/password"}},
		{"token", []string{random, "tok-" + random, "1b4e28ba-2fa1-11d2-883f-0123456789ab", "deadbeef01", "sha256~" + random, random + ":443"},
			[]string{"/var/run/secrets/token", "https://idp.example.com/token", "shop/db-creds", "30m", "4096", "sha256:0123", "file:/a/b", "bearer", "expired soon", "127.0.0.1:1", "slack.example.com:443"}},
		{"tlsSecret", []string{random}, []string{"shop-tls", "regcred"}},
		{"private_key", []string{random, "-----BEGIN x\ny"}, []string{"/etc/tls/key.pem", "./key.pem", "~/.ssh/id_rsa", `C:\keys\a.pem`}},
		{"REDIS_AUTH", []string{"hunter", random}, []string{"none", "true", "basic", "/etc/auth"}},
		{"slackWebhookUrl", []string{"https://hooks.example.com/services/" + random}, []string{"https://hooks.example.com", "https://notify.shop.svc:8080/slack/alerts"}},
		{"dsn", []string{"app/" + random + "@db:1521/x"}, []string{"db:1521/x", "postgres://db:5432/x"}},
		{"X-Acme-Key", []string{random, "f9d3w7ey0jo3qinrasmh", strings.Repeat("0a1b", 8)}, []string{"orders.created", "web-7d9f8b6c5d-x2k4p", "1b4e28ba-2fa1-11d2-883f-0123456789ab", "prod", strings.Repeat("0a", 32), "customer_number"}},
		{"license", []string{random}, []string{"Apache-2.0", "MIT", "GPL-3.0-or-later"}},
		{"partitionKey", nil, []string{random}},
		{"pin", []string{"1234", "123456"}, []string{"12", "true", "gpio-4"}},
		{"pass", []string{"hunter", "pw7#"}, []string{"12", "98%", "3/4", "ok"}},
		{"PWD", []string{"hunter"}, []string{"/home/app"}},
	}
	for _, tt := range tests {
		k := secretname.Of(tt.name)
		for _, v := range tt.hides {
			if !k.Hides(v, secretname.Quoted) {
				t.Errorf("%s: %s is shown", tt.name, v)
			}
		}
		for _, v := range tt.shows {
			if k.Hides(v, secretname.Quoted) {
				t.Errorf("%s: %s is hidden", tt.name, v)
			}
		}
	}
}
