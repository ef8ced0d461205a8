"""Runs a script in forks of one process, which has imported what the script imports at its top.

python forks.py SCRIPT

To import a trainer takes longer than a training of the tests. A line of input is JSON: the
`arguments` of the script, how many `seconds` it may take, and of each process in `processes` its
environment, `env`, and the files `out` and `err`. Once the first `awaited` of them have ended, the
others are killed, and a line of output has the codes that all ended with. A process ends as one of
its own does.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import runpy
import signal
import sys
from pathlib import Path
from typing import Any


def _import(script: str) -> None:
    body = ast.parse(Path(script).read_text()).body
    imports: list[ast.stmt] = [s for s in body if isinstance(s, (ast.Import, ast.ImportFrom))]
    exec(compile(ast.Module(imports, []), script, "exec"), {})
    if "torch" in sys.modules:
        importlib.import_module("torch._dynamo")  # which each optimizer imports, and so each fork


def _become(process: dict[str, Any]) -> None:
    os.setsid()
    for descriptor, file in enumerate((os.devnull, process["out"], process["err"])):
        opened = os.open(file, os.O_WRONLY if descriptor else os.O_RDONLY)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.clear()
    os.environ.update(process["env"])
    importlib.reload(sys.modules["sitecustomize"])  # the recorder


def _kill(pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)


def _code(pid: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _is_fork(script: str, request: dict[str, Any]) -> bool:
    """Runs the processes; returns true in each of them."""
    pids: list[int] = []
    for process in request["processes"]:
        pid = os.fork()
        if not pid:
            _become(process)
            sys.argv = [script, *request["arguments"]]
            return True
        pids.append(pid)
    signal.signal(signal.SIGALRM, lambda *_: _kill(pids))
    signal.alarm(request["seconds"])
    codes = [_code(pid) for pid in pids[: request["awaited"]]]
    signal.alarm(0)
    _kill(pids)  # and what those that have ended left behind
    print(json.dumps([*codes, *(_code(pid) for pid in pids[request["awaited"] :])]), flush=True)
    return False


def main(script: str) -> None:
    _import(script)
    for line in sys.stdin:
        if _is_fork(script, json.loads(line)):
            sys.path[0] = str(Path(script).parent)
            runpy.run_path(script, run_name="__main__")
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
