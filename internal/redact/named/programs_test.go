package named_test

import (
	"strings"
	"testing"
)

// commandForms are commands that take a secret, § or ¶; each is tried as a line, as a list in JSON and as one in YAML.
const commandForms = `
mysql -h db -u root -p§ shop
mariadb-dump -uroot -p§ shop
mysqlsh --host db -p§
mongosh --host db -u root -p §
sshpass -p § ssh host
7z x -p§ a.7z
docker login -u ci -p § registry.example.com
podman login -u ci -p § registry.example.com
crane auth login -u ci -p § registry.example.com
oras login -u ci -p § registry.example.com
skopeo login -u ci -p § registry.example.com
skopeo copy --src-creds § docker://a docker://b
helm registry login -u ci -p § registry.example.com
az login --service-principal -u app -p § --tenant x
oc login -u app -p § https://api
ibmcloud login -u app -p §
cf login -u app -p §
cf auth app §
glab auth login --hostname git -t §
doctl -t § apps list
doctl auth init -t §
vercel -t § --prod
codecov -t § -f a
bw login me@example.com §
bw unlock § --raw
sqlcmd -S db -U sa -P § -Q x
redis-cli -h redis -a § ping
curl -u app:§ https://x
curl -uapp:§ https://x
curl --proxy-user app:§ https://x
curl --cert client.pem:§ https://x
curl -E /etc/client.pem:§ https://x
curl --pass § --cert a https://x
curl --oauth2-bearer § https://x
curl --tlspassword § https://x
wget --http-password § https://x
wget --password=§ https://x
http -a app:§ https://x
https -a app:§ x
ldapsearch -x -D cn=admin -w § -b dc=x
ldappasswd -D cn=admin -w § -s ¶ cn=app
openssl pkcs12 -in a -passin pass:§ -passout pass:¶
keytool -list -storepass § -keypass ¶
htpasswd -b /etc/htpasswd app §
mosquitto_passwd -b /etc/passwd app §
gpg --batch --passphrase § -d x
unzip -P § a.zip
ngrok authtoken §
mc alias set m https://m.example § ¶
mc config host add m https://m.example § ¶
mc admin user add m app §
rclone obscure §
rclone config create remote sftp user app pass §
npm config set //registry.npmjs.org/:_authToken §
pnpm config set //registry.npmjs.org/:_password §
yarn config set npmAuthToken §
pip config set global.token §
poetry config pypi-token.acme §
poetry config http-basic.acme ci §
composer config http-basic.repo.corp ci §
composer config --global github-oauth.github.com §
composer config gitlab-token.git.corp §
bundle config gems.example.com ci:§
bundle config set --global gems.example.com §
aws configure set aws_secret_access_key §
aws configure set profile.x.aws_session_token §
aliyun configure set access_key_secret §
kubectl config set users.app.token §
kubectl config set-credentials app --token §
kubectl config set-credentials app --username a --password §
kubectl create secret generic db --from-literal=field=§ --from-literal other=¶
kubectl create secret docker-registry x --docker-password=§
gh secret set NAME --body §
gh secret set NAME -b §
glab variable set DB_PASSWORD §
pulumi config set dbPassword §
doppler secrets set FIELD=§ OTHER=¶
fly secrets set FIELD=§ OTHER=¶
vault kv put secret/x field=§ other=¶
vault login §
vault login -method=userpass username=app password=§
nuget setApiKey § -Source x
nuget push a.nupkg -k §
dotnet nuget push a.nupkg --api-key §
dotnet nuget add source https://x -u ci -p §
nuget sources add -Name x -Password §
twine upload -u ci -p § dist
cargo login §
wandb login §
snyk auth §
argocd login cd.example.com --username ci --password §
argocd account update-password --current-password § --new-password ¶
argocd app sync shop --auth-token §
consul members -token=§
consul kv get -token § x
consul agent -encrypt §
nomad status -token §
sqlplus -s app/§
psql "host=db password=§ user=app"
smbclient -U app%§ //h/s
rpcclient -UCORP/app%§ h
lftp -u app,§ ftp.host
ansible-vault encrypt_string § --name x
wpa_passphrase home §
kadmin -p app -w §
radtest app § host 0 x
snmpwalk -v2c -c § host
swaks --to a -au app -ap §
cloudflared service install §
tailscale up --authkey §
netbird up -k §
k3s agent --token §
sentry-cli --auth-token § login
jenkins-cli -auth § list-jobs
airflow users create -u app -p §
rabbitmqctl change_password app §
b2 authorize-account 0012 §
s3cmd --secret_key=§ ls
sonar-scanner -Dsonar.token=§
drush user:password app §
influx setup -p § -t ¶
xfreerdp /u:app /p:§ /v:host
net use z: \\h\s § /user:app
net use \\h\s /user:app §
net user app § /add
conan user -p § -r corp ci
sendemail -xu app -xp §
op signin --account x --raw <<< §
gh auth login --with-token <<< §
trivy image --username ci --password § x
flux create secret git x --username ci --password §
jf config add x --user ci --password § --access-token ¶
az keyvault secret set -n x --value §
aws secretsmanager create-secret --secret-string §
aws ssm put-parameter --name x --value §
etcdctl --user root:§ get x
erl -setcookie § -name x
`

func TestTheSecretOfACommandIsHiddenInALineAndInAList(t *testing.T) {
	for line := range strings.SplitSeq(strings.TrimSpace(commandForms), "\n") {
		values := strings.NewReplacer("§", value(line, ""), "¶", value("2"+line, ""))
		masks := strings.NewReplacer("§", hidden, "¶", hidden)
		forms := []string{line, "+ /usr/bin/" + line + "\nnext line", "`" + line + "` failed exit status 1"}
		if !strings.ContainsAny(line, "\"'<\\") {
			words := strings.Fields(line)
			forms = append(forms, `command: ["`+strings.Join(words, `", "`)+`"]`, "command:\n- "+strings.Join(words, "\n- ")+"\nimage: x\n",
				"command: ['"+words[0]+"']\nargs: ['"+strings.Join(words[1:], "', '")+"']\n", `{"args":["`+strings.Join(words, `","`)+`"]}`)
		}
		for _, form := range forms {
			in, want := values.Replace(form), masks.Replace(form)
			if got := hide(in); got != want {
				t.Errorf("\n  of %q\n got %q\nwant %q", in, got, want)
			}
		}
	}
}
