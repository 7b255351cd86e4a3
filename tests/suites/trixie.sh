#!/bin/sh
# trixie.sh - check that itemfs builds without warnings and passes its tests in a minimal Debian 13: GCC 14,
# libfuse 3.17, libmicrohttpd 1.0; and that its Debian package builds there, without a complaint of lintian. Needs root,
# mmdebstrap and a mirror; status 77 if no such system can be installed.
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
# The packages have the same names as in Debian 12. Debian's nodejs lacks npm. The sanitizers and the browser run outside.
include=$(printf '%s\n' $PACKAGES_BUILD $PACKAGES_TEST $PACKAGES_DEBIAN lintian npm | grep -vxE 'clang|valgrind|mmdebstrap' | tr '\n' ,)
mmdebstrap --quiet --variant=minbase --include="${include%,}" trixie "$root/base" >"$root/log" 2>&1 || {
	tail -n 5 "$root/log"
	skip 'no Debian 13 could be had'
}
mkdir "$root/base/src"
git ls-files -z | tar -c --null -T - | tar -x -C "$root/base/src"

# The mounts are in a mount namespace, and disappear with it. The environment is not passed on, because it names files that the new
# system may lack. The root directory is a mount, without which unshare --mount fails in it, and tests are skipped. Only the file
# systems of a minimal system are mounted; the copies of the mounts of tests would keep their daemons alive.
# shellcheck disable=SC2016
unshare --mount --pid --fork sh -eu -c '
	umount --all --lazy --no-canonicalize --internal-only --types fuse.itemfs || true
	mount --bind "$1" "$1"
	mount -t proc proc "$1/proc"
	exec env -i HOME=/root PATH="$PATH" chroot "$1" bash -eu' sh "$root/base" <<'INSIDE'
mount -t devtmpfs none /dev
mkdir -p /dev/shm /dev/pts
mount -t devpts -o ptmxmode=666 none /dev/pts
cd /src
gcc --version | head -n 1
meson setup build -Dtests=true -Dwerror=true >/dev/null
ninja -C build --quiet
meson test -C build --suite unit --suite mount --suite memory --suite tools --suite sdk --print-errorlogs
sh tests/suites/package.sh
INSIDE
