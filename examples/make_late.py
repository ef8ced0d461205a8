"""Makes late.onnx: the model that the example `examples/run onnx` scores flights with.

A logistic regression on 32 features (distance, 24 hours, 7 weekdays), fitted by Newton's method to
the bundled training flights, written as ONNX without any library for it: Gemm, then Sigmoid.

    python examples/make_late.py cli/src/main/resources/dev/penstock/cli/demo/flights \
        examples/src/main/resources/dev/penstock/examples/late.onnx

Made with pyarrow 26.0.1 and numpy 2.4.6. Prints what the test of the example expects: the mean of
the probabilities over the first file of held-out flights, and the first three of them.
"""

import sys

import numpy as np
import pyarrow.parquet as pq


def features(files):
    tables = [pq.read_table(file) for file in files]
    x, y = [], []
    for table in tables:
        micros = table["date"].cast("int64").to_numpy()
        hours = micros // 3_600_000_000
        rows = np.zeros((len(micros), 32), np.float32)
        rows[:, 0] = (table["distance"].to_numpy() / 1000.0).astype(np.float32)
        rows[np.arange(len(micros)), 1 + hours % 24] = 1
        rows[np.arange(len(micros)), 25 + (hours // 24 + 3) % 7] = 1
        x.append(rows)
        y.append((table["delay"].to_numpy() > 15).astype(np.float64))
    return np.concatenate(x), np.concatenate(y)


def fit(x, y, ridge=1.0):
    x = np.hstack([x.astype(np.float64), np.ones((len(x), 1))])
    w = np.zeros(x.shape[1])
    for _ in range(12):
        p = 1 / (1 + np.exp(-x @ w))
        gradient = x.T @ (p - y) + ridge * w
        hessian = (x * (p * (1 - p))[:, None]).T @ x + ridge * np.eye(len(w))
        w -= np.linalg.solve(hessian, gradient)
    return w[:-1].astype(np.float32), np.float32(w[-1])


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def data(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def value(name, width):
    shape = data(1, data(2, "rows")) + data(1, number(1, width))
    return data(1, name) + data(2, data(1, number(1, 1) + data(2, shape)))


def floats(name, array):
    dims = b"".join(number(1, extent) for extent in array.shape)
    return dims + number(2, 1) + data(8, name) + data(9, array.astype("<f4").tobytes())


def node(operation, inputs, output):
    return b"".join(data(1, i) for i in inputs) + data(2, output) + data(4, operation)


def model(w, b):
    graph = (
        data(1, node("Gemm", ["x", "w", "b"], "score"))
        + data(1, node("Sigmoid", ["score"], "late"))
        + data(2, "late")
        + data(5, floats("w", w.reshape(-1, 1)))
        + data(5, floats("b", np.array([b])))
        + data(11, value("x", 32))
        + data(12, value("late", 1))
    )
    return number(1, 7) + data(2, "make_late.py") + data(7, graph) + data(8, number(2, 13))


def main(folder, target):
    w, b = fit(*features([f"{folder}/part-{i}.parquet" for i in range(6)]))
    with open(target, "wb") as out:
        out.write(model(w, b))
    x, y = features([f"{folder}/part-6.parquet"])
    p = 1 / (1 + np.exp(-(x.astype(np.float64) @ w + b)))
    rate = y.mean()
    loss = -(rate * np.log(rate) + (1 - rate) * np.log(1 - rate))
    print("rows", len(p), "mean", p.mean(), "first", p[:3])
    print("late", rate, "loss of the base rate", loss)
    ranks = np.empty(len(p))
    ranks[np.argsort(p)] = np.arange(len(p))
    late = y > 0
    print("auc", (ranks[late].mean() - (late.sum() - 1) / 2) / (~late).sum())


if __name__ == "__main__":
    main(*sys.argv[1:])
