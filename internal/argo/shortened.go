package argo

import (
	"reflect"

	"github.com/argoproj/argo-cd/v2/pkg/apis/application/v1alpha1"
	"github.com/gogo/protobuf/proto"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/argo-why/argo-why/internal/foreign"
)

// shorten decodes lists and changes of applications. One that is too large is decoded without its lists: whoever asks for it then hears why it
// cannot be read, and all others are read. See [decodeApplication], which does the same over HTTP. The message as a whole has the limit that Argo
// CD's own clients have (ARGOCD_GRPC_MAX_SIZE_MB, 200 MB by default), and that argocd-server keeps to when it sends.
type shorten struct{ measured }

func shortened() grpc.CallOption { return grpc.ForceCodec(&shorten{}) }

// Unmarshal implements encoding.Codec.
func (*shorten) Unmarshal(data []byte, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return (&measured{}).Unmarshal(data, v)
	}
	isLarge := false
	eachField(reflect.TypeOf(m), data, func(f field, content []byte) ([]byte, bool) {
		isLarge = isLarge || isLargeApplication(f, content)
		return nil, false
	})
	if isLarge { // the rest is not copied for nothing
		data = eachField(reflect.TypeOf(m), data, shortApplication)
	}
	return proto.Unmarshal(data, m)
}

var application = reflect.TypeFor[v1alpha1.Application]()

func isLargeApplication(f field, content []byte) bool {
	return f.message == application && foreign.Application.Counted(len(content), members(f.message, content)) != nil
}

// shortApplication is the content of a field of a list or of a change.
func shortApplication(f field, content []byte) (short []byte, keep bool) {
	if isLargeApplication(f, content) {
		return eachField(f.message, content, withoutLists), true
	}
	return content, true
}

// withoutLists is the content of a field of an application, without lists at any depth.
func withoutLists(f field, content []byte) (short []byte, keep bool) {
	if f.list {
		return nil, false
	}
	if f.message != nil {
		content = eachField(f.message, content, withoutLists)
	}
	return content, true
}

// eachField is a message with other contents of those fields that have a length, or without some of them. It is the same message where nothing
// changes, and where it cannot be read: then decoding it fails as well.
func eachField(message reflect.Type, data []byte, change func(field, []byte) ([]byte, bool)) []byte {
	fields := fieldsOf(message)
	var out []byte
	for rest := data; len(rest) > 0; {
		number, kind, size := protowire.ConsumeTag(rest)
		if size < 0 {
			return data
		}
		length := protowire.ConsumeFieldValue(number, kind, rest[size:])
		if length < 0 {
			return data
		}
		whole := rest[:size+length]
		rest = rest[size+length:]
		if kind != protowire.BytesType {
			out = append(out, whole...)
			continue
		}
		content, _ := protowire.ConsumeBytes(whole[size:])
		if content, keep := change(fields[number], content); keep {
			out = protowire.AppendBytes(protowire.AppendTag(out, number, kind), content)
		}
	}
	return out
}
