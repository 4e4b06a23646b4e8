package loci

import (
	"context"
	"fmt"
	"strings"

	rpccode "google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// errorDomain is that of every ErrorInfo of Loci. A name, not a host.
const errorDomain = "loci"

// failure is why an attempt ended.
func failure(ctx context.Context, err error, address string) *Error {
	received := status.Convert(err)
	if known := errorFromStatus(received); known != nil {
		return known
	}
	if ctx.Err() != nil && (received.Code() == codes.Canceled || received.Code() == codes.DeadlineExceeded) {
		return endedContext(ctx, address)
	}
	code, said := received.Code(), received.Message()
	if code == codes.Canceled {
		// A server that is forced to stop cancels its calls: that looks as if the caller had.
		code, said = codes.Unavailable, "The connection was dropped."
	}
	lost := transportError(code, said, address)
	if lost.cause = err; code == received.Code() {
		lost.status = received
	}
	return lost
}

// errorFromStatus gives the error that the server packed, or nil for a status that is not from Loci.
func errorFromStatus(received *status.Status) *Error {
	var info *errdetails.ErrorInfo
	known := &Error{
		Code:       codeOfStatus(received.Code()),
		Message:    received.Message(),
		status:     received,
		fromServer: true,
	}
	for _, detail := range received.Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			info = detail
		case *errdetails.BadRequest:
			if violations := detail.GetFieldViolations(); len(violations) > 0 {
				known.Field = violations[0].GetField()
			}
		case *errdetails.RetryInfo:
			known.RetryAfter = detail.GetRetryDelay().AsDuration()
			known.comesBack = known.Code == ErrResourceExhausted
		}
	}
	if info.GetDomain() != errorDomain {
		return nil
	}
	// A reason of a later version stays as it is.
	known.Reason = Reason(info.GetReason())
	for name, value := range info.GetMetadata() {
		switch name {
		case "advice":
			known.Advice = value
		case "resource":
			known.Resource = value
		case "field":
			// What TypeScript calls it.
		default:
			if known.Details == nil {
				known.Details = map[string]string{}
			}
			known.Details[detailName(name)] = value
		}
	}
	return known
}

// detailName undoes what keeps details apart from advice, field and resource: one _ more behind such a name.
func detailName(name string) string {
	if bare := strings.TrimRight(name, "_"); bare == "advice" || bare == "field" || bare == "resource" {
		return name[:len(name)-1]
	}
	return name
}

// transportError is an error of the connection, or of something at the address that is not Loci.
func transportError(code codes.Code, said, address string) *Error {
	description := Error{Resource: address}
	// How Node's server ends a call whose headers are too large to be read.
	if strings.Contains(said, "COMPRESSION_ERROR") {
		description.Message = fmt.Sprintf("The call to %s carries more metadata than the connection takes: %s", address, said)
		description.Advice = "Pass the API key as it was issued, and no other long metadata: all of it together may have some 16 KB."
		return newError(MessageTooLarge, description)
	}
	if strings.Contains(said, "error while marshaling") {
		description.Resource = ""
		description.Message = "The request cannot be written: " + said
		description.Advice = "Pass text that is valid UTF-8, and no nil in a list."
		return newError(InvalidRequest, description)
	}
	if trouble, found := tlsTroubleIn(said); found && code == codes.Unavailable {
		description.Message = fmt.Sprintf("%s %s: %s", address, trouble.problem, said)
		description.Advice = trouble.advice
		description.ofTLS = true
		return newError(ServerUnavailable, description)
	}
	reason := transportReason(code, said)
	if said != "" {
		said = ": " + said
	}
	switch reason {
	case ServerUnavailable:
		description.Message = fmt.Sprintf("No Loci server answered at %s%s", address, said)
		description.Advice = "Check the address and that the server runs there (`loci serve`). A server with TLS is reached by TLS only: its certificate has to name that host, its authority has to be given, and where it asks callers for certificates, yours."
	case DeadlineExceeded:
		description.Message = address + " did not answer before the call's deadline."
		description.Advice = "Give it more time, or ask for less."
	case CredentialInvalid:
		description.Message = fmt.Sprintf("%s did not accept the credential%s", address, said)
		description.Advice = "Pass an API key of that server."
	case MessageTooLarge:
		description.Message = fmt.Sprintf("A message of the call to %s is too large%s", address, said)
		description.Advice = "Send or ask for less at once, or raise the limit on both sides."
	case UnsupportedOperation:
		description.Message = fmt.Sprintf("%s does not offer this call%s", address, said)
		description.Advice = "Check that a Loci server runs there and is not older than this client."
	default:
		description.Message = fmt.Sprintf("The call to %s failed with %s%s", address, rpccode.Code(code), said)
		description.Advice = "Look into the server's log, and check that a Loci server runs there."
	}
	return newError(reason, description)
}

// transportReason gives what is known of an error that says no more than its status.
func transportReason(code codes.Code, said string) Reason {
	switch codeOfStatus(code) {
	case ErrInvalidArgument:
		return InvalidRequest
	case ErrNotFound:
		return MemoryNotFound
	case ErrAlreadyExists:
		return MemoryExists
	case ErrConflict:
		return VersionConflict
	case ErrPermissionDenied:
		return RoleRequired
	case ErrUnauthenticated:
		return CredentialInvalid
	case ErrResourceExhausted:
		if strings.Contains(strings.ToLower(said), "larger than") {
			return MessageTooLarge
		}
		return TooManyRequests
	case ErrUnsupported:
		return UnsupportedOperation
	case ErrUnavailable:
		return ServerUnavailable
	case ErrDeadlineExceeded:
		return DeadlineExceeded
	case ErrCancelled:
		return Cancelled
	default:
		return Internal
	}
}
