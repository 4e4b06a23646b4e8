"""Connecting to the server of a data directory on this machine."""

import os

import grpc

from loci_client.connect import connect
from loci_client.local_server import find_server, locate_directory, not_served


def connect_local(
    data_directory: str | os.PathLike[str] | None = None,
    *,
    api_key: str | None = None,
    credentials: grpc.ChannelCredentials | None = None,
) -> grpc.Channel:
    """Opens a channel to the server that has a data directory open, with the key that it keeps there for its user.

    A server without configured API keys has another key after each start: connect again when a call ends with
    `UNAUTHENTICATED`.

    Args:
        data_directory: Default: `LOCI_DATA_DIR`, else `loci` in the XDG data home.
        api_key: Needed when the server has configured API keys, which it does not keep there.
        credentials: As for `connect`. Default: what the server has, plaintext or TLS with gRPC's own authorities.

    Raises:
        ConnectionError: No server of this user has the directory open.
    """
    directory = locate_directory(data_directory)
    server = find_server(directory)
    if server is None:
        raise not_served(directory)
    if credentials is None and server.tls:
        credentials = grpc.ssl_channel_credentials()
    return connect(server.address, api_key=server.api_key if api_key is None else api_key, credentials=credentials)
