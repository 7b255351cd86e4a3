#!/bin/sh
# build.sh OUTPUT_DIR ARCHIVE_DIR - the npm packages itemfs and @itemfs/linux-ARCH of the programs in an unpacked archive
#
# The packages are the same, byte for byte, for the same programs: made by tar, not by npm, whose versions differ.
set -eu
[ $# -eq 2 ] || {
	echo "usage: sh packaging/npm/build.sh OUTPUT_DIR ARCHIVE_DIR" >&2
	exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
archive=$(cd "$2" && pwd)
cd "$(dirname "$0")"
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" ../../meson.build)
# The machine in the header of an ELF file
case $(od -An -tx1 -j18 -N1 "$archive/bin/itemctl") in
' 3e') cpu=x64 ;;
' b7') cpu=arm64 ;;
*)
	echo "build.sh: $archive/bin/itemctl is not a program for x86-64 or AArch64" >&2
	exit 1
	;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# pack NAME - make out/NAME-VERSION.tgz from work/package
pack()
{
	cp ../../LICENSE "$work/package"
	find "$work/package" -type d -o -perm -100 | xargs chmod 755
	find "$work/package" -type f ! -perm -100 -exec chmod 644 {} +
	# The date is that of all packages that npm makes.
	tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime='1985-10-26 08:15:00 UTC' -C "$work" -cf "$work/tar" package
	gzip -9 -n <"$work/tar" >"$out/$1-$version.tgz"
	rm -r "$work/package"
}

mkdir "$work/package"
cp -r itemfs/. README.md "$work/package"
sed -i "s/VERSION/$version/" "$work/package/package.json"
pack itemfs

mkdir "$work/package"
cp -rL "$archive/bin" "$work/package"
[ ! -d "$archive/lib" ] || cp -rL "$archive/lib" "$work/package"
cat >"$work/package/package.json" <<END
{
  "name": "@itemfs/linux-$cpu",
  "version": "$version",
  "description": "The programs of the package itemfs for Linux with glibc on $cpu",
  "license": "MIT",
  "os": ["linux"],
  "cpu": ["$cpu"],
  "libc": ["glibc"]
}
END
pack "itemfs-linux-$cpu"
