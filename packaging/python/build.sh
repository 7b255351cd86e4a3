#!/bin/sh
# build.sh DIR [ARCHIVE_DIR] - the wheel itemfs in DIR, with the programs of an unpacked archive, or a wheel for each archive of this version in DIR
. "$(dirname "$0")/../unpack.sh"
unpacked >"$work/archives"
while read -r folder; do
	python3 packaging/python/wheel.py "$out" "$folder"
done <"$work/archives"
