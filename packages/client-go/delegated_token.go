package loci

import (
	"bytes"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	mostDelegatedScopes = 50
	mostIDBytes         = 200
	longestDelegation   = 24 * time.Hour
	tokenPurpose        = "loci delegated token 1"
)

var (
	apiKeyForm = regexp.MustCompile(`^loci_([a-z0-9-]{1,32})_[A-Za-z0-9_-]{43}$`)
	tokenKinds = []string{"session", "user", "agent", "team", "project"}
	tokenRoles = []string{"read", "write", "approve", "admin", "operate"}
)

// Delegation says what a token may do of what its API key may.
type Delegation struct {
	// Scopes the token may touch, 1 to 50: scopes ("user:ann"), all of a kind ("user:*"), or "*". The key must cover each.
	Scopes []string
	// Roles are what the token may do, at least one of read, write, approve, admin and operate. The key must have each.
	Roles []string
	// ExpiresIn is how long the token is valid, from a second to 24 hours; parts of a second are cut off.
	ExpiresIn time.Duration
	// Now is when it is made. Default: now.
	Now time.Time
}

// DelegatedToken makes a short-lived token that may do a part of what an API key may: for one user, with fewer roles.
// Nothing is asked of a server, so a backend makes one for each of its users. It is given to [WithAPIKey] in place of the
// key, and revoked with it. It is a JSON Web Token, signed with Ed25519 by a private key derived from the API key, which it does
// not hold. What is written with it has the key's subject as its author, and its calls count as the key's.
//
// The server decides by its own clock: a token is over at its last second, and one that was made more than 60 s later than
// the server's time is refused. One that asks for more than its key has is refused as a whole.
//
// An error names what is not as it must be, and never holds the key.
func DelegatedToken(apiKey string, delegation Delegation) (string, error) {
	match := apiKeyForm.FindStringSubmatch(apiKey)
	if match == nil {
		return "", fmt.Errorf("loci: apiKey is not an API key: pass the whole key as it was issued, loci_ID_SECRET")
	}
	if len(delegation.Scopes) == 0 || len(delegation.Scopes) > mostDelegatedScopes {
		return "", fmt.Errorf("loci: Scopes must be 1 to %d scopes, such as user:ann", mostDelegatedScopes)
	}
	for _, scope := range delegation.Scopes {
		if !isScopePattern(scope) {
			return "", fmt.Errorf("loci: Scopes holds %.60q, which is not a scope: use user:ann, user:* or *", scope)
		}
	}
	isUnknown := func(role string) bool { return !slices.Contains(tokenRoles, role) }
	if len(delegation.Roles) == 0 || slices.ContainsFunc(delegation.Roles, isUnknown) {
		return "", fmt.Errorf("loci: Roles must be roles, at least one: use some of %s", strings.Join(tokenRoles, ", "))
	}
	if delegation.ExpiresIn < time.Second || delegation.ExpiresIn > longestDelegation {
		return "", fmt.Errorf("loci: ExpiresIn must be from a second to 24 hours, but is %v", delegation.ExpiresIn)
	}
	now := delegation.Now
	if now.IsZero() {
		now = time.Now()
	}
	issuedAt := now.Unix()
	header, err := encodedPart(tokenHeader{Algorithm: "EdDSA", Type: "loci-token+jwt", KeyID: match[1]})
	if err != nil {
		return "", err
	}
	claims, err := encodedPart(tokenClaims{
		IssuedAt:  issuedAt,
		ExpiresAt: issuedAt + int64(delegation.ExpiresIn/time.Second),
		Scopes:    delegation.Scopes,
		Roles:     delegation.Roles,
	})
	if err != nil {
		return "", err
	}
	seed, err := hkdf.Key(sha256.New, []byte(apiKey), nil, tokenPurpose, ed25519.SeedSize)
	if err != nil {
		return "", err
	}
	signed := header + "." + claims
	signature := ed25519.Sign(ed25519.NewKeyFromSeed(seed), []byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature), nil
}

type tokenHeader struct {
	Algorithm string `json:"alg"`
	Type      string `json:"typ"`
	KeyID     string `json:"kid"`
}

type tokenClaims struct {
	IssuedAt  int64    `json:"iat"`
	ExpiresAt int64    `json:"exp"`
	Scopes    []string `json:"scopes"`
	Roles     []string `json:"roles"`
}

// isScopePattern leaves it to the server to say what else may be wrong with an id.
func isScopePattern(text string) bool {
	if text == "*" || text == "global" {
		return true
	}
	kind, id, _ := strings.Cut(text, ":")
	isWhole := id == "*" || !strings.Contains(id, "*")
	if slices.Contains(idsOfNobody, id) {
		return false
	}
	return slices.Contains(tokenKinds, kind) && isWhole && len(id) >= 1 && len(id) <= mostIDBytes
}

// encodedPart writes JSON as the other languages do: what HTML would escape stays as it is.
func encodedPart(value any) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), nil
}
