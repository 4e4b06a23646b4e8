package loci

import (
	"context"

	"google.golang.org/grpc"

	v1 "loci/client-go/lociv1"
)

// Client is Loci on a server. Safe for many goroutines.
//
// Each call takes a context; one without a deadline gets 30 s, or what [WithTimeout] says, for all attempts together. Its
// connection may take 5 s, or what [WithConnectTimeout] says. Calls that the server did not answer are repeated; a write carries an idempotency key, so that it happens once. Errors are
// *[Error].
type Client struct {
	// Memories stores, reads and changes memories.
	Memories *Memories
	// Sessions keeps conversations turn by turn, and the state of whoever works in them.
	Sessions *Sessions
	// Blocks are what stands in each context of its owner, in versions.
	Blocks *Blocks
	// Captures makes memories of sessions, and takes them back.
	Captures *Captures
	// Receipts tells what contexts were made of that were assembled lately.
	Receipts *Receipts
	// Budget guards model calls.
	Budget *Budget
	// Tokens counts.
	Tokens *Tokens
	// Maintenance keeps a deployment in order.
	Maintenance *Maintenance
	// Operations are work that outlives the call that started it.
	Operations *Operations

	server *server
}

// Connect makes a client of the server at address: host:port, such as localhost:5624, memory.example.com:443 or
// [::1]:5624. It connects with the first call, and again by itself when the connection was lost. Close it when done.
//
// What is no address, a key that no header can hold, and options out of range are errors ([InvalidConfiguration]).
func Connect(address string, options ...Option) (*Client, error) {
	settings, err := clientSettings(options)
	if err != nil {
		return nil, err
	}
	connection, err := dial(address, settings.dialing)
	if err != nil {
		return nil, err
	}
	return newClient(newServer(settings, &link{connection: connection, address: address}, nil)), nil
}

// ConnectLocal makes a client of the server that has a data directory open, with the key that it keeps there for its user.
// An empty directory stands for LOCI_DATA_DIR, else loci in the XDG data home. Options win over what is found.
//
// A server that is started again has another key, and perhaps another address: they are read again when a call needs them.
// That no server of this user has the directory open is an error ([ServerUnavailable]).
func ConnectLocal(dataDirectory string, options ...Option) (*Client, error) {
	settings, err := clientSettings(options)
	if err != nil {
		return nil, err
	}
	directory, err := locateDataDirectory(dataDirectory)
	if err != nil {
		return nil, err
	}
	locate := func() (place, bool) { return locateServer(directory, settings.dialing) }
	found, isThere := locate()
	if !isThere {
		return nil, notServed(directory)
	}
	connection, err := found.dial()
	if err != nil {
		return nil, err
	}
	first := &link{connection: connection, address: found.location.Address, location: found.location}
	return newClient(newServer(settings, first, locate)), nil
}

// locateServer reads where the server of a data directory is. What the options say wins, so it is no reason to connect again.
func locateServer(directory string, given dialing) (place, bool) {
	location, found := findServer(directory)
	dialing := location.dialing(given)
	location.PID, location.APIKey, location.TLS = 0, dialing.apiKey, dialing.tls != nil
	connect := func() (*grpc.ClientConn, error) { return dial(location.Address, dialing) }
	return place{location: location, dial: connect}, found
}

func newClient(server *server) *Client {
	return &Client{
		Memories:    &Memories{server},
		Sessions:    &Sessions{TurnState: &TurnState{server}, server: server},
		Blocks:      &Blocks{Schemas: &BlockSchemas{server}, Profile: &Profile{server}, server: server},
		Captures:    &Captures{Reviews: &Reviews{server}, server: server},
		Receipts:    &Receipts{server},
		Budget:      &Budget{server},
		Tokens:      &Tokens{server},
		Maintenance: &Maintenance{server},
		Operations:  &Operations{server},
		server:      server,
	}
}

// Close takes no more calls, ends streams, waits up to 2 s for calls under way, and ends the others with [Closed].
func (client *Client) Close() error { return client.server.close() }

// Assemble assembles the best context that fits, exactly to budget, and says why. See [From] for the memories to bring in.
func (client *Client) Assemble(ctx context.Context, request *v1.AssembleContextRequest) (*v1.AssembleContextResponse, error) {
	return unary[v1.AssembleContextResponse](ctx, client.server, v1.ContextService_AssembleContext_FullMethodName, request, repeated)
}
