#!/bin/sh
# package.sh [-o DIR] [KIND...] - build packages of this tree in DIR, by default dist; packaging/DESIGN.md lists the kinds
#
# Each packaging/KIND/build.sh runs in a copy of the tree, with DIR as its argument. Without KIND, all of them run; that
# needs a mirror of Debian, for archive-aarch64.
set -eu
usage()
{
	echo "usage: sh tools/package.sh [-o DIR] [$(ls -d packaging/*/build.sh | cut -d/ -f2 | tr '\n' ' ' | sed 's/ $//; s/ / | /g')]..." >&2
	echo 'Without KIND, all are built. archive-aarch64 needs a mirror of Debian; name the other kinds to do without one.' >&2
	exit 2
}

# sources - print the files of the tree, in a repository or in an unpacked archive
sources()
{
	if git ls-files --error-unmatch meson.build >/dev/null 2>&1; then
		git ls-files -z
	else
		find . \( -path './build*' -o -path './obj-*' -o -path './dist' -o -path "./${out#"$PWD/"}" \) -prune -o \
			\( -type f -o -type l \) -print0
	fi
}

# date_of_sources - print the time of the commit, or of the newest entry in debian/changelog, as SOURCE_DATE_EPOCH
date_of_sources()
{
	if git ls-files --error-unmatch meson.build >/dev/null 2>&1; then
		git log -1 --format=%ct
	else
		date -d "$(sed -n '/^ -- /{s/.*>  //p;q}' debian/changelog)" +%s
	fi
}

out=
if [ "${1-}" = -o ] && [ $# -gt 1 ]; then
	mkdir -p "$2"
	out=$(cd "$2" && pwd)
	shift 2
fi
cd "$(dirname "$0")/.."
if [ -z "$out" ]; then
	mkdir -p dist
	out=$PWD/dist
fi
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(ls -d packaging/*/build.sh | cut -d/ -f2)
for kind in "$@"; do
	[ -e "packaging/$kind/build.sh" ] || usage
done
VERSION=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(date_of_sources)}
export VERSION SOURCE_DATE_EPOCH LC_ALL=C.UTF-8
umask 022

for kind in "$@"; do
	tree=$out/$kind.tmp/itemfs-$VERSION
	rm -rf "$out/$kind.tmp"
	mkdir -p "$tree"
	sources | xargs -0 cp --parents -t "$tree"
	(cd "$tree" && sh "packaging/$kind/build.sh" "$out") || {
		echo "package.sh: $kind was not built" >&2
		exit 1
	}
	rm -rf "$out/$kind.tmp"
done
