package loci

import (
	"crypto/tls"
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/protobuf/proto"

	"loci/client-go/lociv1"
)

// Asks a running server for the context that TypeScript's client was given, and expects the same bytes. tools/polyglot
// starts the server and writes TypeScript's request and answer.
func TestAssemblesTheSameBytesAsTypeScript(t *testing.T) {
	address := os.Getenv("LOCI_TEST_ADDRESS")
	if address == "" {
		t.Skip("LOCI_TEST_ADDRESS names no server; tools/polyglot starts one")
	}
	request, expected := &lociv1.AssembleContextRequest{}, &lociv1.AssembleContextResponse{}
	readMessage(t, "request.binpb", request)
	readMessage(t, "response.binpb", expected)

	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(readFile(t, os.Getenv("LOCI_TEST_AUTHORITY"))) {
		t.Fatal("LOCI_TEST_AUTHORITY is not PEM")
	}
	client, err := Connect(address, WithAPIKey(os.Getenv("LOCI_TEST_API_KEY")), WithTLS(&tls.Config{RootCAs: authorities}))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	answer, err := client.Assemble(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}

	if answer.GetText() == "" || answer.GetText() != expected.GetText() {
		t.Errorf("text is %q, expected %q", answer.GetText(), expected.GetText())
	}
	if len(answer.GetReceipt().GetItems()) == 0 || !proto.Equal(answer.GetReceipt(), expected.GetReceipt()) {
		t.Errorf("receipt is %v, expected %v", answer.GetReceipt(), expected.GetReceipt())
	}
	// How long it took is no part of the answer.
	answer.Timings, expected.Timings = nil, nil
	if !proto.Equal(answer, expected) {
		t.Errorf("answer is %v, expected %v", answer, expected)
	}
}

func readMessage(t *testing.T, name string, message proto.Message) {
	t.Helper()
	bytes := readFile(t, filepath.Join(os.Getenv("LOCI_TEST_EXCHANGE"), name))
	if err := proto.Unmarshal(bytes, message); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}
