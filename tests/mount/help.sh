#!/bin/bash
# What help shows can be typed: every example of each command, topic and manual page is run here.
. "$(dirname "$0")/lib.sh"
mkdir bin mnt
ln -s "$ITEMFS" "$ITEMCTL" bin
PATH=$W/bin:$PATH
export ITEMFS_STORE=$W/store EDITOR=true
unset VISUAL

# scene - create the tables and files that the examples name; later calls copy the first ones
scene()
{
	rm -rf store restored again monday tuesday STORE fresh songs-export db db.old
	if [ -d made ]; then
		cp -a made/. .
		return
	fi
	itemctl -q create-table music --key Artist,Song --gsi 'ByYear=Year:N,Song' --stream NEW_AND_OLD_IMAGES
	itemctl -q create-table old --key Id
	itemctl -q create-table copy --key Artist,Song
	itemctl -q -s STORE create-table music --key Artist,Song
	itemctl -q -s other create-table music --key Artist,Song 2>/dev/null
	rm -rf other
	printf '%s\n' '{"Artist":"Acme","Song":"Blue","Year":1999,"Plays":3,"Place":{"City":"Rome"}}' '{"Artist":"Acme","Song":"Gold","Year":2005}' \
		'{"Artist":"Acme","Song":"Red","Year":2001}' '{"Artist":"Acme#1","Song":"One"}' '{"Artist":"Bell","Song":"Bass","Year":1949}' >songs.jsonl
	itemctl -q import music songs.jsonl
	itemctl scan music --format csv >songs.csv
	itemctl describe music --format json | jq '.TableName = "fresh"' >songs.json
	echo 'put music {"Artist":"Acme","Song":"Two"} if attribute_not_exists(Song)' >buy.txt
	itemctl help patterns | sed -n '/# songs.patterns/,/^$/s/^    //p' >songs.patterns
	echo '{"TableName":"music","KeyConditionExpression":"Artist = :a","ExpressionAttributeValues":{":a":{"S":"Acme"}}}' >query.json
	itemctl -q backup monday
	itemctl -q alter music --ttl Expires
	printf '%s\n' 'get music Acme Blue' 'SELECT Song FROM music' "WHERE Artist = 'Acme';" >commands.txt
	printf '[default]\naws_access_key_id = A\naws_secret_access_key = B\n' >keys
	chmod 600 keys
	echo 'Year shift 1' >rules.txt
	mkdir made
	cp -a store STORE songs.* buy.txt query.json monday commands.txt keys rules.txt made 2>/dev/null
}

# in_scene LINE - run it, with a mount where it names one; stop a command that runs forever once it has begun
in_scene()
{
	local line=$1
	line=${line//\/mnt/$W/mnt}
	line=${line//:8000/:0}
	line=${line//--port 8001/--port 0}
	line=${line//npm test/itemctl tables}
	if [[ $line != *' -- '* ]] && [[ $line == 'itemctl serve'* || $line == *' serve '* || $line == 'itemctl tail music' ]]; then
		rm -f begun
		eval "exec $line" >begun 2>&1 &
		local pid=$!
		case $line in *tail*) wait_until 10 grep -qx itemctl "/proc/$pid/comm" ;; *) wait_until 10 grep -qs '^listening on' begun ;; esac || {
			cat begun
			return 1
		}
		kill "$pid"
		wait "$pid"
		return 0
	fi
	eval "$line" </dev/null
}

# examples TEXT - the lines of it that can be typed, without the descriptions
examples()
{
	sed -nE 's/^  ((itemctl|ls|cat|itemfs|echo) .*)/\1/p' "$1" | sed -E 's/ {2,}[^ ].*$//'
}

tried=0
try_all()
{
	scene
	itemfs store mnt -o table=music
	while IFS= read -r line <&3; do
		case $line in
		'itemctl backup monday') rm -r monday ;;
		'itemctl copy http://127.0.0.1:8000 '*) # a server of this test
			eval "$(itemctl -s STORE serve --background --port 0 | grep ITEMFS_SERVER_PID)"
			port=$(itemctl status STORE | jq -r '.Url | split(":")[2]')
			line=${line//8000/$port}
			;;
		'itemctl diff ./db ./db.old') cp -a store db && cp -a store db.old ;;
		'itemctl diff music STORE/copied') itemctl -q copy music --to STORE/copied ;;
		'itemctl diff music copied '*) itemctl -q copy music --to ./copied ;;
		'itemctl status'* | 'itemctl wait'* | 'itemctl stop'*) # of a server of this test
			eval "$(itemctl -s STORE serve --background --port 0 | grep ITEMFS_SERVER_PID)"
			port=$(itemctl status STORE | jq -r '.Url | split(":")[2]')
			line="ITEMFS_STORE=STORE ${line//8000/$port}"
			;;
		'itemctl drop old') continue ;; # asks on a terminal, and needs --yes elsewhere
		esac
		in_scene "$line" >out 2>&1
		status=$?
		tried=$((tried + 1))
		[ -z "${ITEMFS_SERVER_PID-}" ] || kill "$ITEMFS_SERVER_PID" 2>/dev/null
		unset ITEMFS_SERVER_PID
		case "$status $line" in
		0* | '1 itemctl why'*) ;;
		*) fail "$1: $line: status $status: $(head -c 600 out)" ;;
		esac
	done 3<"$2"
	unmnt mnt 2>/dev/null
}

itemctl help >list
eq 'help has at most 80 columns' "$(awk 'length > 80' list)" ''
commands=$(sed '/^Help$/,$d' list | sed -nE 's/^  ([a-z][a-z-]*) .*/\1/p')
for command in $commands; do
	itemctl help "$command" >text
	eq "$command: at most 80 columns" "$(awk 'length > 80' text)" ''
	sed -n '/^Examples:/,$p' text >shown
	examples shown >lines
	n=$(wc -l <lines)
	eq "$command: 2 to 5 examples" "$((n >= 2 && n <= 5)) $(grep -c '^  itemctl' shown)" "1 $n"
	eq "$command: the examples are of this command" "$(grep -cvE "itemctl( -s [A-Za-z]+)? $command( |\$)" lines)" 0
	try_all "$command" lines
done
topics=$(sed -n '/^Help$/,/^$/s/^  help \([a-z]*\) .*/\1/p' list | grep -vx aliases) # aliases has no examples
eq 'the topics of help' "$topics" $'endpoints\nexpressions\nformats\nkeys\npaths\npatterns\nstore\ntypes'
for topic in $topics; do
	itemctl help "$topic" >text
	eq "$topic: fits on a screen" "$(awk 'length > 80' text) $(($(wc -l <text) <= 40))" ' 1'
	examples text >lines
	eq "$topic: has examples" "$(($(wc -l <lines) > 0))" 1
	try_all "$topic" lines
done

# page FILE - the EXAMPLES of a manual page as one script
page()
{
	sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$1" | sed -n '/^\.RS/,/^\.RE/p' | grep -v '^\.' | sed 's/\\-/-/g; s/\\e$/\\/'
}
mkdir pages
cd pages || exit 1
printf '%s\n' '{"PK":"CUSTOMER#1","SK":"ORDER#7","Status":"OPEN","Date":"2026-11-24","Total":120}' '{"PK":"CUSTOMER#1","SK":"PROFILE"}' >orders.jsonl
echo "update orders CUSTOMER#1 ORDER#7 'SET Paid = true' if Status = \"SHIPPED\"" >ship.txt
echo 'Status redact' >rules.txt
for manual in tools/itemctl.1 fs/itemfs.1; do
	page "$HERE/../../$manual" | sed 's/:8000/:0/' >script
	eq "$manual has examples" "$(($(wc -l <script) > 20))" 1
	rm -rf shop
	(unset ITEMFS_STORE && bash -eux script) >out 2>&1 || fail "$manual: $(tail -n 5 out)"
done
cd ..
eq 'enough examples were run' "$((tried > 90))" 1
fails 2 'there is no command "nonsense"' itemctl help nonsense
done_testing
