#!/bin/bash
# Mistakes are not silent: empty results are explained, for a store, over its socket, and for an endpoint.
. "$(dirname "$0")/lib.sh"
begin
ok ctl create-table music --key Artist,Song --gsi ByYear=Year:N
ok ctl create-table plain --key Id
ok ctl create-table counts --key Name,Number:N
ok ctl put counts '{"Name":"first","Number":1}'
ok ctl put plain '{"Id":"first-one"}'
ok ctl put music '{"Artist":"Acme","Song":"Blue","Year":1999,"Tag":"x","Tags":["a","b"],"Address":{"City":"Rome"},"Hot":true}' \
	'{"Artist":"Acme","Song":"Red","Year":2000,"Tag":"y","Sizes":{"NS":["1","2"]}}' '{"Artist":"ORDER#12","Song":"One","Mixed":1}' \
	'{"Artist":"ORDER#12","Song":"Two","Mixed":"1"}'

# says TEXT COMMAND... - check for status 0, nothing on stdout, and that line on stderr
says()
{
	local text=$1
	shift
	ok "$@"
	eq "${*:2}" "$out|$err" "|$text"
}

all_of_it()
{
	local I="itemctl${2+ -s $2}" # the beginning of suggested lines

	# ---- a literal of a type that no item has in this attribute
	while IFS=$'\t' read -r filter text; do
		says "${text/LINE/$I scan music --filter}" "$@" scan music --filter "$filter"
	done <<-'ROWS'
		Year = null	Year is a number in the items, and null is null: LINE 'attribute_not_exists(Year)'
		Mixed = null	Mixed is a number in the items, and null is null: LINE 'attribute_not_exists(Mixed)'
		Year > 'x'	Year is a number in the items, and 'x' is a text: Year > 1999
		Year = '1999'	Year is a number in the items, and '1999' is a text: LINE 'Year = 1999'
		Year BETWEEN "1999" AND "2000"	Year is a number in the items, and "1999" is a text: Year BETWEEN 1999 AND ...
		Tag = 'x' AND Year IN ('1999')	Year is a number in the items, and '1999' is a text: Year IN (1999, ...)
		begins_with(Year, '19')	Year is a number in the items, and '19' is a text: Year >= 19
		Tag = 5	Tag is a text in the items, and 5 is a number: LINE "Tag = '5'"
		Hot = 'true'	Hot is true or false in the items, and 'true' is a text: LINE 'Hot = true'
		Tags = 'a'	Tags is a list in the items, and 'a' is a text: LINE "contains(Tags, 'a')"
		Sizes = 1	Sizes is a set of numbers in the items, and 1 is a number: LINE 'contains(Sizes, 1)'
		Address = 'Rome'	Address is a map in the items, and 'Rome' is a text: Address.City = 'Rome'
		Address.City = 5	Address.City is a text in the items, and 5 is a number: LINE "Address.City = '5'"
	ROWS
	says '#y is a number in the items, and :v is a text: #y > 1999' "$@" scan music --filter '#y > :v' --names '{"#y":"Year"}' --values '{":v":"a"}'
	for filter in 'Year > 3000' "Mixed = 'x'" 'Mixed > 5' "size(Tag) = 50"; do
		says '' "$@" scan music --filter "$filter"
	done
	says '' "$@" -q scan music --filter "Year = 'x'"
	says "Year is a number in the items, and 'x' is a text: Year > 1999" "$@" sql "SELECT * FROM music WHERE Year > 'x'"
	says "Year is a number in the items, and '1999' is a text: Year = 1999" "$@" sql "select Song from music where Artist = 'Acme' and \"Year\" = '1999'"
	says "none of the 4 items has an attribute Yeer: did you mean: $I sql \"SELECT * FROM music WHERE Artist = 'Acme' AND Year = 5\"" "$@" sql "SELECT * FROM music WHERE Artist = 'Acme' AND Yeer = 5"
	says '' "$@" sql "SELECT * FROM music WHERE Artist = 'Acme' AND Year = 5"

	# ---- a key that no item has
	says "no item has Artist = 'Acmee': did you mean: $I query music Acme" "$@" query music Acmee
	says "no item has Artist = 'Acmee': did you mean: $I query music Acme --begins-with B" "$@" query music Acmee --begins-with B
	says "no item has Artist = 'Acmee': did you mean: $I query music Acme --filter 'Year = 1'" "$@" query music Acmee --filter 'Year = 1'
	says "no item has Artist = 'ORDER#13'" "$@" query music 'ORDER#13'
	says "no item has Artist = 'Acme' AND Song = 'Blu': did you mean: $I query music Acme Blue" "$@" query music Acme Blu
	says 'no item of index ByYear has Year = 1998' "$@" query music 1998 --index ByYear
	says "no item has Id = 'frist-one': did you mean: $I query plain first-one" "$@" query plain frist-one
	says "no item has Artist = 'Acme' AND begins_with(Song, 'Z')" "$@" query music Acme --begins-with Z
	says "no item has Artist = 'Acme' AND Song > 'Z'" "$@" query music Acme --gt Z
	says "no item has Artist = 'Acme' AND Song BETWEEN 'X' AND 'Z'" "$@" query music Acme --between X Z
	says "no item has Artist = 'Acmee': did you mean: $I query music Acme --gt Z" "$@" query music Acmee --gt Z
	says '' "$@" query music Acme --filter 'Year = 1'
	says '' "$@" -q query music Acmee
	ok "$@" query music Acmee --count
	eq 'a count of 0 is explained' "$out|$err" "0|no item has Artist = 'Acmee': did you mean: $I query music Acme --count"
	for words in 'Nobody' 'Acme --begins-with Z' 'Acme Zzzz' '--shards 0..3 --prefix P'; do
		ok "$@" query music $words --count
		eq "0 is a result: $words" "$out|$err" '0|'
	done
	says '' "$@" query music Acme --start '{"Artist":"Acme","Song":"Red"}'
	says '' "$@" query music Acmee --start '{"Artist":"Acmee","Song":"Red"}'
	says "no item has Artist = 'Acmee': did you mean: $I sql \"SELECT * FROM music WHERE Artist = 'Acme'\"" "$@" sql "SELECT * FROM music WHERE Artist = 'Acmee'"
	says "no item has Artist = 'Acme' AND Song = 'Blu': did you mean: $I sql \"SELECT * FROM music WHERE Artist = 'Acme' AND Song = 'Blue'\"" "$@" sql "SELECT * FROM music WHERE Artist = 'Acme' AND Song = 'Blu'"
	says "no item has Artist = '0' to '3': --prefix P makes the keys P0, P1 ..." "$@" query music --shards 0..3
	gives 1 "not found
did you mean: $I get music Acme Blue" "$@" get music Acme Blu
	gives 1 "did you mean: $I get music Acme Blue" "$@" get music Acmee Blue
	gives 1 "did you mean: $I size plain first-one" "$@" size plain first-oen
	gives 1 "did you mean: $I get counts first 1" "$@" get counts frist 1
	gives 1 'not found' "$@" get counts first 2
	eq 'another number is not suggested' "$err" 'not found'
	gives 1 'not found' "$@" get music Nobody Blue
	eq 'no suggestion without a similar key' "$err" 'not found'

	# ---- a key that names its attribute
	gives 1 "give keys without their names: $I get music Acme Blue" "$@" get music Artist=Acme "Song = 'Blue'"
	gives 2 "give keys without their names: $I update music Acme Blue 'SET n = 1'" "$@" update music Artist=Acme Song=Blue 'SET n = 1'
	gives 1 'not found' "$@" get music Artist=Acme Song=Blue
	says "there was no such item
give keys without their names: $I delete music Acme Blue" "$@" delete music Artist=Acme Song=Blue
	gives 0 "read as: itemctl${2+ -s $2} query music Acme Blue" "$@" query music Acme Song=Blue
	ok "$@" put music '{"Artist":"Artist=Acme","Song":"Song=Blue"}'
	says '' "$@" update music Artist=Acme Song=Blue 'SET n = 1'
	says '' "$@" delete music Artist=Acme Song=Blue

	# ---- a condition on an attribute that no item has
	gives 2 "no item has an attribute Artst: did you mean: $I put music '{\"Artist\":\"Acme\",\"Song\":\"Blue\"}' --if 'attribute_not_exists(Artist)'" "$@" put music '{"Artist":"Acme","Song":"Blue"}' --if 'attribute_not_exists(Artst)'
	gives 2 "no item has an attribute Sogn: did you mean: $I update music Acme Blue 'SET n = 1' --if 'attribute_not_exists(Song)'" "$@" update music Acme Blue 'SET n = 1' --if 'attribute_not_exists(Sogn)'
	gives 2 "no item has an attribute Sogn: did you mean: $I delete music Acme Blue --if 'attribute_not_exists(Song)'" "$@" delete music Acme Blue --if 'attribute_not_exists(Sogn)'
	gives 1 'not found' "$@" get music Nobody Blue
	says '' "$@" put music '{"Artist":"Nobody","Song":"Blue"}' --if 'attribute_not_exists(#a)' --names '{"#a":"Artst"}'
	says '' "$@" delete music Nobody Blue --if 'attribute_not_exists(Lock)'
	says '' "$@" put music '{"Artist":"Nobody","Song":"Blue"}' --if 'attribute_not_exists(Artst) AND attribute_not_exists(Lock)'
	says '' "$@" delete music Nobody Blue --if 'NOT attribute_exists(Artst)'
	gives 4 "items has an attribute Yeer: did you mean: $I update music Acme Blue 'SET n = 1' --if 'Year = 1'" "$@" update music Acme Blue 'SET n = 1' --if 'Yeer = 1'

	# ---- an attribute in a projection that no item has
	for form in jsonl typed json csv table yaml text; do
		ok "$@" --format $form query music Acme --project Song,Titel
		eq "reported in $form" "$err" 'none of the 4 items has an attribute Titel'
		ok "$@" --format $form query music Acme --project Song,Tags
		eq "not reported in $form if one item has it" "$err" ''
	done
	ok "$@" query music ORDER#12 --project Song,Tags
	eq 'not reported if an item of the table has it' "$err" ''
	ok "$@" scan music --project 'Address.City,#t' --names '{"#t":"Tagg"}'
	eq 'reported for an alias' "$err" "none of the 4 items has an attribute Tagg: did you mean: $I scan music --project Address.City,#t --names '{\"#t\":\"Tag\"}'"
	ok "$@" get music Acme Blue --project Yeer
	eq 'reported for one item' "$out|$err" "{}|none of the 4 items has an attribute Yeer: did you mean: $I get music Acme Blue --project Year"
	ok "$@" sql 'SELECT Yeer FROM music'
	eq 'reported for a statement' "$err" "none of the 4 items has an attribute Yeer: did you mean: $I sql 'SELECT Year FROM music'"

	# ---- a quote that is not closed
	gives 2 "did you mean: $I sql \"SELECT * FROM music WHERE Artist = 'Acme'\"
  SELECT * FROM music WHERE Artist = 'Acme
                                     ^" "$@" sql "SELECT * FROM music WHERE Artist = 'Acme"

	# ---- writes of missing items
	says 'there was no such item' "$@" delete music Nobody Blue
	says 'there was no such item: it was created' "$@" update music New One 'SET n = 1'
	says '' "$@" update music New One 'SET n = 2'
	says '' "$@" delete music New One
	says '' "$@" delete music New One --if 'attribute_not_exists(Song)'
	says '' "$@" -q delete music New One
}
all_of_it ctl

# ---- in a large table only the first items are examined
ok ctl create-table many --key Artist
seq 2000 | jq -c '{Artist: "a\(.)", Title: "t"}' >many.jsonl
ok ctl import many many.jsonl
says "none of the first 200 items has an attribute Artst: did you mean: itemctl put many '{\"Artist\":\"b\"}' --if 'attribute_not_exists(Artist)'" ctl put many '{"Artist":"b"}' --if 'attribute_not_exists(Artst)'
eq 'the item is written, as in DynamoDB' "$(ctl get many b)" '{"Artist":"b"}'
for form in jsonl csv; do
	ok ctl --format $form scan many --project Artist,Titel
	eq "$form" "$err" "none of the first 200 items has an attribute Titel: did you mean: itemctl --format $form scan many --project Artist,Title"
	ok ctl --format $form scan many --project Artist,Title
	eq "$form: most have it" "$err" ''
done

if [ -z "${SERVED-}" ]; then
	begin_server --port 0
	all_of_it itemctl_of "http://$(address log)"

	# ---- a remote server is only asked for a reason on a terminal
	for words in 'query music Acmee Blue' 'query music Acme --gt Z' 'scan music --filter Yeer=1'; do
		ok env AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_ENDPOINT_URL_DYNAMODB="http://$(address log)" \
			"$ITEMCTL" -s dynamodb:eu-west-1 --capacity $words
		eq "one request: $words" "${err##*$'\n'}" '0.5 read units of music: table 0.5'
	done

	# ---- TLS to a server that speaks HTTP, however slow the responses are
	export ITEMFS_TIMING=hint=600000,not_http=600000
	end_server
	rm log
	begin_server --listen 127.0.0.1:0
	at=$(address log)
	gives 70 "the server speaks HTTP: -s http://$at" "$ITEMCTL" -s "https://$at" tables
	# A client that disconnects first looks like one that disconnects during a request.
	said()
	{
		"$ITEMCTL" -s "https://$at" tables 2>/dev/null
		grep -q "this server speaks HTTP, not HTTPS: use http://$at" log
	}
	wait_until 10 said || fail "the server does not report it: $(cat log)"
	for _ in 1 2 3; do
		"$ITEMCTL" -s "https://$at" tables 2>/dev/null
	done
	eq 'it is reported at most once in a while' "$(grep -c 'this server speaks HTTP' log)" 1
	end_server
fi
done_testing
