package loci

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
)

// closeTime is how long calls under way may take when the client is closed.
const closeTime = 2 * time.Second

// server is the connection of a client and the calls under way on it. Safe for many goroutines; it starts none.
type server struct {
	timeout        time.Duration
	connectTimeout time.Duration
	retry          Retry
	// locate gives where a local server is now. Nil for a client that was given an address.
	locate func() (place, bool)

	// answered says that a server was reached: what is missing now is likely to come back.
	answered atomic.Bool

	mutex   sync.Mutex
	current *link
	// retired are links that calls go on over although a newer one has taken their place.
	retired []*link
	streams map[*context.CancelCauseFunc]struct{}
	running int
	closed  bool
	// idle is closed when the client is closed and no call runs any more, dropped when the others have been waited for.
	idle    chan struct{}
	dropped chan struct{}
}

// place is how a server is reached. Two of them are equal when there is nothing to gain by connecting again.
type place struct {
	location serverLocation
	dial     func() (*grpc.ClientConn, error)
}

// link is a connection to one place.
type link struct {
	connection *grpc.ClientConn
	address    string
	location   serverLocation
	running    int
}

func newServer(settings settings, first *link, locate func() (place, bool)) *server {
	return &server{
		timeout:        settings.timeout,
		connectTimeout: settings.connectTimeout,
		retry:          settings.retry,
		locate:         locate,
		current:        first,
		streams:        map[*context.CancelCauseFunc]struct{}{},
		idle:           make(chan struct{}),
		dropped:        make(chan struct{}),
	}
}

// begin counts one more call under way, and gives what to send it over.
func (server *server) begin() (*link, error) {
	server.mutex.Lock()
	defer server.mutex.Unlock()
	if server.closed {
		return nil, closedError()
	}
	server.running++
	server.current.running++
	return server.current, nil
}

// end counts one call less.
func (server *server) end(link *link) {
	server.mutex.Lock()
	defer server.mutex.Unlock()
	server.leave(link)
	server.running--
	if server.closed && server.running == 0 {
		close(server.idle)
	}
}

// newest gives what a call is sent over the next time.
func (server *server) newest(used *link) *link {
	server.mutex.Lock()
	defer server.mutex.Unlock()
	if used == server.current {
		return used
	}
	server.current.running++
	server.leave(used)
	return server.current
}

// leave counts one call less over a link. The last one closes a link that another has taken the place of.
func (server *server) leave(used *link) {
	used.running--
	if used != server.current && used.running == 0 {
		server.retired = slices.DeleteFunc(server.retired, func(retired *link) bool { return retired == used })
		used.connection.Close()
	}
}

// relocated tells whether there is another way to the server than the link that failed: a local server that was started
// again has noted another key, and perhaps another address.
func (server *server) relocated(failed *link) bool {
	server.mutex.Lock()
	defer server.mutex.Unlock()
	if server.current != failed {
		return true
	}
	if server.locate == nil || server.closed {
		return false
	}
	found, isThere := server.locate()
	if !isThere || found.location == failed.location {
		return false
	}
	connection, err := found.dial()
	if err != nil {
		return false
	}
	server.retired = append(server.retired, failed)
	server.current = &link{connection: connection, address: found.location.Address, location: found.location}
	return true
}

// isDropped tells whether the client was closed and calls that still ran were given up.
func (server *server) isDropped() bool {
	select {
	case <-server.dropped:
		return true
	default:
		return false
	}
}

// close takes no more calls, ends streams, gives calls under way some time, and then drops them.
func (server *server) close() error {
	server.mutex.Lock()
	if server.closed {
		server.mutex.Unlock()
		<-server.dropped
		return nil
	}
	server.closed = true
	for cancel := range server.streams {
		(*cancel)(closedError())
	}
	if server.running == 0 {
		close(server.idle)
	}
	server.mutex.Unlock()

	timer := time.NewTimer(closeTime)
	defer timer.Stop()
	select {
	case <-server.idle:
	case <-timer.C:
	}

	server.mutex.Lock()
	defer server.mutex.Unlock()
	close(server.dropped)
	for _, link := range server.retired {
		link.connection.Close()
	}
	return server.current.connection.Close()
}
