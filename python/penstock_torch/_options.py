# ruff: noqa: E501
"""The options of each class. Written from OptionTable.java by OptionTableTest."""

from __future__ import annotations

from typing import NamedTuple


class Option(NamedTuple):
    name: str
    java: str  # in requests; empty if it is in none
    kind: str  # a check of _checks.py
    expected: str
    example: str
    default: str  # as Python writes it, or in words
    least: int
    most: int
    choices: tuple[str, ...]


# fmt: off
OPTIONS: dict[str, tuple[Option, ...]] = {
    "Loader": (
        Option("dataset", "", "dataset", "a Dataset, a Mixture, or a location", 'Dataset("data/flights")', "", 0, 0, ()),
        Option("batch_size", "batchSize", "whole", "a whole number of at least 1", "512", "1024", 1, 2147483647, ()),
        Option("workers", "workers", "whole", "a whole number of at least 0", "4", "as many as needed, up to the machine's processors", 0, 1000, ()),
        Option("shuffle", "shuffle", "shuffle", 'True, False, "splits", "window:ROWS" or Window(ROWS)', '"window:65536"', "False", 0, 0, ()),
        Option("compose", "compose", "compose", "one of Balanced, Buckets, Packs, Groups, Windows and Draws", 'Buckets("tokens")', "", 0, 0, ()),
        Option("seed", "seed", "whole", "a whole number", "1", "0", -9223372036854775808, 9223372036854775807, ()),
        Option("drop_last", "dropLast", "truth", "True or False", "True", "False", 0, 0, ()),
        Option("steps_per_epoch", "stepsPerEpoch", "whole", "a whole number of at least 1", "1000", "", 1, 9223372036854775807, ()),
        Option("rank", "rank", "rank", "(rank, world), with rank from 0 and below world", "(0, 8)", "as torch.distributed or the launcher says, else (0, 1)", 0, 0, ()),
        Option("rank_end", "rankEnd", "choice", 'one of "exact", "pad", "drop"', '"pad"', '"exact"', 0, 0, ("exact", "pad", "drop")),
        Option("count_matches", "countMatches", "truth", "True or False", "True", "True with several ranks, else False", 0, 0, ()),
        Option("memory", "memory", "size", "a number of bytes, or a text with a unit", '"1GiB"', "512 MiB and 64 MiB more for each worker", 0, 0, ()),
        Option("shared_memory", "", "size", "a number of bytes, or a text with a unit", '"4GiB"', "the machine's memory; with `pin_memory` 1 GiB", 0, 0, ()),
        Option("prefetch_factor", "prefetchFactor", "whole", "a whole number of at least 1", "4", "2", 1, 2147483647, ()),
        Option("timeout", "timeout", "seconds", "a number of seconds, 0 or more", "60", "0", 0, 4294967296, ()),
        Option("features", "features", "features", "a dict from the name of a feature matrix to a list of columns", '{"x": ["a", "b"]}', "", 0, 0, ()),
        Option("nulls", "nulls", "nulls", '"nan", "mask", "error", a number or a text that replaces nulls; or a dict from column to one of these', '"mask"', '"nan"', 0, 0, ("nan", "mask", "error")),
        Option("strings", "strings", "strings", 'a dict from column to "list", "codes", Codes(vocabulary=[...], unknown=0) or Hashed(buckets=1000)', '{"origin": "codes"}', '"list"', 0, 0, ("list", "codes")),
        Option("tokenize", "tokenize", "tokenize", "a Tokenize, or a list of these", 'Tokenize("text", "tokenizer.json")', "", 0, 0, ()),
        Option("timestamps", "timestamps", "choice_by_column", 'one of "stored", "days", "seconds", "millis", "micros", "nanos"; or a dict from column to one of these', '"millis"', '"stored"', 0, 0, ("stored", "days", "seconds", "millis", "micros", "nanos")),
        Option("decimals", "decimals", "choice_by_column", 'one of "object", "float64", "unscaled"; or a dict from column to one of these', '"float64"', '"object"', 0, 0, ("object", "float64", "unscaled")),
        Option("lists", "", "lists", '"ragged", "block", "padded" or Padded(value=0, length=128); or a dict from column to one of these', '{"tokens": "padded"}', '"ragged"; "block" where `compose` makes lists of one length', 0, 0, ("ragged", "block", "padded")),
        Option("split_bytes", "splitBytes", "size", "a number of bytes, or a text with a unit", '"128MiB"', '"128MiB"', 0, 0, ()),
        Option("split_rows", "splitRows", "whole", "a whole number of at least 1", "1_000_000", "", 1, 9223372036854775807, ()),
        Option("output", "output", "choice", 'one of "torch", "numpy", "arrow"', '"numpy"', '"torch"', 0, 0, ("torch", "numpy", "arrow")),
        Option("pin_memory", "", "truth", "True or False", "True", "False", 0, 0, ()),
        Option("collate_fn", "", "function", "a function that takes a batch", "my_function", "", 0, 0, ()),
        Option("record", "record", "truth", "True or False", "True", "False", 0, 0, ()),
        Option("step_log", "", "path", "a path", '"steps.jsonl"', "no log", 0, 0, ()),
        Option("server", "", "server", '"host:port" or (host, port)', '"loaders.internal:7200"', "", 0, 0, ()),
        Option("token", "", "secret", "a text", 'os.environ["TOKEN"]', "", 0, 0, ()),
        Option("ca_file", "", "path", "a path", '"ca.pem"', "those of the system", 0, 0, ()),
    ),
    "Dataset": (
        Option("locations", "locations", "locations", "a path or a list of paths", '"data/flights"', "", 0, 0, ()),
        Option("columns", "columns", "names", "a list of names of columns", '["a", "b"]', "all", 0, 0, ()),
        Option("where", "where", "anything", "a text, an expression of pyarrow or pyiceberg, or a list of these", '"delay >= 15"', "all", 0, 0, ()),
        Option("format", "format", "text", "the name of a format", '"csv"', "by extension, then by first bytes", 0, 0, ()),
        Option("partitioning", "partitioning", "choice", '"hive"', '"hive"', "folders are just folders", 0, 0, ("hive",)),
        Option("storage", "storage", "secrets", "a dict from an option of the store to its value", '{"region": "eu-central-1"}', "what the environment says", 0, 0, ()),
        Option("format_options", "formatOptions", "texts", "a dict from an option of the format to its value", '{"delimiter": ";"}', "", 0, 0, ()),
        Option("cast", "cast", "texts", "a dict from column to the name of a type", '{"price": "float64"}', "", 0, 0, ()),
        Option("missing_columns", "missingColumns", "choice", 'one of "error", "nulls"', '"nulls"', '"error", or what the table says', 0, 0, ("error", "nulls")),
        Option("on_bad_file", "onBadFile", "choice", 'one of "fail", "skip"', '"skip"', '"fail"', 0, 0, ("fail", "skip")),
        Option("case_sensitive", "caseSensitive", "truth", "True or False", "False", "True", 0, 0, ()),
        Option("plan", "plan", "path", "a path", '"s3://lake/plans/"', "the footers of the files", 0, 0, ()),
        Option("table", "name", "text", "the name of a table", '"lake.flights"', "", 0, 0, ()),
        Option("catalog", "catalog", "secrets", "a dict from an option of the catalog to its value", '{"type": "rest", "uri": "https://catalog"}', "", 0, 0, ()),
        Option("metadata", "metadata", "path", "a path", '"lake/flights/metadata/v3.metadata.json"', "", 0, 0, ()),
        Option("version", "version", "whole", "a whole number", "12", "the current one", -9223372036854775808, 9223372036854775807, ()),
        Option("as_of", "asOf", "time", "a datetime, or a text in the form of ISO 8601", '"2026-11-01T12:00:00Z"', "", 0, 0, ()),
        Option("ref", "ref", "text", "the name of a branch or tag", '"audit"', "", 0, 0, ()),
        Option("map_location", "mapLocation", "texts", "a dict from a location to another", '{"s3://old/lake": "/mnt/lake"}', "", 0, 0, ()),
    ),
    "Mixture": (
        Option("sources", "sources", "sources", "datasets, or locations, and their weights", '{"data/web": 0.7, "data/books": 0.3}', "", 0, 0, ()),
        Option("stop", "stop", "choice", 'one of "first", "all", "repeat"', '"repeat"', '"first"', 0, 0, ("first", "all", "repeat")),
        Option("source_column", "sourceColumn", "text", "the name of a column", '"source"', "", 0, 0, ()),
        Option("weights_from", "weightsFrom", "anything", "a dict from row to the weights of all sources", "{1_000_000: [0.5, 0.5]}", "", 0, 0, ()),
        Option("columns", "columns", "names", "a list of names of columns", '["a", "b"]', "those of the sources, which must all have them, or missing_columns", 0, 0, ()),
        Option("where", "where", "anything", "a text", '"delay >= 15"', "all", 0, 0, ()),
    ),
    "Tokenize": (
        Option("column", "column", "text", "the name of a column", '"text"', "", 0, 0, ()),
        Option("tokenizer", "tokenizer", "path", "a path", '"tokenizer.json"', "", 0, 0, ()),
        Option("into", "into", "text", "the name of a column", '"input_ids"', "that of the texts", 0, 0, ()),
        Option("end", "end", "text", "a token of the tokenizer", '"</s>"', "", 0, 0, ()),
        Option("pair", "pair", "text", "the name of a column", '"answer"', "", 0, 0, ()),
        Option("special_tokens", "specialTokens", "truth", "True or False", "False", "True", 0, 0, ()),
        Option("truncate", "truncate", "whole", "a whole number of at least 1", "512", "all", 1, 2147483647, ()),
        Option("too_long", "tooLong", "choice", 'one of "error", "cut", "drop"', '"drop"', '"error"', 0, 0, ("error", "cut", "drop")),
    ),
    "Balanced": (
        Option("column", "column", "text", "the name of a column", '"tokens"', "", 0, 0, ()),
        Option("quadratic", "quadratic", "number", "a number of at least 0", "0.001", "0", 0, 0, ()),
        Option("accumulate", "accumulate", "whole", "a whole number of at least 1", "4", "1", 1, 2147483647, ()),
    ),
    "Buckets": (
        Option("column", "column", "text", "the name of a column", '"tokens"', "", 0, 0, ()),
        Option("tokens", "tokens", "whole", "a whole number of at least 1", "16384", "only the batch size bounds it", 1, 9223372036854775807, ()),
        Option("balanced", "balanced", "truth", "True or False", "True", "False", 0, 0, ()),
        Option("quadratic", "quadratic", "number", "a number of at least 0", "0.001", "0", 0, 0, ()),
        Option("accumulate", "accumulate", "whole", "a whole number of at least 1", "4", "1", 1, 2147483647, ()),
    ),
    "Packs": (
        Option("column", "column", "text", "the name of a column", '"tokens"', "", 0, 0, ()),
        Option("length", "length", "whole", "a whole number of at least 1", "2048", "", 1, 16777216, ()),
        Option("mode", "mode", "choice", 'one of "cut", "whole", "stream"', '"whole"', '"cut"', 0, 0, ("cut", "whole", "stream")),
        Option("too_long", "tooLong", "choice", 'one of "error", "cut", "drop"', '"drop"', '"error"', 0, 0, ("error", "cut", "drop")),
        Option("balanced", "balanced", "truth", "True or False", "True", "False", 0, 0, ()),
        Option("quadratic", "quadratic", "number", "a number of at least 0", "0.001", "0", 0, 0, ()),
        Option("accumulate", "accumulate", "whole", "a whole number of at least 1", "4", "1", 1, 2147483647, ()),
    ),
    "Groups": (
        Option("column", "column", "text", "the name of a column", '"query"', "", 0, 0, ()),
    ),
    "Windows": (
        Option("column", "column", "text", "the name of a column", '"series"', "", 0, 0, ()),
        Option("length", "length", "whole", "a whole number of at least 1", "64", "", 1, 16777216, ()),
        Option("stride", "stride", "whole", "a whole number of at least 1", "16", "", 1, 2147483647, ()),
    ),
    "Draws": (
        Option("column", "column", "text", "the name of a column", '"w"', "", 0, 0, ()),
        Option("num_samples", "numSamples", "whole", "a whole number of at least 1", "100_000", "as many as there are rows", 1, 2147483647, ()),
    ),
}
