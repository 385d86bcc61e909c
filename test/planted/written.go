package planted

import "strings"

// written are secrets in URLs, connection strings, statements, commands, headers and prose.
var written = []kind{
	urlOf("https URL", "https://ci:§@charts.example.com/index.yaml"),
	urlOf("git URL with a token as user", "https://§@github.com/acme/shop.git"),
	urlOf("git URL with oauth2", "https://oauth2:§@gitlab.example.com/acme/shop.git"),
	urlOf("postgres URL", "postgres://app:§@db:5432/shop?sslmode=disable"),
	urlOf("amqp URL", "amqp://shop:§@rabbit.mq.svc:5672/vhost"),
	urlOf("redis URL without a user", "redis://:§@redis-master:6379/0"),
	urlOf("mongodb URL", "mongodb+srv://shop:§@cluster0.example.net/?retryWrites=true"),
	odd("postgres URL with odd characters", "postgres://app:§@db:5432/shop", "/", "#", "?", "@", ":", "%", "!", "$"),
	odd("mysql URL with odd characters", "mysql://root:§@mysql:3306/shop", "/", "#", "?", "@", ":", "%"),
	text("MySQL DSN of Go", "shop:§@tcp(mysql.db.svc:3306)/shop?parseTime=true", alnum, 18),
	text("libpq string", "host=db user=app password=§ dbname=shop", alnum, 16),
	odd("libpq string in quotes", "host=db user=app password='§' dbname=shop", " ", "#", "@"),
	text("JDBC URL", "jdbc:postgresql://db:5432/shop?user=app&password=§&ssl=true", alnum, 16),
	text("JDBC URL of SQL Server", "jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password=§;encrypt=true", alnum, 16),
	odd(".NET connection string", "Server=db;Database=shop;User Id=sa;Pwd=§;TrustServerCertificate=true", "#", "!", "$", "@", ","),
	text("Azure storage connection string", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=§==;EndpointSuffix=core.windows.net", alnum, 86),
	text("Azure service bus", "Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=§=", alnum, 43),
	text("Kafka JAAS", `org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="§";`, alnum, 16),
	text("SQL PASSWORD", "CREATE ROLE shop LOGIN PASSWORD '§'", alnum, 16),
	text("SQL IDENTIFIED BY", "CREATE USER 'shop'@'%' IDENTIFIED BY '§'", alnum, 16),
	text("SQL Server login", "CREATE LOGIN shop WITH PASSWORD = N'§'", alnum, 16),
	text("SQL SET PASSWORD", "SET PASSWORD FOR 'shop'@'%' = '§'", alnum, 16),
	text("mysql -p", "mysqldump -h db -u root -p§ shop", alnum, 16),
	text("docker login -p", "docker login -u ci -p § registry.example.com", alnum, 16),
	text("mongosh -p", "mongosh --host db -u root -p § admin", alnum, 16),
	text("sqlcmd -P", "sqlcmd -S db -U sa -P § -Q 'select 1'", alnum, 16),
	text("redis-cli -a", "redis-cli -h redis -a § ping", alnum, 16),
	text("sshpass", "sshpass -p § ssh root@10.0.0.1", alnum, 16),
	text("curl -u", "curl -u ci:§ https://nexus.example.com/repository", alnum, 16),
	text("ldapsearch -w", "ldapsearch -D cn=admin -w § -b dc=example", alnum, 16),
	text("openssl passin", "openssl rsa -in key.pem -passin pass:§", alnum, 16),
	text("htpasswd -b", "htpasswd -bn admin §", alnum, 16),
	text("keytool", "keytool -list -keystore k.jks -storepass §", alnum, 16),
	text("wget", "wget --user=ci --password=§ https://nexus.example.com/a.tgz", alnum, 16),
	text("redis AUTH", "redis: AUTH § failed", alnum, 24),
	text("redis requirepass", "port 6379\nrequirepass §\nappendonly yes", alnum, 24),
	text("vault unseal", "vault operator unseal §", alnum, 44),
	text("vault unseal key", "Unseal Key 1: §", alnum, 44),
	text("vault root token", "Initial Root Token: hv"+"s.§", alnum, 24),
	text("bearer header", "Authorization: Bearer §", alnum, 32),
	text("bearer in prose", "got 401 using Bearer § today", alnum, 32),
	{name: "basic header", make: func(m *maker) sample {
		secret := m.of(alnum, 18)
		encoded := base64Of("ci:" + secret)
		return sample{text: "Authorization: Basic " + encoded, secret: []string{secret, encoded[4:]}}
	}},
	text("token header", "Authorization: token §", hexa, 40),
	text("cookie", "Cookie: session=§; theme=dark", alnum, 40),
	text("Set-Cookie", "Set-Cookie: JSESSIONID=§; Path=/; HttpOnly", uppers+digits, 32),
	text("GitLab header", "PRIVATE-TOKEN: §", alnum, 20),
	text("netrc", "machine git.example.com login ci password §", alnum, 16),
	text("pgpass", "db.example.com:5432:shop:app:§", alnum, 16),
	text("npmrc", "//registry.example.com/:_authToken=§", alnum, 36),
	text("git credentials", "protocol=https\nhost=git.example.com\nusername=ci\npassword=§", alnum, 20),
	{name: "docker config", make: func(m *maker) sample {
		secret := m.of(alnum, 18)
		encoded := base64Of("ci:" + secret)
		return sample{text: `{"auths":{"ghcr.io":{"auth":"` + encoded + `"}}}`, secret: []string{secret, encoded[4:]}}
	}},
	{name: "Secret in YAML", make: func(m *maker) sample {
		return m.encoded("kind: Secret\nmetadata:\n  name: db\ndata:\n  user: §\ntype: Opaque")
	}},
	{name: "Secret in JSON", make: func(m *maker) sample {
		return m.encoded(`{"apiVersion":"v1","data":{"user":"§"},"kind":"Secret","metadata":{"name":"db"}}`)
	}},
	{name: "Secret in escaped JSON", make: func(m *maker) sample {
		return m.encoded(`"{\"kind\":\"Secret\",\"data\":{\"user\":\"§\"},\"metadata\":{\"name\":\"db\"}}"`)
	}},
	text("stringData", "kind: Secret\nstringData:\n  user: §\ntype: Opaque", alnum, 16),
	text("kubeconfig token", "users:\n- name: admin\n  user:\n    token: §", alnum, 40),
	{name: "kubeconfig key", make: func(m *maker) sample {
		return m.encoded("users:\n- name: admin\n  user:\n    client-key-data: §")
	}},
	text("password is", "the initial admin password is §", alnum, 16),
	text("password in prose", "Your new password: § (change it soon)", alnum, 16),
	text("password refused", `login failed with password "§" for user app`, alnum, 16),
}

// encoded is a text with a secret in base64 at "§".
func (m *maker) encoded(with string) sample {
	secret := m.of(alnum, 24)
	encoded := base64Of(secret)
	return sample{text: strings.ReplaceAll(with, "§", encoded), secret: []string{secret, encoded}}
}

func urlOf(name, with string) kind {
	return kind{name: name, isURL: true, make: func(m *maker) sample { return within(with, m.of(alnum, 20)) }}
}

// odd is a kind whose secret has a character in the middle that often ends one.
func odd(name, with string, characters ...string) kind {
	return kind{name: name, make: func(m *maker) sample {
		a, b := m.of(alnum, 10), m.of(alnum, 9)
		return sample{text: strings.ReplaceAll(with, "§", a+pick(m, characters)+b), secret: []string{a, b}}
	}}
}
