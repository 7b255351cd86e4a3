#!/bin/bash
# The image: built twice, read by skopeo, and its root run as a container with the arguments of the image and of the compose file.
# image.sh [ARCHIVE_DIR]; the path is absolute; by default the folder of an archive is made of the programs of this build.
own_network=yes
. "$(dirname "$0")/../tools/lib.sh"
. "$TESTS/packaging/container.sh"
export HOME=$W
version=$("$ITEMCTL" --version | awk '{ print $2 }')
arch=$(uname -m)
name=itemfs-$version-linux-$arch

# ---- the folder of an archive: the argument, or one with the programs of this build
# sanitized - are these the programs of a build with a sanitizer?
sanitized()
{
	grep -qE '__(asan|tsan|ubsan)_' "$ITEMCTL"
}
mkdir -p one two
if [ $# -gt 0 ]; then
	cp -r "$1" "one/$name"
else
	mkdir -p "one/$name/bin" "one/$name/lib"
	for program in "$ITEMCTL" "$ITEMFS"; do
		strip -o "one/$name/bin/${program##*/}" "$program"
		ldd "$program" | awk '/=> \// { print $3 }' | grep -vE '/(libc|libm|ld-linux[^/]*)\.so' | xargs -r cp -L -t "one/$name/lib"
	done
fi
cp -r one/* two
ok sh "$SOURCE/packaging/image/build.sh" out "one/$name"
image=$out
eq 'it prints the name of the file' "$image" "$W/out/itemfs-$version-image-$arch.tar"
eq 'its files have the time of the program' "$(tar -tvf "$image" --full-time | awk '{ print $4, $5 }' | sort -u)" "$(date -u -r "one/$name/bin/itemctl" '+%F %T')"
touch -d 2001-02-03 "two/$name/bin"/*
mkdir out-two
tar -I "gzip -1" -cf "out-two/$name.tar.gz" -C two "$name"
(
	export SOURCE_DATE_EPOCH
	SOURCE_DATE_EPOCH=$(stat -c %Y "one/$name/bin/itemctl")
	umask 077
	ok sh "$SOURCE/packaging/image/build.sh" out-two
)
ok cmp "$image" "out-two/${image##*/}"
gives 1 'build.sh: '"$W/empty has no archive itemfs-VERSION-linux-ARCH.tar.gz" sh "$SOURCE/packaging/image/build.sh" empty
if ! sanitized; then
	checks=$((checks + 1))
	[ "$(stat -c %s "$image")" -le 10000000 ] || fail "$(stat -c %s "$image") bytes"
fi
cp -r "one/$name" renamed
gives 1 'build.sh: renamed is not the name of an archive: expected itemfs-VERSION-linux-x86_64 or -aarch64' sh "$SOURCE/packaging/image/build.sh" out renamed
mkdir -p "empty/$name"
gives 1 "has no bin/itemctl" sh "$SOURCE/packaging/image/build.sh" out "empty/$name"
gives 2 'usage: sh packaging/image/build.sh OUTPUT_DIR [ARCHIVE_DIR]' sh "$SOURCE/packaging/image/build.sh"

# ---- the layout
mkdir layout root
tar -xf "$image" -C layout
ok python3 "$SOURCE/tests/packaging/layout.py" layout
layer=layout/$(jq -r '.[0].Layers[0]' layout/manifest.json)
cp "layout/$(jq -r '.[0].Config' layout/manifest.json)" config.json
eq 'no file of the layer is writable by others, except for two folders' "$(tar -tvf "$layer" | grep '^[^l].......w' | awk '{ print $1, $6 }')" $'drwxrwxrwt data/\ndrwxrwxrwt tmp/'
if here skopeo; then
	ok skopeo inspect "oci-archive:$image"
	eq 'skopeo reads the OCI layout' "$(jq -r '.Architecture, .Labels."org.opencontainers.image.version"' <<<"$out")" "$(jq -r .architecture config.json)"$'\n'"$version"
	ok skopeo inspect "docker-archive:$image:itemfs:$version"
	eq 'and the archive of docker save' "$(jq -r '.Layers[0]' <<<"$out")" "$(jq -r '.rootfs.diff_ids[0]' config.json)"
	ok skopeo --insecure-policy copy "oci-archive:$image" dir:copied
	ok skopeo --insecure-policy copy "docker-archive:$image" dir:copied-again
fi

# ---- its root as a container
if sanitized; then
	without 'a sanitizer cannot search for leaks as process 1'
	done_testing
fi
if ! unshare --mount --pid --fork true 2>/dev/null || ! setpriv --reuid 65532 true 2>/dev/null; then
	without 'needs root, for the root of a container and other users'
	done_testing
fi
at_end clean_container
clean_container()
{
	[ -z "$container" ] || end_container
	clean_up
}
tar -xf "$layer" -C root
python3 -c 'import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x49))' || fail 'the loopback interface stays down'
mapfile -t health < <(jq -r '.config.Healthcheck.Test[1:][]' config.json)
eq 'the health check needs no shell' "$(jq -r '.config.Healthcheck.Test[0]' config.json)" CMD
url=http://127.0.0.1:8000

# stops - end it; status 0 shows that it ends by itself: a killed process has 137
stops()
{
	end_container
	eq 'SIGTERM ends it' "$status $(messages)" '0 '
}

# ends TEXT - it ends by itself, with one sentence
ends()
{
	wait_container
	eq 'it prints one line' "$(messages | wc -l)" 1
	checks=$((checks + 1))
	[ "$status" -ne 0 ] && [[ $(messages) = *"$1"* ]] || fail "status $status: $(cat container.err)"$'\n'"  expected: $1"
}

# ---- in memory, as several users
for user in 65532 1234 0; do
	begin_container -- -jar DynamoDBLocal.jar -inMemory -sharedDb
	listens
	echo "start to first answer as user $user: $ms ms"
	eq 'it has the user ID' "$(awk '/^Uid:/ { print $2 }' "/proc/$first/status")" "$user"
	ok inside "${health[@]}"
	ok itemctl_of $url create-table tab --key PK
	ok itemctl_of $url put tab '{"PK":"a"}'
	exec {idle}<>/dev/tcp/127.0.0.1/8000 {half}<>/dev/tcp/127.0.0.1/8000
	printf 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nbegun' >&$half
	eq 'process 1 has no zombies' "$(cat "/proc/$first/root/proc"/*/status | grep -c '^State:[[:space:]]*Z')" 0
	stops
	exec {idle}>&- {half}>&-
done
user=1234

# ---- health
begin_container
listens
halt "$first"
ITEMFS_TIMING=health=10 gives 70 'the server on port 8000 does not answer' inside "${health[@]}"
kill -CONT "$first"
ok inside "${health[@]}"
stops

# ---- a volume
mkdir -m 1777 volume
for n in 1 2 3; do
	begin_container volume="$W/volume" shop.db
	listens
	[ $n -gt 1 ] || ok itemctl_of $url create-table tab --key PK
	ok itemctl_of $url put tab "{\"PK\":\"$n\"}"
	eq 'the items are kept' "$(itemctl_of $url scan tab --count)" $n
	end_container
	eq 'it ends by SIGTERM' "$status" 0
done
eq 'the store is private' "$(stat -c '%u %a' volume/shop.db)" '1234 700'
user=4321
begin_container volume="$W/volume" shop.db
ends 'shop.db'
user=1234

# ---- SIGTERM while it still reads its files
mkdir -m 755 seeds
mkfifo -m 644 seeds/endless.jsonl
begin_container volume="$W/seeds" -- --seed endless.jsonl
exec {feeder}>seeds/endless.jsonl # waits for the reader
end_container
eq 'SIGTERM ends it earlier' "$status $(messages)" '143 '
exec {feeder}>&-

# ---- what a container may lack
begin_container shm=no tmp=yes
listens
stops
begin_container shm=no
ends 'cannot create a temporary store in /dev/shm or /tmp: Read-only file system'
chmod 755 volume
begin_container volume="$W/volume" new.db
ends 'new.db: Permission denied'
python3 -c 'import signal, socket
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(("0.0.0.0", 8000))
s.listen()
print("ready", flush=True)
signal.pause()' >taken &
taken=$!
ok wait_until 10 test -s taken
begin_container
ends 'cannot listen on 0.0.0.0:8000: Address already in use'
kill $taken
wait $taken 2>/dev/null

# ---- the compose file
port=$(jq -r '.config.ExposedPorts | keys[0]' config.json)
ok python3 "$SOURCE/tests/packaging/compose.py" "$SOURCE/packaging/image/compose.yaml" "${port%/tcp}"
mapfile -t compose <<<"$out"
mkdir -m 1777 volume-of-compose
begin_container volume="$W/volume-of-compose" -- "${compose[@]:1}"
listens
ok answers "${compose[0]}"
# lists HEADER... - the answer to ListTables for the service's name
lists()
{
	printf -- '-H\n%s\n' "Host: ${compose[0]}" 'X-Amz-Target: DynamoDB_20120810.ListTables' 'Content-Type: application/x-amz-json-1.0' "$@" |
		xargs -d '\n' curl -s -d '{}' http://127.0.0.1:8000/
}
eq 'the application reaches the service by its name' "$(lists)" '{"TableNames":[]}'
eq 'a web page of that name does not' "$(lists "Origin: http://${compose[0]}" | jq -r .__type)" com.amazon.coral.service#AccessDeniedException
ok inside "${health[@]}"
ok test -d volume-of-compose/app.db
stops

echo "image: $(stat -c %s "$image") bytes"
done_testing
