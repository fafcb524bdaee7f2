"""Pages in a real Chromium, and pictures of them held against stored ones."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from tests.support.cli_helper import ROOT
from tests.support.components import package, program

STORED = ROOT / "tests" / "golden" / "screenshots"
FONTS = Path(__file__).with_name("fonts.conf")
"""What the browser finds of the fonts that are installed."""
RENEW = "SQLRANK_SCREENSHOTS"
"""The variable that lets pictures be stored rather than compared."""
SHRUNK = {360: 180}
"""The width of a stored picture of a page of some width; of others it is 512: a picture of a page, not of letters."""
TILE = 16
"""The width of the tiles, in pixels of stored pictures, in which differences are averaged."""
FAR = 10
"""How far, of 255, a tile may be from the stored one: letters are drawn a little otherwise on every machine."""
NEAR = 6
"""How far it may be from what was seen when it was stored, as it has 256 colours."""
TALLER = 0.03
"""By which share the heights of pictures may differ."""


@dataclass
class Opened:
    """A page, and what it did."""

    page: Any
    messages: list[str] = field(default_factory=list)
    """What it wrote on the console, its errors, and its dialogs."""
    requests: list[str] = field(default_factory=list)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser: Debian's, or the one that SQLRANK_CHROMIUM names."""
    sync_api = package("playwright.sync_api", "browser")
    path = program("chromium", "apt-get install chromium", "SQLRANK_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--font-render-hinting=none"]
        environment = {**os.environ, "FONTCONFIG_FILE": str(FONTS)}
        browser = playwright.chromium.launch(executable_path=path, args=arguments, env=environment)
        yield browser
        browser.close()


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that keeps no log."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which a server of this machine shows a folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@contextmanager
def opened(browser: Any, address: str, width: int = 1280, dark: bool = False) -> Iterator[Opened]:
    """A page of a width, light or dark."""
    scheme = "dark" if dark else "light"
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=False)
    seen = Opened(context.new_page())
    seen.page.on("console", lambda message: seen.messages.append(message.text))
    seen.page.on("pageerror", lambda error: seen.messages.append(str(error)))
    seen.page.on("request", lambda request: seen.requests.append(request.url))

    def close(dialog: Any) -> None:
        seen.messages.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    seen.page.on("dialog", close)
    seen.page.goto(address)
    yield seen
    context.close()


def compare_picture(name: str, picture: Any) -> None:
    """Hold a picture against the stored one of its name; with SQLRANK_SCREENSHOTS set, store it instead."""
    image = package("PIL.Image", "browser")
    width = SHRUNK.get(picture.width, 512)
    size = (width, round(picture.height * width / picture.width))
    shrunk = picture.convert("RGB").resize(size, image.Resampling.BOX)
    path = STORED / f"{name}.png"
    if os.environ.get(RENEW):
        STORED.mkdir(exist_ok=True)
        # kmeans: without it a large area may have the colour of another one
        few = shrunk.quantize(256, image.Quantize.MAXCOVERAGE, kmeans=1, dither=image.Dither.NONE)
        assert difference(shrunk, few.convert("RGB")) <= NEAR
        few.save(path, optimize=True)
        return
    stored = image.open(path).convert("RGB")
    assert abs(stored.height - shrunk.height) <= TALLER * stored.height, f"{name}: {stored.size} and {shrunk.size}"
    farthest = difference(stored, shrunk)
    if farthest > FAR:
        seen = Path(tempfile.gettempdir()) / f"sqlrank-{name}.png"
        shrunk.save(seen)
        raise AssertionError(f"{name}: a part differs by {farthest} of 255; see {seen} and {path}")


def difference(one: Any, other: Any) -> int:
    """The largest difference of a tile of two pictures, in any colour, over the height that both have."""
    image, chops = package("PIL.Image", "browser"), package("PIL.ImageChops", "browser")
    height = min(one.height, other.height)
    box = (0, 0, one.width, height)
    tiles = (-(-one.width // TILE), -(-height // TILE))
    apart = chops.difference(one.crop(box), other.crop(box)).resize(tiles, image.Resampling.BOX)
    return max(int(high) for _, high in apart.getextrema())
