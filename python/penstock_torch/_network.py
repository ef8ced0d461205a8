"""Connections to a `penstock serve --listen` on another machine."""

from __future__ import annotations

import socket
import ssl

from ._engine import greet
from ._errors import EngineError
from ._frames import Frames

_CONNECT_SECONDS = 30
_LOOPBACK = ("127.0.0.1", "localhost", "::1")


def connect(address: tuple[str, int], token: str, ca_file: str | None) -> Frames:
    """Connects with TLS; to this machine also without, if there is no `ca_file`."""
    host, port = address
    try:
        plain = socket.create_connection((host, port), timeout=_CONNECT_SECONDS)
    except OSError as e:
        raise EngineError(f"Cannot connect to the server {host}:{port}: {e}.") from e
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connected: socket.socket = plain
    try:
        if ca_file is not None or host not in _LOOPBACK:
            context = ssl.create_default_context(cafile=ca_file)
            connected = context.wrap_socket(plain, server_hostname=host)
        frames = greet(connected, token)
        connected.settimeout(None)
        return frames
    except OSError as e:
        connected.close()
        if isinstance(e, PermissionError):
            raise
        raise EngineError(f"Cannot connect to the server {host}:{port}: {e}.") from e
