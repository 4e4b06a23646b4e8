package loci

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

// fallsTo waits until there are no more goroutines than that.
func fallsTo(t *testing.T, most int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > most; {
		if time.Now().After(end) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines are left of %d:\n%s", runtime.NumGoroutine(), most, stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestCancelledCallsLeaveNoGoroutine(t *testing.T) {
	server := serveScript(t, func(call received, number int) (proto.Message, error) {
		if number == 1 {
			return &lociv1.GetMemoryResponse{}, nil
		}
		if number%2 == 0 {
			return nil, unavailable
		}
		<-call.ctx.Done()
		return nil, call.ctx.Err()
	})
	before := runtime.NumGoroutine()
	client, err := Connect(server.address)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Memories.Get(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	connected := runtime.NumGoroutine()
	var calls sync.WaitGroup
	var left atomic.Int32
	left.Store(1_000)
	for range 50 {
		calls.Go(func() {
			for left.Add(-1) >= 0 {
				// Some end while they wait for the answer, some in a pause, some in a stream.
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Millisecond, cancel)
				var err error
				if left.Load()%3 == 0 {
					for _, err = range client.Memories.Watch(ctx, &lociv1.WatchMemoriesRequest{}) {
					}
				} else {
					_, err = client.Memories.Get(ctx, "a")
				}
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%v", err)
				}
			}
		})
	}
	calls.Wait()
	fallsTo(t, connected)
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	fallsTo(t, before)
}

func TestOneClientServesManyGoroutines(t *testing.T) {
	var seen sync.Map
	server := serveScript(t, func(call received, number int) (proto.Message, error) {
		id := call.request.(*lociv1.GetMemoryRequest).GetId()
		// Of each call the first attempt may fail, and no other.
		if _, before := seen.LoadOrStore(id, true); !before && number%3 == 0 {
			return nil, unavailable
		}
		return &lociv1.GetMemoryResponse{Memory: &lociv1.Memory{Id: id}}, nil
	})
	client := connect(t, server.address, quick)
	var calls sync.WaitGroup
	for range 64 {
		calls.Go(func() {
			for range 10 {
				id := newRequestID()
				if memory, err := client.Memories.Get(t.Context(), id); err != nil || memory.GetId() != id {
					t.Errorf("%v, %v", memory, err)
				}
			}
		})
	}
	calls.Wait()
}
