"""Scores a table in turns with other ways to do it: the side of benchmarks/score.sh without Java."""

import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

FEATURES = 64
GROUP_ROWS = 131_072
THREADS = 2
NETS = {"net-16": [16], "net-128-64": [128, 64], "net-512-256": [512, 256]}
WHERE = {
    "onnx": "net-128-64.onnx",
    "onnx-small": "net-16.onnx",
    "onnx-large": "net-512-256.onnx",
    "xgboost": "trees.ubj",
}


def make(data, rows):
    """A table of an id and 64 features, networks of several sizes, and boosted trees."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    data.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    names = [f"x{i}" for i in range(FEATURES)]
    schema = pa.schema(
        [pa.field("id", pa.int64(), False)] + [pa.field(n, pa.float32(), False) for n in names]
    )
    written = 0
    # Plain values and Snappy, which finds nothing to compress in them: what is read is what is copied.
    file = data / "table.parquet"
    with pq.ParquetWriter(file, schema, compression="snappy", use_dictionary=False) as writer:
        while written < rows:
            some = min(GROUP_ROWS, rows - written)
            columns = random.standard_normal((FEATURES, some), dtype=np.float32)
            ids = np.arange(written, written + some)
            writer.write_table(pa.table([ids, *columns], schema=schema), row_group_size=some)
            written += some
    make_trees(data, random)
    for name, widths in NETS.items():
        make_net(data / f"{name}.onnx", [FEATURES, *widths, 1], random)
    (data / "rows").write_text(str(rows))


def make_trees(data, random):
    import numpy as np
    import xgboost

    x = random.standard_normal((50_000, FEATURES), dtype=np.float32)
    y = np.sin(x[:, 0]) + x[:, 1] * x[:, 2] + x[:, 3:].sum(axis=1) / 8
    trees = xgboost.train({"max_depth": 6, "nthread": THREADS}, xgboost.DMatrix(x, y), 100)
    trees.save_model(data / "trees.ubj")


def make_net(path, widths, random):
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    nodes, weights, last = [], [], "features"
    for layer, (wide, to) in enumerate(zip(widths[:-1], widths[1:], strict=True)):
        weight = random.standard_normal((wide, to)).astype(np.float32) / np.sqrt(wide)
        bias = random.standard_normal(to).astype(np.float32)
        weights += [
            numpy_helper.from_array(weight.astype(np.float32), f"w{layer}"),
            numpy_helper.from_array(bias, f"b{layer}"),
        ]
        end = layer == len(widths) - 2
        out = "score" if end else f"h{layer}"
        nodes.append(helper.make_node("Gemm", [last, f"w{layer}", f"b{layer}"], [out]))
        if not end:
            nodes.append(helper.make_node("Relu", [out], [f"r{layer}"]))
            out = f"r{layer}"
        last = out
    given = [helper.make_tensor_value_info("features", TensorProto.FLOAT, ["rows", FEATURES])]
    made = [helper.make_tensor_value_info("score", TensorProto.FLOAT, ["rows", 1])]
    graph = helper.make_graph(nodes, "net", given, made, weights)
    opset = [helper.make_opsetid("", 17)]
    onnx.save(helper.make_model(graph, opset_imports=opset, ir_version=9), path)


def command(system, work, data, out):
    """What a process runs, which prints a line of JSON."""
    java, spark = (shlex.split(os.environ[name]) for name in ("JAVA", "SPARK"))
    table, model = str(data / "table.parquet"), str(data / WHERE[work])
    runs, batch = os.environ.get("RUNS", "2"), os.environ.get("BATCH", "4096")
    if system == "penstock":
        workers = os.environ.get("WORKERS", str(THREADS))
        return [*java, "ScoreTable", table, model, str(out), runs, workers, batch]
    if system == "spark":
        return [*spark, "ScoreOnSpark", table, model, str(out), runs, str(THREADS), batch]
    sessions, threads = system.removeprefix("memory-").split("x")
    rows = (data / "rows").read_text()
    return [*java, "ScoreMemory", table, model, rows, runs, sessions, threads, batch]


def run_one(system, work, data):
    out = data / "scores"
    shutil.rmtree(out, ignore_errors=True)
    words = command(system, work, data, out)
    at = next(i for i, word in enumerate(words) if word.startswith("Score"))
    words[at] = f"dev.penstock.benchmarks.score.{words[at]}"
    with open(data / "stderr.log", "w") as log:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=log, text=True)
    if done.returncode:
        sys.exit(f"{system} failed, see {data}/stderr.log")
    shutil.rmtree(out, ignore_errors=True)
    return {"system": system, "work": work, **json.loads(done.stdout.splitlines()[-1])}


def systems_of(work):
    given = os.environ.get("SYSTEMS", "memory-1x2 memory-2x1 penstock spark").split()
    return [each for each in given if each != "spark" or work.startswith("onnx")]


def run(data, works):
    for work in works:
        systems = systems_of(work)
        found = {system: [] for system in systems}
        for turn in range(int(os.environ.get("ROUNDS", "3"))):
            for system in systems if turn % 2 == 0 else reversed(systems):
                result = run_one(system, work, data)
                print(json.dumps(result), file=sys.stderr)
                with open(os.environ.get("OUT", data / "score.jsonl"), "a") as out:
                    print(json.dumps(result), file=out)
                found[system].append(result)
        table(work, found)


def table(work, found):
    def speed(result):
        return result["rows"] / statistics.median(result["seconds"][1:] or result["seconds"]) / 1e6

    speeds = {system: [speed(each) for each in results] for system, results in found.items()}
    medians = {system: statistics.median(each) for system, each in speeds.items()}
    memory = [value for system, value in medians.items() if system.startswith("memory")]
    most = max(memory) if memory else next(iter(medians.values()))
    sums = {
        round(each["sum"] / each["rows"], 4)
        for system, all in found.items()
        for each in all
        if not system.startswith("memory")  # those repeat the beginning of the table
    }
    if len(sums) > 1:
        sys.exit(f"The systems made different scores: their means are {sorted(sums)}.")
    print(f"\n{work}, {next(iter(found.values()))[0]['rows']:,} rows\n")
    print("| system | million rows/s | beside the model alone | first run, s | peak MB |")
    print("|---|---|---|---|---|")
    for system, results in found.items():
        all = speeds[system]
        first = statistics.median(each["seconds"][0] for each in results)
        peak = statistics.median(each["peakMb"] for each in results)
        print(
            f"| {system} | {medians[system]:.2f} ({min(all):.2f} to {max(all):.2f})"
            f" | {medians[system] / most:.2f} | {first:.1f} | {peak:.0f} |"
        )


def main(what, data, *arguments):
    if what == "make":
        make(Path(data), int(arguments[0]))
    else:
        run(Path(data), arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
