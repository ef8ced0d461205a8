"""Connections to a `penstock serve --listen` on another machine."""

from __future__ import annotations

import re
import socket
import ssl

from ._engine import deadline_of, greet, patience
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
    """Connects with TLS; to this machine also without, if there is no `ca_file`."""
    host, port = address
    deadline = deadline_of(seconds)
    tls = None if ca_file is None and is_loopback(host) else _trusting(ca_file)
    try:
        connected = socket.create_connection((host, port), timeout=patience(seconds))
    except TimeoutError:
        raise _no_answer(host, port, seconds) from None
    except OSError as e:
        raise EngineError(
            f"Cannot connect to the server {host}:{port}: {_reason(e)}. Look whether"
            " 'penstock serve --listen' runs there and says this port."
        ) from e
    try:
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if tls is not None:
            connected = tls.wrap_socket(connected, server_hostname=host)
        return greet(connected, token.strip(), deadline)  # as the server reads it from its file
    except TimeoutError:
        connected.close()
        raise _no_answer(host, port, seconds) from None
    except PermissionError as e:
        connected.close()
        raise PermissionError(
            f"{e} Set token= to the text of its --token-file. [{host}:{port}]"
        ) from None
    except (OSError, EngineError) as e:
        connected.close()
        raise EngineError(
            f"Cannot connect to the server {host}:{port} with{'out' if tls is None else ''} TLS:"
            f" {_reason(e)}. {_advice(e, ca_file, tls is not None)}"
        ) from e


def _no_answer(host: str, port: int, seconds: float) -> TimeoutError:
    return TimeoutError(
        f"The server {host}:{port} did not answer within {patience(seconds):g} seconds: it"
        " may be stopped, or the network lost. Try again, or set a longer timeout."
    )


def _trusting(ca_file: str | None) -> ssl.SSLContext:
    """Returns a context that trusts the certificates of a file, or those of the system."""
    if ca_file is None:
        return ssl.create_default_context()
    try:
        with open(ca_file, "rb"):
            pass  # ssl's errors do not tell why a file cannot be read
        return ssl.create_default_context(cafile=ca_file)
    except ssl.SSLError as e:
        raise _unusable(ca_file, "it has no certificates in PEM") from e
    except OSError as e:
        raise _unusable(ca_file, f"it cannot be read: {_reason(e)}") from e


def _unusable(ca_file: str, why: str) -> ValueError:
    return ValueError(
        f"Cannot use ca_file '{ca_file}': {why}. Name a PEM file with the server's certificate, or"
        " of the authority that signed it."
    )


def _reason(e: Exception) -> str:
    if isinstance(e, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {e.verify_message}".rstrip(".")
    if isinstance(e, ssl.SSLError) and e.reason:
        return e.reason.replace("_", " ").lower()
    strerror = e.strerror if isinstance(e, OSError) else None
    return str(strerror or e).rstrip(".")


def _advice(e: Exception, ca_file: str | None, tls: bool) -> str:
    if isinstance(e, ssl.SSLCertVerificationError):
        trusted = "the system's" if ca_file is None else f"those of ca_file '{ca_file}'"
        return (
            f"Trusted are {trusted}: set ca_file= to the server's certificate, or that of the"
            " authority that signed it, and name the host as the certificate does."
        )
    if tls:
        return "If the server was started without --tls, leave out ca_file= on its machine."
    return "If the server was started with --tls, set ca_file= to its certificate."
