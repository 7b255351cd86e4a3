#!/bin/bash
# Runs a short campaign of each kind (campaign.py); tests/README.md describes longer ones.
# It uses a private mount namespace if that is allowed.
set -u
. "${BASH_SOURCE[0]%/*}/../lib.sh"
HERE=$(readlink -f "$(dirname "$0")")
if private true >/dev/null; then
	private python3 "$HERE/campaign.py" "$@"
	exit
fi
exec python3 "$HERE/campaign.py" "$@"
