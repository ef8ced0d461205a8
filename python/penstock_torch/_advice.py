"""What the engine's sentences advise, in the words of Python.

The engine names its own options, as Java spells them.
"""

from __future__ import annotations

import re

# The extra that has a module.
_EXTRAS = {
    "penstock-arrow": "arrow",
    "penstock-avro": "avro",
    "penstock-azure": "azure",
    "penstock-delta": "delta",
    "penstock-gcs": "gcs",
    "penstock-iceberg": "iceberg",
    "penstock-iceberg-glue": "iceberg-glue",
    "penstock-iceberg-hive": "iceberg-hive",
    "penstock-orc": "orc",
    "penstock-s3": "s3",
}

_WORDS = (
    (r"NullPolicy\.(nan|mask|error)\(\)", r"nulls='\1'"),
    (r"NullPolicy\.fill\([^)]*\)", "nulls=VALUE"),
    (r"LoaderOptions\.strings\(column, StringEncoding\.codes\(\)\)", "strings={COLUMN: 'codes'}"),
    (r"StringEncoding\.hash\(buckets\)", "strings={COLUMN: {'buckets': N}}"),
    (
        r"StringEncoding\.codes\(vocabulary\)\.unknown\(-1\)",
        "strings={COLUMN: {'vocabulary': [...], 'unknown': -1}}",
    ),
    (r"DecimalForm\.FLOAT64", "decimals='float64'"),
    (r"OutputFormat\.ARROW", "output='arrow'"),
    (r"OutputFormat\.MAP", "output='arrow'"),
    (r"OutputFormat\.TENSOR", "output='torch'"),
    (r"missingColumns\(\)", "missing_columns='nulls'"),
    (r"with columns\(\)", "with columns=[...]"),
    (r"with cast\(\)", "with cast={COLUMN: TYPE}"),
    (r"take the nearest value with castLossy\(\)", "leave such rows out with where"),
    (
        r'Use cache\(folder, "[^"]*"\) or Shuffle\.window\(rows\)',
        "A Dataset of Python has no cache: use shuffle='window:ROWS'",
    ),
    (r"Shuffle\.window\(rows\)", "shuffle='window:ROWS'"),
    (r"\bbatchSize\b", "batch_size"),
    (r"\bstepsPerEpoch\b", "steps_per_epoch"),
    (r"\bcountMatches\b", "count_matches"),
    (r"\bformatOption\(([^)]*)\)", r"format_options={\1}"),
)


def in_python(message: str) -> str:
    """Returns a sentence with the names of this package."""
    for java, python in _WORDS:
        message = re.sub(java, python, message)
    for module, extra in _EXTRAS.items():
        if f"'dev.penstock:{module}'" in message:
            return message + f" In Python: pip install 'penstock-torch[{extra}]'."
    return message
