#!/bin/sh
# build.sh OUTPUT_DIR ARCHIVE_DIR - the wheel itemfs with the programs of an unpacked archive
set -eu
[ $# -eq 2 ] || {
	echo "usage: sh packaging/python/build.sh OUTPUT_DIR ARCHIVE_DIR" >&2
	exit 2
}
mkdir -p "$1"
exec python3 "$(dirname "$0")/wheel.py" "$1" "$2"
