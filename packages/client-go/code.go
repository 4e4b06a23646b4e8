package loci

import "google.golang.org/grpc/codes"

// Code is the kind of a failure. Each is a sentinel: errors.Is(err, loci.ErrConflict).
type Code string

// The closed set of codes.
const (
	// ErrInvalidArgument: what was sent is wrong, and stays so.
	ErrInvalidArgument Code = "INVALID_ARGUMENT"
	// ErrNotFound: it is not there, or the credential does not reach it.
	ErrNotFound Code = "NOT_FOUND"
	// ErrAlreadyExists: one of that name is there.
	ErrAlreadyExists Code = "ALREADY_EXISTS"
	// ErrConflict: somebody else has changed it. Read again, then try again.
	ErrConflict Code = "CONFLICT"
	// ErrFailedPrecondition: the same call fails again until something else has changed.
	ErrFailedPrecondition Code = "FAILED_PRECONDITION"
	// ErrPermissionDenied: the credential may not do that.
	ErrPermissionDenied Code = "PERMISSION_DENIED"
	// ErrUnauthenticated: there is no credential, or none that counts.
	ErrUnauthenticated Code = "UNAUTHENTICATED"
	// ErrResourceExhausted: too much at once.
	ErrResourceExhausted Code = "RESOURCE_EXHAUSTED"
	// ErrUnsupported: this server does not do that.
	ErrUnsupported Code = "UNSUPPORTED"
	// ErrUnavailable: worth another try later.
	ErrUnavailable Code = "UNAVAILABLE"
	// ErrDeadlineExceeded: time was up. Also context.DeadlineExceeded.
	ErrDeadlineExceeded Code = "DEADLINE_EXCEEDED"
	// ErrCancelled: the caller did not want it any more. Then it is context.Canceled, too.
	ErrCancelled Code = "CANCELLED"
	// ErrInternal: something is broken.
	ErrInternal Code = "INTERNAL"
)

// Error gives the code's own name.
func (code Code) Error() string { return string(code) }

// codeOfStatus gives the kind of failure that a status code of the wire stands for.
func codeOfStatus(status codes.Code) Code {
	switch status {
	case codes.InvalidArgument, codes.OutOfRange:
		return ErrInvalidArgument
	case codes.NotFound:
		return ErrNotFound
	case codes.AlreadyExists:
		return ErrAlreadyExists
	case codes.Aborted:
		return ErrConflict
	case codes.FailedPrecondition:
		return ErrFailedPrecondition
	case codes.PermissionDenied:
		return ErrPermissionDenied
	case codes.Unauthenticated:
		return ErrUnauthenticated
	case codes.ResourceExhausted:
		return ErrResourceExhausted
	case codes.Unimplemented:
		return ErrUnsupported
	case codes.Unavailable:
		return ErrUnavailable
	case codes.DeadlineExceeded:
		return ErrDeadlineExceeded
	case codes.Canceled:
		return ErrCancelled
	default:
		return ErrInternal
	}
}

// status gives the code on the wire. The two are the same set but for their names.
func (code Code) status() codes.Code {
	for status := codes.Canceled; status <= codes.Unauthenticated; status++ {
		if status != codes.OutOfRange && codeOfStatus(status) == code {
			return status
		}
	}
	return codes.Internal
}
