package loci

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

type tokenInput struct {
	APIKey           string   `json:"apiKey"`
	Scopes           []string `json:"scopes"`
	Roles            []string `json:"roles"`
	ExpiresInSeconds int64    `json:"expiresInSeconds"`
	Now              int64    `json:"now"`
}

func (input tokenInput) token() (string, error) {
	return DelegatedToken(input.APIKey, Delegation{
		Scopes:    input.Scopes,
		Roles:     input.Roles,
		ExpiresIn: time.Duration(input.ExpiresInSeconds) * time.Second,
		Now:       time.UnixMilli(input.Now),
	})
}

// The same file is what the other languages are tested with.
func tokenVectors(t *testing.T) (vectors struct {
	Cases []struct {
		Name string     `json:"name"`
		In   tokenInput `json:"in"`
		Out  string     `json:"out"`
	} `json:"cases"`
	Refused []struct {
		Name  string     `json:"name"`
		In    tokenInput `json:"in"`
		Field string     `json:"field"`
	} `json:"refused"`
}) {
	t.Helper()
	if err := json.Unmarshal(readFile(t, "../api/test/golden/delegated-tokens.json"), &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors.Cases) == 0 || len(vectors.Refused) == 0 {
		t.Fatal("there are no vectors")
	}
	return vectors
}

func TestDelegatedTokenHasTheSameBytesAsInTheOtherLanguages(t *testing.T) {
	for _, vector := range tokenVectors(t).Cases {
		t.Run(vector.Name, func(t *testing.T) {
			if token, err := vector.In.token(); err != nil || token != vector.Out {
				t.Errorf("token is %q (%v), expected %q", token, err, vector.Out)
			}
		})
	}
}

func TestDelegatedTokenRefusesWhatTheOtherLanguagesRefuse(t *testing.T) {
	names := map[string]string{"apiKey": "apiKey", "scopes": "Scopes", "roles": "Roles", "expiresInSeconds": "ExpiresIn"}
	for _, vector := range tokenVectors(t).Refused {
		t.Run(vector.Name, func(t *testing.T) {
			token, err := vector.In.token()
			if err == nil {
				t.Fatalf("it made %q", token)
			}
			if !strings.HasPrefix(err.Error(), "loci: "+names[vector.Field]+" ") {
				t.Errorf("error is %q, expected %s to be named", err, names[vector.Field])
			}
			if key := strings.TrimSpace(vector.In.APIKey); key != "" && strings.Contains(err.Error(), key) {
				t.Error("the error holds the key")
			}
		})
	}
}

func TestDelegatedTokenOpensWhatItNamesAndNothingElse(t *testing.T) {
	address := os.Getenv("LOCI_TEST_ADDRESS")
	if address == "" {
		t.Skip("LOCI_TEST_ADDRESS names no server; tools/polyglot starts one")
	}
	token, err := DelegatedToken(os.Getenv("LOCI_TEST_API_KEY"), Delegation{
		Scopes:    []string{"user:ann"},
		Roles:     []string{"read"},
		ExpiresIn: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	authorities := x509.NewCertPool()
	authorities.AppendCertsFromPEM(readFile(t, os.Getenv("LOCI_TEST_AUTHORITY")))
	client := connect(t, address, WithAPIKey(token), WithTLS(&tls.Config{RootCAs: authorities}))
	list := func(user string) error {
		for _, err := range client.Memories.Pages(t.Context(), In(User(user))) {
			return err
		}
		return errors.New("it was not answered at all")
	}
	if err := list("ann"); err != nil {
		t.Error(err)
	}
	if err := list("bob"); !errors.Is(err, ScopeNotPermitted) {
		t.Errorf("what another user has was answered with %v", err)
	}
}
