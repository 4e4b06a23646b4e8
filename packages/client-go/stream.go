package loci

import (
	"context"
	"io"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// stream gives the answers of a call that has many, for as long as it likes unless the context has a deadline. It is begun
// like a read. When the connection is lost midway it goes on with the request that resumed makes of the last answer, until that
// takes longer than a restart of the server. Leaving the loop cancels the call.
func stream[Response any](ctx context.Context, server *server, method string, request proto.Message, resumed func(*Response) proto.Message) iter.Seq2[*Response, error] {
	return func(yield func(*Response, error) bool) {
		call, err := server.call(ctx, repeated)
		if err != nil {
			yield(nil, err)
			return
		}
		defer call.end()
		ctx, leave := server.follow(ctx)
		defer leave()
		next := request
		for {
			if err := call.reach(ctx); err != nil {
				// What has begun waits longer than for one connection.
				unreached, isKnown := err.(*Error)
				if isKnown && call.stream.begun && call.over(ctx) == nil {
					err = call.pauseAfter(ctx, unreached)
				}
				if err != nil {
					yield(nil, err)
					return
				}
				continue
			}
			answers, err := open(ctx, call.link.connection, method, next)
			for err == nil {
				answer := new(Response)
				if err = answers.RecvMsg(answer); err != nil {
					break
				}
				if !yield(answer, nil) {
					return
				}
				// What breaks after an answer is no attempt that brought nothing.
				next, call.made, call.relocated = resumed(answer), -1, false
				call.stream.hasCome()
				call.server.answered.Store(true)
			}
			if err == io.EOF {
				return
			}
			if failed := call.pause(ctx, err); failed != nil {
				yield(nil, failed)
				return
			}
		}
	}
}

func open(ctx context.Context, connection *grpc.ClientConn, method string, request proto.Message) (grpc.ClientStream, error) {
	answers, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method, grpc.StaticMethod())
	if err != nil {
		return nil, err
	}
	// What kept the request from being sent the first answer says.
	if err := answers.SendMsg(request); err != nil && err != io.EOF {
		return nil, err
	}
	return answers, answers.CloseSend()
}

// follow gives the context of a stream, which ends when the client is closed, too.
func (server *server) follow(ctx context.Context) (context.Context, func()) {
	limited, cancelLimit := ctx, context.CancelFunc(func() {})
	if _, given := ctx.Deadline(); given {
		limited, cancelLimit = context.WithTimeout(ctx, longestTimeout)
	}
	followed, cancel := context.WithCancelCause(limited)
	server.mutex.Lock()
	defer server.mutex.Unlock()
	server.streams[&cancel] = struct{}{}
	if server.closed {
		cancel(closedError())
	}
	return followed, func() {
		server.mutex.Lock()
		delete(server.streams, &cancel)
		server.mutex.Unlock()
		cancel(nil)
		cancelLimit()
	}
}
