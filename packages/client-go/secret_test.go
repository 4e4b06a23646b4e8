package loci

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func TestTheKeyIsInNoOutput(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(log.Default().Writer())
	directory := t.TempDir()
	failures := []error{
		refusal(codes.Unauthenticated, "CREDENTIAL_INVALID", "The API key is not known."),
		status.Error(codes.Unauthenticated, "who?"), status.Error(codes.Canceled, ""), status.Error(codes.Unknown, "what?"),
		refusal(codes.ResourceExhausted, "TOO_MANY_REQUESTS", "Too many."), unavailable,
	}
	var shown strings.Builder
	show := func(values ...any) {
		for _, value := range values {
			fmt.Fprintf(&shown, "%v %+v %#v %s %q\n", value, value, value, value, value)
		}
	}
	for _, failure := range failures {
		server := serveScript(t, failing(99, failure, nil))
		announce(t, directory, note(server.address, testKey))
		for _, client := range []*Client{connect(t, server.address, WithAPIKey(testKey), quick), connectLocal(t, directory, quick)} {
			_, err := client.Memories.Get(t.Context(), "a")
			ended, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
			_, late := client.Memories.Get(ended, "a")
			cancel()
			client.Close()
			_, closed := client.Memories.Get(t.Context(), "a")
			if err == nil || late == nil || closed == nil {
				t.Fatal("a call did not fail")
			}
			show(err, late, closed, client, *client, client.Memories, *client.Memories, client.Sessions, client.Operations)
		}
		server.grpc.Stop()
		_, err := connect(t, server.address, WithAPIKey(testKey), quick).Memories.Get(t.Context(), "a")
		show(err)
	}
	_, invalid := Connect("localhost:5624", WithAPIKey(testKey+"\n"))
	_, nowhere := Connect("nowhere", WithAPIKey(testKey))
	show(invalid, nowhere, WithAPIKey(testKey))
	for name, output := range map[string]string{"what was shown": shown.String(), "the log": logged.String()} {
		if place := strings.Index(output, testKey); place >= 0 {
			t.Errorf("the key is in %s: …%s…", name, output[max(0, place-100):place])
		}
	}
}
