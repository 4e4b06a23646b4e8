package loci

import (
	"context"
	"errors"
	"regexp"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

// quick has pauses that tests can wait for.
var quick = WithRetry(Retry{FirstPause: time.Millisecond, LongestPause: 2 * time.Millisecond})

// failing answers with an error so many times, and then with the message.
func failing(times int, err error, message proto.Message) script {
	return func(_ received, number int) (proto.Message, error) {
		if number <= times {
			return nil, err
		}
		return message, nil
	}
}

var unavailable = refusal(codes.Unavailable, "STORE_UNAVAILABLE", "The ledger is busy.")

func requestIDs(server *scriptedServer) (keys []string) {
	for _, call := range server.received() {
		keys = append(keys, call.request.(keyedRequest).GetRequestId())
	}
	return keys
}

func TestRepeatsAReadWhileTheServerIsUnavailable(t *testing.T) {
	server := serveScript(t, failing(4, unavailable, &lociv1.GetMemoryResponse{Memory: &lociv1.Memory{Id: "a"}}))
	memory, err := connect(t, server.address, quick).Memories.Get(t.Context(), "a")
	if err != nil || memory.GetId() != "a" || len(server.received()) != 5 {
		t.Errorf("%v, %v after %d attempts", memory, err, len(server.received()))
	}
}

func TestGivesUpAfterSevenAttempts(t *testing.T) {
	server := serveScript(t, failing(99, unavailable, nil))
	_, err := connect(t, server.address, quick).Memories.Get(t.Context(), "a")
	if !errors.Is(err, StoreUnavailable) || len(server.received()) != 7 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
}

func TestGoesOnUntilItsTimeIsOverOnceItWasAnswered(t *testing.T) {
	server := serveScript(t, func(_ received, number int) (proto.Message, error) {
		if number > 1 && number <= 10 {
			return nil, unavailable
		}
		return &lociv1.GetMemoryResponse{Memory: &lociv1.Memory{Id: "a"}}, nil
	})
	client := connect(t, server.address, quick)
	for range 2 {
		if memory, err := client.Memories.Get(t.Context(), "a"); err != nil || memory.GetId() != "a" {
			t.Errorf("%v, %v after %d attempts", memory, err, len(server.received()))
		}
	}
	if len(server.received()) != 11 {
		t.Errorf("%d attempts", len(server.received()))
	}
}

func TestRepeatsAWriteWithOneKeyAndHasAnotherForEachCall(t *testing.T) {
	server := serveScript(t, func(_ received, number int) (proto.Message, error) {
		if number%3 != 0 {
			return nil, unavailable
		}
		return &lociv1.DeleteMemoryResponse{}, nil
	})
	client := connect(t, server.address, quick)
	for _, options := range [][]ConditionOption{nil, nil, {RequestID("mine")}} {
		if err := client.Memories.Forget(t.Context(), "a", options...); err != nil {
			t.Fatal(err)
		}
	}
	keys := requestIDs(server)
	version4 := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	if len(keys) != 9 || !version4.MatchString(keys[0]) {
		t.Fatalf("%q", keys)
	}
	for call := range 3 {
		if first := keys[3*call]; keys[3*call+1] != first || keys[3*call+2] != first {
			t.Errorf("keys of call %d are %q", call, keys[3*call:3*call+3])
		}
	}
	if keys[0] == keys[3] || keys[6] != "mine" {
		t.Errorf("%q", keys)
	}
}

func TestRepeatsNothingElse(t *testing.T) {
	for reason, code := range map[string]codes.Code{
		"INVALID_TEXT":       codes.InvalidArgument,
		"VERSION_CONFLICT":   codes.Aborted,
		"TOO_MANY_REQUESTS":  codes.ResourceExhausted,
		"INTERNAL":           codes.Internal,
		"CREDENTIAL_INVALID": codes.Unauthenticated,
	} {
		server := serveScript(t, failing(1, refusal(code, reason, "no"), &lociv1.GetMemoryResponse{}))
		_, err := connect(t, server.address, quick).Memories.Get(t.Context(), "a")
		if !errors.Is(err, Reason(reason)) || len(server.received()) != 1 {
			t.Errorf("%s: %v after %d attempts", reason, err, len(server.received()))
		}
	}
}

func TestSendsOnceWhatWouldHappenTwice(t *testing.T) {
	server := serveScript(t, failing(1, unavailable, &lociv1.MarkMemoriesUsedResponse{}))
	err := connect(t, server.address, quick).Memories.MarkUsed(t.Context(), "a")
	if !errors.Is(err, ErrUnavailable) || len(server.received()) != 1 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
}

func TestComesBackWhenTheServerAsksWhateverTheCallIs(t *testing.T) {
	busy := refusal(codes.ResourceExhausted, "TOO_MANY_REQUESTS", "Too many.", comeBack(80*time.Millisecond))
	server := serveScript(t, failing(1, busy, &lociv1.MarkMemoriesUsedResponse{}))
	client := connect(t, server.address, quick)
	if err := client.Memories.MarkUsed(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	calls := server.received()
	if len(calls) != 2 || calls[1].at.Sub(calls[0].at) < 80*time.Millisecond {
		t.Errorf("%d calls, the second after %v", len(calls), calls[1].at.Sub(calls[0].at))
	}

	late := serveScript(t, failing(1, refusal(codes.ResourceExhausted, "TOO_MANY_REQUESTS", "Too many.", comeBack(time.Hour)), nil))
	var told *Error
	if _, err := connect(t, late.address).Memories.Get(t.Context(), "a"); !errors.As(err, &told) || told.RetryAfter != time.Hour {
		t.Errorf("%#v", err)
	}
}

func TestPausesGrowUpToTheLongestAndHalfIsChance(t *testing.T) {
	retry := Retry{}
	retry.fillDefaults()
	for attempt, longest := range map[int]time.Duration{1: 100, 2: 200, 3: 400, 4: 800, 5: 1_600, 6: 2_000, 99: 2_000} {
		longest *= time.Millisecond
		seen := map[bool]int{}
		for range 200 {
			pause := retry.pauseAfter(attempt)
			if pause < longest/2 || pause > longest {
				t.Fatalf("the pause after attempt %d is %v", attempt, pause)
			}
			seen[pause > longest*3/4]++
		}
		if len(seen) != 2 {
			t.Errorf("pauses after attempt %d are all alike", attempt)
		}
	}
}

func TestPausesNeverPassTheDeadline(t *testing.T) {
	server := serveScript(t, failing(99, unavailable, nil))
	client := connect(t, server.address, WithRetry(Retry{FirstPause: time.Minute, LongestPause: time.Minute}))
	start := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if _, err := client.Memories.Get(ctx, "a"); !errors.Is(err, StoreUnavailable) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}

func TestWhatIsLeftOfTheTimeGoesWithEachAttempt(t *testing.T) {
	server := serveScript(t, failing(1, unavailable, &lociv1.GetMemoryResponse{}))
	client := connect(t, server.address, WithRetry(Retry{FirstPause: 100 * time.Millisecond}))
	client.Memories.Get(t.Context(), "a")
	calls := server.received()
	if first := calls[0].timeout; first > 30*time.Second || first < 25*time.Second {
		t.Errorf("the first attempt has %v", first)
	}
	if less := calls[0].timeout - calls[1].timeout; less < 40*time.Millisecond {
		t.Errorf("the second attempt has only %v less", less)
	}
	far, cancel := context.WithTimeout(t.Context(), 1_000*time.Hour)
	defer cancel()
	client.Memories.Get(far, "a")
	if sent := server.received()[2].timeout; sent > longestTimeout {
		t.Errorf("%v is more than servers' timers can wait", sent)
	}
}

func TestTimeIsOverForAllAttemptsTogether(t *testing.T) {
	server := serveScript(t, func(call received, _ int) (proto.Message, error) {
		<-call.ctx.Done()
		return nil, status.FromContextError(call.ctx.Err()).Err()
	})
	client := connect(t, server.address, WithTimeout(2*time.Second))
	_, err := client.Memories.Get(t.Context(), "a")
	if !errors.Is(err, ErrDeadlineExceeded) || !errors.Is(err, context.DeadlineExceeded) || len(server.received()) != 1 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
}

func TestACallThatIsOverIsNotSent(t *testing.T) {
	server := serveScript(t, failing(0, nil, &lociv1.GetMemoryResponse{}))
	client := connect(t, server.address)
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("the user left")
	cancel(cause)
	if _, err := client.Memories.Get(ctx, "a"); !errors.Is(err, ErrCancelled) || !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
		t.Errorf("%v", err)
	}
	tooLate := errors.New("the shop has closed")
	past, end := context.WithTimeoutCause(t.Context(), -time.Second, tooLate)
	defer end()
	if _, err := client.Memories.Get(past, "a"); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, tooLate) {
		t.Errorf("%v", err)
	}
	if calls := len(server.received()); calls != 0 {
		t.Errorf("%d calls were sent", calls)
	}
}

func TestAServerThatStopsHasNotCancelledTheCall(t *testing.T) {
	server := serveScript(t, failing(1, status.Error(codes.Canceled, ""), &lociv1.GetMemoryResponse{}))
	if _, err := connect(t, server.address, quick).Memories.Get(t.Context(), "a"); err != nil || len(server.received()) != 2 {
		t.Errorf("%v after %d attempts", err, len(server.received()))
	}
}

func TestAServerThatComesUpALittleLaterIsFound(t *testing.T) {
	probe := serveScript(t, failing(0, nil, nil))
	probe.grpc.Stop()
	client := connect(t, probe.address)
	answered := make(chan error)
	go func() {
		_, err := client.Memories.Get(t.Context(), "a")
		answered <- err
	}()
	time.Sleep(150 * time.Millisecond)
	serveScriptOn(t, probe.address, failing(0, nil, &lociv1.GetMemoryResponse{}))
	if err := <-answered; err != nil {
		t.Error(err)
	}
}

func TestARequestIsNeverChanged(t *testing.T) {
	server := serveScript(t, failing(0, nil, &lociv1.CreateMemoriesFromConversationResponse{}))
	request := &lociv1.CreateMemoriesFromConversationRequest{
		Scope: User("ann"),
		Turns: []*lociv1.ConversationTurn{{Id: "1", Speaker: "ann", Content: "Hello."}},
	}
	before := proto.CloneOf(request)
	if _, err := connect(t, server.address).Memories.RememberConversation(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	sent := server.received()[0].request.(*lociv1.CreateMemoriesFromConversationRequest)
	if !proto.Equal(request, before) || sent.GetRequestId() == "" {
		t.Errorf("%v was sent of %v", sent, request)
	}
	if sent.RequestId = ""; !proto.Equal(sent, before) {
		t.Errorf("%v was sent of %v", sent, before)
	}
}
