from pathlib import Path
from typing import Any

import pyarrow as pa
from unit.store.conftest import chunk, embedded

from timelens.documents import Fact
from timelens.embedding import Embedder
from timelens.ingest.encoded_documents import encode_chunks
from timelens.store.checksums import Sums, row_digests
from timelens.store.corpus import CorpusStore
from timelens.store.rows import chunk_table
from timelens.store.schema import StoreMetadata, chunks_schema
from timelens.temporal.interval import Granularity, Interval, year_interval


def rows(embedder: Embedder, count: int = 5) -> pa.Table:
    fact = Fact((("Name", "Ada"), ("Note", "")), 10, None, Granularity.MONTH)
    chunks = [
        chunk(
            "d",
            n,
            f"text {n} “ü”",
            [year_interval(1900 + n), Interval(None, 3)][: n % 3],
            fact if n == 2 else None,
        )
        for n in range(count)
    ]
    return chunk_table(
        chunks, encode_chunks(embedder, chunks), chunks_schema(StoreMetadata(4, embedder.identity))
    )


def sums(*tables: pa.Table) -> dict[str, int]:
    made = Sums()
    for table in tables:
        made.add(table)
    return dict(made.of)


def test_order_and_parts_and_files_do_not_matter(store: CorpusStore, hashed: Embedder) -> None:
    table = rows(hashed, 1500)
    assert len(set(row_digests(table))) == 1500
    backwards = table.take(list(range(1499, -1, -1)))
    parts = [table.slice(0, 7), table.slice(7, 1100), table.slice(1107)]
    assert sums(table) == sums(backwards) == sums(*parts) == sums(pa.concat_tables(parts))
    store._chunks.add(table)
    store._chunks.delete("ordinal >= 1500")
    store._chunks.optimize()
    assert sums(store._chunks.search().to_arrow()) == sums(table)


def altered(value: Any) -> Any:  # noqa: ANN401 -- a value of any column
    """The same with one part of it another."""
    if isinstance(value, list):
        return [altered(value[0]), *value[1:]]
    if isinstance(value, dict):
        first = next(key for key in value if value[key])
        return {**value, first: altered(value[first])}
    return value + "x" if isinstance(value, str) else value + 1


def test_any_value_of_any_column_matters(hashed: Embedder) -> None:
    table = rows(hashed)
    changed = set()
    for row in range(table.num_rows):
        for position, field in enumerate(table.schema):
            values = table[field.name].to_pylist()
            if values[row] in (None, []) or field.name == "document_id":
                continue
            values[row] = altered(values[row])
            other = table.set_column(position, field, pa.chunked_array([pa.array(values, field.type)]))
            assert sums(other) != sums(table), field.name
            changed.add(field.name)
    unset = {"document_id", "published_start", "published_end", "published_granularity", "places"}
    assert changed == {*table.schema.names} - unset


def test_nothing_empty_and_missing_are_told_apart() -> None:
    def of(values: list[Any], kind: pa.DataType) -> list[int]:
        return list(row_digests(pa.table({"a": pa.array(values, kind)})))

    assert len(set(of([None, "", "\0", "0"], pa.string()))) == 4
    assert len(set(of([None, [], [None], [""], ["", ""]], pa.list_(pa.string())))) == 5
    assert len(set(of([["ab", ""], ["a", "b"], ["", "ab"]], pa.list_(pa.string())))) == 3
    kind = pa.struct([("b", pa.int64())])
    assert len(set(of([None, {"b": None}, {"b": 0}], kind))) == 3
    renamed = pa.struct([("c", pa.int64())])
    assert of([{"b": 1}], kind) != of([{"c": 1}], renamed)


def test_a_row_that_is_there_twice_does_not_cancel_out(hashed: Embedder) -> None:
    table = rows(hashed)
    assert sums(table, table) != sums(table)
    assert sums(table, table.slice(0, 1), table.slice(0, 1)) != sums(table)


def test_every_write_renews_the_checksums(
    store: CorpusStore, path: Path, hashed: Embedder, other_hashed: Embedder
) -> None:
    def checked() -> list[str]:
        again = CorpusStore(path)
        documents = again._documents.search().to_arrow()
        made = Sums()
        made.add(again._chunks.search().to_arrow())
        assert documents["checksum"].to_pylist() == made.checksums(documents)
        return sorted(made.checksums(documents))

    store.write([embedded(hashed, name, [chunk(name, n, f"{name} {n}") for n in range(3)]) for name in "ab"])
    first = checked()
    store.write([embedded(hashed, "a", [chunk("a", 0, "other")])])
    second = checked()
    assert len({*first, *second}) == 3
    store.reembed(other_hashed.identity, lambda chunks: encode_chunks(other_hashed, chunks))
    assert not {*second} & {*checked()}
