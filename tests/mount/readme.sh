#!/bin/bash
# What README.md shows: its transcript is what the programs print, its commands do as they say.
#   bash tests/mount/readme.sh --write      writes the transcript anew
. "$(dirname "$0")/lib.sh"
readme=$HERE/../../README.md
example=$HERE/../../tools/examples/order-entry
mkdir bin mnt
ln -s "$ITEMFS" "$ITEMCTL" bin
PATH=$W/bin:$PATH

# block N KIND [FILE] - the N-th block of commands or code of that kind
block()
{
	awk -v n="$1" -v kind="$2" '/^```/ { if (inside) { inside = 0 } else { inside = 1; mine = $0 == "```" kind && ++seen == n }; next }
		inside && mine' "${3-$readme}"
}

# as_typed LINE - the whole line, explanation and all, with folders and ports of our own
as_typed()
{
	local typed=${1//STORE/store}
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
	block 1 '' | while IFS= read -r line; do
		if [[ $line == '$ '* ]]; then
			printf '%s\n' "$line"
			play "${line#??}"
		fi
	done
}

ok itemctl -q -s store create-table --from "$example/table.json"
ok itemctl -q -s store import hroe "$example/items.jsonl"
transcript >transcript 2>&1
if [ "${1-}" = --write ]; then
	awk 'NR == FNR { text = text $0 "\n"; next } /^```$/ && ++fences == 1 { printf "%s\n%s", $0, text; old = 1; next }
		/^```$/ && old { old = 0 } !old' transcript "$readme" >new
	cp new "$readme"
fi
eq 'the transcript' "$(cat transcript)" "$(block 1 '')"
unmnt mnt
gone
rm -rf store

# ---- "In use": each command succeeds; the stream shows what is written

year=2000
follow()
{
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
	*' query music Acme '*) eq "$line" "$(cat out)" '{"Artist":"Acme","Song":"Blue","Year":1999}' ;;
	*' # the whole sentence '*) eq "$line" "$(grep -c 'ByYear' out)" 1 ;;
	esac
done < <(block 3 '')
eq 'commands in use' "$((commands > 12))" 1
gone

# ---- "As DynamoDB"

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

block 4 '' | grep ' serve ' >serving
eq 'servers' "$(wc -l <serving)" 2
while IFS= read -r line <&3; do
	serve "$line"
	line=$(block 4 '' | grep '^curl ')
	answer=$(as_typed "${line#* # }")
	eq "$line" "$(play "$line" 2>/dev/null)" "$answer"
	if [ -z "${python-}" ] && python3 -c 'import boto3' 2>/dev/null; then
		python=tried
		eq 'the program in Python' "$(block 1 python | sed "s/127.0.0.1:8000/$address/" | python3 - 2>&1)" \
			"{'Artist': 'Acme', 'Song': 'Blue', 'Year': Decimal('1999')}
[{'Song': 'Blue'}]"
	fi
	end_server
done 3<serving

# ---- the examples' own page; what stands behind a command is a comment everywhere

cp -r "$example/.." examples
cd examples || exit 1
export ITEMFS_BUILD=$BUILD
eq 'commands on examples' "$(block 1 '' README.md | wc -l)" 5
while IFS= read -r line <&3; do
	play "$line" >../out 2>&1 || fail "$line: $(cat ../out)"
	case $line in
	*'the access patterns') eq "$line" "$(grep -c '"Pattern":"sessions-of-user"' ../out)" 1 ;;
	*'capacity of each') eq "$line" "$(grep -c '^sessions-of-user: .* read units$' ../out)" 1 ;;
	esac
done 3< <(block 1 '' README.md)
eq 'the picture' "$(grep -c '<h2>Table SessionStore' session-store.html)" 1
cd ..
eq 'other captions' "$(block 2 '' | grep -v '^sh tools/[a-z]*\.sh  *# ')" ''

done_testing
