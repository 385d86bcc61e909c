package advice

import (
	"bytes"
	"encoding/json"
)

// DataPatch is a merge patch, as JSON, that sets one key in a field of an object (data, stringData).
func DataPatch(field, key, value string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // a person reads it
	if err := encoder.Encode(map[string]map[string]string{field: {key: value}}); err != nil {
		panic(err) // texts always encode
	}
	return string(bytes.TrimSpace(out.Bytes()))
}
