"""moto_server with less work for each request, for the environment of that server: ``-H HOST -p PORT``.

It is busy for most of the time that the tests of object stores take. Its answers stay the same: what it works
out anew for each request is remembered, a response is written at once, and nothing is logged.
"""

import functools
import gc

import botocore.utils
import moto.backends
from moto import server
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler


def main() -> None:
    names = tuple(moto.backends.list_of_moto_modules())
    moto.backends.list_of_moto_modules = lambda: names  # it reads a folder of two hundred folders
    backend = DomainDispatcherApplication.get_backend_for_host
    DomainDispatcherApplication.get_backend_for_host = functools.lru_cache(backend)
    parsed = botocore.utils._parse_timestamp_with_tzinfo
    botocore.utils._parse_timestamp_with_tzinfo = functools.lru_cache(1 << 14)(parsed)
    MotoRequestHandler.wbufsize = 1 << 16
    MotoRequestHandler.log_request = lambda *_: None
    gc.freeze()
    server.main()


if __name__ == "__main__":
    main()
