# walk.sh - read by every walkthrough.sh: mounts a store with the example's table on mnt, prints commands and runs them
#
#   . "$(dirname "$0")/../walk.sh"
#   walk <<'END'
#   # A sentence is printed.
#   ls -U mnt/p                  a command is printed, then run
#   itemctl transact <<-'.'      lines that begin with a tab continue the line above
#   	put t '{"PK":"p"}'
#   	.
#   END
#
# The store, mnt and the example's files are in a temporary folder, which is removed at the end.
# ITEMFS_BUILD names a build folder; the default is ../../build, then the installed programs.
set -u
export LC_ALL=C.UTF-8 TZ=UTC ITEMFS_STORE=store

example=$(cd "$(dirname "$0")" && pwd)
build=${ITEMFS_BUILD-$example/../../../build}
[ ! -x "$build/tools/itemctl" ] || PATH=$build/tools:$build/fs:$PATH
export PATH

# Clean up: wait for the daemon, because it writes until it has closed the store.
leave()
{
	trap - EXIT
	status=$1
	cd /
	if [ -n "$daemon" ]; then
		fusermount3 -u "$folder/mnt" 2>/dev/null || kill "$daemon" 2>/dev/null
		wait "$daemon" || status=$?
		grep -v ' is unmounted$' "$folder/log"
	fi
	rm -rf "$folder"
	exit "$status"
}

# walk - show and run the lines of standard input
walk()
{
	command=none
	while IFS= read -r line <&3; do
		case $line in
		"	"*) command="$command
$line" ;;
		*)
			[ "$command" = none ] || show
			command=$line
			;;
		esac
	done 3<&0
	show
}

# Show the complete command and its output.  If the reader has gone, the PIPE trap ends the script.
show()
{
	case $command in
	'' | '#'*) printf '%s\n' "$command" 2>/dev/null ;;
	*)
		printf '%s\n' "$command" | sed -e '1s/^/$ /' -e '2,$s/^	/    /'
		eval "$command" 3<&- 2>&1 </dev/null || echo "(exit status $?)" 2>/dev/null
		;;
	esac
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/itemfs-walk-XXXXXX") || exit 1
daemon=
trap 'leave $?' EXIT
trap 'exit 1' INT TERM HUP PIPE
cd "$folder" && mkdir mnt && cp "$example"/* . || exit 1
table=$(sed -n 's/.*"TableName": *"\([^"]*\)".*/\1/p' table.json)
itemctl -q create-table --from table.json || exit 1
itemfs -f "$folder/store" "$folder/mnt" -o table="$table" 2>log &
daemon=$!
until mountpoint -q mnt; do
	kill -0 $daemon 2>/dev/null || exit 1
	sleep 0.02
done
itemctl -q import "$table" items.jsonl || exit 1
