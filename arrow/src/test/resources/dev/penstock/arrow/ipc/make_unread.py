"""Writes the files of IpcFilesTest with columns that Penstock does not read, before others.

Run with pyarrow 26.0.1: python make_unread.py FOLDER
"""

import sys

import pyarrow as pa

folder = sys.argv[1]

codes = pa.array([0, 1, 0], pa.int8())
texts = pa.array(["a", "b", "c"])
batch = pa.record_batch({
    "number": pa.array([1, 2, 3]),
    "sparse": pa.UnionArray.from_sparse(codes, [pa.array([1, 2, 3]), texts]),
    "dense": pa.UnionArray.from_dense(
        codes, pa.array([0, 0, 1], pa.int32()), [pa.array([1, 2]), texts]),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), texts[:2]),
    "list": pa.ListArray.from_arrays(
        pa.array([0, 0, 2, 3], pa.int32()),
        pa.UnionArray.from_sparse(codes, [pa.array([1, 2, 3]), texts])),
    "text": pa.array(["x", None, "z"]),
})
for version in ("V4", "V5"):
    options = pa.ipc.IpcWriteOptions(metadata_version=getattr(pa.ipc.MetadataVersion, version))
    path = f"{folder}/unread-{version.lower()}.arrow"
    with pa.ipc.new_file(path, batch.schema, options=options) as writer:
        writer.write_batch(batch)
    if version == "V4":
        with pa.ipc.new_stream(path + "s", batch.schema, options=options) as writer:
            writer.write_batch(batch)
