package loci

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// repetition says whether a call may be sent again when it is not known what became of it.
type repetition bool

const (
	// repeated: a read, or a write that the server recognises when it comes again.
	repeated repetition = true
	// sentOnce: what would happen twice.
	sentOnce repetition = false
)

// longestTimeout is as far as the timers of servers reach.
const longestTimeout = 24 * 24 * time.Hour

// unary makes one call of the server, and repeats it as long as that may help. Errors are *Error.
func unary[Response any](ctx context.Context, server *server, method string, request proto.Message, repeat repetition) (*Response, error) {
	call, err := server.call(ctx, repeat)
	if err != nil {
		return nil, err
	}
	defer call.end()
	ctx, cancel := call.limit(ctx)
	defer cancel()
	for {
		if err := call.reach(ctx); err != nil {
			return nil, err
		}
		response := new(Response)
		err := call.link.connection.Invoke(ctx, method, request, response, grpc.StaticMethod())
		if err == nil {
			call.server.answered.Store(true)
			return response, nil
		}
		if failure := call.pause(ctx, err); failure != nil {
			return nil, failure
		}
	}
}

// attempts is one call on its way to an answer.
type attempts struct {
	server *server
	link   *link
	repeat repetition
	// made counts the attempts that have failed.
	made      int
	relocated bool
	// stream is of a call that has many answers.
	stream resumption
}

func (server *server) call(ctx context.Context, repeat repetition) (attempts, error) {
	link, err := server.begin()
	if err != nil {
		return attempts{}, err
	}
	call := attempts{server: server, link: link, repeat: repeat}
	if ctx.Err() != nil {
		call.end()
		return attempts{}, endedContext(ctx, link.address)
	}
	return call, nil
}

func (call *attempts) end() { call.server.end(call.link) }

// limit gives a call without a deadline the client's.
func (call *attempts) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, given := ctx.Deadline()
	switch {
	case !given:
		return context.WithTimeout(ctx, call.server.timeout)
	case time.Until(deadline) > longestTimeout:
		return context.WithTimeout(ctx, longestTimeout)
	default:
		return ctx, func() {}
	}
}

// pause waits until it is time for the next attempt. It gives the error to end with when another would not help.
func (call *attempts) pause(ctx context.Context, err error) error {
	if over := call.over(ctx); over != nil {
		return over
	}
	return call.pauseAfter(ctx, failure(ctx, err, call.link.address))
}

// pauseAfter is pause, of an error that is known.
func (call *attempts) pauseAfter(ctx context.Context, failed *Error) error {
	call.made++
	pause, mayHelp := call.nextPause(failed)
	deadline, limited := ctx.Deadline()
	if !mayHelp || limited && time.Until(deadline) <= pause {
		return failed
	}
	if call.stream.begun {
		if over := call.stream.over(call.server.retry.resume, pause, failed); over != nil {
			return over
		}
	} else if call.made >= call.mostAttempts(failed, limited) {
		return failed
	}
	if err := call.sleep(ctx, pause); err != nil {
		return err
	}
	call.link = call.server.newest(call.link)
	return nil
}

// mostAttempts is how often a call is sent that failed so. Where TLS is the trouble nothing but another server at the address would help.
// What has no end is not waited for without end.
func (call *attempts) mostAttempts(failed *Error, limited bool) int {
	retry := call.server.retry
	switch {
	case failed.ofTLS:
		return min(2, retry.Attempts)
	case retry.patient && limited && call.server.answered.Load():
		return math.MaxInt
	default:
		return retry.Attempts
	}
}

// over is why a call has ended whatever its attempts brought, or nil.
func (call *attempts) over(ctx context.Context) error {
	if call.server.isDropped() {
		return closedError()
	}
	if ctx.Err() == context.Canceled {
		return endedContext(ctx, call.link.address)
	}
	return nil
}

// nextPause tells whether another attempt may help, and after which time.
func (call *attempts) nextPause(failed *Error) (pause time.Duration, mayHelp bool) {
	isLost := failed.Code == ErrUnavailable && !failed.fromServer
	if (isLost || failed.Reason == CredentialInvalid) && !call.relocated {
		call.relocated = call.server.relocated(call.link)
		if call.relocated && !isLost {
			// The call was refused before it began, whatever it is.
			return 0, true
		}
	}
	pause = call.server.retry.pauseAfter(call.made)
	// A call that the server asks to come back later has not begun, whatever it is.
	if failed.comesBack {
		return failed.RetryAfter + pause, true
	}
	return pause, bool(call.repeat) && failed.Code == ErrUnavailable
}

func (call *attempts) sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return endedContext(ctx, call.link.address)
	case <-call.server.dropped:
		return closedError()
	}
}

// pauseAfter is how long to wait after so many attempts. Half of it is chance, so that many clients do not come back at the
// same moment.
func (retry Retry) pauseAfter(attempt int) time.Duration {
	longest := min(float64(retry.LongestPause), float64(retry.FirstPause)*math.Exp2(float64(attempt-1)))
	return time.Duration(longest * (0.5 + rand.Float64()/2))
}
