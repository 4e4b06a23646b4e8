package loci

import (
	"context"
	"fmt"
	"strings"
	"time"

	"google.golang.org/grpc/status"
)

// Error is why a call failed: what kind of failure it is, exactly which one, what was wrong and where, and what to do next.
//
// errors.Is knows it by its [Code] (loci.ErrConflict), by its [Reason] (loci.VersionConflict), and by
// context.DeadlineExceeded and context.Canceled. status.FromError gives what came over the wire.
type Error struct {
	Code   Code
	Reason Reason
	// Message says what was wrong and where. It holds neither memory text nor a key.
	Message string
	// Advice says what to do next. May be empty.
	Advice string
	// Field is the input field at fault, as a path such as messages[3].content. May be empty.
	Field string
	// Resource is what it is about: a memory's id, a section's name, an address. May be empty.
	Resource string
	// Details are further values for programs. May be nil.
	Details map[string]string
	// RetryAfter is how long the server wants not to be asked again. 0 when it has not said so.
	RetryAfter time.Duration

	// status is what came over the wire, if anything did.
	status *status.Status
	// fromServer is true for what a handler of Loci said, and false for what the connection did.
	fromServer bool
	// comesBack is true when the server has asked for another try, of a call that it has not begun.
	comesBack bool
	// ofTLS is true when client and server do not agree on TLS, which another attempt does not change.
	ofTLS bool
	cause error
}

// Error gives reason, message and advice.
func (failure *Error) Error() string {
	text := failure.Message
	if failure.Advice != "" {
		// What gRPC says of a connection ends without a full stop.
		text = strings.TrimSuffix(text, ".") + ". " + failure.Advice
	}
	return fmt.Sprintf("loci: %s: %s", failure.Reason, text)
}

// Is tells whether the error is of a [Code], has a [Reason], or is over time.
func (failure *Error) Is(target error) bool {
	switch target := target.(type) {
	case Code:
		return failure.Code == target
	case Reason:
		return failure.Reason == target
	default:
		return target == context.DeadlineExceeded && failure.Code == ErrDeadlineExceeded
	}
}

// Unwrap gives what the error came of: the cause of the context that ended, or a failure of this machine.
func (failure *Error) Unwrap() error { return failure.cause }

// GRPCStatus is what status.FromError and status.Code read.
func (failure *Error) GRPCStatus() *status.Status {
	if failure.status != nil {
		return failure.status
	}
	return status.New(failure.Code.status(), failure.Message)
}

// newError fills in the code of the reason.
func newError(reason Reason, description Error) *Error {
	description.Code, description.Reason = reason.code(), reason
	return &description
}

func closedError() *Error {
	return newError(Closed, Error{
		Message: "The client was closed.",
		Advice:  "Connect again, and close after the last call has come back.",
	})
}

// notReached is why a call ended whose connection took too long.
func notReached(address string, patience time.Duration) *Error {
	return newError(ServerUnavailable, Error{
		Message:  fmt.Sprintf("No connection to %s came about within %g s.", address, patience.Seconds()),
		Advice:   "Check the address, and whether the server there is stopped, or so busy that it takes no connections.",
		Resource: address,
	})
}

// endedContext is why a call ended whose context did.
func endedContext(ctx context.Context, address string) *Error {
	if ctx.Err() == context.DeadlineExceeded {
		return newError(DeadlineExceeded, Error{
			Message:  address + " did not answer before the call's deadline.",
			Advice:   "Give it more time, or ask for less.",
			Resource: address,
			cause:    context.Cause(ctx),
		})
	}
	if known, isKnown := context.Cause(ctx).(*Error); isKnown {
		return known
	}
	return newError(Cancelled, Error{
		Message: "The call was cancelled by its caller.",
		cause:   ended{ctx.Err(), context.Cause(ctx)},
	})
}

// ended is both what a context says and the cause that it was cancelled with.
type ended []error

func (ended) Error() string          { return context.Canceled.Error() }
func (errors ended) Unwrap() []error { return errors }

func invalidAddress(address string) *Error {
	return newError(InvalidConfiguration, Error{
		Message: fmt.Sprintf("address is not host:port: %.80q.", address),
		Field:   "address",
		Advice:  "Pass for example localhost:5624.",
	})
}

func invalidKey() *Error {
	return newError(InvalidConfiguration, Error{
		Message: "apiKey holds a character that is not visible ASCII.",
		Field:   "apiKey",
		Advice:  "Pass the key as it was issued, without spaces and line ends.",
	})
}

func invalidDialing(cause error) *Error {
	return newError(InvalidConfiguration, Error{
		Message: "The connection cannot be made: " + cause.Error(),
		Advice:  "Check what WithTLS and WithDialOptions pass.",
		cause:   cause,
	})
}

func invalidSetting(field, advice string) *Error {
	return newError(InvalidConfiguration, Error{Message: field + " is out of range.", Field: field, Advice: advice})
}

func notServed(directory string) *Error {
	return newError(ServerUnavailable, Error{
		Message:  fmt.Sprintf("No server of this user has %s open.", directory),
		Resource: directory,
		Advice:   "Start one with `loci serve`, or name the directory of the one that runs (LOCI_DATA_DIR).",
	})
}
