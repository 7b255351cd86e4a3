#!/bin/bash
# archive.sh [ARCHIVE | --aarch64] - check that two builds of the archive have the same bytes, and that its programs work in any folder,
# for any user, and on a system with nothing but glibc. ARCHIVE: check that file, without building. --aarch64, by hand: build the one
# for aarch64, and run its programs in qemu (needs qemu-user-static and a mirror). Needs root
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
chmod 755 "$out"

say()
{
	echo "archive: $*"
}
fail()
{
	say "$*" >&2
	exit 1
}
eq()
{
	[ "$2" = "$3" ] || fail "$1: expected '$3', got '$2'"
}

# For a new mount namespace: unmount the copies of the mounts of tests, which would keep their daemons alive.
leave_others='umount --all --lazy --no-canonicalize --internal-only --types fuse.itemfs || true'

# build DIR KIND - as package.sh does
build()
{
	sh "$here/tools/package.sh" -o "$1" "$2" >"$out/log" 2>&1 || {
		tail -n 40 "$out/log" >&2
		fail 'it was not built'
	}
}

[ "$(id -u)" -eq 0 ] || {
	say 'skipped: only root can make a root directory'
	exit 77
}
if [ "${1-}" = --aarch64 ]; then
	build "$out" archive-aarch64
	set -- "$(echo "$out"/itemfs-*-linux-aarch64.tar.gz)"
fi
archive=${1:+$(realpath -- "$1")}
cd "$out" # zsh.py writes files
if [ -z "$archive" ]; then
	build "$out/first" archive
	(umask 077 && TZ=Asia/Tokyo CCACHE_DISABLE=1 build "$out/the second" archive)
	archive=$(echo "$out"/first/itemfs-*-linux-*.tar.gz)
	cmp "$archive" "$out/the second/${archive##*/}" || fail 'two builds differ'
	say 'two builds have the same bytes'
fi

# ---- the content
odd="$out/only/an odd 'name'"
mkdir -p "$odd"
tar -x -z -f "$archive" -C "$odd" --strip-components=1
version=$(sed -n "s/^  version: '\(.*\)',/\1/p" "$here/meson.build")
(cd "$odd" && sha256sum --quiet -c SHA256SUMS) || fail 'a file is not as SHA256SUMS has it'
eq 'files without a sum' "$(cd "$odd" && find . -type f | sort | grep -vxF "$(cut -d ' ' -f 3- SHA256SUMS)")" ./SHA256SUMS
for file in LICENSE bin/itemctl bin/itemfs share/man/man1/itemctl.1 share/man/man1/itemfs.1 share/man/man5/itemfs-format.5 \
	share/man/man8/mount.itemfs.8 share/bash-completion/completions/itemctl share/bash-completion/completions/itemfs \
	share/zsh/site-functions/_itemctl share/fish/vendor_completions.d/itemctl.fish share/doc/itemfs/examples/order-entry/table.json \
	share/doc/itemfs/licences/README share/doc/itemfs/licences/LGPL-3; do
	[ -e "$odd/$file" ] || fail "it has no $file"
done
eq 'owners and writers' "$(tar -t -v -z -f "$archive" | awk '{ print substr($1, 6, 1) substr($1, 9, 1), $2 }' | sort -u)" '-- 0/0'
! grep -rlaF -e "$here" -e "$out" -e '@script@' "$odd" || fail 'a file names a folder of the build'

# ---- the programs of another machine, in its emulator
machine=${archive##*-linux-}
machine=${machine%.tar.gz}
if [ "$machine" != "$(uname -m)" ]; then
	emulate()
	{
		local program=$1
		shift
		"qemu-$machine-static" -L "/usr/$machine-linux-gnu" "$odd/$program" -s "$out/store" "$@"
	}
	case $(emulate bin/itemctl --version 2>&1) in
	"itemctl $version" | "itemctl: $odd/bin/../lib/itemfs/itemctl: Exec format error") ;; # the emulator starts no program
	*) fail "$machine: bin/itemctl does not start the program" ;;
	esac
	eq "$machine: itemctl" "$(emulate lib/itemfs/itemctl --version)" "itemctl $version"
	emulate lib/itemfs/itemctl --quiet create-table music --key Artist,Song
	emulate lib/itemfs/itemctl put music '{"Artist":"Acme","Song":"Blue"}'
	eq "$machine: query" "$(emulate lib/itemfs/itemctl query music Acme)" '{"Artist":"Acme","Song":"Blue"}'
	eq "$machine: a table (libsmartcols)" "$(emulate lib/itemfs/itemctl --format table scan music)" $'Artist Song\nAcme   Blue'
	exec 3< <(exec "qemu-$machine-static" -L "/usr/$machine-linux-gnu" "$odd/lib/itemfs/itemfs" "$out/store" --no-mount -f -o listen=127.0.0.1:0 2>&1)
	server=$!
	trap 'kill "$server"; rm -rf "$out"' EXIT
	port=$(sed -n '/^listening on /{s/.*://;p;q}' <&3)
	eq "$machine: the server" "$(curl -sS --max-time 60 "http://127.0.0.1:$port/health")" "healthy: 127.0.0.1:$port"
	say "works for $machine, $(stat -c %s "$archive") bytes"
	exit 0
fi

# ---- the programs of this machine

# The dynamic linker finds each library in lib/ or among glibc's.
for program in itemctl itemfs; do
	ldd "$odd/lib/itemfs/$program" | sed -E 's/ \(0x[0-9a-f]+\)$//' | while read -r library _ file; do
		case $file$library in
		"$odd/lib/itemfs/../"*) ;;
		*/libc.so.6libc.so.6 | */libm.so.6libm.so.6 | */ld-linux*.so.[0-9] | linux-vdso.so.1) ;;
		*) fail "$program: $library is $file" ;;
		esac
	done
	eq "$program: libraries" "$(ldd "$odd/lib/itemfs/$program" | grep -c 'not found')" 0
done

# ---- a system with glibc, /proc and /dev/null alone, for a user without a home
only=$out/only
mkdir -p "$only/proc" "$only/dev/shm" "$only/work"
: >"$only/dev/null"
chown 65534 "$only/work"
for file in $(ldd "$odd/lib/itemfs/itemctl" | grep -oE '/[^ ]*/(libc\.so\.6|libm\.so\.6|ld-linux[^ ]*)'); do
	cp -L --parents "$file" "$only"
done
cp -r "$only" "$out/older"
find "$out/older" -name 'ld-linux*' -exec sed -i 's/GLIBC_2\.34/GLIBC_2.33/g' {} +
mkdir -p "$out/alone/proc" "$out/alone/dev"
: >"$out/alone/dev/null"
cp -r "$odd" "$out/alone"

# inside PROGRAM [ARG]... - run it there. SHM=1: there is /dev/shm. RO=1: nothing else can be written. In another root: ROOT=DIR
inside()
{
	local program=$1 root=${ROOT-$only}
	shift
	# shellcheck disable=SC2016
	unshare --mount sh -eu -c "$leave_others"'
		mount --bind "$0" "$0"
		mount --bind /proc "$0/proc"
		mount --bind /dev/null "$0/dev/null"
		[ -z "${SHM-}" ] || mount -t tmpfs none "$0/dev/shm"
		[ -z "${RO-}" ] || mount -o remount,ro,bind "$0"
		exec env -i ITEMFS_STORE=/work/store HOME=/nowhere /usr/sbin/chroot --userspec=65534:65534 "$0" "$@"
	' "$root" "/an odd 'name'/bin/$program" "$@"
}

# refuses STATUS LINE PROGRAM [ARG]... - it ends with STATUS, and prints nothing but LINE
refuses()
{
	local status=$1 line=$2 is=0 text
	shift 2
	text=$(inside "$@" 2>&1) || is=$?
	eq "$* prints" "$text" "$line"
	eq "$* ends with status" "$is" "$status"
}

eq 'itemctl' "$(inside itemctl --version)" "itemctl $version"
eq 'itemfs' "$(inside itemfs --version)" "itemfs $version"
inside itemctl --quiet create-table music --key Artist,Song
inside itemctl put music '{"Artist":"Acme","Song":"Blue"}'
eq 'query' "$(inside itemctl query music Acme)" '{"Artist":"Acme","Song":"Blue"}'
eq 'a table (libsmartcols)' "$(inside itemctl --format table scan music)" $'Artist Song\nAcme   Blue'
printf '%s\n' 'Resources:' '  T:' '    Type: AWS::DynamoDB::Table' '    Properties:' '      TableName: films' \
	'      KeySchema: [{AttributeName: A, KeyType: HASH}]' '      AttributeDefinitions: [{AttributeName: A, AttributeType: S}]' \
	'      BillingMode: PAY_PER_REQUEST' >"$only/work/t.yaml"
eq 'a template (libyaml)' "$(inside itemctl create-table --from /work/t.yaml 2>&1)" 'table films created'
eq 'lines of a shell' "$(echo 'query music Acme' | inside itemctl shell)" '{"Artist":"Acme","Song":"Blue"}'

# ---- a server that can write to nothing but /dev/shm
port=$(SHM=1 RO=1 inside itemctl serve --temp --port 0 --print-port)
server=$(ss -Hltnp "sport = :$port" | sed -n 's/.*pid=\([0-9]*\).*/\1/p')
trap 'kill "$server"; rm -rf "$out"' EXIT
asks()
{
	curl -sS --max-time 60 --aws-sigv4 aws:amz:us-east-1:dynamodb --user local:local "http://127.0.0.1:$port/" \
		-H "X-Amz-Target: DynamoDB_20120810.$1" -H 'Content-Type: application/x-amz-json-1.0' -d "$2"
}
asks CreateTable '{"TableName":"tab","KeySchema":[{"AttributeName":"A","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"A","AttributeType":"S"}],
"BillingMode":"PAY_PER_REQUEST"}' >"$out/created"
asks PutItem '{"TableName":"tab","Item":{"A":{"S":"x"}}}' >"$out/put"
eq 'the server answers' "$(asks Scan '{"TableName":"tab"}')" '{"Items":[{"A":{"S":"x"}}],"Count":1,"ScannedCount":1}'
eq 'no TLS is offered' "$(curl -sk --max-time 60 "https://127.0.0.1:$port/" || echo $?)" 35

# ---- what cannot work is explained in one sentence
refuses 70 "itemctl: cannot listen on 127.0.0.1:$port: Address already in use; a free port: itemctl serve --temp --port $((port + 1))" \
	itemctl serve --temp --port "$port"
refuses 70 'InternalServerError: cannot create a temporary store in /dev/shm or /tmp: No such file or directory' itemctl serve --temp --port 0
refuses 2 'itemctl: libcurl is needed for that: libcurl.so.4: cannot open shared object file: No such file or directory' \
	itemctl -s "http://127.0.0.1:$port" tables
RO=1 refuses 70 'itemctl: /work/new: Read-only file system' itemctl -s /work/new create-table music --key A
for program in itemctl itemfs; do
	ROOT=$out/alone refuses 127 "$program: this system has no glibc: itemfs needs glibc 2.34 or newer and does not run with musl, for example on Alpine Linux" \
		"$program" --version
	ROOT=$out/older refuses 127 "$program: this system has a glibc older than 2.34, which itemfs needs; Debian 12, Ubuntu 22.04, Fedora 35 and RHEL 9 are new enough" \
		"$program" --version
done

# ---- completions find that of bash; links to the programs work
mkdir "$out/bin"
ln -s "$odd/bin/itemctl" "$out/bin/itemctl"
ln -s "$odd/share/zsh/site-functions" "$out/functions"
eq 'a link' "$("$out/bin/itemctl" --version)" "itemctl $version"
eq 'bash' "$(bash -c '. "$1/share/bash-completion/completions/itemctl" && _itemctl_for "itemctl descr"' - "$odd" | tr -d ' ')" describe
! command -v fish >/dev/null ||
	eq 'fish' "$(HOME=$out fish --no-config -c "source \"$odd/share/fish/vendor_completions.d/itemctl.fish\"; complete -C 'itemctl descr'" | cut -f1)" describe
! command -v zsh >/dev/null ||
	eq 'zsh' "$(python3 "$here/tests/tools/zsh.py" "$out/functions" 'itemctl descr')" 'itemctl describe '

# ---- the line of README.md
status=0
ITEMCTL=$odd/bin/itemctl bash "$here/tests/packaging/install.sh" "$(dirname "$archive")" archive || status=$?
[ $status -eq 0 ] || [ $status -eq 77 ] || fail 'the line of README.md does not work'

# ---- a mount, with the fusermount3 of the system, as another user than root
if [ -e /dev/fuse ] && command -v fusermount3 >/dev/null; then
	mkdir "$only/work/mnt"
	chown 65534 "$only/work/mnt"
	mknod -m 666 "$out/fuse" c 10 229 # the one in /dev may be for root only
	# shellcheck disable=SC2016
	unshare --mount sh -eu -c "$leave_others"'
		mount --bind "$1" /dev/fuse
		shift
		exec env -i PATH=/usr/bin:/bin HOME=/nowhere setpriv --reuid 65534 --regid 65534 --clear-groups sh -eu -c "$@"
	' - "$out/fuse" '
		"$1/bin/itemfs" "$2/store" "$2/mnt" -o table=music
		cat "$2/mnt/Acme/Blue.json"
		echo "{\"Year\":1999}" >"$2/mnt/Acme/Red.json"
		"$1/bin/itemctl" -s "$2/store" get music Acme Red
		fusermount3 -u "$2/mnt"
	' - "$odd" "$only/work" >"$out/shown"
	eq 'a mount' "$(cat "$out/shown")" $'{"Artist":"Acme","Song":"Blue"}\n{"Artist":"Acme","Song":"Red","Year":1999}'
else
	say 'no mount: there is no /dev/fuse or fusermount3'
fi
say "works, $(stat -c %s "$archive") bytes"
