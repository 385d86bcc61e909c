package named

import "strings"

// commandLines are programs that take a secret without a name for it, one of the words that must follow, and what then is one:
//
//	-p   the next word    -p+  also attached, as -px    -p*  only attached
//	2    the second word that is no flag
//	named  the word behind one that names a secret    assigned  the value of each name=value    literals  that of each --from-literal
//
// A sign behind it says that only the part behind that sign is one, as of user:x; ? that it must look made up, ! that it is no assignment,
// path or switch.
const commandLines = `
mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlbinlog mysqlpump mariadb mariadb-dump mariadb-admin mycli taos: -p*
mongo mongosh mongodump mongorestore mongoimport mongoexport mongostat mongotop cqlsh cypher-shell psexec rabbitmqadmin beeline twine rdesktop ncftp ncftpput ncftpget kcadm.sh: -p
mysqlsh sshpass 7z 7za 7zr rar unrar: -p+
docker podman buildah skopeo oras crane nerdctl helm oc az regctl cosign cf ibmcloud glab argocd > login: -p <<<
gh > login: --with-token <<<
glab doctl > login init: -t
vercel codecov codecovcli surge influx doctl: -t
influx > setup: -p -t
cf > auth: 2
bw > login: 2
bw > unlock: 1
skopeo podman buildah: --creds: --src-creds: --dest-creds:
ctr: --user: -u:
sqlcmd bcp isql osql mssql-cli tsql: -P+
redis-cli valkey-cli keydb-cli redis-benchmark memtier_benchmark: -a --pass
curl: -u+: --user: -U+: --proxy-user: -b= --cookie= -E: --cert: --proxy-cert: --pass --proxy-pass --oauth2-bearer --tlspassword --proxy-tlspassword
wget: --http-password --ftp-password --proxy-password --password
http https xh xhs: -a+: --auth:
ab hey: -A: -a:
aria2c: --http-passwd --ftp-passwd
ldapsearch ldapadd ldapmodify ldapdelete ldapcompare ldapmodrdn ldapwhoami ldapexop: -w+
ldappasswd: -w -s -a
slappasswd: -s
chpasswd passwd: <<<
openssl: -passin -passout -pass -k -K -password
keytool jarsigner: -storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new
htpasswd mosquitto_passwd: 3
gpg gpg2: --passphrase
zip unzip ipmitool knife: -P+
ngrok > add-authtoken authtoken: 1
mc mcli > set add: 4 3
rclone > obscure: 1
hdbuserstore > set SET: 4
tctl > add: --value
emqx emqx_ctl > passwd: 2
eyaml > encrypt: -s
schtasks: /rp /RP
rclone npm pnpm yarn bun pip pip3 poetry composer git > config set: named
aws aliyun gcloud doppler tccli kubectl oc glab pulumi > set: named
pulumi > --secret: 2
poetry composer > http-basic.* bitbucket-oauth.*: 2
poetry composer > pypi-token.* github-oauth.* gitlab-token.* gitlab-oauth.* bearer.*: 1
bundle bundler > config: 2: 3: 2? 3?
gh > set: -b --body
sqlplus expdp impdp exp imp sqlldr: 1/
rman: 1/ 2/
virsh > secret-set-value: --base64
nodetool plink pscp psftp: -pw
snmpwalk snmpget snmpset snmpbulkwalk snmptrap: -A -X -c
ssh-keygen: -N -P
mosquitto_pub mosquitto_sub mosquitto_rr: -P --pw
gitlab-runner > register: -r
dotnet nuget > push: -k
dotnet > source: -p
nuget > setApiKey setapikey: 1
cargo wandb hf huggingface-cli > login: 1
confluent > store: 2
grafana-cli grafana > reset-admin-password: 1
radtest wpa_passphrase: 2
az > secret: --value
aws > put-parameter: --value
aws > put-secret-value create-secret update-secret: --secret-string
erl iex elixir: -setcookie --cookie
vault bao > put patch: assigned
vault bao > unseal login: 1!
fly flyctl doppler > secrets: assigned
b2 > authorize-account authorize: 2
etcdctl: --user:
etcdctl > add: 1:
ejabberdctl prosodyctl > register: 3
smbclient rpcclient winexe smbget net: -U+%
net > use: 2! 3!
net > user: 2!
xfreerdp: /p*
conan > user login: -p
op bw > signin unlock login: <<<
crackmapexec netexec nxc evil-winrm: -p
lftp: -u,
swaks: -ap
sendemail sendmail: -xp+
kadmin kadmin.local: -w -pw
addprinc cpw change_password: -pw
rabbitmqctl > add_user change_password authenticate_user: 2
snyk > auth: 1
cloudflared > install: 1
tailscale > up: --authkey --auth-key
netbird > up: -k --setup-key
airflow > create: -p
ansible-vault > encrypt_string: 1
jenkins-cli jenkins-cli.jar: -auth:
act: -s=
drush > user:password upwd: 2
consul > agent: -encrypt
consul > set-agent-token: 2
db2 > using: 1
kubectl oc > create: literals
identified:
`

// program is a command line that takes a secret without a name for it.
type program struct {
	// with are words of which one must follow, * for any end; nil for none.
	with                      []string
	takers                    []taker
	named, assigned, literals bool
}

// taker is a flag or, without one, the place of an argument.
type taker struct {
	flag  string
	place int
	// next and attached say where the secret of a flag is, sign what is before it in its word.
	next, attached bool
	sign           string
	// made and bare limit what counts.
	made, bare bool
}

// programs are the command lines by the name of their program. A command of Redis, which a log prints, is like one: AUTH x.
var programs = readPrograms()

func readPrograms() map[string][]program {
	all := map[string][]program{"auth ": nil}
	for name := range callPlaces {
		all[name] = nil
	}
	for line := range strings.SplitSeq(strings.TrimSpace(commandLines), "\n") {
		names, takes, _ := strings.Cut(line, ": ")
		names, with, _ := strings.Cut(strings.TrimSuffix(names, ":"), " > ")
		p := program{with: strings.Fields(with)}
		for word := range strings.FieldsSeq(takes) {
			switch word {
			case "named":
				p.named = true
			case "assigned":
				p.assigned = true
			case "literals":
				p.literals = true
			default:
				p.takers = append(p.takers, readTaker(word))
			}
		}
		for name := range strings.FieldsSeq(names) {
			all[name] = append(all[name], p)
		}
	}
	return all
}

func readTaker(word string) taker {
	t := taker{next: true}
	if end := len(word) - 1; strings.IndexByte(":=%/,", word[end]) >= 0 {
		word, t.sign = word[:end], word[end:]
	}
	switch end := len(word) - 1; word[end] {
	case '+':
		word, t.attached = word[:end], true
	case '*':
		word, t.attached, t.next = word[:end], true, false
	case '?':
		word, t.made = word[:end], true
	case '!':
		word, t.bare = word[:end], true
	}
	if isDigit(word[0]) {
		t.place = int(word[0] - '0')
	} else {
		t.flag = word
	}
	return t
}

// follows reports whether one of the words is what the program needs, and where.
func (p *program) follows(s string, line []Span) (at int, ok bool) {
	if len(p.with) == 0 {
		return -1, true
	}
	for i := range min(8, len(line)) {
		word := s[line[i].Start:line[i].End]
		for _, w := range p.with {
			if prefix, open := strings.CutSuffix(w, "*"); word == w || open && strings.HasPrefix(word, prefix) {
				return i, true
			}
		}
	}
	return 0, false
}
