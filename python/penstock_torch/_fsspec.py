"""Options of fsspec's file systems, and of pyiceberg's, as Penstock's storage options.

docs/guide/object-stores.md describes ours.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any


def _by_theirs(names: Mapping[str, str]) -> dict[str, str]:
    """Returns our option, or '' for one without a counterpart, by each of their names."""
    return {theirs: ours for ours, several in names.items() for theirs in several.split()}


_S3 = _by_theirs(
    {
        "access-key-id": "key username client_kwargs.aws_access_key_id",
        "secret-access-key": "secret password client_kwargs.aws_secret_access_key",
        "session-token": "token client_kwargs.aws_session_token",
        "endpoint": "endpoint_url client_kwargs.endpoint_url",
        "region": "client_kwargs.region_name",
        "ca-file": "client_kwargs.verify",
        "anonymous": "anon",
        "profile": "profile",
        "requester-pays": "requester_pays",
        "": "use_ssl",
        "path-style": "config_kwargs.s3.addressing_style",
        "connect-timeout": "config_kwargs.connect_timeout",
        "read-timeout": "config_kwargs.read_timeout",
        "attempts": "config_kwargs.retries.max_attempts",
    }
)
_GCS = {
    "token": "credentials-file",
    "project": "project",
    "endpoint_url": "endpoint",
    "requester_pays": "project",
}
_AZURE = {
    "account_name": "account",
    "account_key": "account-key",
    "connection_string": "connection-string",
    "sas_token": "sas-token",
    "anon": "anonymous",
}
_HTTP = dict.fromkeys(
    ("headers.Authorization", "client_kwargs.headers.Authorization"), "bearer-token"
)
_STORES = {"s3": _S3, "gs": _GCS, "az": _AZURE, "http": _HTTP, "https": _HTTP}

_ICEBERG = {
    "s3": _by_theirs(
        {
            "access-key-id": "client.access-key-id s3.access-key-id",
            "secret-access-key": "client.secret-access-key s3.secret-access-key",
            "session-token": "client.session-token s3.session-token",
            "region": "client.region s3.region",
            "profile": "client.profile-name s3.profile-name",
            "endpoint": "s3.endpoint",
            "anonymous": "s3.anonymous",
            "proxy": "s3.proxy-uri",
            "": "s3.role-arn client.role-arn s3.signer",
        }
    ),
    "gs": {
        "gcs.oauth2.token": "bearer-token",
        "gcs.project-id": "project",
        "gcs.service.host": "endpoint",
    },
    "az": _by_theirs(
        {
            "account": "adls.account-name",
            "account-key": "adls.account-key",
            "connection-string": "adls.connection-string",
            "sas-token": "adls.sas-token",
            "anonymous": "adls.anon",
            "": "adls.client-id adls.credential adls.token",
        }
    ),
}
# What fsspec keeps between calls. Nothing is kept here.
_CACHES = ("skip_instance_cache", "use_listings_cache")
_ALIASES = {"s3a": "s3", "s3n": "s3", "gcs": "gs", "abfs": "az", "abfss": "az"}


def storage(location: str, options: Mapping[str, Any] | None) -> dict[str, str]:
    """Returns the storage options that mean the same.

    Raises ValueError for an option without a counterpart.
    """
    kind = _scheme(location)
    known = _STORES.get(_ALIASES.get(kind, kind), {})
    made: dict[str, str] = {}
    for key, value in _flat(options or {}):
        if key in _CACHES:
            continue
        if key not in known:
            raise _unknown(key, kind, known)
        made.update(_option(kind, key, known[key], value))
    return made


def location(path: str) -> str:
    """Returns a path of fsspec's as a location of Penstock's."""
    kind = _scheme(path)
    if kind in ("abfs", "abfss") and "@" not in path.split("://")[1].split("/")[0]:
        return "az://" + path.split("://")[1]  # the account is a storage option
    if kind in ("file", "local"):
        return path.split("://")[1]
    return path if kind else os.path.expanduser(path)


def iceberg_storage(location: str, properties: Mapping[str, Any]) -> dict[str, str]:
    """Returns the storage options for a table that pyiceberg has loaded."""
    kind = _scheme(location)
    known = _ICEBERG.get(_ALIASES.get(kind, kind), {})
    found = {key: properties[key] for key in known if properties.get(key) is not None}
    for key in found:
        if not known[key]:
            raise _without(f"the catalog's property {key}", f"with {kind} locations")
    return {known[key]: _text(value) for key, value in found.items()}


def _scheme(location: str) -> str:
    return location.split("://")[0].lower() if "://" in location else ""


def _flat(options: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Returns options by their paths in nested dicts, without those that are None."""
    for key, value in options.items():
        if isinstance(value, Mapping) and not (prefix == "" and key == "token"):
            yield from _flat(value, f"{prefix}{key}.")
        elif value is not None:
            yield f"{prefix}{key}", value


def _option(kind: str, key: str, name: str, value: Any) -> dict[str, str]:
    """Returns one option, or none where its value is what Penstock does anyway."""
    if kind in ("gs", "gcs") and key == "token":
        return _gcs_token(value)
    if kind in ("gs", "gcs") and key == "requester_pays":
        if not isinstance(value, str):
            raise _without("requester_pays", "other than the project that pays")
        return {name: value}
    if key == "use_ssl" or (key.endswith("verify") and isinstance(value, bool)):
        if not value:
            raise _without(f"{key}=False", "")
        return {}
    if key.endswith("addressing_style"):
        return {} if value == "auto" else {name: _text(value == "path")}
    if name.endswith("timeout"):
        return {name: f"{value}s"}
    if name == "bearer-token":
        if not str(value).startswith("Bearer "):
            raise _without(f"a header {key} other than 'Bearer ...'", "")
        return {name: str(value)[len("Bearer ") :]}
    return {name: _text(value)}


def _gcs_token(token: Any) -> dict[str, str]:
    if token == "google_default":
        return {}
    if token == "anon":
        return {"anonymous": "true"}
    if isinstance(token, (str, os.PathLike)) and os.path.isfile(token):
        return {"credentials-file": os.path.abspath(token)}
    raise _without("the token", "other than 'anon', 'google_default' or a file with credentials")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _unknown(key: str, kind: str, known: Mapping[str, str]) -> ValueError:
    where = f"{kind}:// locations" if kind else "local paths"
    expected = f"one of {', '.join(known)}" if known else "none"
    return ValueError(
        f"Cannot use the storage option '{key}' with {where}: expected {expected}. Leave it out;"
        " docs/guide/object-stores.md lists what penstock_torch.Dataset takes as `storage`."
    )


def _without(what: str, how: str) -> ValueError:
    return ValueError(
        f"Cannot use {what}{' ' if how else ''}{how}: it has no counterpart. Use Dataset and Loader"
        " of penstock_torch with the options of docs/guide/object-stores.md."
    )
