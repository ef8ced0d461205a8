"""A module that scores: what it is called with, and what it returns."""

from __future__ import annotations

import collections
import contextlib
import hashlib
import struct
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ._messages import WIDTHS
from ._ragged import Ragged

_SINGLE = "score"  # the name of an output that has none
_MATRIX = "input"  # that of an input that has none
_FAILURES_MAX = 64


def reason(e: Exception) -> str:
    """Returns an exception's text as the engine shows it."""
    return f"{type(e).__name__}: {e}".removesuffix(".") if str(e) else type(e).__name__


class Feeding:
    """What a module is called with, made of a batch."""

    def __init__(
        self,
        inputs: Sequence[str] | Mapping[str, str | Sequence[str]] | None,
        carried: Sequence[str],
        nulls: Mapping[str, str],
    ) -> None:
        self._is_named = isinstance(inputs, Mapping)
        #: the inputs, for the engine; empty if the module gets the batch
        self.request: dict[str, Any] = {}
        if isinstance(inputs, Mapping):
            self.request = dict(inputs)
        elif inputs is not None:
            self.request = {_MATRIX: list(inputs)}
        usual = nulls.get("", "nan")
        self._policies = {name: nulls.get(name, usual) for name in carried}

    def arguments(self, batch: dict[str, Any], move: Callable[[Any], Any]) -> Any:
        """Returns what the module is called with: a list, or a dict of named arguments."""
        if not self.request:
            self._replace_nulls(batch)
            return [{name: move(values) for name, values in batch.items()}]
        made = {}
        for name, of in self.request.items():
            values = batch[name]
            if not isinstance(of, str) and values.ndim == 1:
                values = values.reshape(-1, 1)
            made[name] = move(values)
        return made if self._is_named else list(made.values())

    def _replace_nulls(self, batch: dict[str, Any]) -> None:
        """Gives columns that are written, too, and so come with a mask, what a Loader gives."""
        for name, policy in self._policies.items():
            if policy == "mask" or f"{name}.mask" not in batch:
                continue
            mask, values = batch.pop(f"{name}.mask"), batch[name]
            if bool(mask.all()):
                continue
            if policy.startswith("fill:"):
                values[~mask] = float(policy.removeprefix("fill:"))
            elif policy == "nan" and "float" in str(values.dtype):
                values[~mask] = float("nan")
            else:
                raise ValueError(
                    f"column '{name}' is null, for which {values.dtype} has no number: use"
                    f" nulls={{'{name}': 'mask'}} or a number, or name the columns of the module by"
                    " inputs="
                )


class Output(NamedTuple):
    """One of a module's outputs."""

    described: dict[str, Any]  # for the engine
    values: Any  # bytes


class ScoredModel:
    """A module, or a function, as the engine's model."""

    def __init__(
        self,
        module: Callable[..., Any],
        feeding: Feeding,
        device: Any,
        version: str | None,
        output: str,
    ) -> None:
        self._module = module
        self._feeding = feeding
        self._torch = sys.modules.get("torch")
        self._is_torchs = self._torch is not None and isinstance(module, self._torch.nn.Module)
        if self._torch is None and output == "torch":
            import torch

            self._torch = torch
        import numpy

        self._numpy = numpy
        self._device = device
        if device is None and self._is_torchs:
            first = next(iter(module.parameters()), None)  # type: ignore[attr-defined]
            self._device = None if first is None else first.device
        if self._device is not None and str(self._device) == "cpu":
            self._device = None
        self.version = self._state_hash() if version is None else version
        self._failures: collections.deque[Exception] = collections.deque(maxlen=_FAILURES_MAX)

    def _state_hash(self) -> str:
        """Returns the SHA-256 of a torch module's state; nothing for others."""
        if not self._is_torchs:
            return ""
        torch: Any = self._torch
        digest = hashlib.sha256()
        for name, value in sorted(self._module.state_dict().items()):  # type: ignore[attr-defined]
            if isinstance(value, torch.Tensor):
                whole = value.detach().cpu().contiguous()
                digest.update(f"{name} {whole.dtype} {tuple(whole.shape)}\n".encode())
                digest.update(whole.reshape(-1).view(torch.uint8).numpy())
            else:
                digest.update(f"{name} {value!r}\n".encode())
        return digest.hexdigest()

    @contextlib.contextmanager
    def applied(self) -> Iterator[None]:
        """Has the module in eval mode, and no gradients, for a while."""
        with contextlib.ExitStack() as stack:
            if self._torch is not None:
                stack.enter_context(self._torch.inference_mode())
            if self._is_torchs:
                module: Any = self._module
                modes = [(each, each.training) for each in module.modules()]

                def restore() -> None:
                    for each, mode in modes:
                        each.training = mode

                stack.callback(restore)
                module.eval()
            yield

    def __call__(self, batch: dict[str, Any], rows: int) -> list[Output]:
        arguments = self._feeding.arguments(batch, self._move)
        if isinstance(arguments, dict):
            result = self._module(**arguments)
        else:
            result = self._module(*arguments)
        outputs = result if isinstance(result, Mapping) else {_SINGLE: result}
        if not outputs:
            raise ValueError("the module returned no output")
        return [self._output(str(name), values, rows) for name, values in outputs.items()]

    def _move(self, values: Any) -> Any:
        if self._device is None:
            return values
        if isinstance(values, Ragged):
            return Ragged(self._move(values.values), self._move(values.offsets), values.length)
        return values.to(self._device) if hasattr(values, "to") else values

    def _output(self, name: str, values: Any, rows: int) -> Output:
        if self._torch is not None and isinstance(values, self._torch.Tensor):
            values = values.detach()
            if values.dtype == self._torch.bfloat16:
                values = values.float()
            values = values.cpu().numpy()
        elif isinstance(values, (list, tuple)):
            if all(each is None or isinstance(each, str) for each in values):
                return _texts(name, values, rows)
            try:
                values = self._numpy.asarray(values)
            except ValueError:
                values = self._numpy.asarray(values, object)
        if not isinstance(values, self._numpy.ndarray):
            raise TypeError(
                f"output '{name}' is a {type(values).__name__}, but expected a tensor, an array, a"
                " list of texts, or a dict of these"
            )
        if values.dtype.kind in "OU":
            listed = values.tolist()
            if values.ndim == 1 and all(each is None or isinstance(each, str) for each in listed):
                return _texts(name, listed, rows)
        if values.ndim == 0 and rows == 1:
            values = values.reshape(1)  # as squeeze() leaves a batch of one row
        dtype = values.dtype.name
        if values.ndim not in (1, 2) or len(values) != rows or dtype not in WIDTHS:
            raise ValueError(
                f"output '{name}' is {dtype} of shape {list(values.shape)}, but expected numbers of"
                f" shape [{rows}] or [{rows}, n]"
            )
        data = self._numpy.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        described = {"name": name, "dtype": dtype, "shape": list(values.shape[1:])}
        return Output(described, data.tobytes())

    def failed(self, e: Exception) -> None:
        """Keeps what the module raised."""
        self._failures.append(e)

    def failure_in(self, message: str) -> Exception | None:
        """Returns what the module raised of which an error of the engine tells."""
        told = [each for each in self._failures if reason(each) in message]
        return told[-1] if told else None


def _texts(name: str, texts: Sequence[str | None], rows: int) -> Output:
    if len(texts) != rows:
        raise ValueError(f"output '{name}' has {len(texts)} texts, but expected {rows}")
    data = [b"" if each is None else each.encode() for each in texts]
    lengths = [-1 if text is None else len(each) for text, each in zip(texts, data)]
    packed = struct.pack(f"<{rows}i", *lengths)
    return Output({"name": name, "dtype": "string"}, b"".join([packed, *data]))
