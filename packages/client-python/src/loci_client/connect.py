"""Connecting to a Loci server."""

from typing import Any, NamedTuple

import grpc

from loci_client.endpoint import MAX_MESSAGE_BYTES, authorization, is_loopback


def connect(
    address: str,
    *,
    api_key: str | None = None,
    credentials: grpc.ChannelCredentials | None = None,
) -> grpc.Channel:
    """Opens a channel to a server, for the stubs in `loci_client.v1`.

    It connects with the first call. Close it when done.

    Args:
        address: `host:port`, such as `localhost:5624`, `memory.example.com:443` or `[::1]:5624`.
        api_key: Sent with every call as `authorization: Bearer …`. Default none.
        credentials: Such as `grpc.ssl_channel_credentials(root_certificates=pem)`. Default: plaintext on loopback, TLS
            with gRPC's own authorities everywhere else.

    Raises:
        ValueError: The address is no `host:port`, or the key is one that no header can hold.
    """
    stays_here = is_loopback(address)
    options = [
        ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
        ("grpc.enable_http_proxy", 0 if stays_here else 1),
    ]
    # Before the channel is opened, so that none is left open when the key is refused.
    interceptors = [] if api_key is None else [_ApiKey(api_key)]
    if credentials is None and stays_here:
        channel = grpc.insecure_channel(address, options)
    else:
        channel = grpc.secure_channel(address, credentials or grpc.ssl_channel_credentials(), options)
    return grpc.intercept_channel(channel, *interceptors)


class _CallDetails(NamedTuple):
    method: str
    timeout: float | None
    metadata: tuple[tuple[str, str | bytes], ...]
    credentials: grpc.CallCredentials | None
    wait_for_ready: bool | None
    compression: grpc.Compression | None


class _ApiKey(
    grpc.UnaryUnaryClientInterceptor,
    grpc.UnaryStreamClientInterceptor,
    grpc.StreamUnaryClientInterceptor,
    grpc.StreamStreamClientInterceptor,
):
    """Sends the key with every call.

    An interceptor, because gRPC's call credentials refuse plaintext on loopback too.
    """

    def __init__(self, api_key: str) -> None:
        self._header = authorization(api_key)

    def _intercept(self, continuation: Any, details: Any, request: Any) -> Any:
        metadata = (*(details.metadata or ()), self._header)
        with_key = _CallDetails(
            details.method,
            details.timeout,
            metadata,
            details.credentials,
            details.wait_for_ready,
            details.compression,
        )
        return continuation(with_key, request)

    intercept_unary_unary = _intercept  # type: ignore[assignment]
    intercept_unary_stream = _intercept  # type: ignore[assignment]
    intercept_stream_unary = _intercept  # type: ignore[assignment]
    intercept_stream_stream = _intercept  # type: ignore[assignment]
