"""The store: a corpus on disk. Nothing outside this package knows LanceDB."""
