package message

import (
	"strings"
	"unicode"
)

// failures are how the messages of glibc, bash and PostgreSQL, and of programs like them, say in other languages that something could not be
// done, causes how they say why. In lower case, and cut where the words around them change the ending.
var (
	failures = []string{
		// Spanish, Portuguese, French, Italian
		"no se pudo", "no se puede ", "no fue posible", "falló ", "não foi possível", "não pôde ", "não é possível", "não conseguiu", "falhou",
		"impossible d", "n'a pas pu", "ne peut ", "échec d", "a échoué", "impossibile ", "non è stato possibile", "non riuscit", "fallit",
		// German, Dutch, Swedish
		"konnte nicht", "konnte keine", "kann nicht", "nicht möglich", "fehlgeschlagen", "gescheitert", "kon niet", "kan niet", "mislukt", "kunde inte", "kan inte", "misslyckades",
		// Polish, Czech, Turkish
		"nie można", "nie udało się", "niepowodzenie", "nelze ", "nepodařilo se", "nemohu ", "selhal", "yapılamadı", "edilemedi", "alınamıyor", "başarısız",
		// Russian, Ukrainian
		"не удалось", "не удаётся", "невозможно ", "не вдалося", "неможливо ", "не можливо", "сбой", "збій",
		// Chinese, Japanese, Korean
		"无法", "失败", "無法", "失敗", "できません", "할 수 없", "실패", "못했",
	}
	causes = []string{
		// Spanish
		"rehusada", "rechazad", "denegado", "no existe ", "no se encontr", "no encontrad", "expiró el tiempo", "agotad", "agotó el tiempo", "no queda espacio", "inaccesible",
		"reinicializada por", "ya existe", "ya se está usando", "no permitid", "no establecid", "sin asignar", "inválid", "no válid", "desconocid", "duplicada viola", "cerrado la conexión",
		// Portuguese
		"recusad", "negada", "negado", "inexistente", "não existe", "não encontrad", "esgotad", "expirad", "não há espaço", "sem espaço", "já existe", "já em uso", "não permitid", "não definid", "fechada pela outra",
		// French
		"refusé", "non accordée", "interdit", "aucun fichier", "introuvable", "n'existe pas", "expiration du délai", "délai d'attente dépassé", "délai est dépassé", "délai dépassé", "mémoire épuisée", "aucun espace", "existe déjà", "déjà utilisée",
		"n'est pas accessible", "non permise", "non défini", "invalide", "inconnu",
		// Italian
		"rifiutat", "permesso negato", "accesso negato", "non esiste", "non trovat", "scadut", "esaurit", "esiste già", "già in uso", "non permess", "non impostat", "non valid", "sconosciut",
		// German
		"abgelehnt", "verweigert", "keine berechtigung", "nicht gefunden", "existiert nicht", "existiert bereits", "wartezeit für die verbindung", "zeitüberschreitung", "abgelaufen", "nicht genügend", "aufgebraucht", "kein speicherplatz",
		"nicht erreichbar", "zurückgesetzt", "unerwartet", "bereits verwendet", "nicht erlaubt", "nicht gesetzt", "ungültig", "nicht bekannt", "doppelter schlüssel",
		// Dutch, Swedish
		"geweigerd", "bestaat niet", "bestaat al", "niet gevonden", "verlopen", "onvoldoende geheugen", "geen ruimte", "onbereikbaar", "niet toegestaan", "ongeldig", "onbekend",
		"förvägrad", "åtkomst nekas", "finns inte", "finns redan", "existerar inte", "hittades inte", "tidsgräns", "slut på minne", "inte tillåten", "ogiltig", "okänd",
		// Polish, Czech
		"odrzucon", "brak dostępu", "odmowa", "nie ma takiego", "nie istnieje", "nie znaleziono", "przekroczon", "brak miejsca", "brak pamięci", "już istnieje", "niedozwolon", "nieustawion", "nieprawidłow", "niedostępn", "zerwane",
		"odmítnut", "zamítnut", "neexistuje", "nenalezen", "časový limit vypršel", "nedostatek paměti", "není volné místo", "již existuje", "není povolen", "nenastaven", "neplatn", "nedostupn",
		// Turkish
		"reddedildi", "engellendi", "mevcut değil", "bulunamadı", "böyle bir dosya", "zaman aşımı", "yer yok", "zaten kullanımda", "zaten mevcut", "zaten var", "izin verilmedi", "ayarlanmamış", "geçersiz", "bilinmiyor",
		// Russian
		"отказано", "отклонен", "нет доступа", "доступ запрещ", "нет такого", "не существует", "не найден", "ожидания соединения истекло", "время ожидания истекло", "нехватка памяти", "недостаточно памяти", "свободного места", "уже существует",
		"уже используется", "не прошёл проверку", "не позволена", "не задан", "недоступн", "недопустим", "неверн", "неизвестн", "разорвано", "закрыл соединение", "нарушает ограничение",
		// Ukrainian
		"відмовлено", "відхилен", "немає доступу", "немає дозволу", "немає такого", "не існує", "не знайдено", "перевищено", "недостатньо", "вже існує", "вже використ", "не пройшов", "заборонено", "не встановлено", "невідом", "розірвав", "порушують обмеження",
		// Chinese
		"拒绝", "拒絕", "权限不够", "权限不足", "没有权限", "權限不足", "没有那个", "沒有此一", "不存在", "找不到", "未找到", "连接超时", "请求超时", "操作超时", "等待超时", "已超时", "逾時", "超過時間", "内存不足", "内存用尽", "没有空间", "多餘空間", "已经存在", "已存在", "不可达", "不允许", "未设置", "未設定", "无效", "無效", "未知的", "违反", "重设", "重設", "关闭了",
		// Japanese
		"拒否", "許可がありません", "存在しません", "見つかりません", "タイムアウトしました", "メモリ不足", "空き領域がありません", "すでに存在", "既に使用", "既に存在", "許可されていない", "設定されていません", "無効な", "不正", "不明", "届きません", "リセットされ", "違反",
		// Korean
		"거부", "권한 없음", "없습니다", "찾을 수 없", "시간 초과", "메모리 부족", "공간이 없음", "이미 있", "이미 사용", "허용하지", "설정하지 않", "잘못된", "부적절한", "연결을 끊", "위반",
	}
)

// tellingAbroad is the line of a log that says in another language what went wrong: the one that says both that something could not be done and
// why, else the last one that says either. Empty where none does.
func tellingAbroad(log string) string {
	best, line := 0, ""
	for said := range weighed(log) {
		lower := strings.ToLower(said)
		n := 0
		if HasAny(lower, failures...) {
			n++
		}
		if HasAny(lower, causes...) {
			n++
		}
		if n > 0 && n >= best {
			best, line = n, withoutTail(announced.ReplaceAllString(said, ""))
		}
	}
	return line
}

// IsAbroad reports whether a log has letters that English does without: then it may name an error in words that are not known here.
func IsAbroad(log string) bool {
	return strings.ContainsFunc(log, func(r rune) bool { return r >= 0xC0 && r != '×' && r != '÷' && unicode.IsLetter(r) })
}
