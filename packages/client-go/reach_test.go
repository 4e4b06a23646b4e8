package loci

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

// silent takes connections and says nothing, as a process does that is stopped.
func silent(t *testing.T) string {
	t.Helper()
	listener := listen(t)
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().String()
}

// firstOf gives what a watch ends with that has brought nothing.
func firstOf(ctx context.Context, client *Client) error {
	for _, err := range client.Memories.Watch(ctx, &lociv1.WatchMemoriesRequest{}) {
		return err
	}
	return nil
}

func TestAServerThatSaysNothingIsGivenUpAfterTheTimeForAConnection(t *testing.T) {
	address := silent(t)
	client := connect(t, address, WithConnectTimeout(200*time.Millisecond))
	for name, call := range map[string]func() error{
		"read":  func() error { _, err := client.Memories.Get(t.Context(), "id"); return err },
		"once":  func() error { return client.Memories.MarkUsed(t.Context(), "id") },
		"watch": func() error { return firstOf(t.Context(), client) },
	} {
		begun := time.Now()
		var failure *Error
		if err := call(); !errors.As(err, &failure) || failure.Reason != ServerUnavailable {
			t.Fatalf("%s: %v", name, err)
		}
		if failure.Message != "No connection to "+address+" came about within 0.2 s." || failure.Resource != address {
			t.Errorf("%s: %v", name, failure)
		}
		if !strings.HasPrefix(failure.Advice, "Check the address") {
			t.Errorf("%s advises %q", name, failure.Advice)
		}
		if taken := time.Since(begun); taken < 200*time.Millisecond || taken > 5*time.Second {
			t.Errorf("%s took %v", name, taken)
		}
	}
}

func TestAConnectionMayTakeFiveSecondsWhenNothingIsSaid(t *testing.T) {
	client := connect(t, silent(t))
	begun := time.Now()
	_, err := client.Memories.Get(t.Context(), "id")
	if !errors.Is(err, ServerUnavailable) || !strings.Contains(err.Error(), "came about within 5 s.") {
		t.Error(err)
	}
	if taken := time.Since(begun); taken < 5*time.Second || taken > 15*time.Second {
		t.Errorf("took %v", taken)
	}
}

func TestDeadlineCancellationAndClosingEndTheWaitForAConnection(t *testing.T) {
	client := connect(t, silent(t), WithConnectTimeout(time.Minute))
	begun := time.Now()
	late, cancelLate := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancelLate()
	if _, err := client.Memories.Get(late, "id"); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	if _, err := client.Memories.Get(cancelled, "id"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { client.Close() })
	if err := firstOf(t.Context(), client); !errors.Is(err, Closed) {
		t.Error(err)
	}
	if taken := time.Since(begun); taken > 10*time.Second {
		t.Errorf("took %v", taken)
	}
}

func TestClosingEndsACallThatWaitsForItsConnection(t *testing.T) {
	client := connect(t, silent(t), WithConnectTimeout(time.Minute))
	time.AfterFunc(100*time.Millisecond, func() { client.Close() })
	begun := time.Now()
	if _, err := client.Memories.Get(t.Context(), "id"); !errors.Is(err, Closed) {
		t.Error(err)
	}
	if taken := time.Since(begun); taken > 10*time.Second {
		t.Errorf("took %v", taken)
	}
}

func TestAServerThatTakesItsTimeToAnswerIsWaitedFor(t *testing.T) {
	server := serveScript(t, func(received, int) (proto.Message, error) {
		time.Sleep(400 * time.Millisecond)
		return &lociv1.GetMemoryResponse{Memory: &lociv1.Memory{Id: "slow"}}, nil
	})
	memory, err := connect(t, server.address, WithConnectTimeout(200*time.Millisecond)).Memories.Get(t.Context(), "slow")
	if err != nil || memory.GetId() != "slow" || len(server.received()) != 1 {
		t.Errorf("%v, %v, %d calls", memory, err, len(server.received()))
	}
}

func TestATimeForAConnectionThatIsNoneIsRefused(t *testing.T) {
	for _, timeout := range []time.Duration{0, -time.Second} {
		if _, err := Connect("localhost:5624", WithConnectTimeout(timeout)); !errors.Is(err, InvalidConfiguration) {
			t.Errorf("%v: %v", timeout, err)
		}
	}
}
