#!/bin/sh
# rooms.sh ROOT BUILD - check that no room calls or includes a later room of rooms.txt; rooms.py lists the checks
for program in python3 nm; do
	command -v "$program" >/dev/null || {
		echo "skipped: $program is not here"
		exit 77
	}
done
exec python3 -B "$(dirname "$0")/rooms.py" "$1" "$2"
