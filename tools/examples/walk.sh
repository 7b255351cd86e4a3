# walk.sh - read by every walkthrough.sh: a store with the example's table, mounted on mnt, and commands that are shown
#
#   . "$(dirname "$0")/../walk.sh"
#   walk <<'END'
#   # A sentence is printed.
#   ls -U mnt/p                  a command is printed, then run
#   itemctl transact <<-'.'      what begins with a tab belongs to the line above
#   	put t '{"PK":"p"}'
#   	.
#   END
#
# Everything is in a folder of its own, which goes when the script ends: store, mnt, and the example's
# files.  ITEMFS_BUILD names a build folder; without one, programs of ../../build or installed ones.
set -u
export LC_ALL=C.UTF-8 TZ=UTC ITEMFS_STORE=store

example=$(cd "$(dirname "$0")" && pwd)
build=${ITEMFS_BUILD-$example/../../../build}
[ ! -x "$build/tools/itemctl" ] || PATH=$build/tools:$build/fs:$PATH
export PATH

leave()
{
	trap - EXIT
	cd / && fusermount3 -u "$folder/mnt" && rm -rf "$folder"
	exit "$1"
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

# Show the command that is complete, and what it gives.
show()
{
	case $command in
	'' | '#'*) printf '%s\n' "$command" ;;
	*)
		printf '%s\n' "$command" | sed -e '1s/^/$ /' -e '2,$s/^	/    /'
		eval "$command" 3<&- 2>&1 </dev/null || echo "(exit status $?)"
		;;
	esac
}

folder=$(mktemp -d "${TMPDIR:-/tmp}/itemfs-walk-XXXXXX") && cd "$folder" && mkdir mnt || exit 1
cp "$example"/* .
table=$(sed -n 's/.*"TableName": *"\([^"]*\)".*/\1/p' table.json)
itemctl -q create-table --from table.json && itemctl -q import "$table" items.jsonl &&
	itemfs "$folder/store" "$folder/mnt" -o table="$table" || exit 1
trap 'leave $?' EXIT
trap 'exit 1' INT TERM HUP
