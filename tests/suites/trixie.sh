#!/bin/sh
# trixie.sh - it builds without a warning, and its unit, conformance and mount suites pass, in a Debian 13 of its own: GCC 14,
# libfuse 3.17, libmicrohttpd 1.0. Needs root, mmdebstrap and a mirror; status 77 where no such root can be made.
set -eu
cd "$(dirname "$0")/../.."
. tools/packages.sh

skip()
{
	echo "skipped: $*"
	exit 77
}
[ "$(id -u)" -eq 0 ] || skip 'only root can make a root directory'
command -v mmdebstrap >/dev/null || skip 'there is no mmdebstrap'
command -v unshare >/dev/null || skip 'there is no unshare'

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
# Its names of packages are those of this Debian; the sanitizers, editors of other kinds and the browser run outside.
include=$(echo $PACKAGES_BUILD libcunit1-dev git curl jq rsync tree procps psmisc openssl vim nano tmux moreutils man-db groff-base python3 strace libedit2 | tr ' ' ,)
mmdebstrap --quiet --variant=apt --include="$include" trixie "$root/base" >"$root/log" 2>&1 || {
	tail -n 5 "$root/log"
	skip 'no Debian 13 could be had'
}
mkdir "$root/base/src"
git ls-files -z | tar -c --null -T - | tar -x -C "$root/base/src"

# Its mounts are in a namespace of their own, and gone with it; our environment names files that it may not have. Tests that make further namespaces want a root that is mounted.
unshare --mount --pid --fork sh -eu -c 'mount --bind "$1" "$1" && mount -t proc proc "$1/proc" && exec env -i HOME=/root PATH="$PATH" chroot "$1" bash -eu' sh "$root/base" <<'INSIDE'
mount -t devtmpfs none /dev
mount -t sysfs none /sys
mkdir -p /dev/shm /dev/pts
mount -t tmpfs none /dev/shm
mount -t devpts -o ptmxmode=666 none /dev/pts
ln -sf /proc/self/mounts /etc/mtab # as an installed system has it
cd /src
gcc --version | head -n 1
meson setup build -Dtests=true -Dwerror=true >/dev/null
ninja -C build --quiet
meson test -C build --suite unit --suite mount --print-errorlogs
INSIDE
