package loci

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"

	"loci/client-go/lociv1"
)

// selfSigned makes a certificate for a name, and the pool of who trusts it.
func selfSigned(t *testing.T, name string, until time.Time) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{name},
		NotBefore: until.Add(-48 * time.Hour), NotAfter: until, IsCA: true, BasicConstraintsValid: true,
	}
	bytes, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(bytes)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{bytes}, PrivateKey: key}, pool
}

// serveTokens serves over TLS, or without a certificate in plaintext, and gives its port.
func serveTokens(t *testing.T, certificate *tls.Certificate) (port string) {
	t.Helper()
	var options []grpc.ServerOption
	if certificate != nil {
		options = append(options, grpc.Creds(credentials.NewServerTLSFromCert(certificate)))
	}
	listener := listen(t)
	server := grpc.NewServer(options...)
	lociv1.RegisterContextServiceServer(server, &tokenServer{})
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	_, port, _ = net.SplitHostPort(listener.Addr().String())
	return port
}

func TestTriesOnceMoreWhereTLSDoesNotComeAbout(t *testing.T) {
	failed := transportError(codes.Unavailable, "error reading server preface: remote error: tls: certificate required", "here:1")
	if !strings.Contains(failed.Message, "asks its callers for a certificate") {
		t.Error(failed)
	}
	connections := make(chan struct{}, 100)
	listener := listen(t)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			connections <- struct{}{}
			connection.Write([]byte("no TLS here, and never will be\n"))
			connection.Close()
		}
	}()
	retry := WithRetry(Retry{FirstPause: 200 * time.Millisecond, LongestPause: 200 * time.Millisecond})
	client := connect(t, listener.Addr().String(), WithTLS(&tls.Config{}), retry, WithAPIKey(testKey))
	start := time.Now()
	_, err := client.Tokens.Count(t.Context(), "four")
	var known *Error
	// Seven attempts would have six pauses of 100 ms at least, and as many connections.
	if !errors.As(err, &known) || !known.ofTLS || len(connections) > 4 {
		t.Errorf("%v after %v and %d connections", err, time.Since(start), len(connections))
	}
}

func TestSaysWhatIsWrongWithTLS(t *testing.T) {
	tomorrow := time.Now().Add(24 * time.Hour)
	valid, trusted := selfSigned(t, "localhost", tomorrow)
	expired, trustedOnce := selfSigned(t, "localhost", tomorrow.Add(-48*time.Hour))
	other, trustedElsewhere := selfSigned(t, "memory.example.com", tomorrow)
	tests := []struct {
		problem string
		port    string
		trust   *x509.CertPool
	}{
		{"", serveTokens(t, &valid), trusted},
		{"authority that this client does not know", serveTokens(t, &valid), trustedElsewhere},
		{"not valid today", serveTokens(t, &expired), trustedOnce},
		{"for another name", serveTokens(t, &other), trustedElsewhere},
		{"does not speak TLS", serveTokens(t, nil), trusted},
	}
	for _, test := range tests {
		client := connect(t, "localhost:"+test.port, WithTLS(&tls.Config{RootCAs: test.trust}), quick, WithAPIKey(testKey))
		_, err := client.Tokens.Count(t.Context(), "four")
		if test.problem == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		var known *Error
		if !errors.As(err, &known) || known.Reason != ServerUnavailable || known.Advice == "" ||
			!strings.Contains(known.Message, "localhost:"+test.port+" ") || !strings.Contains(known.Message, test.problem) {
			t.Errorf("%s: %v", test.problem, err)
		}
	}
}
