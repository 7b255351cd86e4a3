#!/bin/sh
# build.sh OUTPUT_DIR [ARCHIVE_DIR] - make a container image of the unpacked archive ARCHIVE_DIR, or of each archive in
# OUTPUT_DIR, without a daemon
#
# ARCHIVE_DIR is itemfs-VERSION-linux-ARCH, with bin and lib.  The result is OUTPUT_DIR/itemfs-VERSION-image-ARCH.tar, an OCI
# image layout that also has the manifest.json of "docker save".  Its only layer has the archive's programs and libraries,
# and the C library of this machine.  SOURCE_DATE_EPOCH (default: the time of the file bin/itemctl) is the time of all files, so
# that the same input gives the same bytes.
set -eu
export LC_ALL=C
umask 022

fail()
{
	echo "build.sh: $*" >&2
	exit 1
}

[ $# -eq 1 ] || [ $# -eq 2 ] || {
	echo "usage: sh packaging/image/build.sh OUTPUT_DIR [ARCHIVE_DIR]" >&2
	exit 2
}
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP
if [ $# -eq 1 ]; then
	for file in "$out"/itemfs-*-linux-*.tar.gz; do
		[ -e "$file" ] || fail "$out has no archive itemfs-VERSION-linux-ARCH.tar.gz"
		tar -xzf "$file" -C "$work"
		name=${file##*/}
		sh "$0" "$out" "$work/${name%.tar.gz}"
	done
	exit
fi
archive=$(cd "$2" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
name=${archive##*/}
arch=${name##*-linux-}
version=${name#itemfs-}
version=${version%-linux-*}
case $name in
itemfs-?*-linux-x86_64) docker_arch=amd64 ;;
itemfs-?*-linux-aarch64) docker_arch=arm64 ;;
*) fail "$name is not the name of an archive: expected itemfs-VERSION-linux-x86_64 or -aarch64" ;;
esac
for program in itemctl itemfs; do
	[ -x "$archive/bin/$program" ] || fail "$archive has no bin/$program"
done
epoch=${SOURCE_DATE_EPOCH:-$(stat -c %Y "$archive/bin/itemctl")}
created=$(date -u -d "@$epoch" +%Y-%m-%dT%H:%M:%SZ)

# ------------------------------------------------------------ files of the layer

# library NAME - its path on this machine; a cross compiler has its own folder
library()
{
	for folder in "/usr/$arch-linux-gnu/lib" "/lib/$arch-linux-gnu" "/usr/lib/$arch-linux-gnu" /lib64 /usr/lib64; do
		if [ -e "$folder/$1" ]; then
			echo "$folder/$1"
			return
		fi
	done
	fail "there is no $1 for $arch on this machine"
}

# copyright FILE - copy the copyright of the Debian package of a library
copyright()
{
	package=$(dpkg-query -S "$(readlink -f "$1")" 2>/dev/null || dpkg-query -S "$1" 2>/dev/null || dpkg-query -S "*/${1##*/}") ||
		fail "no package has $1"
	package=${package%%:*}
	mkdir -p "$root/usr/share/doc/$package"
	cp -L "/usr/share/doc/$package/copyright" "$root/usr/share/doc/$package/copyright"
}

root=$work/root
mkdir -p "$root/data" "$root/tmp" "$root/dev" "$root/etc" "$root/proc" "$root/sys"
cp -RL "$archive/bin" "$archive/lib" "$root"
for file in "$archive/LICENSE" "$archive"/share/doc/itemfs/licences/*; do
	[ ! -f "$file" ] || install -D -m 644 "$file" "$root/usr/share/doc/itemfs/${file##*/}"
done
# The kernel starts the loader by the path in the programs.
loader=$(find "$root/bin" "$root/lib" -type f -perm -1 -exec readelf -l {} + 2>/dev/null |
	sed -n 's/.*program interpreter: \(.*\)\]/\1/p' | sort -u)
mkdir -p "$root${loader%/*}"
cp -L "$(library "${loader##*/}")" "$root$loader"
copyright "$(library "${loader##*/}")"
[ -e "$root/lib/${loader##*/}" ] || ln -s "..$loader" "$root/lib/${loader##*/}"
again=yes
while [ -n "$again" ]; do
	again=
	for name in $(find "$root/bin" "$root/lib" -type f -exec readelf -d {} + 2>/dev/null |
		sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u); do
		[ ! -e "$root/lib/$name" ] || continue
		path=$(library "$name")
		cp -L "$path" "$root/lib"
		copyright "$path"
		again=yes
	done
done
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -perm -1 -exec chmod 755 {} +
find "$root" -type f ! -perm -1 -exec chmod 644 {} +
chmod 755 "$root$loader"
chmod 1777 "$root/tmp" "$root/data" # any user ID can write there

# pack FOLDER - tar with nothing that differs between two runs
pack()
{
	(cd "$1" && tar --create --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -- *)
}

# ------------------------------------------------------------ image

layout=$work/layout
blobs=$layout/blobs/sha256
mkdir -p "$blobs"

sum()
{
	sha256sum "$1" | cut -d' ' -f1
}

# blob FILE - move it into the layout; prints its digest
blob()
{
	digest=$(sum "$1")
	mv "$1" "$blobs/$digest"
	echo "$digest"
}

size()
{
	stat -c %s "$blobs/$1"
}

pack "$root" >"$work/layer.tar"
diff_id=$(sum "$work/layer.tar")
gzip -9 -n "$work/layer.tar"
layer=$(blob "$work/layer.tar.gz")

sed "s|@ARCH@|$docker_arch|; s|@VERSION@|$version|; s|@CREATED@|$created|; s|@DIFF_ID@|$diff_id|" "$here/config.json.in" >"$work/config"
config=$(blob "$work/config")

cat >"$work/manifest" <<END
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",
"config":{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"sha256:$config","size":$(size "$config")},
"layers":[{"mediaType":"application/vnd.oci.image.layer.v1.tar+gzip","digest":"sha256:$layer","size":$(size "$layer")}]}
END
manifest=$(blob "$work/manifest")

echo '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
cat >"$layout/index.json" <<END
{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json",
"manifests":[{"mediaType":"application/vnd.oci.image.manifest.v1+json","digest":"sha256:$manifest","size":$(size "$manifest"),
"platform":{"architecture":"$docker_arch","os":"linux"},
"annotations":{"io.containerd.image.name":"docker.io/library/itemfs:$version","org.opencontainers.image.ref.name":"$version"}}]}
END
cat >"$layout/manifest.json" <<END
[{"Config":"blobs/sha256/$config","RepoTags":["itemfs:$version","itemfs:latest"],"Layers":["blobs/sha256/$layer"]}]
END
find "$layout" -type f -exec chmod 644 {} +
image=$out/itemfs-$version-image-$arch.tar
pack "$layout" >"$image.part"
mv "$image.part" "$image"
echo "$image"
