#!/usr/bin/env bash
# Builds the site in both languages into site/, strictly. It needs pip install -e '.[site]'.
set -euo pipefail
cd "$(dirname "$0")/.."
export PYTHONPATH=. NO_COLOR=1
zensical build --strict --clean
zensical build --strict --clean --config-file zensical.zh.toml
