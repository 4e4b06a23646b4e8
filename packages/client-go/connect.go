// Package loci connects to a Loci server. The calls are in package lociv1.
package loci

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

const maxMessageBytes = 64 << 20

var (
	hostAndPort  = regexp.MustCompile(`^(?i)(\[[0-9a-f:.]+\]|[a-z0-9._-]+):([0-9]{1,5})$`)
	visibleASCII = regexp.MustCompile(`^[!-~]+$`)
)

// Options says how to reach a server. The zero value is enough for one on this machine.
type Options struct {
	// APIKey is sent with every call as "authorization: Bearer …". Default none.
	APIKey string
	// TLS says whom to trust. Default: plaintext on loopback, TLS with the system's authorities everywhere else.
	TLS *tls.Config
}

// Connect opens a connection to the server at address, for the clients in package lociv1. It connects with the first
// call. Close it when done.
//
// The address is host:port, such as localhost:5624, memory.example.com:443 or [::1]:5624. An address that is none, and a
// key that no header can hold, are errors.
func Connect(address string, options Options) (*grpc.ClientConn, error) {
	host, err := hostOf(address)
	if err != nil {
		return nil, err
	}
	loopback := isLoopback(host)
	dialOptions := []grpc.DialOption{
		grpc.WithTransportCredentials(transport(options.TLS, loopback)),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallSendMsgSize(maxMessageBytes),
			grpc.MaxCallRecvMsgSize(maxMessageBytes),
		),
	}
	if loopback {
		dialOptions = append(dialOptions, grpc.WithNoProxy())
	}
	if options.APIKey != "" {
		// The message must not hold the key, so gRPC must not get to say what is wrong with it.
		if !visibleASCII.MatchString(options.APIKey) {
			return nil, errors.New("loci: APIKey holds a character that is not visible ASCII: pass it as it was issued")
		}
		dialOptions = append(dialOptions, grpc.WithPerRPCCredentials(apiKey(options.APIKey)))
	}
	return grpc.NewClient(address, dialOptions...)
}

func transport(config *tls.Config, loopback bool) credentials.TransportCredentials {
	if config == nil && loopback {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(config)
}

func hostOf(address string) (string, error) {
	if match := hostAndPort.FindStringSubmatch(address); match != nil {
		if port, err := strconv.Atoi(match[2]); err == nil && port >= 1 && port <= 65_535 {
			return strings.ToLower(match[1]), nil
		}
	}
	return "", fmt.Errorf("loci: address is not host:port: %.80q: pass for example localhost:5624", address)
}

// isLoopback is true when what is sent there does not leave the machine.
func isLoopback(host string) bool {
	if host == "localhost" || host == "[::1]" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.Is4() && address.IsLoopback()
}

type apiKey string

func (key apiKey) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + string(key)}, nil
}

// RequireTransportSecurity is false because Connect itself sends plaintext to this machine only.
func (apiKey) RequireTransportSecurity() bool { return false }
