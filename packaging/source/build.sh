#!/bin/sh
# build.sh DIR - the source archive itemfs-VERSION.tar.gz in DIR, and recipes that build from it: PKGBUILD, itemfs.spec, itemfs.rb
#
# ITEMFS_URL: the address of the folder where the archive is published; by default DIR itself.
set -eu
name=itemfs-$VERSION
tar -c -C .. --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "$name" | gzip -9n >"$1/$name.tar.gz"
sum=$(sha256sum "$1/$name.tar.gz" | cut -d ' ' -f 1)
for recipe in PKGBUILD itemfs.spec itemfs.rb; do
	sed -e "s|@VERSION@|$VERSION|; s|@SHA256@|$sum|; s|@URL@|${ITEMFS_URL:-file://$1}/$name.tar.gz|" "packaging/source/$recipe.in" >"$1/$recipe"
done
