"""Where a server is, and what calls of it carry."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

import grpc

from loci_client.errors import invalid

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
"""The largest message to send or receive, unless it is said otherwise."""

CONNECT_TIMEOUT = 5.0
"""In seconds. A server that is stopped takes connections and says nothing: nobody should wait for that as for a call."""

_LONGEST_CONNECT_TIMEOUT = 2_147_000.0
_HOST_AND_PORT = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+):([0-9]{1,5})", re.IGNORECASE | re.ASCII)
_VISIBLE_ASCII = re.compile(r"[!-~]+")


class Metadata(tuple[tuple[str, str], ...]):
    """What each call carries. Never shows the key that is in it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} headers>"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server as channels are opened to it."""

    address: str
    """`host:port`."""
    metadata: Metadata
    credentials: grpc.ChannelCredentials | None
    """Of TLS; `None`: plaintext, on this machine only."""
    max_message_bytes: int = MAX_MESSAGE_BYTES
    connect_timeout: float = CONNECT_TIMEOUT
    """How long a connection may take until the server answers, in seconds."""

    def options(self) -> list[tuple[str, int]]:
        """How gRPC is to keep the connection."""
        return [
            ("grpc.max_send_message_length", self.max_message_bytes),
            ("grpc.max_receive_message_length", self.max_message_bytes),
            # A connection that a firewall dropped is noticed while a call waits, not after its deadline.
            ("grpc.keepalive_time_ms", 30_000),
            ("grpc.keepalive_timeout_ms", 10_000),
            # Repeating is done here, where it is known what may be repeated.
            ("grpc.enable_retries", 0),
            # After a failure gRPC fails every call at once until it tries again: not later than a repetition.
            ("grpc.initial_reconnect_backoff_ms", 50),
            ("grpc.max_reconnect_backoff_ms", 1_000),
            # In spite of its name how long gRPC tries to connect. Longer than a call waits for that: the call says why.
            ("grpc.min_reconnect_backoff_ms", max(20_000, int(self.connect_timeout * 1000) + 1000)),
            # Closing this client closes its connection, and no other client's.
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.service_config_disable_resolution", 1),
            ("grpc.enable_http_proxy", 0 if self.credentials is None else 1),
        ]


def make_endpoint(
    address: str,
    api_key: str | None,
    credentials: grpc.ChannelCredentials | None,
    max_message_bytes: int = MAX_MESSAGE_BYTES,
    connect_timeout: float = CONNECT_TIMEOUT,
) -> Endpoint:
    """Raises:
    InvalidArgumentError: `INVALID_CONFIGURATION`, no `host:port`, a key that no header can hold, a size or a time that
        is none.
    """
    if credentials is not None and not isinstance(credentials, grpc.ChannelCredentials):
        raise TypeError(f"credentials must be a grpc.ChannelCredentials, but is {type(credentials).__name__}.")
    if isinstance(max_message_bytes, bool) or not isinstance(max_message_bytes, int):
        raise TypeError(f"max_message_bytes must be a whole number, but is {type(max_message_bytes).__name__}.")
    if credentials is None and not is_loopback(address):
        credentials = grpc.ssl_channel_credentials()
    elif credentials is not None:
        is_loopback(address)
    if not 1 <= max_message_bytes < 2**31:
        raise invalid(
            "INVALID_CONFIGURATION",
            f"max_message_bytes must be from 1 to 2^31 - 1, but is {max_message_bytes}.",
            field="max_message_bytes",
        )
    is_number = isinstance(connect_timeout, (int, float)) and not isinstance(connect_timeout, bool)
    if not is_number or not 0 < connect_timeout <= _LONGEST_CONNECT_TIMEOUT:
        raise invalid(
            "INVALID_CONFIGURATION",
            f"connect_timeout must be a number of seconds above 0, up to 24 days, but is {connect_timeout!r}.",
            field="connect_timeout",
            advice="Leave it out to get 5.",
        )
    metadata = Metadata() if api_key is None else Metadata([authorization(api_key)])
    return Endpoint(address, metadata, credentials, max_message_bytes, connect_timeout)


def authorization(api_key: str) -> tuple[str, str]:
    """The header that carries the key. What is wrong with it is said without it."""
    if not isinstance(api_key, str) or _VISIBLE_ASCII.fullmatch(api_key) is None:
        raise invalid(
            "INVALID_CONFIGURATION",
            "api_key is empty or holds a character that is not visible ASCII.",
            field="api_key",
            advice="Pass the key as it was issued, without spaces and line ends.",
        )
    return "authorization", f"Bearer {api_key}"


def is_loopback(address: str) -> bool:
    """True when what is sent to `host:port` does not leave the machine."""
    if not isinstance(address, str):
        raise TypeError(f"address must be text, such as localhost:5624, but is {type(address).__name__}.")
    match = _HOST_AND_PORT.fullmatch(address)
    if match is None or not 1 <= int(match[2]) <= 65_535:
        raise invalid(
            "INVALID_CONFIGURATION",
            f"address is not host:port: {address[:80]!r}.",
            field="address",
            advice="Pass for example localhost:5624.",
        )
    return is_loopback_host(match[1].lower())


def is_loopback_host(host: str) -> bool:
    if host in ("localhost", "[::1]"):
        return True
    try:
        return ipaddress.IPv4Address(host).is_loopback
    except ValueError:
        return False
