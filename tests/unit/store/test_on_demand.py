import subprocess
import sys


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_a_package_loads_when_a_name_of_it_is_asked_for() -> None:
    code = """
import sys
from timelens.store.lazy_import import load_on_demand
load_on_demand("dbm")
load_on_demand("no_such_package")
import dbm.dumb
print("whichdb" in vars(dbm), "no_such_package" in sys.modules)
from dbm import whichdb
print("whichdb" in vars(dbm), dbm.dumb.__name__, hasattr(dbm, "no_such_name"))
"""
    assert run(code).split() == ["False", "False", "True", "dbm.dumb", "False"]


def test_lancedb_is_loaded_without_the_clients_of_a_service() -> None:
    code = """
import sys
from pathlib import Path
from timelens.store.database import connect
connect(Path("."))
print([name for name in sys.modules if name.startswith("lance_namespace_urllib3_client.api.")])
from lance_namespace_urllib3_client import TableApi
print(TableApi.__name__)
"""
    assert run(code).split() == ["[]", "TableApi"]
