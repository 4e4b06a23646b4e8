package loci

import (
	"fmt"
	"time"
)

// resumeTime is how long a stream that was lost is taken up again: an ordinary restart of a server.
const resumeTime = time.Minute

// resumption says how long a stream that was lost may be taken up again.
type resumption struct {
	// begun is false for what has nothing to go on behind, and fails as a call does.
	begun bool
	// lost is when it was noticed. Zero while answers come.
	lost time.Time
}

// hasCome notes an answer.
func (stream *resumption) hasCome() { stream.begun, stream.lost = true, time.Time{} }

// over gives the error to end with when the stream is lost for too long after one more pause, or nil.
func (stream *resumption) over(patience, pause time.Duration, failed *Error) *Error {
	if stream.lost.IsZero() {
		stream.lost = time.Now()
	}
	if time.Since(stream.lost)+pause < patience {
		return nil
	}
	ended := *failed
	ended.Message = fmt.Sprintf("The stream was lost, and could not be taken up again within %g s: %s", patience.Seconds(), failed.Message)
	ended.Advice = "When the server is back, begin again behind the last cursor or id that was told."
	ended.cause = failed
	return &ended
}
