#!/usr/bin/env bash
# Builds hgc and runs its tests; ends with a line 'N passed, N failed'.
# --full also runs the sanitizer builds and the large generated suites.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/lib.sh

full=0
case "${1:-}" in
"") ;;
--full) full=1 ;;
*) die "unknown option '$1'" "usage: scripts/check.sh [--full]" ;;
esac

install_packages $BUILD_PACKAGES $TEST_PACKAGES
configure release -DHGC_BUILD_TESTS=ON
build build
exec python3 scripts/run_tests.py --build build $([ $full = 0 ] || echo --full)
