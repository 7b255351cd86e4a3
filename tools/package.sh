#!/bin/sh
# package.sh DIR - the Debian source package and the binary packages of this tree, made in DIR
#
# DEB_BUILD_OPTIONS=nocheck: without the tests that builders can run.
set -eu
[ $# -eq 1 ] || {
	echo "usage: sh tools/package.sh DIR" >&2
	exit 2
}

# sources - what belongs to the tree, in a repository or in an archive that was unpacked
sources()
{
	if git ls-files --error-unmatch meson.build >/dev/null 2>&1; then
		git ls-files -z
	else
		find . \( -path './build*' -o -path './obj-*' -o -path "./${out#"$PWD/"}" \) -prune -o \( -type f -o -type l \) -print0
	fi
}

mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
. tools/packages.sh
# shellcheck disable=SC2086
need $PACKAGES_BUILD $PACKAGES_DEBIAN
tree=$out/itemfs-$(dpkg-parsechangelog -S Version)
rm -rf "$tree"
mkdir "$tree"
sources | xargs -0 cp --parents -t "$tree"
cd "$tree"
dpkg-buildpackage --unsigned-source --unsigned-changes
rm -rf "$tree"
