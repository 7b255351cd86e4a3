#!/bin/bash
# A short campaign of each kind (campaign.py); longer ones by hand, see tests/README.md.
# What it mounts is seen by nobody else where that is allowed.
set -u
. "${BASH_SOURCE[0]%/*}/../lib.sh"
HERE=$(readlink -f "$(dirname "$0")")
if private true >/dev/null; then
	private python3 "$HERE/campaign.py" "$@"
	exit
fi
exec python3 "$HERE/campaign.py" "$@"
