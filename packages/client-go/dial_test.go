package loci

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"loci/client-go/lociv1"
)

const testKey = "loci_secret_0123456789"

// tokenServer answers CountTokens and remembers what it was sent.
type tokenServer struct {
	lociv1.UnimplementedContextServiceServer
	metadata metadata.MD
}

func (server *tokenServer) CountTokens(ctx context.Context, request *lociv1.CountTokensRequest) (*lociv1.CountTokensResponse, error) {
	server.metadata, _ = metadata.FromIncomingContext(ctx)
	return &lociv1.CountTokensResponse{Tokens: int32(len(request.GetText()))}, nil
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}

func dialed(t *testing.T, address string, options ...DialOption) lociv1.ContextServiceClient {
	t.Helper()
	connection, err := Dial(address, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	return lociv1.NewContextServiceClient(connection)
}

// serve starts a server that notes what it is called with.
func serve(t *testing.T) (net.Listener, *tokenServer) {
	t.Helper()
	listener := listen(t)
	recorder := &tokenServer{}
	server := grpc.NewServer()
	lociv1.RegisterContextServiceServer(server, recorder)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return listener, recorder
}

func TestSendsTheKeyWithTheCall(t *testing.T) {
	listener, recorder := serve(t)

	for key, expected := range map[string]string{"": "", testKey: "Bearer " + testKey} {
		client := dialed(t, listener.Addr().String(), WithAPIKey(key))
		answer, err := client.CountTokens(t.Context(), &lociv1.CountTokensRequest{Text: "four"})
		if err != nil || answer.GetTokens() != 4 {
			t.Fatalf("answered %v, %v", answer, err)
		}
		if sent := strings.Join(recorder.metadata.Get("authorization"), "; "); sent != expected {
			t.Errorf("sent authorization %q, expected %q", sent, expected)
		}
	}
}

func TestRefusesAKeyThatNoHeaderCanHoldAndDoesNotRepeatIt(t *testing.T) {
	for _, key := range []string{"spaced key", "line\nend", "end\n", "schlüssel"} {
		if _, err := Dial("localhost:5624", WithAPIKey(key)); err == nil {
			t.Errorf("took %q", key)
		} else if strings.Contains(err.Error(), key) {
			t.Errorf("repeated %q", key)
		}
	}
}

func TestRefusesWhatIsNotHostAndPort(t *testing.T) {
	for _, address := range []string{
		"", "localhost", "localhost:0", "localhost:65536", "dns:///a:1", "http://a:1", "a:1/b", "a:1\n", "a:١", "[::1]", "[]:1", "[::1:1", "::1:1", "a b:1", "a:+1", "a:000001", ":1",
	} {
		if _, err := Dial(address); err == nil || !strings.Contains(err.Error(), "host:port") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// On Linux 0.0.0.0 reaches this machine, without being a loopback address.
func TestSendsPlaintextToThisMachineOnly(t *testing.T) {
	for host, expected := range map[string]string{"127.0.0.1": "PRI", "0.0.0.0": "\x16\x03\x01"} {
		listener := listen(t)
		defer listener.Close()
		_, port, _ := net.SplitHostPort(listener.Addr().String())
		client := dialed(t, host+":"+port, WithAPIKey(testKey))
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		go client.CountTokens(ctx, &lociv1.CountTokensRequest{})
		accepted, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		first := make([]byte, 3)
		if _, err := io.ReadFull(accepted, first); err != nil || string(first) != expected {
			t.Errorf("%s was sent %q, %v", host, first, err)
		}
		accepted.Close()
	}
}

func TestANameThatBeginsLikeLoopbackIsNotLoopback(t *testing.T) {
	hosts := map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.1.2.3": true, "[::1]": true,
		"127.0.0.1.example.com": false, "localhost.example.com": false, "10.0.0.1": false, "[::2]": false, "127.1": false,
	}
	for host, expected := range hosts {
		if isLoopback(host) != expected {
			t.Errorf("%s: %v", host, !expected)
		}
	}
}
