package workspace

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

const maxBody = 8 << 20

// arguments reads the query, a form or a JSON object into one form: what is not a string in JSON stays JSON, as a form
// has it too. https://docs.slack.dev/apis/web-api#basics
func arguments(r *http.Request) (args url.Values, token string, err error) {
	token = bearer(r)
	args = r.URL.Query()
	if r.Method == http.MethodPost {
		body, problem := body(r)
		if problem != nil {
			return args, token, problem
		}
		for name, values := range body {
			args[name] = values
		}
	}
	// A JSON body cannot carry the token: https://docs.slack.dev/apis/web-api#post-json
	if token == "" && !isJSON(r) {
		token = args.Get("token")
	}
	args.Del("token")
	return args, token, nil
}

func bearer(r *http.Request) string {
	scheme, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return token
}

func contentType(r *http.Request) string {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return kind
}

func isJSON(r *http.Request) bool { return contentType(r) == "application/json" }

func body(r *http.Request) (url.Values, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, maxBody)
	switch kind := contentType(r); kind {
	case "application/json":
		return jsonArguments(r.Body)
	case "application/x-www-form-urlencoded", "multipart/form-data":
		// ParseMultipartForm does the other kind too, and complains of it afterwards.
		if err := r.ParseMultipartForm(maxBody); err != nil && kind == "multipart/form-data" {
			return nil, refuse("invalid_form_data")
		}
		return r.PostForm, nil
	case "":
		if r.ContentLength == 0 {
			return nil, nil
		}
		return nil, refuse("missing_post_type")
	default:
		return nil, refuse("invalid_post_type")
	}
}

func jsonArguments(r io.Reader) (url.Values, error) {
	var object map[string]json.RawMessage
	// slack-go calls apps.connections.open with a JSON body of no bytes.
	if err := json.NewDecoder(r).Decode(&object); err != nil && !errors.Is(err, io.EOF) {
		return nil, refuse("invalid_json")
	}
	args := url.Values{}
	for name, raw := range object {
		var s string
		switch {
		case string(raw) == "null":
		case json.Unmarshal(raw, &s) == nil:
			args.Set(name, s)
		default:
			args.Set(name, string(raw))
		}
	}
	return args, nil
}

func (c *call) str(name string) string { return c.args.Get(name) }

func (c *call) has(name string) bool { return c.args.Has(name) }

func (c *call) flag(name string) bool {
	on, err := strconv.ParseBool(c.str(name))
	return err == nil && on
}

// limit is the size of a page; Slack cuts what is too large.
func (c *call) limit(usual, most int) (int, error) {
	if !c.has("limit") || c.str("limit") == "" {
		return usual, nil
	}
	n, err := strconv.Atoi(c.str("limit"))
	if err != nil || n < 0 {
		return 0, refuse("invalid_limit")
	}
	if n == 0 {
		return usual, nil
	}
	return min(n, most), nil
}

// page cuts a list at the cursor: https://docs.slack.dev/apis/web-api/pagination
func page[T any](c *call, all []T, usual, most int) (part []T, next string, err error) {
	size, err := c.limit(usual, most)
	if err != nil {
		return nil, "", err
	}
	start := 0
	if cursor := c.str("cursor"); cursor != "" {
		raw, err := base64.StdEncoding.DecodeString(cursor)
		if err != nil {
			return nil, "", refuse("invalid_cursor")
		}
		start, err = strconv.Atoi(strings.TrimPrefix(string(raw), "from:"))
		if err != nil || start < 0 || start > len(all) {
			return nil, "", refuse("invalid_cursor")
		}
	}
	end := min(len(all), start+size)
	if end < len(all) {
		next = base64.StdEncoding.EncodeToString([]byte("from:" + strconv.Itoa(end)))
	}
	return all[start:end], next, nil
}
