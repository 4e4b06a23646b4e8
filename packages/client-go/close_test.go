package loci

import (
	"errors"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

func TestClosingWaitsForCallsUnderWayAndTakesNoMore(t *testing.T) {
	begun := make(chan struct{})
	server := serveScript(t, func(received, int) (proto.Message, error) {
		close(begun)
		time.Sleep(100 * time.Millisecond)
		return &lociv1.GetMemoryResponse{Memory: &lociv1.Memory{Id: "a"}}, nil
	})
	client := connect(t, server.address)
	answered := make(chan error)
	go func() {
		_, err := client.Memories.Get(t.Context(), "a")
		answered <- err
	}()
	<-begun
	start := time.Now()
	closed := make(chan error)
	go func() { closed <- client.Close() }()
	if err := <-answered; err != nil {
		t.Error(err)
	}
	if err := <-closed; err != nil || time.Since(start) > closeTime {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if _, err := client.Memories.Get(t.Context(), "a"); !errors.Is(err, Closed) || !errors.Is(err, ErrFailedPrecondition) {
		t.Errorf("%v", err)
	}
	if err := client.Close(); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

func TestClosingDropsWhatDoesNotEnd(t *testing.T) {
	begun := make(chan struct{}, 1)
	server := serveScript(t, func(call received, _ int) (proto.Message, error) {
		begun <- struct{}{}
		<-call.ctx.Done()
		return nil, call.ctx.Err()
	})
	client := connect(t, server.address)
	answered := make(chan error)
	go func() {
		_, err := client.Memories.Get(t.Context(), "a")
		answered <- err
	}()
	<-begun
	start := time.Now()
	go client.Close()
	if err := <-answered; !errors.Is(err, Closed) {
		t.Errorf("%v", err)
	}
	if took := time.Since(start); took < closeTime || took > closeTime+10*time.Second {
		t.Errorf("it took %v", took)
	}
}
