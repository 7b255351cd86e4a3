#!/bin/bash
# install.sh [DIR KIND...] - the lines of README's section Install, pasted, each with the packages of a server on loopback. DIR has the
# packages that tools/package.sh builds; without it, those of npm, Python, image and archive are made of the programs of this build.
kinds=("${@:2}")
dir=${1:+$(realpath -- "$1")}
own_network=yes
. "$(dirname "$0")/lib.sh"
. "$TESTS/packaging/container.sh"
{ here python3 && here curl; } || exit 77
version=$("$ITEMCTL" --version | awk '{ print $2 }')
python3 -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x49))' || fail 'the loopback interface stays down'

if [ -z "$dir" ]; then
	kinds=(npm Python image archive)
	dir=$W/dist
	name=itemfs-$version-linux-$(uname -m)
	mkdir dist
	archive "$name"
	mkdir "$name/lib"
	tar -czf "dist/$name.tar.gz" "$name"
	for kind in npm python image; do
		ok sh "$SOURCE/packaging/$kind/build.sh" dist
	done
fi

python3 "$TESTS/packaging/registry.py" "$dir" >registry.port 2>registry.log &
registry=$!
at_end end_registry
end_registry()
{
	kill $registry
	clean_up
}
ok wait_until 10 test -s registry.port
export ITEMFS_URL=http://127.0.0.1:$(cat registry.port)
export npm_config_registry=$ITEMFS_URL npm_config_cache=$W/cache npm_config_audit=false npm_config_update_notifier=false
export PIP_INDEX_URL=$ITEMFS_URL/simple PIP_NO_CACHE_DIR=yes PIP_DISABLE_PIP_VERSION_CHECK=yes

# line KIND - print the line whose comment begins with that word
line()
{
	awk -v kind="$1" '/^#/ { here = $0 == "## Install" } here && $0 ~ "  # " kind "($|[^a-z])"' "$SOURCE/README.md"
}

# has_begun - does the pasted line answer, or has it ended?
has_begun()
{
	answers 127.0.0.1:8000 || ! kill -0 "$pasted" 2>/dev/null
}

# serves KIND - paste the line in a new folder; it serves an empty store on port 8000 until it ends by SIGTERM
serves()
{
	local kind=$1 url=http://127.0.0.1:8000
	mkdir "$kind"
	set -m # a process group for the line
	(cd "$kind" && eval "$(line "$kind")") </dev/null >"$kind.log" 2>&1 &
	pasted=$!
	set +m
	wait_until 60 has_begun
	if ! answers 127.0.0.1:8000; then
		fail "$kind: $(cat "$kind.log" registry.log)"
		return
	fi
	eq "$kind: it is empty" "$(itemctl_of $url -q tables)" ''
	ok itemctl_of $url -q create-table tab --key PK
	ok itemctl_of $url put tab '{"PK":"a"}'
	eq "$kind: it has an item" "$(itemctl_of $url scan tab)" '{"PK":"a"}'
	kill -TERM -- "-$pasted"
	wait "$pasted"
	ok wait_until 10 closed 8000
}

# docker load, docker run - without a daemon: unpack the image, and become its entry point in namespaces like those of a container
docker()
{
	case "$*" in
	load)
		mkdir layout "$W/root"
		tar -x -C layout
		tar -x -C "$W/root" -f "layout/$(jq -r '.[0].Layers[0]' layout/manifest.json)"
		cp "layout/$(jq -r '.[0].Config' layout/manifest.json)" config.json
		;;
	'run --rm -p 127.0.0.1:8000:8000 itemfs')
		jq -e '.[0].RepoTags | index("itemfs:latest")' layout/manifest.json && begin_container && wait_container
		;;
	*) fail "docker $*" ;;
	esac
}

# in_copy COMMAND... - run it in a copy of this system, which disappears: an overlay. Needs root
in_copy()
{
	# shellcheck disable=SC2016
	private sh -eu -c '
		mount -t tmpfs none "$0"
		mkdir "$0/upper" "$0/work" "$0/root"
		mount -t overlay -o "lowerdir=/,upperdir=$0/upper,workdir=$0/work" none "$0/root"
		for folder in /proc /dev; do mount --rbind $folder "$0/root$folder"; done
		exec chroot "$0/root" "$@"' "$W/copy" "$@"
}

for kind in "${kinds[@]}"; do
	eq "README has one line for $kind" "$(line "$kind" | wc -l)" 1
	case $kind in
	npm)
		! here npm || serves npm
		;;
	Python)
		PATH=/usr/bin:$PATH serves Python
		;;
	image)
		if grep -qE '__(asan|tsan|ubsan)_' "$ITEMCTL"; then
			without 'a sanitizer cannot search for leaks as process 1'
		elif unshare --mount --pid --fork true 2>/dev/null && setpriv --reuid 65532 true 2>/dev/null; then
			serves image
		else
			without 'needs root, for the root of a container'
		fi
		;;
	archive)
		serves archive
		;;
	deb)
		mkdir copy
		# shellcheck disable=SC2016
		ok in_copy bash -eu -c 'mkdir -p /root/new && cd /root/new && export HOME=/root DEBIAN_FRONTEND=noninteractive
			eval "$1" </dev/null >log 2>&1 || { cat log >&2; exit 1; }
			dpkg-query -W -f "\${Status} \${Version}\n" itemfs
			itemctl -q -s store create-table tab --key PK
			itemctl -s store put tab "{\"PK\":\"a\"}"
			itemctl -s store scan tab' bash "$(line deb)"
		eq 'it is installed and works' "$out" "install ok installed $version"$'\n{"PK":"a"}'
		;;
	source)
		mkdir source
		# shellcheck disable=SC2016
		ok private bash -eu -c 'cd source && eval "$1" </dev/null && fusermount3 -u build/quickstart/gsi1 && fusermount3 -u build/quickstart/hroe' \
			bash "$(line source)"
		eq 'it mounts a table' "$(grep -c '^JH-AM1.json$' <<<"$out")" 1
		eq 'only the second transaction fails' "$(grep '^(exit status' <<<"$out")" '(exit status 4)'
		eq 'it runs a query' "$(grep -c '"GSI1_SK":"OPEN#2018-08' <<<"$out" | sed 's/^[1-9].*/some/')" some
		;;
	*) fail "$kind" ;;
	esac
done
done_testing
