#!/bin/sh
# build.sh DIR - itemfs-VERSION-linux-MACHINE.tar.gz in DIR: programs for each Linux with glibc 2.34 or newer; on Debian 12
#
# With MACHINE=aarch64, they are built for that machine with Debian's cross compiler and a root directory of mmdebstrap.
set -eu
[ -n "${VERSION-}" ] || exec sh "$(dirname "$0")/../../tools/package.sh" -o "$1" archive
glibc=2.34   # or newer
most=5000000 # bytes
linked='libleveldb-dev libsnappy-dev libmicrohttpd-dev nettle-dev zlib1g-dev musl-dev'
copied='libfuse3.so.3 libsmartcols.so.1 libyaml-0.so.2'
own='libc\.so\.6|libm\.so\.6|ld-linux-.*' # libraries of glibc
machine=${MACHINE:-$(uname -m)}
prefix= # of the compiler's programs
sysroot=
options=
name=itemfs-$VERSION-linux-$machine

fail()
{
	echo "archive: $*" >&2
	exit 1
}

# cross - make the root directory and the description of another machine
cross()
{
	[ "$machine" = aarch64 ] || fail "there is no cross compiler for $machine here"
	prefix=aarch64-linux-gnu-
	sysroot=$PWD/sysroot
	need gcc-aarch64-linux-gnu mmdebstrap
	# shellcheck disable=SC2086
	mmdebstrap --quiet --variant=extract --architectures=arm64 \
		--include="$(printf '%s\n' $PACKAGES_BUILD $linked libstdc++-12-dev | grep -e '-dev$' | paste -s -d ,)" bookworm "$sysroot"
	CC="${prefix}gcc --sysroot=$sysroot -L$sysroot/usr/lib/gcc/aarch64-linux-gnu/12"
	cat >cross.ini <<END
[binaries]
c = [$(printf "'%s', " $CC)]
ar = '${prefix}gcc-ar'
strip = '${prefix}strip'
pkgconfig = 'pkg-config'
[properties]
sys_root = '$sysroot'
pkg_config_libdir = ['$sysroot/usr/lib/aarch64-linux-gnu/pkgconfig', '$sysroot/usr/share/pkgconfig']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
	options=--cross-file=cross.ini
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
need $PACKAGES_BUILD dpkg-dev binutils musl-dev
[ "$machine" = "$(uname -m)" ] || cross
compiler=${CC:-cc}
# Without -g: names of folders in debug information would change the build ID.
eval "$(DEB_BUILD_MAINT_OPTIONS=hardening=+bindnow DEB_CFLAGS_MAINT_STRIP=-g dpkg-buildflags --export=sh)"
# shellcheck disable=SC2086
meson setup build $options --buildtype=plain --prefix=/usr -Dportable=true -Dtests=false -Dfuse=enabled >setup.log || {
	tail -n 20 setup.log >&2
	exit 1
}
ninja -C build --quiet
DESTDIR=$PWD/stage meson install -C build --strip --no-rebuild --quiet

mkdir -p "$name/bin" "$name/lib"
cp -r stage/usr/share LICENSE packaging/archive/README "$name"
cp -r stage/usr/bin "$name/lib/itemfs"
musl=$sysroot/usr/lib/$machine-linux-musl
loader=$("${prefix}readelf" -l "$name/lib/itemfs/itemctl" | sed -n 's/.*program interpreter: \(.*\)\]/\1/p')
for program in itemctl itemfs; do
	$compiler -Os -s -static -nostdlib -nostdinc -no-pie -fno-pie -fno-stack-protector -isystem "$sysroot/usr/include/$machine-linux-musl" \
		-DPROGRAM="\"$program\"" -DLOADER="\"$loader\"" -o "$name/bin/$program" "$musl/crt1.o" packaging/archive/start.c "$musl/libc.a" -lgcc
done
cd "$name"
# The completions of zsh and fish find that of bash from their own folder.
sed -i 's|/usr/share/bash-completion|${${(%):-%x}:A:h}/../../bash-completion|' share/zsh/site-functions/_itemctl
sed -i 's|/usr/share/bash-completion|(status dirname)/../../bash-completion|' share/fish/vendor_completions.d/itemctl.fish
for library in $copied; do
	cp -L "$($compiler -print-file-name="$library")" "lib/$library"
	chmod 644 "lib/$library"
done
(mkdir -p share/doc/itemfs/licences && cd share/doc/itemfs/licences && licences)
find . -type f ! -name SHA256SUMS | sort | xargs -d '\n' sha256sum >SHA256SUMS

newest=$("${prefix}objdump" -T lib/*.so* lib/itemfs/* | grep -o 'GLIBC_[0-9.]*' | sort -u -V | tail -n 1)
[ "$(printf '%s\n' "GLIBC_$glibc" "$newest" | sort -V | tail -n 1)" = "GLIBC_$glibc" ] ||
	fail "the programs need $newest, which is newer than $glibc; build the archive on Debian 12"
for library in $("${prefix}objdump" -p lib/*.so* lib/itemfs/* | sed -n 's/^ *NEEDED *//p' | sort -u | grep -vxE "$own"); do
	[ -e "lib/$library" ] || fail "the programs need $library, which is not in the archive"
done
cd ..
tar -c --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "$name" | gzip -9n >"$name.tar.gz"
size=$(stat -c %s "$name.tar.gz")
[ "$size" -le $most ] || fail "the archive has $size bytes, more than $most"
mv "$name.tar.gz" "$1"
echo "$1/$name.tar.gz: $size bytes, for glibc ${newest#GLIBC_} or newer"
