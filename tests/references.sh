#!/bin/sh
# references.sh ROOT - what code, tests and documents refer to is there; references.py lists the checks
command -v python3 >/dev/null || {
	echo 'skipped: python3 is not here'
	exit 77
}
exec python3 -B "$(dirname "$0")/references.py" "$1"
