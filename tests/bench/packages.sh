#!/bin/sh
# packages.sh - sizes of the packages, times from the start to the first answer, and the paths of a mount without a mount
#
#   ITEMFS_BENCH_DIST   the folder of packages that tools/package.sh has built; unset: only what needs none of them
#   ITEMFS_BENCH_BIG    number of items that itemctl cat reads (1,000,000)
#
# Each time is the shortest of some runs, because other processes can only add to it.
. "$(dirname "$0")/lib.sh"
big=${ITEMFS_BENCH_BIG:-1000000}
dist=${ITEMFS_BENCH_DIST:+$(readlink -f "$ITEMFS_BENCH_DIST")}
machine=$(uname -m)
export npm_config_cache=$work/cache npm_config_update_notifier=false
runs=21

# size WHAT GOAL FILE... - print a row with the size of the files in megabytes
size()
{
	what=$1 goal=$2
	shift 2
	row "$what, MB" "$(cat "$@" | wc -c | awk '{ printf "%.2f\n", $1 / 1e6 }')" '' '' "$goal"
}

# unpack_npm - install the npm packages as npm does, and a program that ends at once, as the package nothing
unpack_npm()
{
	case $machine in x86_64) cpu=x64 ;; *) cpu=arm64 ;; esac
	mkdir "$work/project"
	cd "$work/project"
	echo '{"private": true}' >package.json
	npm install --offline --silent --no-audit --no-fund "$dist"/itemfs-[0-9]*.tgz "$dist/itemfs-linux-$cpu"-*.tgz
	mkdir node_modules/nothing
	echo '{"name": "nothing", "version": "1.0.0", "bin": "nothing.js"}' >node_modules/nothing/package.json
	printf '#!/usr/bin/env node\n' >node_modules/nothing/nothing.js
	chmod 755 node_modules/nothing/nothing.js
	ln -s ../nothing/nothing.js node_modules/.bin/nothing
}

# starting COMMAND... - print the milliseconds from its start to the first answer
starting()
{
	for _ in $(seq $runs); do starts 1 "$@" | number; done | sort -n | head -n 1
}

# more OURS PEER - print the difference
more()
{
	echo "$1 $2" | awk '{ printf "%+.1f\n", $1 - $2 }'
}

# shortest COMMAND... - print the seconds of a command
shortest()
{
	for _ in $(seq $runs); do seconds "$@"; done | sort -n | head -n 1
}

# ending COMMAND... - print the milliseconds of a command
ending()
{
	shortest "$@" | awk '{ printf "%.1f\n", $1 * 1000 }'
}

row what ours peer ratio goal
if [ -n "$dist" ]; then
	size "archive ($machine)" '<= 5' "$dist"/itemfs-*-linux-"$machine".tar.gz
	size 'npm packages' '' "$dist"/itemfs-[0-9]*.tgz "$dist"/itemfs-linux-*.tgz
	size 'wheel' '' "$dist"/itemfs-*_"$machine".whl
	size 'image' '<= 10' "$dist"/itemfs-*-image-"$machine".tar
	size 'Debian package' '' "$dist"/itemfs_*.deb
	size 'source archive' '' "$dist"/itemfs-[0-9].[0-9]*.[0-9].tar.gz

	mkdir "$work/archive" "$work/layout" "$work/root"
	tar -xzf "$(echo "$dist"/itemfs-*-linux-"$machine".tar.gz)" -C "$work/archive" --strip-components=1
	alone=$(starting "$work/archive/bin/itemctl" serve --temp --listen 127.0.0.1:0)
	row 'archive: start of a server to first answer, ms' "$alone" '' '' '<= 20'
	if command -v npm >/dev/null; then
		unpack_npm
		ours=$(starting node_modules/.bin/itemfs serve --port 0)
		peer=$(ending node_modules/.bin/nothing)
		row 'npm: node_modules/.bin/itemfs serve, the same' "$ours" "$peer" "$(more "$ours" "$peer")" '<= +20: a program that does nothing'
		ours=$(starting npx itemfs serve --port 0)
		peer=$(ending npx nothing)
		row 'npm: npx itemfs serve, the same' "$ours" "$peer" "$(more "$ours" "$peer")" '<= 150, +20: npx of that program'
		cd "$root"
	fi
	if unshare --mount true 2>/dev/null; then
		tar -xf "$(echo "$dist"/itemfs-*-image-"$machine".tar)" -C "$work/layout"
		tar -xzf "$work/layout/$(jq -r '.[0].Layers[0]' "$work/layout/manifest.json")" -C "$work/root"
		mkdir -p "$work/root/dev/shm"
		# shellcheck disable=SC2016
		ours=$(starting unshare --mount sh -c '
			umount --all --lazy --no-canonicalize --internal-only --types fuse.itemfs
			mount -t proc proc "$1/proc" && mount -t tmpfs none "$1/dev/shm" && exec chroot "$1" /bin/itemctl serve --listen 0.0.0.0:0 --trust-network' \
			sh "$work/root")
		row 'image, its root with chroot, the same' "$ours" "$alone" "$(more "$ours" "$alone")" 'the archive'
	fi
fi

# ---- itemctl cat, and cat of the same path in a mount
need_fuse
runs=7
itemctl -s "$store" create-table big --key PK,SK >/dev/null
bench_items "$big" | itemctl -s "$store" import big
alone=$(shortest itemctl -s "$store" cat big/.jsonl)
mount_at "$work/mnt"
peer=$(shortest cat "$work/mnt/big/.jsonl")
row "itemctl cat big/.jsonl of $big items, free store, s" "$alone" "$peer" "$(ratio "$alone" "$peer")" '<= 1: cat in a mount'
ours=$(shortest itemctl -s "$store" cat big/.jsonl)
row 'the same, of the mounted store' "$ours" "$peer" "$(ratio "$ours" "$peer")" '<= 1'
unmount_at "$work/mnt"
