package named

import "strings"

// stem is the beginning of a word that may be, or be in, the name of a secret, or a program that takes one.
type stem struct {
	text    string
	program bool
}

// Every name of the vocabulary contains one of them; a test compares.
const nameStems = `pass pwd pw secret token key auth cred salt cookie dsn conn pin otp jwt hmac mnemonic seed recovery backup psk kubeconfig dockerc
	netrc pgpass webhook sas id_rsa id-rsa id_ed id-ed id_dsa id_ecdsa kennwort senha jsess phpsess community code_v codev verification mfa pre shared
	pepper inline_string inlinestring _pat licen art-api art_api artapi`

// stems tells the stems by their first two bytes: 0 if there are none, else an index into stemLists, plus one.
var stems, stemLists = index()

func index() (table [1 << 16]uint16, lists [][]stem) {
	add := func(st stem) {
		// Both cases of both letters, so that the loop need not fold.
		for _, a := range [2]byte{st.text[0], upper(st.text[0])} {
			for _, b := range [2]byte{st.text[1], upper(st.text[1])} {
				if table[pair(a, b)] == 0 {
					lists = append(lists, nil)
					table[pair(a, b)] = uint16(len(lists))
				}
				list := &lists[table[pair(a, b)]-1]
				if len(*list) == 0 || (*list)[len(*list)-1] != st {
					*list = append(*list, st)
				}
			}
		}
	}
	for name := range programs {
		add(stem{name, true})
	}
	for text := range strings.FieldsSeq(nameStems) {
		add(stem{text, false})
	}
	return table, lists
}

func pair(a, b byte) int { return int(a)<<8 | int(b) }

// hasPrefixFold compares with a prefix in lower case, which is ASCII.
func hasPrefixFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(s[i]) != prefix[i] {
			return false
		}
	}
	return true
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + ('a' - 'A')
	}
	return b
}

func upper(b byte) byte {
	if 'a' <= b && b <= 'z' {
		return b - ('a' - 'A')
	}
	return b
}

func isLetter(b byte) bool   { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isDigit(b byte) bool    { return '0' <= b && b <= '9' }
func isHexByte(b byte) bool  { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' }
func isNameByte(b byte) bool { return isLetter(b) || isDigit(b) || b == '_' || b == '-' || b == '.' }
func isSpace(b byte) bool    { return b == ' ' || b == '\t' }
func isEnd(b byte) bool      { return b == '\n' || b == '\r' || b == 0 }
