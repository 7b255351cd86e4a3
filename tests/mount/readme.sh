#!/bin/bash
# What README.md shows: its transcript is what the programs print, its picture what draw draws, its commands do as they say.
#   bash tests/mount/readme.sh --write      writes the transcript and the picture anew
. "$(dirname "$0")/lib.sh"
readme=$HERE/../../README.md
example=$HERE/../../tools/examples/order-entry
mkdir bin mnt
ln -s "$ITEMFS" "$ITEMCTL" bin
PATH=$W/bin:$PATH

# under HEADING [KIND [FILE]] - the first block of commands, or of code of that kind, below a heading; '' is the beginning
under()
{
	awk -v heading="$1" -v kind="${2-}" 'BEGIN { here = heading == "" } /^```/ { if (inside) { inside = 0 } else { inside = 1; mine = here && $0 == "```" kind && !seen++ }; next }
		inside && mine; !inside && /^#+ / && heading != "" { here = $0 == heading; if (here) seen = 0 }' "${3-$readme}"
}

# as_typed LINE - the whole line, explanation and all, with folders and ports of our own
as_typed()
{
	local typed=${1//STORE/store}
	typed=${typed//ITEMFS_store/ITEMFS_STORE}
	typed=${typed//--port 8000/--port 0}
	typed=${typed//127.0.0.1:8000/${address-127.0.0.1:0}}
	typed=${typed// \/tmp\// "$W"/}
	printf '%s\n' "${typed//\/mnt/$W/mnt}"
}
play()
{
	eval "$(as_typed "$1")" </dev/null
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

# ---- "A tour": each command succeeds; the stream shows what is written

year=2000
follow()
{
	rm -f seen
	eval "exec $(as_typed "$1")" >seen &
	wait_until 5 heard || fail "$1"
	kill $!
	wait $! 2>/dev/null
}
heard()
{
	echo "{\"Year\":$((++year))}" >mnt/Acme/White.json
	[ -s seen ]
}

commands=0
while IFS= read -r line; do
	case $line in
	*.stream' '*) follow "$line" ;;
	*' # refused: '*)
		play "$line" 2>/dev/null
		eq "$line" "$(ls mnt/Acme)" $'Blue.json\nRust.json'
		;;
	*) play "$line" >out 2>&1 || fail "$line: $(cat out)" ;;
	esac
	commands=$((commands + 1))
	case $line in
	*' # a Query of one '*) eq "$line" "$(cat out)" Blue.json ;;
	*' sql '*) eq "$line" "$(cat out)" $'{"Song":"Blue"}\n{"Song":"Rust"}' ;;
	*' # the whole sentence '*) eq "$line" "$(grep -c 'ByYear' out)" 1 ;;
	esac
done < <(under '## A tour')
eq 'commands of the tour' "$((commands > 12))" 1
gone

# ---- "For tests"

# serve LINE - a server as it is started there; sets $address
serve()
{
	unset address
	rm -f told
	eval "exec $(as_typed "$1")" >told 2>serve.err &
	server=$!
	wait_until 5 grep -qs listening told || fail "no server: $(cat serve.err)"
	address=$(sed -n 's/^listening on //p' told)
}
end_server()
{
	kill $server
	wait $server
}

under '## For tests' | grep ' serve ' >serving
eq 'servers' "$(wc -l <serving)" 2
while IFS= read -r line <&3; do
	serve "$line"
	line=$(under '## For tests' | grep '^curl ')
	answer=$(as_typed "${line#* # }")
	eq "$line" "$(play "$line" 2>/dev/null)" "$answer"
	if [ -z "${python-}" ] && python3 -c 'import boto3' 2>/dev/null; then
		python=tried
		eq 'the program in Python' "$(under '## For tests' python | sed "s/127.0.0.1:8000/$address/" | python3 - 2>&1)" \
			"{'Artist': 'Acme', 'Song': 'Blue', 'Year': Decimal('1999')}"
	fi
	end_server
done 3<serving

# ---- "For modelling", "DynamoDB from the shell", "In scripts": each command succeeds. DynamoDB is a server of our own.

section()
{
	commands=0
	while IFS= read -r line <&3; do
		play "$line" >out 2>&1 || fail "$line: $(cat out)"
		commands=$((commands + 1))
	done 3< <(under "$1")
	eq "$1" "$((commands > 3))" 1
}

rm -rf store
ln -s "$HERE/../../tools" tools
section '## For modelling'
eq 'the same picture' "$(cmp hroe.svg "$picture" && echo same)" same
rm tools
rm -rf store
ok itemctl -q -s aws create-table music --key Artist,Song
ok itemctl -s aws put music '{"Artist":"Acme","Song":"Blue","Year":1999}'
serve 'itemctl -s aws serve --port 0'
export AWS_ENDPOINT_URL_DYNAMODB=http://$address AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local
section '## DynamoDB from the shell'
eq 'the copy' "$(itemctl -s store get music Acme Blue)" '{"Artist":"Acme","Song":"Blue","Year":1999}'
end_server
section '## In scripts'
eq 'nothing is left' "$(itemctl scan music --count)" 0
unset AWS_ENDPOINT_URL_DYNAMODB AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY ITEMFS_STORE

# ---- the examples' own page; what stands behind a command is a comment everywhere

cp -r "$example/.." examples
cd examples || exit 1
export ITEMFS_BUILD=$BUILD
eq 'commands on examples' "$(under '' '' README.md | wc -l)" 5
while IFS= read -r line <&3; do
	play "$line" >../out 2>&1 || fail "$line: $(cat ../out)"
	case $line in
	*'the access patterns') eq "$line" "$(grep -c '"Pattern":"sessions-of-user"' ../out)" 1 ;;
	*'capacity of each') eq "$line" "$(grep -c '^sessions-of-user: .* read units$' ../out)" 1 ;;
	esac
done 3< <(under '' '' README.md)
eq 'the picture' "$(grep -c '<h2>Table SessionStore' session-store.html)" 1
cd ..
eq 'two commands' "$(under '## Install' | grep -c '^sh tools/[a-z]*\.sh  *# ')" 2
eq 'a page' "$(($(wc -l <"$readme") <= 130))" 1

done_testing
