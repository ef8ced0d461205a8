"""Writes the data of the golden requests, once: make_data.py, with pyarrow 26.0.1.

The Iceberg table beside it is that of python/tests/data.
"""

import datetime
import json
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

DATA = Path(__file__).parent / "data"
DAY = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)


def text(name: str, content: str) -> None:
    path = DATA / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def parquet(name: str, columns: dict, row_group_size: int = 2) -> None:
    path = DATA / name
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path, row_group_size=row_group_size, compression="none")


def rows(ids: range) -> dict:
    """A column of each type; keys come in runs of three."""
    return {
        "id": pa.array(ids, pa.int64()),
        "price": pa.array([None if i % 4 == 3 else i / 2 for i in ids], pa.float64()),
        "weight": pa.array([1 + i % 3 for i in ids], pa.float32()),
        "key": pa.array([i // 3 for i in ids], pa.int32()),
        "class": pa.array([int(i % 4 == 0) for i in ids], pa.int32()),
        "flag": pa.array([i % 2 == 0 for i in ids], pa.bool_()),
        "name": pa.array([None if i % 5 == 4 else "abc"[i % 3] for i in ids], pa.string()),
        "day": pa.array([(DAY + datetime.timedelta(i)).date() for i in ids], pa.date32()),
        "at": pa.array([DAY + datetime.timedelta(hours=i) for i in ids], pa.timestamp("us", "UTC")),
        "cost": pa.array([Decimal(i).scaleb(-1) for i in ids], pa.decimal128(9, 2)),
        "tokens": pa.array([[i] * (1 + i % 3) for i in ids], pa.list_(pa.int64())),
    }


parquet("rows/a.parquet", rows(range(0, 6)))
parquet("rows/b.parquet", rows(range(6, 12)))
parquet("other/a.parquet", {"id": pa.array(range(100, 104)), "price": pa.array([0.5] * 4)})
text("csv/a.csv", "id,price,name\n0,0.5,a\n1,,b\n2,1.5,\n")
text("csv/b.csv", "id,price,name\n3,2.5,a\n4,3.5,c\n")
text("json/a.jsonl", "".join(json.dumps({"id": i, "tags": ["x"] * i}) + "\n" for i in range(3)))
text("nulls/a.csv", "id,n\n0,7\n1,\n2,9\n")
text("missing/a.csv", "id,extra\n0,5\n1,6\n")
text("missing/b.csv", "id\n2\n")
text("types/a.csv", "id,n\n0,1\n1,x\n")
text("semicolons/a.csv", "id;n\n0;1\n1;2\n")
text("case/a.csv", "Id,Name\n0,a\n1,b\n")
text("twins/a.csv", "id,ID\n0,1\n")
text("hive/part=x/a.csv", "id\n0\n1\n")
text("hive/part=y/a.csv", "id\n2\n")
text("names/batchSize.csv", "batchSize,memory(),dropLast(true)\n0,1,2\n1,,3\n")
parquet("bad/a.parquet", {"id": pa.array([0, 1])})
text("bad/b.parquet", "PAR1 is how it begins, and no more")
text("orc/a.orc", "not ORC either\n")
VOCABULARY = {"[UNK]": 0, "a": 1, "b": 2, "c": 3}
text(
    "tokens/tokenizer.json",
    json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": None,
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": None,
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": VOCABULARY, "unk_token": "[UNK]"},
        }
    ),
)
text("notes.txt", "not a table\n")
text("storage.txt", "region=eu-central-1\nnobody\n")

parquet("delta/0.parquet", {"id": pa.array([0, 1])})
parquet("delta/1.parquet", {"id": pa.array([2])})
FIELD = {"name": "id", "type": "long", "nullable": True, "metadata": {}}
for version in (0, 1):
    at = 1767225600000 + 86400000 * version
    actions = [{"commitInfo": {"inCommitTimestamp": at, "timestamp": at, "operation": "WRITE"}}]
    if version == 0:
        actions += [
            {
                "protocol": {
                    "minReaderVersion": 1,
                    "minWriterVersion": 7,
                    "writerFeatures": ["inCommitTimestamp"],
                }
            },
            {
                "metaData": {
                    "id": "t",
                    "format": {"provider": "parquet", "options": {}},
                    "schemaString": json.dumps({"type": "struct", "fields": [FIELD]}),
                    "partitionColumns": [],
                    "configuration": {"delta.enableInCommitTimestamps": "true"},
                }
            },
        ]
    actions.append(
        {
            "add": {
                "path": f"{version}.parquet",
                "partitionValues": {},
                "size": (DATA / f"delta/{version}.parquet").stat().st_size,
                "modificationTime": 0,
                "dataChange": True,
            }
        }
    )
    log = "".join(json.dumps(action) + "\n" for action in actions)
    text(f"delta/_delta_log/{version:020}.json", log)
