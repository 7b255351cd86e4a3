# lib.sh - shared by the benchmarks: scratch folder, ratios, mounts
#
# A benchmark prints lines "what | ours | peer | ratio | goal".  It never fails because it is slow: the figures are
# for people, and a machine may be noisy.  It fails if something that it measures does not work.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
build=${ITEMFS_BUILD:-$root/build}
bench=$build/tests/bench
examples=$root/tools/examples/order-entry
PATH=$build/tools:$build/fs:$bench:$build/tools/examples:$PATH
work=$(mktemp -d "${ITEMFS_BENCH_DIR:-/var/tmp}/itemfs-bench.XXXXXX")
store=$work/store
mounted=
started= # background processes

cleanup()
{
	status=$?
	trap - EXIT
	for mnt in $mounted; do
		fusermount3 -u "$mnt" 2>/dev/null || umount -l "$mnt" 2>/dev/null || true
	done
	for process in $started; do
		kill "$process" 2>/dev/null && wait "$process" || true
	done
	rm -rf "$work"
	exit $status
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# number - print the first number of standard input ("812345 items/s: ...")
number()
{
	sed -n 's/^\([0-9.][0-9.]*\).*/\1/p;' | head -n 1
}

# seconds COMMAND... - print the wall time of a command; its output is discarded
seconds()
{
	begin=$(date +%s.%N)
	"$@" >/dev/null
	end=$(date +%s.%N)
	echo "$begin $end" | awk '{printf "%.4f\n", $2 - $1}'
}

# median COMMAND... - print the median wall time of five runs
median()
{
	for _ in 1 2 3 4 5; do seconds "$@"; done | sort -n | sed -n 3p
}

# middle COMMAND... - print the median of the numbers that five runs print
middle()
{
	for _ in 1 2 3 4 5; do "$@"; done | sort -n | sed -n 3p
}

# row WHAT OURS PEER RATIO GOAL - print a line of the table
row()
{
	printf '%-58s | %14s | %14s | %6s | %s\n' "$@"
}

ratio()
{
	echo "$1 $2" | awk '{printf "%.2f\n", $1 / $2}'
}

# mount_at DIR OPTION... - mount the store; it is unmounted at the end
mount_at()
{
	mnt=$1
	shift
	mkdir -p "$mnt"
	itemfs "$store" "$mnt" "$@"
	mounted="$mnt $mounted"
}

unmount_at()
{
	fusermount3 -u "$1"
	mounted=$(printf '%s\n' $mounted | grep -vx "$1" | tr '\n' ' ')
}

# wait_for COMMAND... - wait until the command succeeds, for at most a minute
wait_for()
{
	tries=0
	until "$@"; do
		[ $((tries += 1)) -le 6000 ] || {
			echo "does not happen: $*" >&2
			exit 1
		}
		sleep 0.01
	done
}

# wait_free - wait until the daemon has closed the store after its last unmount
wait_free()
{
	itemctl -s "$store" tables >/dev/null
	wait_for test ! -e "$store/socket"
}

# bench_items N - print N items as JSON Lines, in partitions of 100, the same as "clients ... fill" makes
bench_items()
{
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++)
		printf "{\"PK\":\"PART#%08d\",\"SK\":\"ITEM#%08d\",\"Status\":\"OPEN\",\"Total\":%d,\"Note\":\"a line of text\"}\n",
			int(i / 100), i % 100, i % 100 }'
}

# wait_line FILE - wait until the file has the line "listening on ADDRESS", and set $address
wait_line()
{
	wait_for grep -qs '^listening on .' "$1"
	address=$(sed -n 's/^listening on //p' "$1")
}

# serve_store STORE - serve a store on TCP until end_server; set $address and $server
serve_store()
{
	rm -f "$work/serve.log"
	itemctl -s "$1" serve --listen 127.0.0.1:0 >"$work/serve.log" &
	server=$!
	started="$server $started"
	wait_line "$work/serve.log"
}

end_server()
{
	kill "$server"
	wait "$server"
	started=$(printf '%s\n' $started | grep -vx "$server" | tr '\n' ' ')
}

orders_table()
{
	itemctl -s "$store" create-table orders --key PK,SK --gsi GSI2=GSI2_PK:N,GSI1_SK >/dev/null
}

need_fuse()
{
	[ -e /dev/fuse ] || {
		echo "skipped: there is no /dev/fuse" >&2
		exit 77
	}
}
