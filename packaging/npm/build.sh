#!/bin/sh
# build.sh DIR [ARCHIVE_DIR] - the npm packages itemfs and @itemfs/linux-ARCH in DIR, of the programs in an unpacked archive, or in
# all archives of this version in DIR
#
# The packages are the same, byte for byte, for the same programs: made by tar, not by npm, whose versions differ.
. "$(dirname "$0")/../unpack.sh"

# pack NAME - make NAME-VERSION.tgz from work/package
pack()
{
	cp LICENSE "$work/package"
	find "$work/package" -type d -exec chmod 755 {} +
	find "$work/package" -type f -perm -100 -exec chmod 755 {} +
	find "$work/package" -type f ! -perm -100 -exec chmod 644 {} +
	# The date is that of all packages that npm makes.
	tar --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime='1985-10-26 08:15:00 UTC' -C "$work" -cf "$work/tar" package
	gzip -9 -n <"$work/tar" >"$out/$1-$version.tgz"
	rm -r "$work/package"
}

# platform ARCHIVE_DIR - make the package of its programs
platform()
{
	# The machine in the header of an ELF file
	case $(od -An -tx1 -j18 -N1 "$1/bin/itemctl") in
	' 3e') cpu=x64 ;;
	' b7') cpu=arm64 ;;
	*)
		echo "build.sh: $1/bin/itemctl is not a program for x86-64 or AArch64" >&2
		exit 1
		;;
	esac
	mkdir "$work/package"
	cp -rL "$1/bin" "$work/package"
	[ ! -d "$1/lib" ] || cp -rL "$1/lib" "$work/package"
	[ ! -d "$1/share/doc/itemfs/licences" ] || cp -rL "$1/share/doc/itemfs/licences" "$work/package"
	cat >"$work/package/package.json" <<-END
		{
		  "name": "@itemfs/linux-$cpu",
		  "version": "$version",
		  "description": "The programs of the package itemfs for Linux with glibc on $cpu",
		  "license": "MIT",
		  "os": ["linux"],
		  "cpu": ["$cpu"],
		  "libc": ["glibc"],
		  "preferUnplugged": true
		}
	END
	pack "itemfs-linux-$cpu"
}

unpacked >"$work/archives"
while read -r folder; do
	platform "$folder"
done <"$work/archives"
mkdir "$work/package"
cp -r packaging/npm/itemfs/. packaging/npm/README.md "$work/package"
sed -i "s/VERSION/$version/g" "$work/package/package.json"
pack itemfs
