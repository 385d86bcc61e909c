package workspace

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
)

// File as it hangs on a message.
type File struct {
	ID, Name, Title string
	Content         []byte
}

type file struct {
	File
	length   int
	uploaded bool
	shared   bool
}

// uploadURL is the first of three steps: https://docs.slack.dev/messaging/working-with-files
func (c *call) uploadURL() (answer, error) {
	length, err := strconv.Atoi(c.str("length"))
	switch {
	case c.str("filename") == "":
		return nil, refuse("invalid_arguments")
	case err != nil || length <= 0:
		return nil, refuse("invalid_arguments")
	}
	f := &file{File: File{ID: c.w.newID("F"), Name: c.str("filename")}, length: length}
	c.w.files[f.ID] = f
	return answer{"upload_url": c.base + "/upload/" + f.ID, "file_id": f.ID}, nil
}

// serveUpload takes the bytes, bare or as the part of a form.
func (w *Workspace) serveUpload(rw http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(rw, r.Body, maxBody)
	source := io.Reader(r.Body)
	if contentType(r) == "multipart/form-data" {
		parts, err := r.MultipartReader()
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		part, err := parts.NextPart()
		if err != nil {
			http.Error(rw, err.Error(), http.StatusBadRequest)
			return
		}
		source = part
	}
	content, err := io.ReadAll(source)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	known := false
	w.do(func() {
		if f := w.files[r.PathValue("id")]; f != nil && !f.uploaded && f.length == len(content) {
			f.Content, f.uploaded, known = content, true, true
		}
	})
	if !known {
		http.Error(rw, "upload_failed", http.StatusBadRequest)
		return
	}
	rw.WriteHeader(http.StatusOK)
	_, _ = io.WriteString(rw, "OK - "+strconv.Itoa(len(content)))
}

func (c *call) completeUpload() (answer, error) {
	var wanted []struct{ ID, Title string }
	if json.Unmarshal([]byte(c.str("files")), &wanted) != nil || len(wanted) == 0 {
		return nil, refuse("invalid_arguments")
	}
	var files []File
	for _, each := range wanted {
		f := c.w.files[each.ID]
		if f == nil || !f.uploaded || f.shared {
			return nil, refuse("file_not_found")
		}
		f.Title = cmp.Or(each.Title, f.Name)
		files = append(files, f.File)
	}
	if id := cmp.Or(c.str("channel_id"), c.str("channels")); id != "" {
		if err := c.share(id, files); err != nil {
			return nil, err
		}
	}
	for _, f := range files {
		c.w.files[f.ID].shared = true
	}
	return answer{"files": filesJSON(files)}, nil
}

func (c *call) share(channelID string, files []File) error {
	in := c.w.channels[channelID]
	switch {
	case in == nil || in.private && !in.has(c.app.BotUserID):
		return refuse("channel_not_found")
	case !in.has(c.app.BotUserID):
		return refuse("not_in_channel")
	case in.archived:
		return refuse("is_archived")
	}
	m := c.w.newMessage(c.app, in, content{text: c.str("initial_comment")})
	m.Subtype = "file_share"
	m.Files = slices.Clone(files)
	if err := c.thread(in, m); err != nil {
		return err
	}
	c.w.post(in, m)
	return nil
}

func filesJSON(files []File) []answer {
	var all []answer
	for _, f := range files {
		all = append(all, answer{"id": f.ID, "name": f.Name, "title": f.Title, "size": len(f.Content), "mode": "hosted", "file_access": "visible"})
	}
	return all
}
