# Shared by quickstart.sh and check.sh: installing packages and building.
# Source it; it expects to run from the root of the repository.

say() { printf '\033[1m==> %s\033[0m\n' "$*"; }
die() { printf 'error: %s\n' "$1" >&2; [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2; exit 1; }

BUILD_PACKAGES="g++ clang-22 cmake ninja-build llvm-22-dev libmlir-22-dev mlir-22-tools liblld-22-dev lld-22 zlib1g-dev libzstd-dev libboost-dev protobuf-compiler libprotobuf-dev"
TEST_PACKAGES="llvm-22-tools libclang-rt-22-dev libgtest-dev pkg-config python3 python3-numpy python3-venv libopenblas-dev chromium libc6-dev-arm64-cross libgcc-12-dev-arm64-cross qemu-user"

# install_packages NAME...: installs the Debian packages that are missing.
install_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed' || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local sudo=""
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || die "these packages are missing: ${missing[*]}" "install them as root: apt-get install ${missing[*]}"
    sudo=sudo
  fi
  say "installing Debian packages: ${missing[*]}"
  $sudo apt-get update -qq
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    die "apt-get could not install ${missing[*]}" "hgc needs Debian 12 with its security updates (LLVM 22 comes from there)"
}

# configure PRESET [CMAKE OPTION...]
configure() {
  say "configuring ($1)"
  cmake --preset "$@" >build-configure.log 2>&1 || { cat build-configure.log; die "cmake failed"; }
  rm -f build-configure.log
}

# build FOLDER [TARGET...]
build() {
  say "building into $1 with $(nproc) jobs"
  local log
  log=$(mktemp)
  ninja -C "$@" >"$log" || { sed -n '/FAILED/,$p' "$log"; rm -f "$log"; die "the build failed"; }
  tail -n 1 "$log"
  rm -f "$log"
}
