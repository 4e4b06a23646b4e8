package loci

import (
	"context"
	"errors"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

var broken = status.Error(codes.Unavailable, "the machine lost its power")

// changes tells of a change after each cursor, and breaks after the third, the sixth and so on.
func changes(call received, _ int) (proto.Message, error) {
	request := call.request.(*lociv1.WatchMemoriesRequest)
	for last, _ := strconv.Atoi(request.GetCursor()); ; {
		last++
		if err := call.send(&lociv1.WatchMemoriesResponse{Cursor: strconv.Itoa(last)}); err != nil {
			return nil, err
		}
		if last%3 == 0 {
			return nil, broken
		}
	}
}

func TestAWatchGoesOnWhereItBroke(t *testing.T) {
	server := serveScript(t, changes)
	request := &lociv1.WatchMemoriesRequest{Scopes: In(User("ann")), Since: &lociv1.WatchMemoriesRequest_Beginning{Beginning: true}}
	before := proto.CloneOf(request)
	var cursors string
	// More breaks than a call has attempts: each answer is a new beginning.
	for change, err := range connect(t, server.address, quick).Memories.Watch(t.Context(), request) {
		if err != nil {
			t.Fatal(err)
		}
		if cursors += change.GetCursor() + " "; change.GetCursor() == "20" {
			break
		}
	}
	if cursors != "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 " {
		t.Errorf("told of %s", cursors)
	}
	calls := server.received()
	expectEqual(t, calls[0].request, before)
	expectEqual(t, calls[1].request, &lociv1.WatchMemoriesRequest{
		Scopes: In(User("ann")), Since: &lociv1.WatchMemoriesRequest_Cursor{Cursor: "3"},
	})
	expectEqual(t, request, before)
}

func TestAWatchHasNoDeadlineOfItsOwn(t *testing.T) {
	server := serveScript(t, changes)
	for range connect(t, server.address, WithTimeout(time.Millisecond)).Memories.Watch(t.Context(), &lociv1.WatchMemoriesRequest{}) {
		break
	}
	if timeout := server.received()[0].timeout; timeout != 0 {
		t.Errorf("it has %v", timeout)
	}
}

func TestLeavingTheLoopCancelsTheCall(t *testing.T) {
	ended := make(chan error, 1)
	server := serveScript(t, func(call received, _ int) (proto.Message, error) {
		if err := call.send(&lociv1.WatchMemoriesResponse{Cursor: "1"}); err != nil {
			return nil, err
		}
		<-call.ctx.Done()
		ended <- call.ctx.Err()
		return nil, call.ctx.Err()
	})
	for _, err := range connect(t, server.address).Memories.Watch(t.Context(), &lociv1.WatchMemoriesRequest{}) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the server goes on")
	}
}

// exported gives two memories and then breaks.
func exported(call received, _ int) (proto.Message, error) {
	for _, id := range []string{"a", "b"} {
		if err := call.send(&lociv1.MemoryServiceExportMemoriesResponse{Id: id}); err != nil {
			return nil, err
		}
	}
	return nil, broken
}

func TestAnExportGoesOnWhereItBrokeUntilItIsLostForTooLong(t *testing.T) {
	server := serveScript(t, func(call received, number int) (proto.Message, error) {
		if number > 1 {
			return nil, broken
		}
		return exported(call, number)
	})
	brief := WithRetry(Retry{FirstPause: time.Millisecond, LongestPause: 2 * time.Millisecond, resume: 100 * time.Millisecond})
	var ids string
	var ended error
	for memory, err := range connect(t, server.address, brief).Memories.Export(t.Context(), AfterID("0")) {
		ids += memory.GetId()
		ended = err
	}
	if ids != "ab" || !errors.Is(ended, ServerUnavailable) || len(server.received()) < 7 {
		t.Errorf("%q, then %v, in %d calls", ids, ended, len(server.received()))
	}
	if !strings.Contains(ended.Error(), "could not be taken up again within 0.1 s: ") || !strings.Contains(ended.Error(), "begin again") {
		t.Errorf("it says %v", ended)
	}
	expectEqual(t, server.received()[0].request, &lociv1.MemoryServiceExportMemoriesRequest{AfterId: "0"})
	expectEqual(t, server.received()[1].request, &lociv1.MemoryServiceExportMemoriesRequest{AfterId: "b"})
}

func TestAStreamThatHasBegunOutlastsMoreAttemptsThanACallHas(t *testing.T) {
	server := serveScript(t, func(call received, number int) (proto.Message, error) {
		if number > 1 && number < 12 {
			return nil, unavailable
		}
		if err := call.send(&lociv1.WatchMemoriesResponse{Cursor: strconv.Itoa(number)}); err != nil {
			return nil, err
		}
		return nil, broken
	})
	var cursors string
	for change, err := range connect(t, server.address, quick).Memories.Watch(t.Context(), &lociv1.WatchMemoriesRequest{}) {
		if err != nil {
			t.Fatal(err)
		}
		if cursors += change.GetCursor() + " "; change.GetCursor() == "12" {
			break
		}
	}
	if cursors != "1 12 " {
		t.Errorf("told of %s", cursors)
	}
}

func TestAStreamThatHasBegunTriesAgainAfterTheTimeForAConnection(t *testing.T) {
	first := serveScript(t, func(call received, _ int) (proto.Message, error) {
		if err := call.send(&lociv1.WatchMemoriesResponse{Cursor: "1"}); err != nil {
			return nil, err
		}
		<-call.ctx.Done()
		return nil, call.ctx.Err()
	})
	silence := func() {
		first.grpc.Stop()
		listener, err := net.Listen("tcp", first.address)
		if err != nil {
			t.Error(err)
			return
		}
		time.Sleep(time.Second)
		listener.Close()
		serveScriptOn(t, first.address, func(received, int) (proto.Message, error) {
			return &lociv1.WatchMemoriesResponse{Cursor: "2"}, nil
		})
	}
	client := connect(t, first.address, quick, WithConnectTimeout(100*time.Millisecond))
	var cursors string
	for change, err := range client.Memories.Watch(t.Context(), &lociv1.WatchMemoriesRequest{}) {
		if err != nil {
			t.Fatal(err)
		}
		if cursors += change.GetCursor(); cursors == "1" {
			go silence()
		}
	}
	if cursors != "12" {
		t.Errorf("told of %s", cursors)
	}
}

func TestARefusalEndsAStream(t *testing.T) {
	server := serveScript(t, func(call received, _ int) (proto.Message, error) {
		if err := call.send(&lociv1.WatchMemoriesResponse{Cursor: "1"}); err != nil {
			return nil, err
		}
		return nil, refusal(codes.FailedPrecondition, "CURSOR_EXPIRED", "The ledger was restored.")
	})
	var ended error
	for _, err := range connect(t, server.address, quick).Memories.Watch(t.Context(), &lociv1.WatchMemoriesRequest{}) {
		ended = err
	}
	if !errors.Is(ended, CursorExpired) || len(server.received()) != 1 {
		t.Errorf("%v in %d calls", ended, len(server.received()))
	}
}

func TestAStreamIsBegunLikeARead(t *testing.T) {
	server := serveScript(t, func(call received, number int) (proto.Message, error) {
		if number < 5 {
			return nil, unavailable
		}
		return &lociv1.MemoryServiceExportMemoriesResponse{Id: "a"}, nil
	})
	var ids string
	for memory, err := range connect(t, server.address, quick).Memories.Export(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		ids += memory.GetId()
	}
	if ids != "a" || len(server.received()) != 5 {
		t.Errorf("%q in %d calls", ids, len(server.received()))
	}
}

func TestAStreamEndsWithItsContextAndWithTheClient(t *testing.T) {
	server := serveScript(t, func(call received, _ int) (proto.Message, error) {
		if err := call.send(&lociv1.WatchMemoriesResponse{Cursor: "1"}); err != nil {
			return nil, err
		}
		<-call.ctx.Done()
		return nil, call.ctx.Err()
	})
	client := connect(t, server.address)
	watch := func(ctx context.Context, end func()) (ended error) {
		for _, err := range client.Memories.Watch(ctx, &lociv1.WatchMemoriesRequest{}) {
			if ended = err; err == nil {
				end()
			}
		}
		return ended
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := watch(ctx, cancel); !errors.Is(err, ErrCancelled) || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	limited, release := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer release()
	if err := watch(limited, func() {}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	start := time.Now()
	if err := watch(t.Context(), func() { go client.Close() }); !errors.Is(err, Closed) || time.Since(start) > closeTime {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if err := watch(t.Context(), func() {}); !errors.Is(err, Closed) {
		t.Errorf("%v", err)
	}
}
