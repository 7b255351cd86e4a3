#!/bin/bash
# A short campaign of each kind (campaign.py); longer ones by hand, see tests/README.md.
# What it mounts is seen by nobody else where that is allowed.
set -u
. "${BASH_SOURCE[0]%/*}/../lib.sh"
HERE=$(readlink -f "$(dirname "$0")")
if unshare --mount --propagation private true 2>/dev/null; then
	HERE=$HERE exec unshare --mount --propagation private bash -c "$(declare -f leave_others); leave_others
		exec python3 \"\$HERE/campaign.py\" \"\$@\"" campaign "$@"
fi
exec python3 "$HERE/campaign.py" "$@"
