"""Corpora by name: open, list, remove.

Callers, the interfaces of timelens among them, import these and all other public names from :mod:`timelens`.
"""

from timelens.all_corpora import AllCorpora
from timelens.config import Settings
from timelens.corpus import Corpus
from timelens.errors import MissingError
from timelens.folders import ALL_CORPORA, require_corpus_name, user_path
from timelens.store.corpus import CorpusStore
from timelens.store.corpus_folder import corpora_folder, corpora_here, only_writer
from timelens.store.location import address, is_address


def open_corpus(name: str, settings: Settings | None = None) -> Corpus:
    """A corpus by its name, by a path, or by an address as ``s3://bucket/name``. Nothing is read or made yet.

    Raises:
        BadInputError: the name is neither a plain name, nor a path on this machine, nor an address.
    """
    settings = Settings.load() if settings is None else settings
    if is_address(name):
        return Corpus(address(name, settings.storage.lance_options(name)), settings)
    if "/" in name or "\\" in name or name.startswith((".", "~")):
        return Corpus(user_path(name).resolve(), settings)
    require_corpus_name(name)
    return Corpus(corpora_folder() / name, settings)


def open_all(settings: Settings | None = None) -> AllCorpora:
    """All corpora of this machine, to be asked as one. Nothing is read yet."""
    return AllCorpora(Settings.load() if settings is None else settings)


def open_to_ask(name: str, settings: Settings | None = None) -> Corpus | AllCorpora:
    """A corpus by its name or path, or all of them for ``*``. Nothing is read yet.

    Raises:
        BadInputError: the name is none of these.
    """
    return open_all(settings) if name == ALL_CORPORA else open_corpus(name, settings)


def list_corpora(settings: Settings | None = None) -> list[Corpus]:
    """The corpora under the timelens home, by name."""
    settings = Settings.load() if settings is None else settings
    return [Corpus(path, settings) for path in corpora_here().values()]


def remove_corpus(name: str) -> None:
    """Delete a corpus and all it holds; other files in its folder stay.

    Raises:
        MissingError: there is none of that name.
        StoreError: another process is writing to it.
    """
    corpus = open_corpus(name)
    if not corpus.exists():
        raise MissingError(f"there is no corpus {name}", "see: timelens corpora list")
    with only_writer(corpus.path):
        CorpusStore.erase(corpus.path)
