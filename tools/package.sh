#!/bin/sh
# package.sh DIR - the Debian source package and the binary packages of this tree, made in DIR
#
# DEB_BUILD_OPTIONS=nocheck: without the tests that builders can run.
set -eu
[ $# -eq 1 ] || {
	echo "usage: sh tools/package.sh DIR" >&2
	exit 2
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
git ls-files -z | xargs -0 cp --parents -t "$tree"
cd "$tree"
dpkg-buildpackage --unsigned-source --unsigned-changes
rm -rf "$tree"
