# unpack.sh - sourced by the build.sh of packages that contain the programs of an archive, with its arguments DIR [ARCHIVE_DIR]; leaves
# it in the top folder
#
#   unpacked   print the folder of each unpacked archive: ARCHIVE_DIR, or those of this version in DIR, unpacked in $work; an archive
#              for this machine is built if there is none
#   $out       DIR, which exists
#   $work      a temporary folder, which is removed at the end
#   $version   of this tree
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 1 ] || [ $# -eq 2 ] || {
	echo "usage: sh packaging/${here##*/}/build.sh DIR [ARCHIVE_DIR]" >&2
	exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
given=
[ $# -eq 1 ] || given=$(cd "$2" && pwd)
cd "$here/../.."
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" meson.build)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unpacked()
{
	if [ -n "$given" ]; then
		echo "$given"
		return 0
	fi
	mkdir "$work/unpacked"
	set -- "$out/itemfs-$version-linux"-*.tar.gz
	[ -e "$1" ] || sh packaging/archive/build.sh "$out" >&2 || return 1
	for archive in "$out/itemfs-$version-linux"-*.tar.gz; do
		name=${archive##*/}
		tar -xzf "$archive" -C "$work/unpacked" || return 1
		echo "$work/unpacked/${name%.tar.gz}"
	done
}
