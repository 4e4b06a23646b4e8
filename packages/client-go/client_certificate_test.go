package loci

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Calls a server that knows its clients by their certificates. tools/polyglot starts it.
func TestAClientCertificateOpensWhatItIsBoundTo(t *testing.T) {
	address := os.Getenv("LOCI_TEST_CERTIFYING_ADDRESS")
	if address == "" {
		t.Skip("LOCI_TEST_CERTIFYING_ADDRESS names no server; tools/polyglot starts one")
	}
	own, err := tls.LoadX509KeyPair(os.Getenv("LOCI_TEST_CERTIFICATE"), os.Getenv("LOCI_TEST_CERTIFICATE_KEY"))
	if err != nil {
		t.Fatal(err)
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(readFile(t, os.Getenv("LOCI_TEST_AUTHORITY")))
	list := func(user string, certificates ...tls.Certificate) codes.Code {
		config := &tls.Config{RootCAs: authorities, Certificates: certificates}
		client := connect(t, address, WithTLS(config), WithRetry(Retry{Attempts: 1}))
		for _, err := range client.Memories.Pages(t.Context(), In(User(user))) {
			return status.Code(err)
		}
		t.Error("it was not answered at all")
		return codes.Unknown
	}
	if code := list("ann", own); code != codes.OK {
		t.Errorf("what it is bound to was answered with %v", code)
	}
	if code := list("bob", own); code != codes.PermissionDenied {
		t.Errorf("what another user has was answered with %v", code)
	}
	if code := list("ann"); code != codes.Unavailable {
		t.Errorf("without a certificate it was answered with %v", code)
	}
}
