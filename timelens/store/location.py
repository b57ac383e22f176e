"""Location of a corpus: a folder on this machine, or an address in an object store."""

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from timelens.errors import BadInputError, MissingError, StoreError, TimelensError, first_line
from timelens.folders import home
from timelens.printable import is_unicode

SCHEMES = ("s3", "gs", "az")

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(.*)", re.DOTALL)
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,221}")
_SEGMENT = re.compile(r"[^\x00-\x1f\x7f/\\#?%]+")
_LONGEST_NAME = 500  # bytes; stores take 1,024, and LanceDB appends to it

_SECRET = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|SAS", re.IGNORECASE)
"""Parts of the names of environment variables that hold credentials."""
_OF_STORES = ("AWS_", "GOOGLE_", "AZURE_")


@dataclass(frozen=True, slots=True)
class Address:
    """A corpus in an object store."""

    url: str
    """``s3://bucket/name``; the name may have several parts."""
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    """LanceDB's storage options; no credentials, which LanceDB takes from the environment."""

    @property
    def name(self) -> str:
        """The name for users: the whole address."""
        return self.url

    @property
    def bucket(self) -> str:
        """The bucket or container."""
        return self.url.split("/")[2]

    def __str__(self) -> str:
        return self.url


Location = Path | Address


def called(path: "Location") -> str:
    """What a command calls a corpus: its name if it is in the home of timelens, else its path or address."""
    if isinstance(path, Path):
        return path.name if path.parent == home() / "corpora" else shlex.quote(str(path))
    return path.name


def is_address(name: str) -> bool:
    """Whether a name is an address rather than a path."""
    return _ADDRESS.fullmatch(name) is not None


def address(name: str, options: Mapping[str, str]) -> Address:
    """The corpus at an address as ``s3://bucket/name``.

    Raises:
        BadInputError: the address is not valid for a corpus.
    """
    match = _ADDRESS.fullmatch(name)
    scheme, rest = (match[1].lower(), match[2].strip("/")) if match else ("", "")
    bucket, _, path = rest.partition("/")
    if "@" in bucket:  # not repeated in the message, because it may be a key
        raise BadInputError(
            "the address of a corpus must not contain a key",
            "set it in the environment variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        )
    if scheme not in SCHEMES:
        raise BadInputError(f"{name}: a corpus cannot be there", "name a folder, or s3://, gs:// or az://")
    parts = path.split("/")
    if not _BUCKET.fullmatch(bucket) or not path:
        raise BadInputError(f"{name} does not name a corpus", f"write it as {scheme}://bucket/name")
    if any(not _SEGMENT.fullmatch(part) or part in {".", ".."} for part in parts):
        raise BadInputError(
            f"{name!r} cannot be the address of a corpus",
            "leave out empty parts, . and .., and the characters # ? % and \\",
        )
    if len(path.encode("utf-8", "surrogatepass")) > _LONGEST_NAME or not is_unicode(path):
        raise BadInputError(
            f"{name[:60]}… cannot be the address of a corpus", f"use at most {_LONGEST_NAME} bytes of text"
        )
    return Address(f"{scheme}://{bucket}/{path}", options)


_KEYS = {
    "s3": "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE",
    "gs": "set GOOGLE_APPLICATION_CREDENTIALS to the file of a service account",
    "az": "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
}
_NO_KEYS = re.compile(
    r"failed to get aws credentials|credentialsnotloaded|no providers in chain|computemetadata"
    r"|no storage account configured|error decoding service account|failed to load.{0,20}credential",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"invalidaccesskeyid|signaturedoesnotmatch|accessdenied|expiredtoken|invalidtoken|authenticationfailed"
    r"|unauthorized|unauthenticated|permissiondenied|status: 40[13]|\b40[13] forbidden|tokenrequest",
    re.IGNORECASE,
)
_NO_BUCKET = re.compile(
    r"nosuchbucket|containernotfound|bucket does not exist|container does not exist", re.IGNORECASE
)
_NO_REGION = re.compile(
    r"resolve region|authorizationheadermalformed|permanentredirect|illegallocationconstraint|status: 301",
    re.IGNORECASE,
)
_NO_CONNECTION = re.compile(
    r"kind: (connect|timeout|request|interrupted|decode|unknown)|connecterror|dns error|tcp connect|timed out"
    r"|connection (refused|reset|closed)|incompletemessage|hyper|error sending request|status: 5\d\d"
    r"|retryerror|badscheme",
    re.IGNORECASE,
)
_GONE = re.compile(r"was not found|not found|does not exist|nosuchkey", re.IGNORECASE)


def remote_fault(at: Address, error: BaseException) -> TimelensError:
    """The error to raise for an error of LanceDB with a corpus in an object store; free of credentials."""
    said = str(error)
    scheme = at.url.partition(":")[0]
    if _NO_KEYS.search(said):
        return MissingError(f"there are no credentials for {at}", _KEYS[scheme])
    if _NO_BUCKET.search(said):
        return MissingError(
            f"there is no bucket {at.bucket}, which {at} needs",
            "create it with the tools of the object store, or correct the address",
        )
    if _NO_REGION.search(said):
        return MissingError(
            f"the region of the bucket {at.bucket} is not known",
            "set AWS_REGION or storage.region; for a store of your own also storage.endpoint",
        )
    if _REFUSED.search(said):
        return MissingError(
            f"the object store refused the credentials for {at}", f"correct them: {_KEYS[scheme]}"
        )
    if _NO_CONNECTION.search(said):
        endpoint = at.options.get("aws_endpoint")
        via = f" through {endpoint}" if endpoint else ""
        return MissingError(
            f"the object store cannot be reached for {at}{via}",
            "check the network and storage.endpoint; then the same command goes on from there",
        )
    if _GONE.search(said):
        return MissingError(
            f"a part of the corpus at {at} is missing", "it may have been removed; ingest again"
        )
    return StoreError(
        f"the corpus at {at} cannot be read or written: {_without_secrets(first_line(error))[:200]}",
        f"see what is wrong: timelens corpora verify {at}",
    )


def _without_secrets(text: str) -> str:
    """The text without values of credentials from the environment and without queries of URLs."""
    for name, value in os.environ.items():
        if name.startswith(_OF_STORES) and _SECRET.search(name) and len(value) > 3:
            text = text.replace(value, "…")
    return re.sub(r"\?[^\s\"']*", "?…", text)
