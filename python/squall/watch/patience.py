"""Closes idle connections after a while, and earlier if they would keep others out."""

import asyncio
from collections import OrderedDict
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0  # s, until the first request has come whole
SILENT = 256  # connections that may say nothing at the same time


class Patient(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, for a server that strangers can reach."""

    _silent: ClassVar["OrderedDict[Patient, asyncio.TimerHandle]"] = OrderedDict()

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        loop = asyncio.get_running_loop()
        self._silent[self] = loop.call_later(PATIENCE, self._give_up)
        if len(self._silent) > SILENT:
            next(iter(self._silent))._give_up()

    def handle_events(self) -> None:
        super().handle_events()
        if self.cycle is not None:  # a request has come
            self._heard()

    def connection_lost(self, exc: Exception | None) -> None:
        self._heard()
        super().connection_lost(exc)

    def _heard(self) -> None:
        timer = self._silent.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _give_up(self) -> None:
        self._heard()
        self.transport.abort()
