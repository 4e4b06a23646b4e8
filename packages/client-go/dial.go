package loci

import (
	"context"
	"crypto/tls"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
)

const maxMessageBytes = 64 << 20

// Dial opens a connection to the server at address, for the generated clients in package lociv1. It connects with the first
// call. Close it when done. [Connect] gives the same calls with deadlines, repetitions and typed errors.
//
// The address is host:port, such as localhost:5624, memory.example.com:443 or [::1]:5624. An address that is none, and a
// key that no header can hold, are errors ([InvalidConfiguration]).
func Dial(address string, options ...DialOption) (*grpc.ClientConn, error) {
	return dial(address, dialSettings(options))
}

func dial(address string, settings dialing) (*grpc.ClientConn, error) {
	host, found := hostOf(address)
	if !found {
		return nil, invalidAddress(address)
	}
	loopback := isLoopback(host)
	dialOptions := []grpc.DialOption{
		grpc.WithTransportCredentials(transport(settings.tls, loopback)),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallSendMsgSize(maxMessageBytes),
			grpc.MaxCallRecvMsgSize(maxMessageBytes),
		),
		// Repeating is done by the client, where it is known what may be repeated.
		grpc.WithDisableRetry(),
		grpc.WithDisableServiceConfig(),
		// A connection that a firewall dropped is noticed while a call waits, not after its deadline.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
		// After a failure gRPC fails every call at once until it tries again: that must not be later than a repetition.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: 20 * time.Second,
		}),
	}
	if loopback {
		dialOptions = append(dialOptions, grpc.WithNoProxy())
	}
	if settings.apiKey != "" {
		// The message must not hold the key, so gRPC must not get to say what is wrong with it.
		if !isVisibleASCII(settings.apiKey) {
			return nil, invalidKey()
		}
		dialOptions = append(dialOptions, grpc.WithPerRPCCredentials(bearer(settings.apiKey)))
	}
	connection, err := grpc.NewClient(address, append(dialOptions, settings.grpc...)...)
	if err != nil {
		return nil, invalidDialing(err)
	}
	return connection, nil
}

func transport(config *tls.Config, loopback bool) credentials.TransportCredentials {
	if config == nil && loopback {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(config)
}

// hostOf gives the host of what is host:port, in lower case and with the brackets of an IPv6 address.
func hostOf(address string) (host string, found bool) {
	colon := strings.LastIndexByte(address, ':')
	if colon < 1 {
		return "", false
	}
	host, digits := strings.ToLower(address[:colon]), address[colon+1:]
	port, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || port == 0 || len(digits) > 5 {
		return "", false
	}
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		inner, bracketed = strings.CutSuffix(inner, "]")
		return host, bracketed && inner != "" && strings.Trim(inner, "0123456789abcdef:.") == ""
	}
	return host, strings.Trim(host, "0123456789abcdefghijklmnopqrstuvwxyz._-") == ""
}

// isLoopback is true when what is sent there does not leave the machine.
func isLoopback(host string) bool {
	if host == "localhost" || host == "[::1]" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Is4() && address.IsLoopback()
}

func isVisibleASCII(text string) bool {
	return strings.IndexFunc(text, func(character rune) bool { return character < '!' || character > '~' }) < 0
}

// apiKey sends a key with every call. The metadata is made once; gRPC only reads it.
type apiKey struct{ metadata map[string]string }

func bearer(key string) *apiKey {
	return &apiKey{metadata: map[string]string{"authorization": "Bearer " + key}}
}

func (key *apiKey) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return key.metadata, nil
}

// RequireTransportSecurity is false because Dial itself sends plaintext to this machine only.
func (*apiKey) RequireTransportSecurity() bool { return false }
