package loci

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

// keyed answers only calls with that key.
func keyed(key string) script {
	return func(call received, _ int) (proto.Message, error) {
		if strings.Join(call.metadata.Get("authorization"), "") != "Bearer "+key {
			return nil, refusal(codes.Unauthenticated, "CREDENTIAL_INVALID", "The API key is not known.")
		}
		if strings.HasSuffix(call.method, "MarkMemoriesUsed") {
			return &lociv1.MarkMemoriesUsedResponse{}, nil
		}
		return &lociv1.GetMemoryResponse{}, nil
	}
}

func note(address, key string) string {
	return fmt.Sprintf(`{"address":%q,"pid":%d,"tls":false,"apiKey":%q}`, address, os.Getpid(), key)
}

func connectLocal(t *testing.T, directory string, options ...Option) *Client {
	t.Helper()
	client, err := ConnectLocal(directory, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return client
}

func TestFindsALocalServerAgainThatHasAnotherKey(t *testing.T) {
	directory := t.TempDir()
	server := serveScript(t, keyed("second"))
	announce(t, directory, note(server.address, "first"))
	client := connectLocal(t, directory)
	if _, err := client.Memories.Get(t.Context(), "a"); !errors.Is(err, CredentialInvalid) || len(server.received()) != 1 {
		t.Errorf("%v after %d attempts with a key that is still the one noted", err, len(server.received()))
	}
	replaced := client.server.current
	announce(t, directory, note(server.address, "second"))
	// The call was refused before it began, so that one that is sent once is sent again.
	if err := client.Memories.MarkUsed(t.Context(), "a"); err != nil || len(server.received()) != 3 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
	if _, err := client.Memories.Get(t.Context(), "a"); err != nil || len(server.received()) != 4 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
	if replaced.connection.GetState() != connectivity.Shutdown || len(client.server.retired) != 0 {
		t.Error("the connection that was replaced is still open")
	}
}

func TestFindsALocalServerAgainThatHasAnotherAddress(t *testing.T) {
	directory := t.TempDir()
	first, second := serveScript(t, keyed("first")), serveScript(t, keyed("second"))
	announce(t, directory, note(first.address, "first"))
	client := connectLocal(t, directory, quick)
	if _, err := client.Memories.Get(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	first.grpc.Stop()
	announce(t, directory, note(second.address, "second"))
	if _, err := client.Memories.Get(t.Context(), "a"); err != nil || len(second.received()) != 1 {
		t.Errorf("%v", err)
	}
}

func TestReadsTheNoteOnceACallAndNeverForOneThatWasGivenAKey(t *testing.T) {
	directory := t.TempDir()
	var server *scriptedServer
	server = serveScript(t, func(call received, number int) (proto.Message, error) {
		// Somebody starts the server again and again.
		announce(t, directory, note(server.address, fmt.Sprint(number)))
		return keyed("none")(call, number)
	})
	client := func(options ...Option) *Client {
		announce(t, directory, note(server.address, "first"))
		return connectLocal(t, directory, options...)
	}
	other := client()
	if _, err := other.Memories.Get(t.Context(), "a"); !errors.Is(err, CredentialInvalid) || len(server.received()) != 2 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
	own := client(WithAPIKey("own"))
	if _, err := own.Memories.Get(t.Context(), "a"); !errors.Is(err, CredentialInvalid) || len(server.received()) != 3 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
}

func TestConnectingSaysWhenNoServerHasTheDirectoryOpen(t *testing.T) {
	_, err := ConnectLocal(t.TempDir())
	if !errors.Is(err, ServerUnavailable) || !strings.Contains(err.Error(), "loci serve") {
		t.Errorf("%v", err)
	}
}

func TestSettingsOutOfRangeAreRefused(t *testing.T) {
	for name, option := range map[string]Option{
		"timeout": WithTimeout(0),
		"retry":   WithRetry(Retry{Attempts: -1}),
	} {
		var known *Error
		if _, err := Connect("localhost:5624", option); !errors.As(err, &known) || known.Reason != InvalidConfiguration || known.Field != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
