package loci

import (
	"context"

	"google.golang.org/grpc/connectivity"
)

// reach waits for the connection of a call, but not as long as for its answer: a server that is stopped, or a machine that drops
// what comes, is told from one that takes its time. It gives the error to end with when nothing came of it. Of a connection
// that was refused the attempt says more, and when to try again.
func (call *attempts) reach(ctx context.Context) error {
	connection := call.link.connection
	if connection.GetState() == connectivity.Ready {
		return nil
	}
	patience := call.server.connectTimeout
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		state := connection.GetState()
		if state != connectivity.Idle && state != connectivity.Connecting {
			return nil
		}
		connection.Connect()
		if connection.WaitForStateChange(limited, state) {
			continue
		}
		if over := call.over(ctx); over != nil {
			return over
		}
		if ctx.Err() != nil {
			return endedContext(ctx, call.link.address)
		}
		return notReached(call.link.address, patience)
	}
}
