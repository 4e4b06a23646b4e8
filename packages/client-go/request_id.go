package loci

import (
	"crypto/rand"
	"encoding/hex"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// newRequestID makes an idempotency key: a random UUID.
func newRequestID() string {
	var random [16]byte
	rand.Read(random[:]) // never fails
	random[6] = random[6]&0x0f | 0x40
	random[8] = random[8]&0x3f | 0x80
	var text [36]byte
	hex.Encode(text[0:8], random[0:4])
	hex.Encode(text[9:13], random[4:6])
	hex.Encode(text[14:18], random[6:8])
	hex.Encode(text[19:23], random[8:10])
	hex.Encode(text[24:36], random[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}

// keyedRequest is a request with an idempotency key.
type keyedRequest interface {
	proto.Message
	GetRequestId() string
}

// withKey gives a request that has an idempotency key: the caller's own, or a copy with a new one.
func withKey(request keyedRequest) proto.Message {
	if request.GetRequestId() != "" {
		return request
	}
	return withText(request, "request_id", newRequestID())
}

// withText copies a request with another text in one of its fields. The copy shares what the other fields point to.
func withText(request proto.Message, field protoreflect.Name, text string) proto.Message {
	given := request.ProtoReflect()
	copied := given.New()
	given.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		copied.Set(field, value)
		return true
	})
	copied.SetUnknown(given.GetUnknown())
	copied.Set(given.Descriptor().Fields().ByName(field), protoreflect.ValueOfString(text))
	return copied.Interface()
}
