package argo

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/gogo/protobuf/proto"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/argo-why/argo-why/internal/foreign"
)

// measured decodes an answer only if its lists have no more members than the limits allow: an empty one is two bytes on the wire, and
// hundreds in memory. It is used for one call.
type measured struct {
	limits foreign.Limits
	// refused is the reason why the answer was not decoded. gRPC passes on its text, but not the error itself.
	refused error
}

// Marshal implements encoding.Codec.
func (*measured) Marshal(v any) ([]byte, error) {
	m, ok := v.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("encode %T: not a protobuf message", v)
	}
	return proto.Marshal(m)
}

// Unmarshal implements encoding.Codec.
func (c *measured) Unmarshal(data []byte, v any) error {
	m, ok := v.(proto.Message)
	if !ok {
		return fmt.Errorf("decode %T: not a protobuf message", v)
	}
	if c.refused = c.limits.Counted(len(data), members(reflect.TypeOf(m), data)); c.refused != nil {
		return c.refused
	}
	return proto.Unmarshal(data, m)
}

// Name implements encoding.Codec. It is empty so that the content type stays "application/grpc": argocd-server tells gRPC
// from web requests by exactly that, and resets the connection on "application/grpc+proto".
func (*measured) Name() string { return "" }

// members counts those of all lists in a message, at every depth.
func members(message reflect.Type, data []byte) (n int) {
	fields := fieldsOf(message)
	for len(data) > 0 {
		number, kind, size := protowire.ConsumeTag(data)
		if size < 0 {
			return n // decoding it fails as well
		}
		data = data[size:]
		if size = protowire.ConsumeFieldValue(number, kind, data); size < 0 {
			return n
		}
		f := fields[number]
		if f.list {
			n++
		}
		if f.message != nil && kind == protowire.BytesType {
			inner, _ := protowire.ConsumeBytes(data)
			n += members(f.message, inner)
		}
		data = data[size:]
	}
	return n
}

// field is one of a message, by its number.
type field struct {
	list    bool
	message reflect.Type // nil for a plain value
}

var knownFields sync.Map // of map[protowire.Number]field, by reflect.Type

// fieldsOf are the fields of a generated message, which say their numbers in a tag: `protobuf:"bytes,1,rep,name=resources"`.
func fieldsOf(message reflect.Type) map[protowire.Number]field {
	for message.Kind() == reflect.Pointer {
		message = message.Elem()
	}
	if known, ok := knownFields.Load(message); ok {
		return known.(map[protowire.Number]field) //nolint:errcheck,forcetypeassert // nothing else is in it
	}
	out := map[protowire.Number]field{}
	if message.Kind() == reflect.Struct {
		for i := range message.NumField() {
			tag := strings.Split(message.Field(i).Tag.Get("protobuf"), ",")
			if len(tag) < 2 {
				continue
			}
			number, err := strconv.Atoi(tag[1])
			if err != nil {
				continue
			}
			out[protowire.Number(number)] = field{isList(message.Field(i).Type), messageIn(message.Field(i).Type)}
		}
	}
	knownFields.Store(message, out)
	return out
}

// isList goes by the type: the tags of Argo CD's lists often say "opt", and they are repeated all the same.
func isList(t reflect.Type) bool {
	return t.Kind() == reflect.Map || t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8
}

// messageIn is the message that a field has, alone or as the members of a list.
func messageIn(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		return t
	}
	return nil
}
