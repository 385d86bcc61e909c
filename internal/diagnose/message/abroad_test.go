package message_test

import (
	"testing"

	"github.com/argo-why/argo-why/internal/diagnose/message"
)

// TestAnErrorInAnotherLanguageIsTold: the lines are of the translations of glibc, bash and PostgreSQL's client, without a word like ERROR.
func TestAnErrorInAnotherLanguageIsTold(t *testing.T) {
	for _, c := range []struct{ begins, said, ends string }{
		{"iniciando", "No se pudo conectar con el servidor: conexión rehusada", "fin del proceso"},
		{"iniciando", "/app/run.sh: línea 3: migrate: orden no encontrada", "fin del proceso"},
		{"iniciando", "no se pudo traducir el nombre «db» a una dirección: Nombre o servicio desconocido", "saliendo"},
		{"iniciando", "não foi possível conectar ao servidor: Conexão recusada", "encerrado"},
		{"a iniciar", "/data/cache: Permissão recusada", "terminado"},
		{"démarrage", "la connexion au serveur sur « db », port 5432 a échoué : Connexion refusée", "arrêt"},
		{"démarrage", "/srv/app.conf : Aucun fichier ou dossier de ce type", "arrêt"},
		{"avvio", `connessione al server su "db", porta 5432 non riuscita: Connessione rifiutata`, "uscita"},
		{"avvio", "/data: Permesso negato", "uscita"},
		{"Start", "Verbindung zum Server auf »db«, Port 5432 fehlgeschlagen: Verbindungsaufbau abgelehnt", "beendet"},
		{"Start", "konnte Hostnamen »db« nicht in Adresse übersetzen: Der Name oder der Dienst ist nicht bekannt", "beendet"},
		{"Start", "/data/lock: Keine Berechtigung", "beendet"},
		{"starten", "kan geen verbinding maken: Verbinding is geweigerd", "gestopt"},
		{"startar", `anslutning till server på "db", port 5432 misslyckades: Förbindelsen förvägrad`, "avslutar"},
		{"start", "Nie można połączyć się z serwerem: połączenie odrzucone", "zakończono"},
		{"start", "/etc/app.conf: Nie ma takiego pliku ani katalogu", "zakończono"},
		{"start", "nelze navázat spojení se serverem: Spojení odmítnuto", "konec"},
		{"başlıyor", "sunucuya bağlanılamadı: Bağlantı reddedildi", "bitti"},
		{"запуск", `подключиться к серверу "db", порту 5432 не удалось: В соединении отказано`, "завершение"},
		{"запуск", "/data/x: Нет такого файла или каталога", "завершение"},
		{"запуск", "У з'єднанні відмовлено", "кінець"},
		{"启动服务", "无法连接到服务器: 拒绝连接", "进程已退出"},
		{"启动服务", "/data/x: 没有那个文件或目录", "进程已退出"},
		{"啟動", "無法連線: 連線被拒絕", "結束"},
		{"起動します", `"db"、ポート5432のサーバーへの接続に失敗しました: 接続を拒否されました`, "終了します"},
		{"시작", `"db" 포트 5432 서버에 접속 할 수 없음: 연결이 거부됨`, "종료"},
	} {
		if line, names := message.Telling(c.begins + "\n" + c.said + "\n" + c.ends + "\n"); line != c.said || !names {
			t.Errorf("%q: %q (names an error: %v)", c.said, line, names)
		}
	}
}

// TestAQuietLogNamesNoError: progress is none in any language.
func TestAQuietLogNamesNoError(t *testing.T) {
	for _, log := range []string{
		"iniciando\ntiempo de espera: 30 s\nconectado\nlisto", "启动服务\n超时时间 30 秒\n检查权限\n已连接", "起動します\n既に最新です\n準備完了", "Start\nWartezeit 30 s\nverbunden",
		"запуск\nтайм-аут: 30 с\nготово", "başlıyor\nzaten güncel\nhazır", "démarrage\ndélai d'attente: 30 s\nprêt", "starting renegade 1.2\nlistening on :8080\nready",
	} {
		if line, names := message.Telling(log); names {
			t.Errorf("%q: takes %q for an error", log, line)
		}
	}
}
