package loci

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// errorOf gives what a client makes of a server's error.
func errorOf(t *testing.T, sent error) *Error {
	t.Helper()
	server := serveScript(t, failing(99, sent, nil))
	_, err := connect(t, server.address, WithRetry(Retry{Attempts: 1})).Memories.Get(t.Context(), "a")
	var known *Error
	if !errors.As(err, &known) {
		t.Fatalf("%T %v", err, err)
	}
	return known
}

func TestAnErrorCarriesWhatTheServerSaid(t *testing.T) {
	info := &errdetails.ErrorInfo{Reason: "VERSION_CONFLICT", Domain: errorDomain, Metadata: map[string]string{
		"advice": "Read it again.", "resource": "0192", "advice_": "mine", "resource__": "too", "line_": "3",
		"field": "precondition.etag", "field_": "another",
	}}
	request := &errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "etag"}}}
	packed, err := status.New(codes.Aborted, "It was changed.").WithDetails(info, request)
	if err != nil {
		t.Fatal(err)
	}
	known := errorOf(t, packed.Err())
	details := fmt.Sprint(known.Details)
	if known.Code != ErrConflict || known.Reason != VersionConflict || known.Message != "It was changed." ||
		known.Advice != "Read it again." || known.Field != "etag" || known.Resource != "0192" ||
		details != "map[advice:mine field:another line_:3 resource_:too]" {
		t.Errorf("%+v", known)
	}
	wrapped := fmt.Errorf("while deploying: %w", known)
	if !errors.Is(wrapped, ErrConflict) || !errors.Is(wrapped, VersionConflict) ||
		errors.Is(wrapped, ErrNotFound) || errors.Is(wrapped, TurnConflict) || errors.Is(wrapped, context.Canceled) {
		t.Errorf("%v is something else", wrapped)
	}
	if told, known := status.FromError(wrapped); !known || told.Code() != codes.Aborted || len(told.Details()) != 2 {
		t.Errorf("its status is %v", told)
	}
	if known.Error() != "loci: VERSION_CONFLICT: It was changed. Read it again." {
		t.Errorf("%q", known.Error())
	}
}

func TestAReasonOfALaterServerKeepsItsTextAndCode(t *testing.T) {
	known := errorOf(t, refusal(codes.FailedPrecondition, "MOON_TOO_FULL", "Wait for another night."))
	if known.Code != ErrFailedPrecondition || known.Reason != "MOON_TOO_FULL" || !errors.Is(known, Reason("MOON_TOO_FULL")) {
		t.Errorf("%+v", known)
	}
}

func TestAnErrorOfSomethingElseSaysSo(t *testing.T) {
	tests := map[error]Error{
		status.Error(codes.Unauthenticated, "who?"):                        {Code: ErrUnauthenticated, Reason: CredentialInvalid},
		status.Error(codes.Unimplemented, "unknown service"):               {Code: ErrUnsupported, Reason: UnsupportedOperation},
		status.Error(codes.ResourceExhausted, "message larger than max"):   {Code: ErrResourceExhausted, Reason: MessageTooLarge},
		status.Error(codes.Unknown, "what?"):                               {Code: ErrInternal, Reason: Internal},
		status.Error(codes.Internal, "RST_STREAM code: COMPRESSION_ERROR"): {Code: ErrResourceExhausted, Reason: MessageTooLarge},
		status.Error(codes.DeadlineExceeded, ""):                           {Code: ErrDeadlineExceeded, Reason: DeadlineExceeded},
	}
	for sent, expected := range tests {
		known := errorOf(t, sent)
		if known.Code != expected.Code || known.Reason != expected.Reason || known.Advice == "" ||
			!strings.Contains(known.Message, known.Resource) || known.Resource == "" {
			t.Errorf("%v became %+v", sent, known)
		}
	}
}

func TestTextThatIsNotUTF8IsTheCallersFault(t *testing.T) {
	server := serveScript(t, failing(0, nil, nil))
	_, err := connect(t, server.address).Memories.Remember(t.Context(), "\xff", User("ann"))
	if !errors.Is(err, ErrInvalidArgument) || len(server.received()) != 0 {
		t.Errorf("%v", err)
	}
}

func TestEveryCodeIsOneOfTheWireAndBack(t *testing.T) {
	for _, code := range []Code{
		ErrInvalidArgument, ErrNotFound, ErrAlreadyExists, ErrConflict, ErrFailedPrecondition, ErrPermissionDenied,
		ErrUnauthenticated, ErrResourceExhausted, ErrUnsupported, ErrUnavailable, ErrDeadlineExceeded, ErrCancelled, ErrInternal,
	} {
		if back := codeOfStatus(code.status()); back != code {
			t.Errorf("%s is sent as %s", code, code.status())
		}
	}
}
