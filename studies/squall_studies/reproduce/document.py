"""The report: one HTML page that needs nothing beside it."""

import html
import io
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib

from squall.errors import UserError
from squall_studies.reproduce import runner
from squall_studies.reproduce.item import Item, Table, study

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 62rem; margin: 2rem auto;
  padding: 0 1rem }
h2 { border-bottom: 1px solid #ccc; margin-top: 3rem } h3 { margin: 2.5rem 0 .3rem }
table { border-collapse: collapse; margin: .8rem 0; font-size: 13px; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600; padding: .2rem 0 }
th, td { padding: .15rem .8rem .15rem 0; text-align: left; border-bottom: 1px solid #e5e5e5 }
.number { text-align: right } .about, .source { color: #555; font-size: 13px }
svg { max-width: 100%; height: auto }
"""
_NUMBER = re.compile(r"[-+]?[0-9][0-9.,]*(e[-+]?[0-9]+)?( ?[%x])?")


def write(directory: Path, items: Sequence[Item]) -> Path:
    """The page of all items that have a result in `directory`. Raises UserError where none has."""
    results = [(item, result) for item in items if (result := runner.load(directory, item))]
    if not results:
        raise UserError(f"{directory} has no results yet: name items, or give --all.")
    path = directory / "report.html"
    path.write_text("\n".join(_page(results)), encoding="utf-8")
    return path


def _page(results: Sequence[tuple[Item, dict[str, Any]]]) -> Iterator[str]:
    yield "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><title>Studies reproduced</title>"
    yield f"<style>{_STYLE}</style></head><body><h1>Studies reproduced</h1>"
    yield "<p>Every number was measured or simulated by <code>squall lab reproduce</code>, but for those "
    yield "called published, whose source stands below them.</p><ul>"
    for item, _ in results:
        yield f"<li><a href='#{item.name}'>{item.name}</a>: {html.escape(item.figure)}</li>"
    yield "</ul>"
    shown = None
    for item, result in results:
        if item.study != shown:
            shown = item.study
            about = study(shown)
            yield f"<h2>{html.escape(about.title)}</h2><p class='source'>{html.escape(about.citation)}</p>"
        yield from _section(item, result)
    yield "</body></html>\n"


def _section(item: Item, result: dict[str, Any]) -> Iterator[str]:
    how = "Simulated. " if item.simulated else ""
    yield f"<section id='{item.name}'><h3>{html.escape(item.figure)}</h3>"
    yield f"<p>{html.escape(how + item.measures)}</p>"
    yield _svg(item, result)
    yield from map(_table, item.tables(result["found"]))
    published = item.published()
    if published:
        yield _table(published.table())
        yield f"<p class='source'>{html.escape(f'Published: {published.source} {published.note}')}</p>"
    if item.told():
        yield f"<p class='source'>{html.escape(item.told())}</p>"
    yield f"<p class='about'>{html.escape(runner.described(result))} "
    yield f"Again: <code>{runner.again(result)}</code></p></section>"


def _svg(item: Item, result: dict[str, Any]) -> str:
    """The figure as part of the page; its inner names differ from those of other figures."""
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": item.name, "svg.fonttype": "path"}):
        runner.figure(item, result).savefig(text, format="svg", metadata={"Date": None})
    drawing = text.getvalue()
    drawing = drawing[drawing.index("<svg") :]
    return re.sub(r"(id=\"|href=\"#|url\(#)", rf"\g<1>{item.name}-", drawing)


def _table(table: Table) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in table.columns)
    rows = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in table.rows)
    return f"<table><caption>{html.escape(table.title)}</caption><tr>{head}</tr>{rows}</table>"


def _cell(text: str) -> str:
    number = " class='number'" if _NUMBER.fullmatch(text) else ""
    return f"<td{number}>{html.escape(text)}</td>"
