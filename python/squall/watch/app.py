"""Answers the page's requests. The server only reads, and writes nothing."""

import asyncio
import contextlib
import hashlib
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from importlib import resources
from typing import Any

import numpy as np
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from squall.errors import UserError
from squall.watch import colours, columns, ground, health, packing, sections, tiles
from squall.watch import index as indices
from squall.watch import view as views
from squall.watch.reading import Busy, Reader
from squall.watch.run import Run

_TYPES = {
    "html": "text/html", "js": "text/javascript", "css": "text/css", "woff2": "font/woff2",
    "svg": "image/svg+xml", "txt": "text/plain",
}  # fmt: skip
_LOOK = 0.05, 0.25  # s between looks at the runs' directories, at least and at most:
_REST = 4  # so many times as long as a look takes, as a slow file system is asked less often
_AGAIN = 2.0  # s until what could not be read is tried again
_SERIES = 32  # frames of a series in one answer
_LISTENING = 256  # viewers that hear of news at the same time
_ALIVE = 15.0  # s without news, after which a line says that there is none

Answer = Callable[[Request], Awaitable[Response]]


class Desk:
    """Answers what the page asks, of some runs."""

    def __init__(self, runs: list[Run], closing: Callable[[], bool]) -> None:
        self.runs = runs
        self.closing = closing
        self.reader = Reader()
        self.news = 0
        self._told, self._told_of, self._told_at = "", 0, 0.0  # the last index, of which news, and when
        self._trouble: Exception | None = None
        self._listening = 0
        self._telling = asyncio.Lock()
        self._changed = asyncio.Condition()

    async def look(self) -> None:
        """Looks for frames for as long as the server lives, and wakes those who wait for news. Nothing is
        read before somebody asks."""
        seen = None
        while True:
            began = time.monotonic()
            marks = [await asyncio.to_thread(run.mark) for run in self.runs]
            took = time.monotonic() - began
            again = bool(self._trouble) and began - self._told_at > _AGAIN
            if marks != seen or again or self.closing():
                seen = marks
                async with self._changed:
                    self.news += 1
                    self._changed.notify_all()
            await asyncio.sleep(min(max(_LOOK[0], _REST * took), _LOOK[1]))

    async def _tell(self) -> str:
        """What there is to see, as JSON, read once for all viewers."""
        async with self._telling:
            news = self.news
            try:
                told: str = await self.reader.do(self._index, news)
                self._trouble = None
            except Exception as error:  # of a file that cannot be read now
                told = _text({"error": f"This could not be read ({type(error).__name__}).", "news": news})
                self._trouble = error
            self._told, self._told_of, self._told_at = told, news, time.monotonic()
            return told

    def _index(self, news: int) -> str:
        changed = [run.refresh() for run in self.runs]
        if self._told and self._told_of == news and not any(changed) and not self._trouble:
            return self._told
        return _text(indices.index(self.runs, self.reader.store) | {"news": news})

    async def index(self, _: Request) -> Response:
        told = await self._tell()
        return Response(told, 500 if self._trouble else 200, _FRESH, "application/json")

    async def health(self, request: Request) -> Response:
        run = self._run(request)
        return _json(await asyncio.to_thread(health.health, run))

    async def state(self, request: Request) -> Response:
        return _json(await asyncio.to_thread(health.state, self._run(request)))

    def _run(self, request: Request) -> Run:
        number = views.number(request.query_params.get("run", "0"), "run")
        if number >= len(self.runs):
            raise UserError(f"There is no run {number}.")
        return self.runs[number]

    async def events(self, _: Request) -> Response:
        if self._listening >= _LISTENING:
            raise Busy
        return StreamingResponse(
            self._news(), media_type="text/event-stream",
            headers={"cache-control": "no-store", "x-accel-buffering": "no"},
        )  # fmt: skip

    async def _news(self) -> AsyncIterator[str]:
        self._listening += 1
        try:
            async for line in self._all_news():
                yield line
        finally:
            self._listening -= 1

    async def _all_news(self) -> AsyncIterator[str]:
        told = 0
        while not self.closing():
            if told != self.news:
                told = self.news
                yield f"retry: 1000\ndata: {await self._tell()}\n\n"
            else:
                yield ": nothing new\n\n"
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_ALIVE), self._changed:
                    await self._changed.wait_for(partial(self._is_new, told))

    def _is_new(self, told: int) -> bool:
        return told != self.news or self.closing()

    async def ground(self, request: Request) -> Response:
        view = views.parse(request.query_params)

        def made() -> dict[str, Any]:
            origin = views.source(self.runs, view)
            key = "ground", view.run, origin.name
            found: dict[str, Any] = self.reader.store.get(key, lambda: ground.ground(origin), lambda _: 2**20)
            return found

        return _json(await self.reader.do(made), lasting=True)

    def _pyramid(self, view: views.View, elapsed: float) -> list[Any]:
        run, other = self.runs[view.run], self.runs[view.minus.run] if view.minus else None
        key = view, elapsed, run.generation, other and other.seen
        found: list[Any] = self.reader.store.get(
            key, lambda: tiles.pyramid(views.values(self.runs, view, elapsed)),
            lambda levels: sum(level.nbytes for level in levels),
        )  # fmt: skip
        return found

    async def tile(self, request: Request) -> Response:
        asked = request.query_params
        view, elapsed = views.parse(asked), _seconds(asked.get("t", ""))
        z, x, y = (views.number(asked.get(name, "0"), name) for name in "zxy")

        def made() -> bytes:
            views.source(self.runs, view)  # that there is one
            levels = self._pyramid(view, elapsed)
            if z >= len(levels):
                raise UserError(f"There is no resolution {z}.")
            return tiles.encode(tiles.cut(levels[z], x, y))

        return Response(await self.reader.do(made), media_type="application/octet-stream", headers=_LASTING)

    async def value(self, request: Request) -> Response:
        asked = request.query_params
        view, elapsed = views.parse(asked), _seconds(asked.get("t", ""))
        i, j = (views.number(asked.get(name, ""), name) for name in "ij")

        def made() -> dict[str, Any]:
            columns.check(views.source(self.runs, view), i, j)
            value = float(self._pyramid(view, elapsed)[0][j, i])
            return {"value": value if np.isfinite(value) else None}

        return _json(await self.reader.do(made))

    async def scale(self, request: Request) -> Response:
        asked = request.query_params
        view = views.parse(asked)
        limits, cmap = asked.get("limits", ""), asked.get("colours", "")

        def made() -> dict[str, Any]:
            origin = views.source(self.runs, view)
            arrays = []
            for elapsed in colours.sampled(origin.elapsed):
                with contextlib.suppress(UserError):  # a level that is not there in all frames
                    arrays.append(self._pyramid(view, elapsed)[0])
            if not arrays:  # none of them: say why
                self._pyramid(view, float(origin.elapsed[-1]))
            return colours.of(self.runs, view, arrays, limits, cmap)

        return _json(await self.reader.do(made))

    async def series(self, request: Request) -> Response:
        asked = request.query_params
        view = views.parse(asked)
        i, j, first = (views.number(asked.get(name, "0"), name) for name in ("i", "j", "first"))

        def made() -> dict[str, Any]:
            origin = views.source(self.runs, view)
            last = min(first + _SERIES, len(origin.elapsed))
            values = columns.series(origin, view, i, j, first, last)
            unit, _, _ = views.unit(origin, view)
            return {"t": origin.elapsed[first:last].tolist(), "values": values, "unit": unit,
                    "more": last < len(origin.elapsed)}  # fmt: skip

        return _json(await self.reader.do(made))

    async def station(self, request: Request) -> Response:
        asked, run = request.query_params, self._run(request)
        number, first = (views.number(asked.get(name, "0"), name) for name in ("station", "first"))
        stream = asked.get("stream", "")

        def made() -> dict[str, Any]:
            return run.stations(stream).series(number, first, first + _SERIES)

        return _json(await self.reader.do(made))

    async def sounding(self, request: Request) -> Response:
        asked = request.query_params
        view, elapsed = views.parse(asked), _seconds(asked.get("t", ""))
        i, j = (views.number(asked.get(name, ""), name) for name in "ij")

        def made() -> dict[str, Any]:
            origin = views.source(self.runs, view)
            return columns.sounding(origin, origin.index(elapsed), i, j)

        return _json(await self.reader.do(made))

    async def section(self, request: Request) -> Response:
        asked = request.query_params
        view, elapsed = views.parse(asked), _seconds(asked.get("t", ""))
        i0, j0, i1, j1 = (views.number(asked.get(name, ""), name) for name in ("i0", "j0", "i1", "j1"))
        limits, cmap = asked.get("limits", ""), asked.get("colours", "")

        def made() -> bytes:
            origin = views.source(self.runs, view)
            about, heights, values = sections.section(origin, view, origin.index(elapsed), (i0, j0, i1, j1))
            about["scale"] = colours.of(self.runs, view, [values], limits, cmap)
            return packing.pack(about, z=heights, values=values)

        return Response(await self.reader.do(made), media_type="application/octet-stream", headers=_FRESH)


_FRESH = {"cache-control": "no-store"}
_LASTING = {"cache-control": "private, max-age=3600"}  # addresses have the frame and the generation in them


def _json(found: Any, lasting: bool = False) -> Response:
    return Response(_text(found), headers=_LASTING if lasting else _FRESH, media_type="application/json")


def _text(found: Any) -> str:
    return json.dumps(found, separators=(",", ":"), allow_nan=False)


def _seconds(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = float("nan")
    if not np.isfinite(found):
        raise UserError("t: expected seconds since the start.")
    return found


async def _told(_: Request, error: Exception) -> Response:
    """What a viewer asked that cannot be."""
    return JSONResponse({"error": str(error)}, 400, _FRESH)


async def _busy(_: Request, __: Exception) -> Response:
    """More than this server does at the same time."""
    told = {"error": "Too many viewers ask at the same time: try again in a moment."}
    return JSONResponse(told, 503, {**_FRESH, "retry-after": "2"})


async def _broken(_: Request, error: Exception) -> Response:
    """A file that cannot be read, or a mistake: nothing of the machine is told."""
    return JSONResponse({"error": f"This could not be read ({type(error).__name__})."}, 500, _FRESH)


def _static() -> dict[str, tuple[bytes, str, str]]:
    """The page's files by name: what is not among them is not there, whatever the address says."""
    folder = resources.files("squall.watch") / "static"
    found = {}
    for file in folder.iterdir():
        content = file.read_bytes()
        kind = _TYPES.get(file.name.rpartition(".")[2])
        if kind:
            found[file.name] = content, kind, hashlib.sha256(content).hexdigest()[:16]
    return found


def application(runs: list[Run], closing: Callable[[], bool] = lambda: False) -> Starlette:
    """The application without its guard. closing: whether the server wants to end, for which
    answers that go on for ever have to end."""
    desk = Desk(runs, closing)
    files = _static()

    async def page(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        if name not in files:
            return PlainTextResponse("There is no such page.\n", 404)
        content, kind, tag = files[name]
        if request.headers.get("if-none-match") == f'"{tag}"':
            return Response(status_code=304)
        return Response(content, media_type=kind, headers={"cache-control": "no-cache", "etag": f'"{tag}"'})

    @contextlib.asynccontextmanager
    async def living(_: Starlette) -> AsyncIterator[None]:
        looking = asyncio.create_task(desk.look())
        yield
        looking.cancel()
        desk.reader.close()

    asked = (
        desk.index, desk.health, desk.state, desk.events, desk.ground, desk.tile, desk.value, desk.scale,
        desk.series, desk.station, desk.sounding, desk.section,
    )  # fmt: skip
    return Starlette(
        routes=[
            Route("/", page),
            Route("/static/{name}", page),
            *(Route(f"/api/{answer.__name__}", answer) for answer in asked),
        ],
        exception_handlers={UserError: _told, Busy: _busy, Exception: _broken},
        lifespan=living,
    )
