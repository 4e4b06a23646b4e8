package loci

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loci/client-go/lociv1"
)

// announce notes in the directory that it is being served.
func announce(t *testing.T, directory string, note string) {
	t.Helper()
	if err := os.MkdirAll(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(directory, "server.json"), []byte(note), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSendsTheKeyInTheDataDirectory(t *testing.T) {
	listener, recorder := serve(t)
	keySent := func(directory string, options ...DialOption) string {
		t.Helper()
		connection, err := DialLocal(directory, options...)
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		client := lociv1.NewContextServiceClient(connection)
		if _, err := client.CountTokens(t.Context(), &lociv1.CountTokensRequest{Text: "four"}); err != nil {
			t.Fatal(err)
		}
		return strings.Join(recorder.metadata.Get("authorization"), "; ")
	}

	directory := t.TempDir()
	location := fmt.Sprintf(`"address":%q,"pid":%d,"tls":false`, listener.Addr(), os.Getpid())
	announce(t, directory, fmt.Sprintf(`{%s,"apiKey":%q}`, location, testKey))
	if sent := keySent(directory); sent != "Bearer "+testKey {
		t.Errorf("sent %q", sent)
	}
	if sent := keySent(directory, WithAPIKey("own")); sent != "Bearer own" {
		t.Errorf("sent %q", sent)
	}
	t.Setenv("LOCI_DATA_DIR", directory)
	if sent := keySent(""); sent != "Bearer "+testKey {
		t.Errorf("sent %q by LOCI_DATA_DIR", sent)
	}
	t.Setenv("LOCI_DATA_DIR", "")
	t.Setenv("XDG_DATA_HOME", directory)
	announce(t, filepath.Join(directory, "loci"), fmt.Sprintf("{%s}", location))
	if sent := keySent(""); sent != "" {
		t.Errorf("sent %q to a server with keys of its own", sent)
	}
}

func TestSaysWhenNoServerHasTheDirectoryOpen(t *testing.T) {
	ended := exec.Command(os.Args[0], "-test.run=^$")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	directory := t.TempDir()
	dead := fmt.Sprintf(`{"address":"127.0.0.1:1","pid":%d,"tls":false,"apiKey":%q}`, ended.Process.Pid, testKey)
	for _, note := range []string{"missing", "", "{", "null", "[]", `{"pid":1}`, dead} {
		if note != "missing" {
			announce(t, directory, note)
		}
		_, err := DialLocal(directory)
		if err == nil || !strings.Contains(err.Error(), "loci serve") || strings.Contains(err.Error(), testKey) {
			t.Errorf("%s: %v", note, err)
		}
	}
}
