"""Loaders of `penstock serve --listen`, over TCP on this machine."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT
from digest import digests

from penstock_torch import EngineError, Loader
from penstock_torch._network import is_loopback

TOKEN = "a token of sixteen or more"


@contextlib.contextmanager
def serving(folder: Path, *options: str, files: int | None = None) -> Iterator[tuple[str, int]]:
    """Runs a server, which may open so many files; gives its address."""
    token = folder / "token"
    token.write_text(TOKEN + "\n")
    command = os.environ.get("PENSTOCK_COMMAND", str(ROOT / "penstock"))
    limited = [] if files is None else ["sh", "-c", f'ulimit -n {files}; exec "$0" "$@"']
    process = subprocess.Popen(
        [*limited, command, "serve", "--listen", "127.0.0.1:0"]
        + ["--token-file", str(token), *options],
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        said = b""
        while b"Serving at" not in said:
            said = process.stderr.readline()
            assert said, "the server ended"
        found = re.search(rb"Serving at ([0-9.]+):([0-9]+);", said)
        assert found is not None
        yield found.group(1).decode(), int(found.group(2))
    finally:
        process.terminate()
        process.communicate()


def test_several_servers_serve_one_run_by_ranks(flights: str, tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    shares = []
    with serving(tmp_path / "a") as one, serving(tmp_path / "b") as other:
        for rank, server in enumerate([one, other]):
            with Loader(
                flights,
                1000,
                output="numpy",
                shuffle="window:5000",
                rank=(rank, 2),
                server=server,
                token=TOKEN,
            ) as loader:
                shares.append([batch["distance"].copy() for batch in loader])
                state = loader.state_dict()
                again = [len(batch["origin"]) for batch in loader]
                assert sum(again) == 150_000
        with Loader(
            flights, output="numpy", rank=(1, 2), shuffle="window:5000", server=one, token=TOKEN
        ) as loader:
            loader.load_state_dict(state)
            assert digests(loader)[2] == 150_000
        with pytest.raises(PermissionError, match=r"its token is not this server's\. Set token="):
            Loader(flights, output="numpy", server=one, token="another token of this length")
        with Loader(flights, output="numpy", server=one, token=TOKEN + "\r\n") as loader:
            assert len(loader) == 293  # a file's line break does not matter
        with pytest.raises(EngineError, match=f"{one[1]} with TLS: .*leave out ca_file="):
            Loader(flights, output="numpy", server=one, token=TOKEN, ca_file=authority(tmp_path))
    with Loader(flights, 1000, output="numpy", rank=(0, 1)) as loader:
        whole = np.concatenate([batch["distance"].copy() for batch in loader])
    served = np.concatenate([part for share in shares for part in share])
    assert np.array_equal(np.sort(served), np.sort(whole))


def test_what_a_server_tells_is_written_by_the_client(
    flights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "client").mkdir()
    monkeypatch.chdir(tmp_path / "server")
    with serving(tmp_path / "server") as server:
        monkeypatch.chdir(tmp_path / "client")
        options: Any = {"output": "numpy", "server": server, "token": TOKEN}
        with Loader(flights, 1000, step_log="steps.jsonl", **options) as loader:
            assert loader.schema()["delay"] == "int64"
            assert [row.row for row in loader.rows(1)] == list(range(1000, 2000))
            assert loader.plan()["rows"] == loader.rows_per_epoch() == 300_000
            epoch = iter(loader)
            next(epoch)
            loader.report("run.html")
            assert loader.stats().rows == 1000
            assert sum(len(batch["delay"]) for batch in epoch) == 299_000
            assert loader.stats().rows == 300_000
    assert len((tmp_path / "client/steps.jsonl").read_text().splitlines()) == 300
    assert "<!DOCTYPE html>" in (tmp_path / "client/run.html").read_text()
    assert [each.name for each in (tmp_path / "server").iterdir()] == ["token"]


def authority(folder: Path) -> Path:
    """Makes a certificate for 127.0.0.1, and its key beside it."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl makes the certificate")
    certificate = folder / "certificate.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        + ["-nodes", "-days", "2", "-subj", "/CN=penstock"]
        + ["-addext", "subjectAltName=IP:127.0.0.1"]
        + ["-keyout", str(folder / "key.pem"), "-out", str(certificate)],
        check=True,
        stderr=subprocess.DEVNULL,
    )
    return certificate


def test_tls(flights: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = authority(tmp_path)
    (tmp_path / "other").mkdir()
    other = authority(tmp_path / "other")
    with serving(tmp_path, "--tls", f"{certificate},{tmp_path / 'key.pem'}") as server:
        monkeypatch.chdir(tmp_path)
        with Loader(
            flights, 1000, output="numpy", server=server, token=TOKEN, ca_file="certificate.pem"
        ) as loader:
            monkeypatch.chdir("/")
            loader._connection.frames().close()  # it connects again
            first = digests(loader)
        with pytest.raises(EngineError, match="without TLS: .* with --tls, set ca_file="):
            Loader(flights, output="numpy", server=server, token=TOKEN)
        with pytest.raises(
            EngineError, match=f"certificate is not trusted: .*'{other}': set ca_file="
        ):
            Loader(flights, output="numpy", server=server, token=TOKEN, ca_file=other)
    with Loader(flights, 1000, output="numpy") as loader:
        assert digests(loader) == first


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "it cannot be read: No such file"),
        ("", "it has no certificates in PEM"),
        ("text", "it has no certificates in PEM"),
        (
            "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n",
            "it has no certificates in PEM",
        ),
    ],
)
def test_file_without_certificates_is_named(tmp_path: Path, text: str | None, why: str) -> None:
    file = tmp_path / "ca.pem"
    if text is not None:
        file.write_text(text)
    with pytest.raises(ValueError, match=f"Cannot use ca_file '{file}': {why}"):
        Loader("/a", output="numpy", server=("127.0.0.1", 1), token=TOKEN, ca_file=file)
    with pytest.raises(ValueError, match="Cannot use ca_file '/': it cannot be read: Is a dir"):
        Loader("/a", output="numpy", server=("127.0.0.1", 1), token=TOKEN, ca_file="/")
    with pytest.raises(ValueError, match="Cannot use ca_file ''"):
        Loader("/a", output="numpy", server=("127.0.0.1", 1), token=TOKEN, ca_file="")


def test_what_is_not_a_server_is_said(flights: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def answer() -> None:
            with listening.accept()[0] as client:
                client.recv(4096)
                client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        port = listening.getsockname()[1]
        with pytest.raises(EngineError, match=f"Cannot connect to the server 127.0.0.1:{port} "):
            Loader(flights, output="numpy", server=("127.0.0.1", port), token=TOKEN)
        thread.join()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.255.249.199", "::1", "[::1]"])
def test_this_machine_is_known_by_its_addresses(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host",
    ["127.evil.example", "127.0.0.1.evil.example", "127.0.0.1\n", "127.1", "127.0.0.256", "::2"],
)
def test_other_hosts_need_tls(host: str) -> None:
    assert not is_loopback(host)


def test_nobody_listens(flights: str) -> None:
    with pytest.raises(
        EngineError, match=r"the server 127\.0\.0\.1:1: Connection refused\. Look whether"
    ):
        Loader(flights, output="numpy", server=("127.0.0.1", 1), token=TOKEN)


def test_strangers_take_nothing_from_clients(flights: str, tmp_path: Path) -> None:
    """400 connections that say nothing, to a server that may open 300 files."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, files=300))
        guest = stack.enter_context(
            Loader(flights, 1000, server=server, token=TOKEN, output="numpy")
        )
        epoch = iter(guest)
        got = [len(next(epoch)["delay"])]
        for _ in range(400):
            stack.enter_context(contextlib.closing(socket.create_connection(server)))
        got += [len(batch["delay"]) for batch in epoch]
        assert sum(got) == 300_000
        with Loader(flights, 1000, server=server, token=TOKEN, output="numpy") as another:
            assert sum(len(batch["delay"]) for batch in another) == 300_000
