#!/bin/bash
# README.md: its transcript is what the programs print, its picture is what draw draws, and its commands work.
#   bash tests/mount/readme.sh --write      update the transcript and the picture
. "$(dirname "$0")/lib.sh"
readme=$HERE/../../README.md
example=$HERE/../../tools/examples/order-entry
mkdir bin mnt
ln -s "$ITEMFS" "$ITEMCTL" bin
PATH=$W/bin:$PATH

# under HEADING [KIND [FILE]] - the first block of commands, or of code of that kind, below a heading; '' is the start
# of the file
under()
{
	awk -v heading="$1" -v kind="${2-}" 'BEGIN { here = heading == "" } /^```/ { if (inside) { inside = 0 } else { inside = 1; mine = here && $0 == "```" kind && !seen++ }; next }
		inside && mine; !inside && /^#+ / && heading != "" { here = $0 == heading; if (here) seen = 0 }' "${3-$readme}"
}

# play LINE - type a line, with our own folders
play()
{
	local typed=${1// \/tmp\// $W/}
	eval "${typed//\/mnt/$W/mnt}" </dev/null
}

# paste HEADING [FAILS [LINES]] - type a block, and LINES, into a shell unchanged, but with /tmp here: each command
# but FAILS must succeed. Its output goes to the file "out".
paste()
{
	: >failed
	{
		printf 'trap %q ERR\n' "printf '%s\\n' \"\$BASH_COMMAND\" >>'$PWD/failed'"
		under "$1" | sed "s| /tmp/| $PWD/|g"
		printf '%s\n' "${3-}"
	} | TMPDIR=$PWD bash >out 2>&1
	eq "$1: $(cat out)" "$(cat failed)" "${2-}"
}
printed()
{
	checks=$((checks + 1))
	grep -qF "$1" out || fail "missing: $1"$'\n'"$(cat out)"
}

# ---- the transcript

transcript()
{
	under '' | while IFS= read -r line; do
		if [[ $line == '$ '* ]]; then
			printf '%s\n' "$line"
			play "${line#??}"
		fi
	done
}

ok itemctl -q -s store create-table --from "$example/table.json"
ok itemctl -q -s store import hroe "$example/items.jsonl"
picture=$example/hroe.svg
drawn=(--partition HR-EMPLOYEE1 --partition OE-ORDER1)
ok itemctl -q -s store draw hroe "${drawn[@]}" -o hroe.svg
transcript >transcript 2>&1
if [ "${1-}" = --write ]; then
	awk 'NR == FNR { text = text $0 "\n"; next } /^```$/ && ++fences == 1 { printf "%s\n%s", $0, text; old = 1; next }
		/^```$/ && old { old = 0 } !old' transcript "$readme" >new
	cp new "$readme"
	itemctl -q -s store draw hroe "${drawn[@]}" -o "$picture"
fi
eq 'the picture' "$(cmp hroe.svg "$picture" && echo same)" same
eq 'the transcript' "$(cat transcript)" "$(under '')"
unmnt mnt
gone
rm -rf store

# ---- the blocks, each pasted; the tour uses the store of "In scripts"

paste '## A tour, in an empty directory' "echo '{\"Year\":\"then\"}' > mnt/Acme/Red.json"
for line in Blue::Acme::Blue.json '{"Artist":"Acme","Song":"Rust","Year":2001}' '{"Song":"Rust"}' 'Bad message' \
	'IndexName: ByYear' '{"eventName":"REMOVE","seq":'; do
	printed "$line"
done
gone

program=$(under '## For tests' python)
if python3 -c 'import boto3' 2>/dev/null; then
	program="python3 -c '$program'"
else
	program=
fi
paste '## For tests' '' "$program"$'\nkill $ITEMFS_SERVER_PID'
printed healthy
[ -z "$program" ] || printed "{'Artist': 'Acme', 'Song': 'Blue', 'Year': Decimal('1999')}"

ln -s "$HERE/../../tools" tools
rm hroe.svg
paste '## For modelling, in a clone of this repository'
eq 'the same picture' "$(cmp hroe.svg "$picture" && echo same)" same
printed 'OE-'
rm tools

paste '## In scripts, with the store of the tour'
eq 'the items after the last line' "$(itemctl -s store scan music --project Song --format csv)" $'Song\nRust'

# A server of this test stands for DynamoDB.
ok itemctl -q -s aws create-table music --key Artist,Song
ok itemctl -s aws put music '{"Artist":"Acme","Song":"Blue","Year":1999}'
(
	eval "$(itemctl -s aws serve --background --port 0)"
	paste '## DynamoDB from the shell'
	kill "$ITEMFS_SERVER_PID"
	[ $failures = 0 ]
) || failures=$((failures + 1))
eq 'the copied item' "$(itemctl -s copy get music Acme Blue)" '{"Artist":"Acme","Song":"Blue","Year":1999}'

# ---- the page of the examples; text after a command is a comment in every shell

cp -r "$example/.." examples
cd examples || exit 1
export ITEMFS_BUILD=$BUILD
eq 'the commands on the page of the examples' "$(under '' '' README.md | wc -l)" 5
while IFS= read -r line <&3; do
	play "$line" >../out 2>&1 || fail "$line: $(cat ../out)"
	case $line in
	*'the access patterns') eq "$line" "$(grep -c '"Pattern":"sessions-of-user"' ../out)" 1 ;;
	*'capacity of each') eq "$line" "$(grep -c '^sessions-of-user: .* read units$' ../out)" 1 ;;
	esac
done 3< <(under '' '' README.md)
eq 'the picture of the example' "$(grep -c '<h2>Table SessionStore' session-store.html)" 1
cd ..
# tests/packaging/install.sh tests each of these.
eq 'the lines of the installation' "$(under '## Install' | sed 's/.*  # //' | tr '\n' ' ')" 'npm Python image archive deb source '
eq 'README.md has at most 130 lines' "$(($(wc -l <"$readme") <= 130))" 1

done_testing
