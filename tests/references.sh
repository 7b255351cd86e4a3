#!/bin/sh
# references.sh ROOT - check that references in code, tests and documents resolve; references.py lists the checks
command -v python3 >/dev/null || {
	echo 'skipped: python3 is not here'
	exit 77
}
exec python3 -B "$(dirname "$0")/references.py" "$1"
