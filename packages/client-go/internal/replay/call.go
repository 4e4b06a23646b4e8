package main

import (
	"context"
	"iter"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	loci "loci/client-go"
)

// call makes an RPC through the client's own method.
type call struct {
	// hasMany is true for streams, and for lists that come in pages.
	hasMany bool
	make    func(ctx context.Context, client *loci.Client, request []byte) (iter.Seq2[proto.Message, error], error)
}

// message is a generated message.
type message[Of any] interface {
	*Of
	proto.Message
}

// one is an RPC with one answer.
func one[Of any, Request message[Of], Answer proto.Message](method func(context.Context, *loci.Client, Request) (Answer, error)) call {
	return call{make: func(ctx context.Context, client *loci.Client, text []byte) (iter.Seq2[proto.Message, error], error) {
		request := Request(new(Of))
		if err := protojson.Unmarshal(text, request); err != nil {
			return nil, err
		}
		return func(yield func(proto.Message, error) bool) {
			answer, err := method(ctx, client, request)
			yield(answer, err)
		}, nil
	}}
}

// many is an RPC with many answers.
func many[Of any, Request message[Of], Answer proto.Message](method func(context.Context, *loci.Client, Request) iter.Seq2[Answer, error]) call {
	return call{hasMany: true, make: func(ctx context.Context, client *loci.Client, text []byte) (iter.Seq2[proto.Message, error], error) {
		request := Request(new(Of))
		if err := protojson.Unmarshal(text, request); err != nil {
			return nil, err
		}
		return func(yield func(proto.Message, error) bool) {
			for answer, err := range method(ctx, client, request) {
				if !yield(answer, err) {
					return
				}
			}
		}, nil
	}}
}
