# packages.sh - Debian packages, by purpose; sourced by quickstart.sh and test.sh
PACKAGES_BUILD="gcc libc6-dev meson ninja-build pkg-config libfuse3-dev fuse3 libleveldb-dev libsnappy-dev libyajl-dev
libmicrohttpd-dev libcurl4-openssl-dev libsmartcols-dev libssl-dev zlib1g-dev lowdown"
PACKAGES_TEST="libcunit1-dev clang clang-format clang-tidy libclang-rt-14-dev valgrind git jq rsync tree procps
psmisc openssl vim nano tmux moreutils man-db groff-base python3-boto3 strace"
PACKAGES_DEBIAN="dpkg-dev debhelper libcunit1-dev git"

# need PACKAGE... - install those that are missing; says what to do when it cannot
need()
{
	missing=
	for package in "$@"; do
		dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		echo "please install as root: apt-get install$missing" >&2
		return 1
	fi
	echo "installing:$missing" >&2
	export DEBIAN_FRONTEND=noninteractive
	# shellcheck disable=SC2086
	apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 ||
		{ apt-get update -qq && apt-get install -y -qq --no-install-recommends $missing >/dev/null; }
}
