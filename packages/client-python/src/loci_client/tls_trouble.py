"""What keeps a client and a server from agreeing on TLS, in words for whoever set it up."""

from __future__ import annotations

import re
from typing import NamedTuple


class TlsTrouble(NamedTuple):
    problem: str
    """Goes on behind the address."""
    advice: str


# What gRPC and its TLS library say, and what it means.
_TROUBLES = (
    (
        r"unable to get (local )?issuer certificate|self.signed certificate|unable to verify the first certificate",
        TlsTrouble(
            "has a certificate of an authority that this client does not know",
            "Pass the authority's certificate, as PEM, as root_certificates of grpc.ssl_channel_credentials. For a"
            " self-signed certificate that is the certificate itself.",
        ),
    ),
    (
        r"certificate (has expired|is not yet valid)",
        TlsTrouble(
            "has a certificate that is not valid today",
            "Give the server a new certificate, and check the clock of this machine.",
        ),
    ),
    (
        r"hostname verification check failed",
        TlsTrouble(
            "has a certificate for another name",
            "Call it by a name that stands in the certificate, or give the server a certificate with the name it is"
            " called by.",
        ),
    ),
    (
        # What gRPC makes of an alert that comes when the client takes the handshake for done.
        r"unwrap failed \(TSI_DATA_CORRUPTED\)",
        TlsTrouble(
            "asks its callers for a certificate, and was shown none that it takes",
            "Pass private_key and certificate_chain to grpc.ssl_channel_credentials, of the authority in the server's"
            " tls.client_ca_file, and valid today.",
        ),
    ),
    (
        r"wrong_version_number",
        TlsTrouble(
            "does not speak TLS",
            "Give the server a certificate. Without TLS this client calls servers on this machine only, and without"
            " credentials.",
        ),
    ),
)


def tls_trouble_in(said: str) -> TlsTrouble | None:
    """`None` when it is not TLS that a connection failed for."""
    return next((trouble for pattern, trouble in _TROUBLES if re.search(pattern, said, re.IGNORECASE)), None)
