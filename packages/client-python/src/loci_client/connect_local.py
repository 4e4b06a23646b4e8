"""Connecting to the server of a data directory on this machine."""

import json
import os
from pathlib import Path

import grpc

from loci_client.connect import connect


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
    directory = _locate(data_directory)
    try:
        server = json.loads((directory / "server.json").read_text(encoding="utf-8"))
        address, pid, tls, key = server["address"], server["pid"], server["tls"], server.get("apiKey")
        is_running = _is_running(pid)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError):
        is_running = False
    if not is_running:
        advice = "Start one with `loci serve`, or name the directory of the one that runs (LOCI_DATA_DIR)."
        raise ConnectionError(f"No server of this user has {directory} open. {advice}")
    if credentials is None and tls:
        credentials = grpc.ssl_channel_credentials()
    return connect(address, api_key=key if api_key is None else api_key, credentials=credentials)


def _locate(data_directory: str | os.PathLike[str] | None) -> Path:
    given = data_directory or os.environ.get("LOCI_DATA_DIR")
    if given:
        return Path(given).absolute()
    # The XDG base directory specification says that relative paths are to be ignored.
    home = Path(os.environ.get("XDG_DATA_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local" / "share") / "loci"


def _is_running(pid: int) -> bool:
    """What a server that died has left does not count."""
    if os.name != "posix":
        return True
    try:
        # Signal 0 only asks whether the process is there.
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
