package loci

import "strings"

// tlsTrouble is what keeps a client and a server from agreeing on TLS, in words for whoever set it up.
type tlsTrouble struct {
	// problem goes on behind the address.
	problem string
	advice  string
}

// tlsTroubleIn tells what Go's TLS library means by what it says. Found is false when it is not TLS that a connection failed for.
func tlsTroubleIn(said string) (trouble tlsTrouble, found bool) {
	says := func(words string) bool { return strings.Contains(said, words) }
	switch {
	case says("certificate signed by unknown authority"), says("certificate is not trusted"):
		return tlsTrouble{
			problem: "has a certificate of an authority that this client does not know",
			advice:  "Pass the authority's certificate in the RootCAs of WithTLS. For a self-signed certificate that is the certificate itself.",
		}, true
	case says("certificate has expired or is not yet valid"):
		return tlsTrouble{
			problem: "has a certificate that is not valid today",
			advice:  "Give the server a new certificate, and check the clock of this machine.",
		}, true
	case says("certificate is valid for"), says("certificate is not valid for any names"), says("doesn't contain any IP SANs"):
		return tlsTrouble{
			problem: "has a certificate for another name",
			advice:  "Call it by a name that stands in the certificate, or give the server a certificate with the name it is called by.",
		}, true
	case says("tls: certificate required"):
		return tlsTrouble{
			problem: "asks its callers for a certificate, and was shown none that it takes",
			advice:  "Pass one in the Certificates of WithTLS, of the authority in the server's tls.client_ca_file.",
		}, true
	case says("remote error: tls: unknown certificate"), says("remote error: tls: expired certificate"),
		says("remote error: tls: revoked certificate"), says("remote error: tls: bad certificate"):
		return tlsTrouble{
			problem: "does not take the certificate of this client",
			advice:  "Pass one of the authority in the server's tls.client_ca_file that is valid today, with the certificates between them.",
		}, true
	case says("first record does not look like a TLS handshake"):
		return tlsTrouble{
			problem: "does not speak TLS",
			advice:  "Give the server a certificate. Without TLS this client calls servers on this machine only, and without WithTLS.",
		}, true
	default:
		return tlsTrouble{}, false
	}
}
