#!/bin/bash
# source.sh - check that the source archive has all files, and that the recipes of other systems build from it: PKGBUILD and itemfs.spec make
# their files, itemfs.rb is read and configures; and that the line of README.md builds and mounts. What is missing (rpm, ruby) is skipped
set -eu
cd "$(dirname "$0")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

say()
{
	echo "source: $*"
}
fail()
{
	say "$*" >&2
	[ ! -e "$out/log" ] || tail -n 40 "$out/log" >&2
	exit 1
}
eq()
{
	[ "$2" = "$3" ] || fail "$1: expected '$3', got '$2'"
}
here()
{
	command -v "$1" >/dev/null || {
		say "skipped what needs $1, which is not here"
		return 1
	}
}

sh tools/package.sh -o "$out" source
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" meson.build)
archive=$out/itemfs-$version.tar.gz
eq 'files' "$(tar --quoting-style=literal -tzf "$archive" | grep -v '/$' | sort)" "$(git -c core.quotePath=off ls-files | sed "s|^|itemfs-$version/|" | LC_ALL=C.UTF-8 sort)"
grep -n '@[A-Z0-9]*@' "$out/PKGBUILD" "$out/itemfs.spec" "$out/itemfs.rb" && fail 'a recipe is not filled in'

# ---- Arch: makepkg would unpack, then run these functions
mkdir "$out/arch"
tar -xzf "$archive" -C "$out/arch"
(
	cd "$out/arch"
	bash -n "$out/PKGBUILD"
	# shellcheck disable=SC1091
	. "$out/PKGBUILD"
	# shellcheck disable=SC2154
	eq 'sum' "$(sha256sum <"$archive")" "${sha256sums[0]}  -"
	# shellcheck disable=SC2154
	eq 'source' "${source[0]}" "file://$archive"
	arch-meson()
	{
		meson setup --prefix=/usr --libexecdir=lib --sbindir=bin --buildtype=plain "$@"
	}
	# shellcheck disable=SC2034
	pkgdir=$out/arch/pkg
	build >"$out/log" 2>&1 && package >>"$out/log" 2>&1
) || fail 'PKGBUILD does not build'
for file in bin/itemctl bin/itemfs bin/mount.itemfs share/licenses/itemfs/LICENSE share/man/man1/itemctl.1 share/zsh/site-functions/_itemctl; do
	[ -L "$out/arch/pkg/usr/$file" ] || [ -e "$out/arch/pkg/usr/$file" ] || fail "Arch: there is no $file"
done
eq 'Arch: itemctl' "$("$out/arch/pkg/usr/bin/itemctl" --version)" "itemctl $version"

# ---- RPM, with the macros that Fedora's meson and systemd have; rpmbuild fails if it installs a file that %files does not list
if here rpmbuild; then
	! here rpmlint || rpmlint "$out/itemfs.spec" >"$out/log" 2>&1 || fail 'rpmlint'
	mkdir "$out/rpm"
	cp "$archive" "$out/rpm"
	rpmbuild -ba --nodeps --define "_topdir $out/rpm" --define "_sourcedir $out/rpm" --define '_unitdir /usr/lib/systemd/system' --define 'debug_package %{nil}' \
		--define 'meson meson setup build --buildtype=plain --prefix=/usr --sbindir=%{_sbindir}' --define 'meson_build ninja -C build' \
		--define 'meson_install DESTDIR=%{buildroot} meson install -C build' "$out/itemfs.spec" >"$out/log" 2>&1 || fail 'itemfs.spec does not build'
	rpm -qlp "$out"/rpm/RPMS/*/itemfs-"$version"-*.rpm 2>/dev/null >"$out/listed"
	grep -qx /usr/bin/itemfs "$out/listed" || fail 'the RPM package has no itemfs'
	[ -e "$(echo "$out"/rpm/SRPMS/itemfs-"$version"-*.src.rpm)" ] || fail 'there is no source package'
fi

# ---- Homebrew: the words of the formula, and its configuration
if here ruby; then
	ruby -w -c "$out/itemfs.rb" >"$out/log" 2>&1 || fail 'itemfs.rb'
	(cd "$out/arch/itemfs-$version" && ruby - "$out/itemfs.rb" "$archive" >"$out/log" 2>&1 <<'RUBY') || fail 'itemfs.rb is not a formula that configures'
require 'digest'
class Formula
  def self.method_missing(name, *words, **_options) = (@@said ||= {})[name] = words[0]
  def self.test = nil
  def self.said = @@said
  def std_meson_args = ['--prefix=/usr', '--buildtype=release']
  def sbin = '/usr/sbin'
  def system(*words)
    raise words.join(' ') if words[1] == 'setup' && !Kernel.system(*words)
  end
end
load ARGV[0]
raise 'sha256' if Formula.said[:sha256] != Digest::SHA256.file(ARGV[1]).hexdigest
raise 'url' if Formula.said[:url] != "file://#{ARGV[1]}"
Itemfs.new.install
RUBY
fi

# ---- the line of README.md
status=0
ITEMCTL=$out/arch/pkg/usr/bin/itemctl bash tests/packaging/install.sh "$out" source || status=$?
[ $status -eq 0 ] || [ $status -eq 77 ] || fail 'the line of README.md does not build it'
say 'the recipes build'
