#!/bin/sh
# build.sh DIR [ARCHIVE_DIR] - the wheel itemfs in DIR, with the programs of an unpacked archive, or a wheel for each archive of this version in DIR
set -eu
[ $# -eq 1 ] || [ $# -eq 2 ] || {
	echo "usage: sh packaging/python/build.sh DIR [ARCHIVE_DIR]" >&2
	exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
[ $# -eq 1 ] || archive=$(cd "$2" && pwd)
cd "$(dirname "$0")/../.."
. packaging/unpack.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/unpacked"
unpacked "$out" "$work/unpacked" ${archive+"$archive"} >"$work/archives"
while read -r folder; do
	python3 packaging/python/wheel.py "$out" "$folder"
done <"$work/archives"
