"""What the engine's sentences advise, in the words of Python.

The engine names its own options, as Java spells them.
"""

from __future__ import annotations

import re

from ._options import OPTIONS

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
    (r"\bformatOption\(([^)]*)\)", r"format_options={\1}"),
)


# Options by Java's names: those of one word only where they are called, as in `memory()`. What
# stands in quotes or brackets is the user's.
_NAMES = {each.java: each.name for options in OPTIONS.values() for each in options if each.java}
_WORD = "|".join(name for name in _NAMES if name.islower())
_COMPOUND = "|".join(name for name in _NAMES if not name.islower())
_USERS = r"(?<!\w)'[^']*'|\"[^\"]*\"|\[[^]]*]"
_OPTION = re.compile(
    rf"{_USERS}|(?<![\w./=-])(?:({_COMPOUND})\b(?:\(([a-z0-9]*)\))?|({_WORD})\(\))(?![\w/]|\.\w)"
)


def option_name(java: str) -> str:
    """Returns what the option of a request is called here."""
    return _NAMES.get(java, java)


def _option(found: re.Match[str]) -> str:
    java = found[1] or found[3]
    if java is None:
        return found[0]
    value = {"true": "True", "false": "False"}.get(found[2], found[2])
    return f"{option_name(java)}={value}" if value else option_name(java)


def in_python(message: str) -> str:
    """Returns a sentence with the names of this package."""
    for java, python in _WORDS:
        message = re.sub(java, python, message)
    message = _OPTION.sub(_option, message)
    for module, extra in _EXTRAS.items():
        if f"'dev.penstock:{module}'" in message:
            return message + f" In Python: pip install 'penstock-torch[{extra}]'."
    return message
