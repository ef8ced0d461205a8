"""Connections to a `penstock serve --listen` on another machine."""

from __future__ import annotations

import re
import socket
import ssl

from ._engine import CONNECT_SECONDS, deadline_of, greet
from ._errors import EngineError
from ._frames import Frames

# As in Loopback.java: names are not looked up.
_NUMBER = "(?:0|[1-9][0-9]?|1[0-9]{2}|2[0-4][0-9]|25[0-5])"
_LOOPBACK = re.compile(rf"localhost|::1|\[::1]|127(?:\.{_NUMBER}){{3}}")


def is_loopback(host: str) -> bool:
    """Returns whether a host is this machine, whatever a name server says."""
    return _LOOPBACK.fullmatch(host) is not None


def connect(
    address: tuple[str, int], token: str, ca_file: str | None, seconds: float = 0
) -> Frames:
    """Connects with TLS; to this machine also without, if there is no `ca_file`.

    Args:
        address: host and port
        token: the server's token
        ca_file: the certificates to trust
        seconds: how long to wait for the server; 0 for the default
    """
    host, port = address
    deadline = deadline_of(seconds)
    try:
        plain = socket.create_connection((host, port), timeout=seconds or CONNECT_SECONDS)
    except TimeoutError:
        raise _no_answer(host, port, seconds) from None
    except OSError as e:
        raise EngineError(f"Cannot connect to the server {host}:{port}: {e}.") from e
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connected: socket.socket = plain
    try:
        if ca_file is not None or not is_loopback(host):
            context = ssl.create_default_context(cafile=ca_file)
            connected = context.wrap_socket(plain, server_hostname=host)
        return greet(connected, token, deadline)
    except TimeoutError:
        connected.close()
        raise _no_answer(host, port, seconds) from None
    except OSError as e:
        connected.close()
        if isinstance(e, PermissionError):
            raise
        raise EngineError(f"Cannot connect to the server {host}:{port}: {e}.") from e


def _no_answer(host: str, port: int, seconds: float) -> TimeoutError:
    return TimeoutError(
        f"The server {host}:{port} did not answer within {seconds or CONNECT_SECONDS:g} seconds: it"
        " may be stopped, or the network lost. Try again, or set a longer timeout."
    )
