#!/bin/bash
# itemctl ls, cat, tree and find print without a mount what a mount shows, byte for byte: while the store is mounted,
# when no process has it open, and at an endpoint.
. "$(dirname "$0")/lib.sh"

long=$(printf 'x%.0s' {1..300})

fill()
{
	ctl create-table music --key Artist,Song --gsi ByYear=Year:N,Song --stream NEW_AND_OLD_IMAGES >/dev/null
	ctl create-table plain --key Id:N >/dev/null
	ctl create-table bytes --key B:B,S >/dev/null
	ctl create-table empty --key PK,SK >/dev/null
	ctl import music - >/dev/null 2>&1 <<-ITEMS
		{"Artist":"Acme","Song":"Blue","Year":1999,"Genre":"pop"}
		{"Artist":"Acme","Song":"Black","Year":1985,"Genre":"rock"}
		{"Artist":"Acme","Song":"Red","Year":1991,"Tags":{"SS":["a","b"]},"Deep":{"a":[1,null,{"b":"Ü"}]}}
		{"Artist":"Acme","Song":"a/b","Year":2001}
		{"Artist":"Acme","Song":"line\\nend","Year":2002}
		{"Artist":"Acme","Song":"\\u0001\\u001b[31m","Year":2003}
		{"Artist":"Acme","Song":".dot","Year":2004}
		{"Artist":"Acme","Song":"$long","Year":2005}
		{"Artist":"O'Hara & \\"Sons\\"","Song":"It's","Year":2006}
		{"Artist":"%2E","Song":"%","Year":2007}
		{"Artist":"B","Song":"1"}
	ITEMS
	seq 2500 | jq -c '{Artist: "Many", Song: "\(.)", Year: .}' | ctl import music - >/dev/null 2>&1
	seq -50 25 50 | jq -c '{Id: ., Text: "n"}' | ctl import plain - >/dev/null 2>&1
	ctl put bytes '{"B":{"B":"AP8="},"S":"s"}' --format typed >/dev/null 2>&1 || ctl call PutItem '{"TableName":"bytes","Item":{"B":{"B":"AP8="},"S":{"S":"s"}}}' >/dev/null
}

# Paths below the mount: directories, which are tables, partitions, indexes and queries ...
directories=(. music/ .//music/./Acme music/../music/Acme music/Many music/.index music/.index/ByYear music/.index/ByYear/1999
	music/Acme/.eq music/Acme/.eq/Blue music/Acme/.begins_with music/Acme/.begins_with/B 'music/Acme/.filter/Year > 1990'
	music/Acme/.limit/2 music/Many/.le/20/.reverse/.limit/3 music/.limit "music/O'Hara & \"Sons\"" music/%252E plain bytes
	empty empty/.index)
# ... files, which are items and texts ...
files=(music/Acme/Red.json music/../music/Acme/Blue.json music/Acme/a%2Fb.json music/Acme/line%0Aend.json music/Acme/.jsonl
	music/Acme/.json music/Acme/.csv music/Acme/.count music/.jsonl music/.csv music/.count music/.json
	music/.index/ByYear/1999/.jsonl music/.index/ByYear/.jsonl music/.index/ByYear/.count music/.table.json music/.stream.jsonl
	music/Acme/.begins_with/B/.jsonl music/Acme/.begins_with/B/Blue.json
	'music/Acme/.begins_with/B/.filter/Year > 1990/.jsonl' 'music/.filter/Year = 1999/.csv' music/Acme/.project/Song,Year/.jsonl
	music/Acme/.limit/2/.jsonl music/Acme/.reverse/.jsonl music/Acme/.between/A/C/.json music/Acme/.gt/Blue/.count
	music/Many/.jsonl "music/O'Hara & \"Sons\"/It's.json" music/%252E/%25.json plain/-25.json plain/0.json plain/.jsonl
	bytes/.jsonl empty/.jsonl empty/.csv empty/.count .itemfs/README)
# ... and mistakes.
mistakes=(music/Nobody music/Nobody/.jsonl music/Acme/Red music/Acme/Red.json/ music/Acme/Red.json/x Music
	'music/Acme/.filter/Year > x y/.jsonl' music/.index/None music/Acme/.begins_wit/B .itemfs/none music/Acme)

# more N COMMAND... - the command's output and status in N.want, to be compared with those of itemctl
more()
{
	(cd m && LC_ALL=C "${@:2}") >"$1.want" 2>"$1.err"
	echo $? >"$1.status"
}

# rows FILE - a long list without what it has of directories, whose times are those of the mount; at an endpoint, those of
# items are, too
rows()
{
	sed -E -e '/^total /d' -e '/^d/d' -e "${remote:-#}s/ [0-9-]{10} [0-9:]{5} / TIME /" "$1" | tr -s ' ' >rows && mv rows "$1"
}

# record - what the mount m shows
record()
{
	local i
	rm -f ./*.want ./*.status
	more directories ls -1U "${directories[@]}" .itemfs .itemfs/rejected
	more mixed ls -1U music/Acme/.eq music/Acme/Red.json plain music/.count
	more all ls -1aU "${directories[@]}"
	more long ls -lU --time-style=long-iso "${directories[@]}"
	rows long.want
	more files cat "${files[@]}"
	for i in "${!mistakes[@]}"; do
		more "$i" cat "${mistakes[i]}"
	done
	more find find .
	sort -o find.want find.want
	more chosen find music -maxdepth 2 -name 'B*' -type f -print0
	more two find music/Acme/.begins_with/B plain -type d
	more one ls -ldU --time-style=long-iso music/Acme/Red.json
	rows one.want
}

# gets SOURCE N WORD... - does itemctl print the same? Its messages have more words, but also the text of the error.
gets()
{
	local error
	"$ITEMCTL" -s "$S" "${@:3}" >got 2>got.err
	eq "$1: ${*:3}: status" $? "$(sed 's/2/1/' "$2.status")"
	case $2 in
	find) sort -o got got ;;
	long | one) rows got ;;
	esac
	cmp "$2.want" got || fail "$1: ${*:3}"
	error=$(sed -n 's/.*: //p' "$2.err")
	[ -z "$error" ] || grep -qF ": $error" got.err || fail "$1: ${*:3}: $(cat got.err), not $error"
}

check()
{
	local i
	gets "$1" directories ls "${directories[@]}" .itemfs .itemfs/rejected
	gets "$1" mixed ls music/Acme/.eq music/Acme/Red.json plain music/.count
	gets "$1" all ls -a "${directories[@]}"
	gets "$1" long ls -l "${directories[@]}"
	gets "$1" files cat "${files[@]}"
	for i in "${!mistakes[@]}"; do
		gets "$1" "$i" cat "./${mistakes[i]}"
	done
	gets "$1" find find
	gets "$1" chosen find music -maxdepth 2 -name 'B*' -type f -print0
	gets "$1" two find music/Acme/.begins_with/B plain -type d
	gets "$1" one ls -l music/Acme/Red.json
}

store --key PK
fill
mnt m -o ro
record
check 'a mounted store'
unmnt m
check 'a store that no process has open'
wait_until 10 nobody_left || fail 'a process of itemctl is left'

remote='1,$'
endpoint
fill
mnt m -o ro
record
check 'an endpoint'
unmnt m

# ---- a mount that has the name of a session without a mount point
mnt itemctl: -o table=music
fails_to_start()
{
	"$ITEMCTL" -s http://127.0.0.1:1 cat music/.count 2>start.err
	eq 'there is no endpoint' "$? $(cut -d: -f 1 start.err)" '70 itemfs'
}
fails_to_start
eq 'the mount stays' "$(our_mounts)" "$W/itemctl:"
unmnt itemctl:
done_testing
