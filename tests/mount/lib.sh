# lib.sh - fixture of the scripts in tests/mount: a private folder, mounts, assertions
#
#   . "$(dirname "$0")/lib.sh"
#   store --key PK,SK                 create the store $S with the table "tab"
#   endpoint                          instead of a store: $S is the URL of a server with an empty store
#   mnt m -o table=tab                mount $S on $W/m; scripts run in $W
#   eq "what it shows" ACTUAL EXPECTED
#   ok COMMAND...                     check that it succeeds
#   refused "Bad message" COMMAND...  check that it fails with that message
#   done_testing
#
# Where it is allowed, the script runs in its own mount namespace (own_mounts). With "private=yes" set before lib.sh, the
# script needs that: as root it may put files into /sbin or /etc that no other process sees. Without the permission it is skipped:
#   only FILE... DIR                  let the system's folder DIR contain links to these files and nothing else
#   users                             let other users mount, with copies of the programs that they can run
#   as UID COMMAND...                 run it as that user
#
# When a script ends, for whatever reason, all processes that it started are killed. Daemons and servers must end by themselves.
# Their messages are searched for reports of sanitizers and assertions.
# Exit status: 0 passed, 1 failed, 77 skipped (no /dev/fuse here).
set -u
. "${BASH_SOURCE[0]%/*}/../lib.sh"

HERE=$(readlink -f "$(dirname "$0")")
BUILD=$(readlink -f "${ITEMFS_BUILD:-$HERE/../../build}")
ITEMFS=$BUILD/fs/itemfs
ITEMCTL=$BUILD/tools/itemctl
programs=("$ITEMFS" "$ITEMCTL") # that are ended with the script

if [ ! -c /dev/fuse ] || ! [ -r /dev/fuse ]; then
	echo "skipped: there is no /dev/fuse here, nothing can be mounted"
	exit 77
fi

own_mounts "$@"

W=$(mktemp -d "${TMPDIR:-/tmp}/itemfs-mount-XXXXXX") || exit 1
S=$W/store
export XDG_STATE_HOME=$W/state XDG_CONFIG_HOME=$W/config
cd "$W" || exit 1

# ---------------------------------------------------------------- processes and mounts

# our_pids - the itemfs processes whose command line or environment names our folder, except the server of endpoint()
our_pids()
{
	local pid
	for pid in $(our_programs "$ITEMFS"); do
		case $(command_of "$pid") in
		*"$W/"*) echo "$pid" ;;
		'' | *' --no-mount '*) ;;
		*) echo "$pid" ;;
		esac
	done
}

# our_mounts [TYPE] - our mount points, from one read() of the table: the shell's read would go line by line and miss
# lines while other tests mount and unmount.
our_mounts()
{
	local point type
	while read -r _ point type _; do
		case $point in "$W"/*) [ "$type" != "${1-$type}" ] || printf '%b\n' "$point" ;; esac
	done < <(cat /proc/self/mounts)
}

nobody_left()
{
	[ -z "$(our_pids)" ]
}

# holds PID NAME - test if it has a file of that name open
holds()
{
	find "/proc/$1/fd" -lname "*$2*" 2>/dev/null | grep -q .
}

# hears_signals PID - test if a joining program has joined. From then on it waits for the end of its mount, or a
# signal.
hears_signals()
{
	holds "$1" signalfd
}

all_traced()
{
	! cat "/proc/$1/task"/*/status | grep -q '^TracerPid:[[:space:]]*0$'
}

# traces FILE WORD... - strace all threads of our daemon into FILE, until untrace
traces()
{
	local daemon
	daemon=$(our_pids)
	strace -f -o "$@" -p "$daemon" 2>/dev/null &
	tracer=$!
	wait_until 10 all_traced "$daemon" || fail 'strace does not attach'
}

# untrace - end strace at once: a regular end would wait for the calls that it delays
untrace()
{
	kill -9 $tracer
	wait $tracer 2>/dev/null
}

# kill_daemons - kill -9 all our daemons, and wait until they are gone
kill_daemons()
{
	local pids pid
	pids=$(our_pids)
	# shellcheck disable=SC2086
	kill -9 $pids
	for pid in $pids; do
		wait_until 5 is_gone "$pid" || fail "process $pid is still there"
	done
}

# unmount_all - unmount what is left; root does not wait for a daemon that does not answer
unmount_all()
{
	our_mounts | while read -r point; do
		umount --no-canonicalize "$point" 2>/dev/null || fusermount3 -u "$point" 2>/dev/null || umount -l "$point"
	done
}

# end_helpers - end those of $helpers that are still children of this shell and not ended by end_programs
end_helpers()
{
	local pid ours
	ours=" $(our_programs "${programs[@]}" | tr '\n' ' ')"
	for pid in $helpers; do
		[[ $(status_of "$pid" PPid) = "$$" && $ours != *" $pid "* ]] || continue
		kill -CONT "$pid" 2>/dev/null
		kill "$pid" 2>/dev/null
	done
}

clean_up()
{
	local pid
	trap - EXIT
	cd /
	for pid in $(our_programs "${programs[@]}"); do
		release "$pid"
	done
	unmount_all
	end_helpers
	end_programs || status=1
	unmount_all
	if complained "$W"/*/log "$W"/state/itemfs/*/log "$W"/*.err; then
		status=1
	fi
	if [ "$status" -ne 0 ] && [ "$status" -ne 77 ]; then
		[ -z "${seed-}" ] || echo "ITEMFS_SEED=$seed ITEMFS_ROUNDS=${ITEMFS_ROUNDS:-1}"
		tail -n 20 "$W"/*/log "$W"/state/itemfs/*/log "$W"/*.err 2>/dev/null
	fi
	[ "$status" -eq 0 ] || [ -z "${KEEP-}" ] || { echo "kept: $W"; exit "$status"; }
	rm -rf "$W"
	exit "$status"
}
helpers= # processes to kill at the end
at_end clean_up

# not_connected COMMAND... - test if it fails with ENOTCONN. Earlier, while the kernel still ends the connection,
# calls fail with ECONNABORTED.
not_connected()
{
	"$@" 2>&1 | grep -q 'Transport endpoint is not connected'
}

# ctl WORD... - itemctl on our store, output as JSON Lines
ctl()
{
	"$ITEMCTL" -s "$S" --quiet --format jsonl "$@"
}

# reasons [PATH] - the lines of itemctl why, in the format of .itemfs/errors
reasons()
{
	ITEMFS_STORE=$S ctl why "$@" | jq -r '[.Time, .Uid, .Path, .Errno, .Error // "-", .Message] | join("\t")'
}

# store CREATE-TABLE-WORD... - create a store with the table "tab"
store()
{
	"$ITEMCTL" -s "$S" --quiet create-table tab "$@" >/dev/null || {
		echo "FAILED: cannot make a store"
		exit 1
	}
}

# endpoint [WORD...] - begin itemctl serve --temp WORD..., the server of an empty store; $S is its URL from now on
endpoint()
{
	: >"$W/endpoint.out"
	"$ITEMCTL" serve --temp --listen 127.0.0.1:0 "$@" >"$W/endpoint.out" 2>"$W/endpoint.err" &
	helpers="$helpers $!"
	disown
	wait_until 10 grep -qs '^listening on ' "$W/endpoint.out" || {
		echo "FAILED: no endpoint"
		exit 1
	}
	S=http://$(sed -n 's/^listening on //p' "$W/endpoint.out")
}

# between_endpoint - like endpoint, with the proxy between.py before it: $S is the proxy's URL, $real that of the
# server, and commands go to the folder "before"
between_endpoint()
{
	endpoint
	real=$S
	mkdir before
	python3 "$HERE/between.py" port "${S##*:}" before &
	helpers="$helpers $!"
	disown
	wait_until 10 test -s port || fail 'no proxy'
	S=http://127.0.0.1:$(cat port)
}

# model_store FILE N DIR - create a store from a model of tests/models; $S is it from now on; sets name, table,
# indexes
model_store()
{
	local file=$1 n=$2 key spec
	S=$3
	name=$(jq -r ".models[$n].name" "$file")
	table=$(jq -r ".models[$n].table.name" "$file")
	key=$(jq -r ".models[$n].table.key | [.partition, .sort | select(.) | .name + \":\" + .type] | join(\",\")" "$file")
	indexes=()
	while IFS= read -r spec; do
		indexes+=(--gsi "$spec")
	done < <(jq -r ".models[$n].table.gsis[]? | .name + \"=\" + ([.key.partition, .key.sort | select(.) | .name + \":\" + .type] | join(\",\"))
		+ \"/\" + .projection.type + (if .projection.type == \"INCLUDE\" then \":\" + (.projection.attributes // .projection.include | join(\",\")) else \"\" end)" "$file")
	ctl create-table "$table" --key "$key" "${indexes[@]}" >/dev/null 2>"$W/create.err" || fail "$name: $(cat "$W/create.err")"
	# Sets are {"$ss": [...]} in the models' plain form and {"SS": [...]} in ours.
	jq -c ".models[$n].items[] | walk(if type == \"object\" and has(\"\$ss\") then {SS: .[\"\$ss\"]} else . end)" "$file" >"$W/items.jsonl"
	ctl import "$table" "$W/items.jsonl" 2>/dev/null || fail "$name: import"
}

# mnt DIR [WORD...] - mount our store on $W/DIR
mnt()
{
	local dir=$1
	shift
	mkdir -p "$W/$dir"
	"$ITEMFS" "$S" "$W/$dir" "$@" || {
		echo "FAILED: itemfs $S $W/$dir $*"
		exit 1
	}
}

unmounts()
{
	fusermount3 -u "$W/$1" 2>/dev/null || umount "$W/$1" 2>/dev/null
}

# leave DIR... - unmount; retries, since a program with -f that just started may still be looking at its own mount
leave()
{
	local dir
	for dir; do
		wait_until 5 unmounts "$dir" || fail "cannot unmount $dir: $(umount "$W/$dir" 2>&1)"
	done
}

# unmnt DIR... - unmount; after the last mount, wait until our daemons have ended
unmnt()
{
	leave "$@"
	[ -n "$(our_mounts fuse.itemfs)" ] || wait_until 10 nobody_left || fail "the daemon is still there"
}

# stat_is MOUNT NAME N - test if that statistic of the mount is N
stat_is()
{
	[ "$(jq ".$2" "$W/$1/.itemfs/stats.json")" = "$3" ]
}

# settle MOUNT [N] - wait until the daemon has received RELEASE for all closed files, which the kernel sends some time
# after close(): until at most N files are being written or scratch files
settle()
{
	wait_until 10 stat_is "$1" files_being_written "${2-0}" || fail "$1: $(cat "$W/$1/.itemfs/stats.json")"
}

# rounds N - how often to repeat a test that depends on the scheduler: N in the gate, ITEMFS_ROUNDS times as often
# elsewhere
rounds()
{
	echo $(($1 * ${ITEMFS_ROUNDS:-1}))
}

# seed N - seed RANDOM with ITEMFS_SEED, or N; a failed script prints the seed
seed()
{
	seed=${ITEMFS_SEED:-$1}
	RANDOM=$seed
}

# ---------------------------------------------------------------- a private view of the system

# only FILE... DIR - let the system's folder DIR contain links to these files and nothing else
only()
{
	local dir=${*: -1}
	mount -t tmpfs -o mode=755 itemfs-test "$dir"
	ln -s "${@:1:$#-1}" "$dir"
}

# users - make a device and programs that all users can use, and what fusermount3 reads to unmount, which a minimal
# system lacks
users()
{
	mkdir "$W/bin" "$W/dev"
	chmod 755 "$W"
	if ! mount -t tmpfs -o dev itemfs-test "$W/dev" || ! mknod -m 666 "$W/dev/fuse" c 10 229; then
		echo "skipped: no device can be made here"
		exit 77
	fi
	mount --bind "$W/dev/fuse" /dev/fuse
	if [ ! -e /etc/mtab ]; then
		mkdir "$W/etc"
		mount -t tmpfs -o mode=755 itemfs-test "$W/etc"
		cp -a /etc/. "$W/etc"
		ln -s /proc/self/mounts "$W/etc/mtab"
		mount --bind "$W/etc" /etc
	fi
	cp "$ITEMFS" "$ITEMCTL" "$W/bin"
	ITEMFS=$W/bin/itemfs
	ITEMCTL=$W/bin/itemctl
	programs+=("$ITEMFS" "$ITEMCTL")
}

as()
{
	local uid=$1
	shift
	setpriv --reuid "$uid" --regid "$uid" --clear-groups -- "$@"
}

# ---------------------------------------------------------------- assertions

# ok COMMAND... - check that it succeeds; its output is shown only if it fails
ok()
{
	local out
	checks=$((checks + 1))
	out=$("$@" 2>&1 </dev/null) || fail "$* gives $?: $out"
}

# refused TEXT COMMAND... - check that it fails and that its messages contain TEXT
refused()
{
	local text=$1 out
	shift
	checks=$((checks + 1))
	if out=$("$@" 2>&1 </dev/null); then
		fail "succeeds: $*"
	else
		case $out in
		*"$text"*) ;;
		*) fail "$* says: $out"$'\n'"  expected: $text" ;;
		esac
	fi
}

# fails STATUS TEXT COMMAND... - check that it ends with that status and message, and leaves no output, no mount, no
# process
fails()
{
	local status=$1 text=$2 got
	shift 2
	checks=$((checks + 1))
	"$@" >said 2>why </dev/null
	got=$?
	[ $got -eq "$status" ] && [ ! -s said ] || fail "$* gives $got: $(cat said why)"
	grep -qF -e "$text" why || fail "$* says: $(cat why)"$'\n'"  expected: $text"
	wait_until 5 nobody_left
	[ -z "$(our_mounts fuse.itemfs)$(our_pids)" ] || fail "$* leaves $(our_mounts fuse.itemfs) $(our_pids)"
}

# next FD - print the next line, or "nothing"; bash reads single bytes from what cannot be seeked
next()
{
	local line
	if IFS= read -r -t 240 -u "$1" line; then echo "$line"; else echo nothing; fi
}

# write PATH TEXT - write as the redirection of a shell does; the status is that of the builtin
write()
{
	printf '%s' "$2" >"$1"
}

# renameat2 FROM TO FLAGS - 1: do not replace, 2: exchange, 4: whiteout
renameat2()
{
	local number=316
	[ "$(uname -m)" = x86_64 ] || number=276
	perl -e 'my ($number, $f, $t, $n) = @ARGV; $n += 0; $number += 0; die "$!\n" if syscall($number, -100, $f, -100, $t, $n)' $number "$@"
}

# item [TABLE] PK [SK] - print the stored item as JSON on one line, keys sorted; nothing when there is none
item()
{
	ctl get "$@" 2>/dev/null | jq -cS .
}

# asks PATH QUERY-WORD... - compare .jsonl, .json and .count of the path in m with itemctl query tab
asks()
{
	local path=$1 want
	shift
	want=$(ctl query tab "$@")
	eq "$path/.jsonl" "$(cat "m/$path/.jsonl")" "$want"
	eq "$path/.json" "$(jq -c '.[]' "m/$path/.json")" "$want"
	eq "$path/.count" "$(cat "m/$path/.count")" "$(printf %s "$want" | grep -c .)"
}
