package loci

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/protoadapt"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/known/durationpb"
)

// received is one call as the server has it.
type received struct {
	method   string
	request  proto.Message
	metadata metadata.MD
	timeout  time.Duration
	at       time.Time
	ctx      context.Context
	send     func(proto.Message) error
}

// scriptedServer speaks the whole contract, and answers what a test says.
type scriptedServer struct {
	address string
	grpc    *grpc.Server

	mutex sync.Mutex
	calls []received
}

// script answers a call: with a message, with an error, or with nothing more when it has sent a stream itself.
type script func(call received, number int) (proto.Message, error)

func serveScript(t testing.TB, answer script) *scriptedServer {
	t.Helper()
	return serveScriptOn(t, "127.0.0.1:0", answer)
}

func serveScriptOn(t testing.TB, address string, answer script) *scriptedServer {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := &scriptedServer{address: listener.Addr().String()}
	server.grpc = grpc.NewServer(grpc.MaxRecvMsgSize(maxMessageBytes), grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
		return server.handle(stream, answer)
	}))
	go server.grpc.Serve(listener)
	t.Cleanup(server.grpc.Stop)
	return server
}

func (server *scriptedServer) handle(stream grpc.ServerStream, answer script) error {
	path, _ := grpc.MethodFromServerStream(stream)
	name := strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", ".")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		return status.Error(codes.Unimplemented, path)
	}
	request, _ := protoregistry.GlobalTypes.FindMessageByName(found.(protoreflect.MethodDescriptor).Input().FullName())
	call := received{method: path, request: request.New().Interface(), at: time.Now(), ctx: stream.Context()}
	if err := stream.RecvMsg(call.request); err != nil {
		return err
	}
	call.metadata, _ = metadata.FromIncomingContext(stream.Context())
	if deadline, limited := stream.Context().Deadline(); limited {
		call.timeout = time.Until(deadline)
	}
	call.send = func(message proto.Message) error { return stream.SendMsg(message) }
	server.mutex.Lock()
	server.calls = append(server.calls, call)
	number := len(server.calls)
	server.mutex.Unlock()
	message, err := answer(call, number)
	if err != nil || message == nil {
		return err
	}
	return stream.SendMsg(message)
}

func (server *scriptedServer) received() []received {
	server.mutex.Lock()
	defer server.mutex.Unlock()
	return append([]received(nil), server.calls...)
}

func connect(t testing.TB, address string, options ...Option) *Client {
	t.Helper()
	client, err := Connect(address, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

// refusal is a status as a Loci server packs its errors.
func refusal(code codes.Code, reason string, message string, further ...protoadapt.MessageV1) error {
	info := &errdetails.ErrorInfo{Reason: reason, Domain: errorDomain}
	packed, err := status.New(code, message).WithDetails(append([]protoadapt.MessageV1{info}, further...)...)
	if err != nil {
		panic(err)
	}
	return packed.Err()
}

func comeBack(after time.Duration) protoadapt.MessageV1 {
	return &errdetails.RetryInfo{RetryDelay: durationpb.New(after)}
}
