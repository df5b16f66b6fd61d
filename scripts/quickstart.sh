#!/usr/bin/env bash
# Builds hgc and shows its main job: a model becomes a library that C calls.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

install_packages $BUILD_PACKAGES
[ -f build/build.ninja ] || configure release
build build hgc

out=build/quickstart
mkdir -p "$out"
say "compiling examples/mlp/mlp.mlir"
time build/bin/hgc compile examples/mlp/mlp.mlir -o "$out/mlp.so"
say "building and running examples/mlp/main.c"
cc -O2 -Wall -I"$out" examples/mlp/main.c "$out/mlp.so" -Wl,-rpath,'$ORIGIN' -o "$out/main"
"$out/main"
say "the library: $(stat -c %s "$out/mlp.so") bytes with its weights; it needs only:"
ldd "$out/mlp.so" | sed 's/^[[:space:]]*/    /; s/ => .*//; s/ (0x.*//'
say "timing"
build/bin/hgc bench "$out/mlp.so" --dim batch=1
say "done. Next: build/bin/hgc --help"
