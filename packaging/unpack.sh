# unpack.sh - sourced by the build.sh of packages that contain the programs of an archive; expects to be in the top folder
#
#   unpacked DIR WORK [ARCHIVE_DIR]   print the folder of each unpacked archive: ARCHIVE_DIR, or those of this version in DIR,
#                                     unpacked in WORK; an archive for this machine is built if there is none
#   $version                          of this tree
version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" meson.build)

unpacked()
{
	if [ $# -eq 3 ]; then
		echo "$3"
		return 0
	fi
	set -- "$1" "$2" "$1/itemfs-$version-linux"-*.tar.gz
	[ -e "$3" ] || sh packaging/archive/build.sh "$1" >&2 || return 1
	for archive in "$1/itemfs-$version-linux"-*.tar.gz; do
		name=${archive##*/}
		tar -xzf "$archive" -C "$2" || return 1
		echo "$2/${name%.tar.gz}"
	done
}
