#!/bin/bash
# A short campaign of each kind (campaign.py); longer ones by hand, see tests/README.md.
# What it mounts is seen by nobody else where that is allowed.
set -u
HERE=$(readlink -f "$(dirname "$0")")
export LC_ALL=C.UTF-8 PYTHONDONTWRITEBYTECODE=1
if unshare --mount --propagation private true 2>/dev/null; then
	. "$HERE/../lib.sh"
	HERE=$HERE exec unshare --mount --propagation private bash -c "$(declare -f leave_others); leave_others
		exec python3 \"\$HERE/campaign.py\" \"\$@\"" campaign "$@"
fi
exec python3 "$HERE/campaign.py" "$@"
