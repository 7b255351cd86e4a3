#!/bin/sh
# package.sh [--chroot] - check that the Debian package builds and contains all files. --chroot: also check that it installs and
# works in a minimal Debian 12, including the mount of an example (needs root, mmdebstrap and a mirror; run it by hand, since tests
# use no network)
set -eu
cd "$(dirname "$0")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

say()
{
	echo "package: $*"
}
fail()
{
	say "$*" >&2
	exit 1
}

DEB_BUILD_OPTIONS=nocheck sh tools/package.sh -o "$out" deb >"$out/log" 2>&1 || {
	tail -n 40 "$out/log" >&2
	exit 1
}
deb=$(echo "$out"/itemfs_*.deb)
[ -e "$deb" ] || fail 'no package was built'
[ -e "$(echo "$out"/itemfs_*.dsc)" ] || fail 'no source package was built'

version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
[ "$(dpkg-deb -f "$deb" Version)" = "$version" ] || fail "its version is not $version, as meson.build has it"

dpkg-deb -x "$deb" "$out/root"
for file in bin/itemctl bin/itemfs sbin/mount.itemfs lib/systemd/system/itemfs@.service share/bash-completion/completions/itemctl share/bash-completion/completions/itemfs \
	share/zsh/vendor-completions/_itemctl share/fish/vendor_completions.d/itemctl.fish \
	share/man/man1/itemctl.1.gz share/man/man1/itemfs.1.gz share/man/man5/itemfs-format.5.gz share/man/man8/mount.itemfs.8.gz \
	share/doc/itemfs/README.md share/doc/itemfs/copyright; do
	[ -e "$out/root/usr/$file" ] || [ -L "$out/root/usr/$file" ] || fail "it has no $file"
done
[ "$("$out/root/usr/bin/itemctl" --version)" = "itemctl $version" ] || fail 'its itemctl does not run'
grep -roE '\]\([^):#]+[)#]' "$out/root/usr/share/doc/itemfs" --include=*.md | sed 's/.$//' >"$out/links"
while IFS=: read -r file link; do
	[ -e "$(dirname "$file")/${link#"]("}" ] || fail "${file#"$out/root"} names ${link#"]("}, which is not there"
done <"$out/links"
readelf -d "$out/root/usr/bin/itemctl" | grep -q BIND_NOW || fail 'it is not hardened'
for page in "$out"/root/usr/share/man/man*/*.gz; do
	bad=$(zcat "$page" | groff -man -t -ww -z -K utf8 2>&1)
	[ -z "$bad" ] || fail "$page: $bad"
	lexgrog "$page" >/dev/null || fail "$page: no NAME that apropos would find"
done
status=0
ITEMCTL=$out/root/usr/bin/itemctl bash tests/packaging/install.sh "$out" deb || status=$?
[ $status -eq 0 ] || [ $status -eq 77 ] || fail 'the line of README.md does not install it'
if command -v lintian >/dev/null; then
	lintian --no-cfg --fail-on error,warning "$out"/itemfs_*.changes >"$out/lintian" 2>&1 || {
		cat "$out/lintian" >&2
		fail 'lintian found something'
	}
fi
say "built, $(du -k "$deb" | cut -f1) KB"
[ "${1-}" = --chroot ] || exit 0

mmdebstrap --quiet --variant=apt bookworm "$out/base" >/dev/null
cp "$deb" "$out/base/tmp/itemfs.deb"
[ -e "$out/base/dev/fuse" ] || mknod -m 666 "$out/base/dev/fuse" c 10 229
# The mounts are in a mount namespace, and disappear with it. The copies of the mounts of tests would keep their daemons alive.
# shellcheck disable=SC2016
unshare --mount --pid --fork sh -eu -c '
	umount --all --lazy --no-canonicalize --internal-only --types fuse.itemfs || true
	mount -t proc proc "$1/proc"
	exec chroot "$1" sh -eu' sh "$out/base" <<'INSIDE'
export DEBIAN_FRONTEND=noninteractive ITEMFS_STORE=/tmp/store
apt-get update -qq
apt-get install -y -qq --no-install-recommends /tmp/itemfs.deb >/dev/null 2>&1
itemctl create-table music --key Artist,Song
itemctl put music '{"Artist":"Acme","Song":"Blue"}'
[ "$(itemctl query music Acme)" = '{"Artist":"Acme","Song":"Blue"}' ]
cd /usr/share/doc/itemfs/examples
sh sorting/walkthrough.sh >/tmp/shown
diff sorting/transcript.txt /tmp/shown
apt-get purge -y -qq itemfs >/dev/null 2>&1
[ ! -e /usr/bin/itemctl ]
[ -e /tmp/store/FORMAT ]
INSIDE
say 'installs, works, mounts an example and goes again in a clean Debian 12'
