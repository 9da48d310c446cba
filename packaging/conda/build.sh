#!/usr/bin/env bash
set -euo pipefail
cmake -S . -B build-conda -G Ninja -DCMAKE_BUILD_TYPE=Release -DSQUALL_TESTS=OFF -DSQUALL_NATIVE=OFF \
    -DCMAKE_PREFIX_PATH="$PREFIX" -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib
cmake --build build-conda
cmake --install build-conda
"$PYTHON" -m pip install --no-deps --no-build-isolation .
