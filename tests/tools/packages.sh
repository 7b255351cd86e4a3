#!/bin/bash
# The list of packages by distribution: what is printed to a user who may not install them.
. "$(dirname "$0")/lib.sh"

# lists ID... - print the message for a user who is not root
lists()
{
	printf '%s\n' "$@" >os-release
	OS_RELEASE=os-release sh -c '. "$1"; id() { echo 1000; }; has() { [ "$1" = git ]; }; need git gcc $EXTRA' sh "$SOURCE/tools/packages.sh" 2>&1
}

eq 'Debian' "$(lists ID=debian)" 'please install as root: apt-get install gcc'
eq 'Ubuntu' "$(lists ID=ubuntu ID_LIKE=debian)" 'please install as root: apt-get install gcc'
eq 'Fedora' "$(lists ID=fedora)" 'please install as root: dnf install gcc'
eq 'like Fedora' "$(lists ID=rocky 'ID_LIKE="rhel centos fedora"')" 'please install as root: dnf install gcc'
eq 'Arch' "$(lists ID=arch)" 'please install as root: pacman -S gcc'
case $(lists ID=other) in *'the packages that are needed are mostly called: git gcc'*) ;; *) fail 'another system' ;; esac
# Each system has the packages that the tests need, some under another name.
for id in debian fedora arch other; do
	echo "ID=$id" >os-release
	names=$(OS_RELEASE=os-release sh -c '. "$1"; echo $PACKAGES_BUILD $PACKAGES_TEST' sh "$SOURCE/tools/packages.sh")
	for program in cunit clang valgrind git curl jq rsync tree procps psmisc openssl acl vim nano ed emacs tmux moreutils man-db groff python boto3 pytest node aws rclone strace \
		iproute zsh fish libedit zstd bzip2 xz unzip skopeo; do
		eq "$id: $program" "$(grep -ciE "(^| )(lib)?(python3?-)?$program" <<<"$names")" 1
	done
done
eq 'nothing is missing' "$(EXTRA=git lists ID=debian | grep -c git)" 0
done_testing
