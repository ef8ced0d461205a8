"""The part of the GPU check that needs torch: `pin_memory=True`, and DLPack both ways.

    python check_torch.py FOLDER [cpu]

GpuCheck starts it. Prints one line of JSON as the last one. Exit status: 0 if all passed, 1 if
something failed, 3 if there is no torch with a GPU. With "cpu" only DLPack is checked, without one.
"""

from __future__ import annotations

import ctypes
import json
import os
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROWS = 3001
BYTES = {
    "bool": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8,
    "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8,
    "float16": 2, "float32": 4, "float64": 8,
}  # fmt: skip
BATCH = 509

# Capsules keep the addresses of their names.
NAMES = {name: ctypes.create_string_buffer(name) for name in (b"dltensor", b"dltensor_versioned")}


def mixed(column: int, row: int) -> int:
    z = (row * 0x9E3779B97F4A7C15 + (column + 1) * 0xBF58476D1CE4E5B9) % (1 << 64)
    z = ((z ^ (z >> 29)) * 0x94D049BB133111EB) % (1 << 64)
    return z ^ (z >> 32)


def element(number: int, name: str, row: int) -> bytes:
    """Returns the bytes of a column's value, as Expected.java has them."""
    z = mixed(number, row)
    if name == "bool":
        return bytes([z >> 63])
    width = 8 * BYTES[name]
    bits = z >> (64 - width)
    if name.startswith("float"):
        bits &= ~(1 << (width - 2))  # finite
    return bits.to_bytes(width // 8, sys.byteorder)


def lists(row: int) -> list[bytes]:
    return [
        (mixed(len(BYTES), 5 * row + i) >> 32).to_bytes(4, sys.byteorder) for i in range(row % 5)
    ]


def column(name: str, first: int, rows: int) -> bytes:
    """Returns the bytes of a tensor of some rows."""
    span = range(first, first + rows)
    if name == "list.values":
        return b"".join(each for row in span for each in lists(row))
    if name == "list.offsets":
        ends = [0]
        for row in span:
            ends.append(ends[-1] + row % 5)
        return struct.pack(f"{len(ends)}q", *ends)
    number = list(BYTES).index(name)
    return b"".join(element(number, name, row) for row in span)


def memory(tensor: Any) -> bytes:
    """Returns a tensor's bytes, wherever it lies."""
    import torch

    host = tensor.detach().to("cpu").contiguous().reshape(-1)
    return bytes(host.view(torch.uint8).tolist())


def require(tensor: Any, name: str, first: int, rows: int) -> None:
    found, expected = memory(tensor), column(name, first, rows)
    if found != expected:
        at = next(
            (i for i, pair in enumerate(zip(found, expected)) if pair[0] != pair[1]),
            min(len(found), len(expected)),
        )
        raise AssertionError(
            f"'{name}' of rows {first} to {first + rows - 1} is wrong from byte {at} on"
            f" ({len(found)} bytes, expected {len(expected)})"
        )


def tensors(batch: Any) -> dict[str, Any]:
    ragged = batch["list"]
    found = {name: batch[name] for name in BYTES}
    return {**found, "list.values": ragged.values, "list.offsets": ragged.offsets}


class Bus:
    """Copies that keep the bus busy, so that those behind them come late."""

    def __init__(self) -> None:
        import torch

        self._host = torch.empty(64 << 20, dtype=torch.uint8).pin_memory()
        self._device = torch.empty(64 << 20, dtype=torch.uint8, device="cuda")

    def occupy(self, times: int) -> None:
        """On the current stream, so that what is queued there afterwards waits."""
        for _ in range(times):
            self._device.copy_(self._host, non_blocking=True)


def pinned(file: Path) -> None:
    """Batches lie in pinned memory, which is used again only when their copies are done."""
    import torch
    from penstock_torch import Dataset, Loader

    bus = Bus()
    kept: list[tuple[str, int, int, Any]] = []
    data = Dataset(str(file))
    for _ in range(3):  # the system gives the same address again
        with Loader(data, 17, pin_memory=True, shared_memory=64 << 20) as loader:
            first = 0
            for batch in loader:
                if first % (17 * 20) == 0:
                    bus.occupy(4)
                rows = len(batch["bool"])
                for name, tensor in tensors(batch).items():
                    if tensor.numel() and not tensor.is_pinned():
                        raise AssertionError(
                            f"'{name}' is not pinned: torch's is_pinned() is False"
                        )
                    kept.append((name, first, rows, tensor.to("cuda", non_blocking=True)))
                first += rows
                del batch, tensor  # while the copies still wait
            if first != ROWS:
                raise AssertionError(f"{first} rows came instead of {ROWS}")
    torch.cuda.synchronize()
    for name, first, rows, tensor in kept:
        require(tensor, name, first, rows)


class Jvm:
    """Penstock's Java in this process, on the runtime of the folder."""

    def __init__(self, options: list[str]) -> None:
        home = Path(os.environ["JAVA_HOME"])
        library = ctypes.CDLL(str(home / "lib" / "server" / "libjvm.so"))

        class Option(ctypes.Structure):
            _fields_ = (("text", ctypes.c_char_p), ("extra", ctypes.c_void_p))

        class Arguments(ctypes.Structure):
            _fields_ = (
                ("version", ctypes.c_int32),
                ("count", ctypes.c_int32),
                ("options", ctypes.POINTER(Option)),
                ("lenient", ctypes.c_uint8),
            )

        given = (Option * len(options))(*(Option(each.encode(), None) for each in options))
        arguments = Arguments(0x000A0000, len(options), given, 0)
        machine, self._env = ctypes.c_void_p(), ctypes.c_void_p()
        made = library.JNI_CreateJavaVM(
            ctypes.byref(machine), ctypes.byref(self._env), ctypes.byref(arguments)
        )
        if made != 0:
            raise AssertionError(f"the JVM did not start in Python's process: JNI error {made}")
        self._table = ctypes.cast(
            self._env, ctypes.POINTER(ctypes.POINTER(ctypes.c_void_p))
        ).contents
        self._type = self._call(
            6, ctypes.c_void_p, ctypes.c_char_p(b"dev/penstock/benchmarks/gpu/DlpackSide")
        )
        self._require_no_exception()

    def _call(self, index: int, result: Any, *arguments: Any) -> Any:
        """Calls a function of JNI by its place in the table of jni.h."""
        types = [ctypes.c_void_p, *(type(each) for each in arguments)]
        function = ctypes.CFUNCTYPE(result, *types)(self._table[index])
        return function(self._env, *arguments)

    def _require_no_exception(self) -> None:
        if self._call(228, ctypes.c_uint8):
            self._call(16, None)  # prints it
            raise AssertionError("Java threw an exception, see above")

    def call(self, name: str, *arguments: int) -> int:
        """Calls a static method of DlpackSide, whose parameters and result are longs."""
        signature = f"({'J' * len(arguments)})J".encode()
        texts = (ctypes.c_char_p(name.encode()), ctypes.c_char_p(signature))
        found = self._call(113, ctypes.c_void_p, ctypes.c_void_p(self._type), *texts)
        self._require_no_exception()
        values = (ctypes.c_int64 * max(1, len(arguments)))(*arguments)
        result = self._call(
            134,
            ctypes.c_int64,
            ctypes.c_void_p(self._type),
            ctypes.c_void_p(found),
            ctypes.cast(values, ctypes.c_void_p),
        )
        self._require_no_exception()
        return int(result)


class Exported:
    """A tensor of Java's, as what `torch.from_dlpack` takes."""

    def __init__(self, jvm: Jvm, number: int) -> None:
        self._jvm, self._number = jvm, number

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, *, max_version: Any = None, **_: Any) -> Any:
        name, method = (
            (b"dltensor_versioned", "versioned") if max_version else (b"dltensor", "managed")
        )
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = (
            ctypes.py_object,
            [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p],
        )
        return make(self._jvm.call(method, self._number), NAMES[name], None)


def pointer(capsule: Any) -> int:
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return int(get(capsule, b"dltensor"))


def from_java(jvm: Jvm, device: str) -> Iterator[tuple[int, int, list[str], list[Any]]]:
    """Yields the tensors of each batch of Java's, each twice; the batch is closed behind it."""
    import torch

    names = [*BYTES, "list.values", "list.offsets"]
    first = 0
    while rows := jvm.call("next"):
        taken = []
        for number, name in enumerate(names):
            old = torch.utils.dlpack.from_dlpack(Exported(jvm, number).__dlpack__())
            new = torch.from_dlpack(Exported(jvm, number))
            if device == "cuda" and old.numel() and not old.is_pinned():
                raise AssertionError(f"'{name}' of Java's loader is not pinned for torch")
            taken += [old, new]
        yield first, rows, [name for name in names for _ in range(2)], taken
        first += rows
    if first != ROWS:
        raise AssertionError(f"{first} rows came instead of {ROWS}")


def dlpack(file: Path, device: str) -> None:
    """Tensors of Java's loader in torch, on both sides of the bus, and torch's read by Java."""

    jvm = Jvm(
        [
            f"-Djava.class.path={os.environ['PENSTOCK_CLASS_PATH']}",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            f"-Dpenstock.check.data={file}",
        ]
    )
    jvm.call("open", BATCH, device == "cuda")
    kept = list(from_java(jvm, device))
    jvm.call("close")  # torch still holds all memory
    for first, rows, names, taken in kept:
        for number, (name, tensor) in enumerate(zip(names, taken)):
            back_and_forth(jvm, tensor, name, number // 2, first, rows, device)
    del kept, taken, tensor
    held = jvm.call("held")
    if held:
        raise AssertionError(f"{held} bytes are held after torch let go of all tensors")


def back_and_forth(
    jvm: Jvm, tensor: Any, name: str, number: int, first: int, rows: int, device: str
) -> None:
    import torch

    require(tensor, name, first, rows)
    there = tensor.to(device, non_blocking=True).contiguous()
    require(there, name, first, rows)
    capsule = torch.utils.dlpack.to_dlpack(there)
    if not jvm.call("same", pointer(capsule), number, first, rows):
        raise AssertionError(
            f"'{name}' of rows {first} to {first + rows - 1} differs when Java reads torch's tensor"
            " by DLPack"
        )


def main(folder: Path, device: str) -> int:
    try:
        import torch
    except ImportError:
        print(json.dumps({"skipped": "this Python has no torch"}))
        return 3
    if device == "cuda" and not torch.cuda.is_available():
        print(json.dumps({"skipped": f"torch {torch.__version__} sees no GPU"}))
        return 3
    # Of this folder, not of an installed package.
    os.environ["JAVA_HOME"] = str(folder / "runtime")
    jars = [str(folder / "jars" / name) for name in ("benchmarks.jar", "serve.jar")]
    os.environ["PENSTOCK_CLASS_PATH"] = os.pathsep.join(jars)
    file = folder / "data" / "types.parquet"
    checks = {"DLPack from Java to torch and back": lambda: dlpack(file, device)}
    if device == "cuda":
        checks["pin_memory=True: pinned, used again when copies are done"] = lambda: pinned(file)
    results = []
    for name, check in checks.items():
        begin, wrong = time.monotonic(), ""
        try:
            check()
        except Exception as e:
            wrong = f"{type(e).__name__}: {e}"
        results.append(
            {
                "name": name,
                "passed": not wrong,
                "seconds": round(time.monotonic() - begin, 3),
                **({"message": wrong} if wrong else {}),
            }
        )
    print(json.dumps({"torch": torch.__version__, "checks": results}), flush=True)
    return 0 if all(each["passed"] for each in results) else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute(), sys.argv[2] if len(sys.argv) > 2 else "cuda"))
