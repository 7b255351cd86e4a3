#!/bin/sh
# build.sh DIR - itemfs-VERSION-linux-MACHINE.tar.gz in DIR: programs for each Linux with glibc 2.34 or newer; on Debian 12
set -eu
glibc=2.34    # or newer
most=5000000  # bytes
linked='musl-dev libleveldb-dev libsnappy-dev libmicrohttpd-dev nettle-dev zlib1g-dev'
copied='libfuse3.so.3 libsmartcols.so.1 libyaml-0.so.2'
needed='libc\.so\.6|libm\.so\.6|ld-linux-.*' # from glibc

fail()
{
	echo "archive: $*" >&2
	exit 1
}

# licences - write the licences of the libraries that the archive contains, and the versions of their packages
licences()
{
	packages="$linked $(dpkg-query -W -f '${Package}\n' 'libstdc++-*-dev' | tail -n 1)"
	for library in $copied; do
		packages="$packages $(dpkg-query -S "*/$library" | sed -n '1s/:.*//p')"
	done
	{
		echo 'Debian built the libraries in lib/ and these that the programs contain; their licences are in this folder.'
		echo 'The source of itemfs links other versions of them (meson_options.txt: portable).'
		echo
		# shellcheck disable=SC2086
		dpkg-query -W -f '${Package} ${Version}, from the source package ${source:Package} ${source:Version}\n' $packages
	} >README
	for package in $packages; do
		cp "/usr/share/doc/$package/copyright" "$package"
	done
	grep -oh '/usr/share/common-licenses/[A-Za-z0-9.-]*[0-9A-Za-z]' -- * | sort -u | xargs cp -t .
}

. tools/packages.sh
[ "$manager" = apt-get ] || fail 'the archive is built on Debian 12'
# shellcheck disable=SC2086
need $PACKAGES_BUILD dpkg-dev binutils musl-tools
machine=$(uname -m)
name=itemfs-$VERSION-linux-$machine

eval "$(DEB_BUILD_MAINT_OPTIONS=hardening=+bindnow dpkg-buildflags --export=sh)" # without names of folders in the programs
meson setup build --buildtype=plain --prefix=/usr -Dportable=true -Dtests=false -Dfuse=enabled >setup.log || {
	tail -n 20 setup.log >&2
	exit 1
}
ninja -C build --quiet
DESTDIR=$PWD/stage meson install -C build --strip --no-rebuild --quiet

mkdir "$name" "$name/lib"
cp -r stage/usr/share LICENSE packaging/archive/README "$name"
cp -r stage/usr/bin "$name/lib/itemfs"
mkdir "$name/bin"
for program in itemctl itemfs; do
	musl-gcc -static -Os -s -DPROGRAM="\"$program\"" -o "$name/bin/$program" packaging/archive/start.c
done
cd "$name"
# The completions of zsh and fish find that of bash from their own folder.
sed -i 's|/usr/share/bash-completion|${${(%):-%x}:A:h}/../../bash-completion|' share/zsh/site-functions/_itemctl
sed -i 's|/usr/share/bash-completion|(status dirname)/../../bash-completion|' share/fish/vendor_completions.d/itemctl.fish
for library in $copied; do
	cp -L "$(${CC:-cc} -print-file-name="$library")" "lib/$library"
	chmod 644 "lib/$library"
done
(mkdir -p share/doc/itemfs/licences && cd share/doc/itemfs/licences && licences)
find . -type f ! -name SHA256SUMS | sort | xargs -d '\n' sha256sum >SHA256SUMS

newest=$(objdump -T lib/*.so* lib/itemfs/* | grep -o 'GLIBC_[0-9.]*' | sort -u -V | tail -n 1)
[ "$(printf '%s\n' "GLIBC_$glibc" "$newest" | sort -V | tail -n 1)" = "GLIBC_$glibc" ] ||
	fail "the programs need $newest, which is newer than $glibc; build the archive on Debian 12"
for library in $(objdump -p lib/*.so* lib/itemfs/* | sed -n 's/^ *NEEDED *//p' | sort -u | grep -vxE "$needed"); do
	[ -e "lib/$library" ] || fail "the programs need $library, which is not in the archive"
done
cd ..
tar -c --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "$name" | gzip -9n >"$name.tar.gz"
size=$(stat -c %s "$name.tar.gz")
[ "$size" -le $most ] || fail "the archive has $size bytes, more than $most"
mv "$name.tar.gz" "$1"
echo "$1/$name.tar.gz: $size bytes, for glibc ${newest#GLIBC_} or newer"
