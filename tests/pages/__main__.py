"""Renew the documentation: `python -m tests.pages [PAGE...]`, all pages if none is named."""

import sys
from pathlib import Path

from tests.pages.blocks import pages
from tests.pages.generated import WHOLE, renewed
from tests.pages.run import run

for path in [Path(name).resolve() for name in sys.argv[1:]] or [*pages(), *WHOLE]:
    if path in WHOLE:
        path.write_text(WHOLE[path](), encoding="utf-8")
        continue
    text = path.read_text(encoding="utf-8")
    path.write_text(run(renewed(text)), encoding="utf-8")
