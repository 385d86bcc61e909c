package named

// program is a command line that takes a secret without a name for it.
type program struct {
	name string
	// with are words that must follow, such as "login"; empty for none.
	with string
	// flags take the secret as their next word, attached ones also without a space: -px.
	flags    string
	attached bool
	// pair says that the flag takes user:password; the user stays.
	pair bool
	// arguments are how many words that are no flags are before one that is the secret; 0 for none.
	arguments int
	// cookies says that the flag takes name=value; or the name of a file, which stays.
	cookies bool
	// assigned says that every name=value is a secret.
	assigned bool
	// literals says that every --from-literal=a=b is a secret.
	literals bool
}

// commandLines are in the order in which they are tried.
var commandLines = []program{
	{name: "mysql", flags: "-p", attached: true}, {name: "mysqldump", flags: "-p", attached: true}, {name: "mysqladmin", flags: "-p", attached: true},
	{name: "mariadb", flags: "-p", attached: true}, {name: "mariadb-dump", flags: "-p", attached: true}, {name: "mysqlimport", flags: "-p", attached: true},
	{name: "mongo", flags: "-p"}, {name: "mongosh", flags: "-p"}, {name: "mongodump", flags: "-p"}, {name: "mongorestore", flags: "-p"},
	{name: "mongoimport", flags: "-p"}, {name: "mongoexport", flags: "-p"},
	{name: "docker", with: "login", flags: "-p"}, {name: "podman", with: "login", flags: "-p"}, {name: "buildah", with: "login", flags: "-p"},
	{name: "skopeo", with: "login", flags: "-p"}, {name: "oras", with: "login", flags: "-p"}, {name: "crane", with: "login", flags: "-p"},
	{name: "nerdctl", with: "login", flags: "-p"}, {name: "helm", with: "login", flags: "-p"}, {name: "oc", with: "login", flags: "-p"}, {name: "az", with: "login", flags: "-p"},
	{name: "skopeo", flags: "--creds --src-creds --dest-creds", pair: true},
	{name: "sqlcmd", flags: "-P", attached: true}, {name: "bcp", flags: "-P", attached: true}, {name: "isql", flags: "-P", attached: true}, {name: "osql", flags: "-P", attached: true},
	{name: "sshpass", flags: "-p", attached: true}, {name: "redis-cli", flags: "-a --pass", attached: false}, {name: "valkey-cli", flags: "-a --pass"},
	{name: "keydb-cli", flags: "-a"}, {name: "curl", flags: "-u --user -U --proxy-user", pair: true}, {name: "curl", flags: "-b --cookie", cookies: true},
	{name: "wget", flags: "--http-password --ftp-password"},
	{name: "ldapsearch", flags: "-w", attached: true}, {name: "ldapadd", flags: "-w", attached: true}, {name: "ldapmodify", flags: "-w", attached: true},
	{name: "ldappasswd", flags: "-w -s -a"}, {name: "ldapwhoami", flags: "-w"}, {name: "ldapdelete", flags: "-w"},
	{name: "openssl", flags: "-passin -passout -pass -k -K -password"}, {name: "keytool", flags: "-storepass -keypass -srcstorepass -deststorepass -new"},
	{name: "htpasswd", arguments: 3}, {name: "gpg", flags: "--passphrase"}, {name: "zip", flags: "-P"}, {name: "unzip", flags: "-P"},
	{name: "knife", flags: "-P"}, {name: "ngrok", with: "add-authtoken", arguments: 1}, {name: "mc", with: "set", arguments: 4}, {name: "mc", with: "set", arguments: 3}, {name: "sqlplus", arguments: 1, pair: true}, {name: "expdp", arguments: 1, pair: true}, {name: "impdp", arguments: 1, pair: true},
	{name: "cqlsh", flags: "-p"}, {name: "nodetool", flags: "-pw"}, {name: "plink", flags: "-pw"}, {name: "pscp", flags: "-pw"}, {name: "beeline", flags: "-p"},
	{name: "ipmitool", flags: "-P"}, {name: "snmpwalk", flags: "-A -X -c"}, {name: "cypher-shell", flags: "-p"},
	{name: "ssh-keygen", flags: "-N -P"}, {name: "slappasswd", flags: "-s"}, {name: "7z", flags: "-p", attached: true}, {name: "7za", flags: "-p", attached: true},
	{name: "mosquitto_pub", flags: "-P --pw"}, {name: "mosquitto_sub", flags: "-P --pw"}, {name: "psexec", flags: "-p"}, {name: "rabbitmqadmin", flags: "-p"},
	{name: "codecov", flags: "-t"}, {name: "gitlab-runner", with: "register", flags: "-r"}, {name: "nuget", with: "push", flags: "-k"}, {name: "http", flags: "-a", pair: true},
	{name: "https", flags: "-a", pair: true}, {name: "cargo", with: "login", arguments: 1}, {name: "wandb", with: "login", arguments: 1}, {name: "confluent", with: "store", arguments: 2},
	{name: "grafana-cli", with: "reset-admin-password", arguments: 1}, {name: "grafana", with: "reset-admin-password", arguments: 1},
	{name: "radtest", arguments: 2}, {name: "az", with: "secret", flags: "--value"}, {name: "aws", with: "put-parameter", flags: "--value"},
	{name: "aws", with: "put-secret-value", flags: "--secret-string"}, {name: "aws", with: "create-secret", flags: "--secret-string"}, {name: "erl", flags: "-setcookie"},
	{name: "vault", with: "put", assigned: true}, {name: "bao", with: "put", assigned: true}, {name: "vault", with: "patch", assigned: true},
	{name: "twine", flags: "-p"}, {name: "etcdctl", flags: "--user", pair: true}, {name: "smbclient", flags: "-U", pair: true},
	{name: "vault", with: "unseal", arguments: 1}, {name: "vault", with: "login", arguments: 1}, {name: "bao", with: "unseal", arguments: 1}, {name: "bao", with: "login", arguments: 1},
	{name: "rabbitmqctl", with: "add_user", arguments: 2}, {name: "rabbitmqctl", with: "change_password", arguments: 2}, {name: "snyk", with: "auth", arguments: 1},
	{name: "kubectl", with: "create", literals: true}, {name: "oc", with: "create", literals: true}, {name: "identified"},
}

var programs = func() map[string]bool {
	set := map[string]bool{}
	for i := range commandLines {
		set[commandLines[i].name] = true
	}
	// A command of Redis, which a log prints: AUTH x.
	set["auth "] = true
	set["-p"] = true
	return set
}()
