#!/bin/sh
# build.sh DIR - the Debian source package and the binary packages in DIR
#
# DEB_BUILD_OPTIONS=nocheck: without the tests that builders can run.
set -eu
. tools/packages.sh
# shellcheck disable=SC2086
need $PACKAGES_BUILD $PACKAGES_DEBIAN
dpkg-buildpackage --unsigned-source --unsigned-changes
find .. -maxdepth 1 -type f -exec mv -t "$1" {} +
