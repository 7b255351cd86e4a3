# packages.sh - packages by purpose and distribution; sourced by quickstart.sh, test.sh and package.sh
#
# Tried on Debian 12 and 13; the names for Fedora and Arch are from their indexes.
os=${OS_RELEASE:-/etc/os-release}
family=$(sed -n 's/^ID=//p; s/^ID_LIKE=//p' "$os" 2>/dev/null | tr -d '"' | tr '\n' ' ')
case " $family " in
*' debian '* | *' ubuntu '*)
	manager=apt-get
	PACKAGES_BUILD="gcc libc6-dev meson ninja-build pkg-config libfuse3-dev fuse3 libleveldb-dev libsnappy-dev
libmicrohttpd-dev libcurl4-openssl-dev libsmartcols-dev libyaml-dev nettle-dev zlib1g-dev lowdown"
	PACKAGES_TEST="libcunit1-dev clang valgrind git curl jq rsync tree procps psmisc openssl acl vim nano ed emacs-nox tmux moreutils
man-db groff-base python3 python3-boto3 python3-pytest python3-venv nodejs awscli rclone strace mmdebstrap systemd iproute2 zsh fish libedit2 zstd bzip2 xz-utils unzip python3-yaml skopeo"
	;;
*' fedora '* | *' rhel '*)
	manager=dnf
	PACKAGES_BUILD="gcc glibc-devel meson ninja-build pkgconf-pkg-config fuse3-devel fuse3 leveldb-devel snappy-devel
libmicrohttpd-devel libcurl-devel libsmartcols-devel libyaml-devel nettle-devel zlib-devel lowdown"
	PACKAGES_TEST="CUnit-devel clang clang-tools-extra compiler-rt valgrind git curl jq rsync tree procps-ng
psmisc openssl acl vim-enhanced nano ed emacs-nox tmux moreutils man-db groff-base python3 python3-boto3 python3-pytest nodejs awscli2 rclone strace systemd
iproute zsh fish libedit zstd bzip2 xz unzip python3-pyyaml skopeo"
	;;
*' arch '*)
	manager=pacman
	PACKAGES_BUILD="gcc meson ninja pkgconf fuse3 leveldb snappy libmicrohttpd curl util-linux-libs libyaml nettle zlib lowdown"
	PACKAGES_TEST="cunit clang compiler-rt valgrind git curl jq rsync tree procps-ng psmisc openssl acl vim nano ed emacs-nox tmux moreutils man-db
groff python python-boto3 python-pytest nodejs aws-cli-v2 rclone strace systemd iproute2 zsh fish libedit zstd bzip2 xz unzip python-yaml skopeo"
	;;
*)
	manager=
	PACKAGES_BUILD="gcc meson ninja pkg-config libfuse3 leveldb snappy libmicrohttpd libcurl libsmartcols libyaml nettle zlib lowdown"
	PACKAGES_TEST="CUnit clang clang-format clang-tidy valgrind git curl jq rsync tree procps psmisc openssl acl vim nano ed emacs tmux moreutils
man-db groff python3 boto3 pytest nodejs awscli rclone strace iproute2 zsh fish libedit zstd bzip2 xz unzip PyYAML skopeo"
	;;
esac
PACKAGES_DEBIAN="build-essential dpkg-dev debhelper libcunit1-dev git"

# need_clang - clang and its sanitizers, whose package has clang's version in its name on Debian and Ubuntu
need_clang()
{
	need clang || return 1
	[ "$manager" = apt-get ] || return 0
	need "libclang-rt-$(clang --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p')-dev"
}

# need_pinned - install clang-format and clang-tidy of version 14 where the system offers them; elsewhere the tests say what they
# leave out
need_pinned()
{
	[ "$manager" = apt-get ] || return 0
	apt-cache show bash >/dev/null 2>&1 || apt-get -qq update # else it knows of no package
	! apt-cache show clang-format-14 clang-tidy-14 >/dev/null 2>&1 || need clang-format-14 clang-tidy-14
}

# need_browser - install a browser for tests/tools/pages.sh, which skips what needs one if there is none
need_browser()
{
	case " $family " in
	*' ubuntu '*) false ;; # it has no package of one
	*' debian '*) need chromium-headless-shell ;;
	*' fedora '* | *' rhel '*) need chromium-headless ;;
	*' arch '*) need chromium ;;
	esac || echo 'no browser: the pages are tested without one' >&2
}

# has PACKAGE - succeed if it is installed
has()
{
	case $manager in
	apt-get) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
	dnf) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
	pacman) pacman -Q "$1" >/dev/null 2>&1 ;;
	esac
}

# install PACKAGE...
install()
{
	case $manager in
	apt-get)
		export DEBIAN_FRONTEND=noninteractive
		apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 ||
			{ apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
		;;
	dnf) dnf install -y -q "$@" ;;
	pacman) pacman -Sy --noconfirm --needed "$@" >/dev/null ;;
	esac
}

# need PACKAGE... - install the missing ones, or say what to do if it may not or cannot install
need()
{
	missing=
	if [ -z "$manager" ]; then
		echo "no package names are known for this system; the packages that are needed are mostly called: $*" | tr '\n' ' ' >&2
		echo >&2
		return 0
	fi
	for package in "$@"; do
		has "$package" || missing="$missing $package"
	done
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		verb=install
		[ "$manager" != pacman ] || verb=-S
		echo "please install as root: $manager $verb$missing" >&2
		return 1
	fi
	echo "installing:$missing" >&2
	# shellcheck disable=SC2086
	install $missing
}
