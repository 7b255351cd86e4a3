#!/bin/bash
# What users of other tools type first: names of commands and options, slips of the fingers, an address to serve at.
. "$(dirname "$0")/lib.sh"
begin
ok ctl create-table music --key Artist,Song --gsi ByYear=Year
ok ctl put music '{"Artist":"Acme","Song":"Blue","Year":"1999"}' '{"Artist":"Acme","Song":"Red"}'
item='{"Artist":"Acme","Song":"Blue","Year":"1999"}'

# same COMMAND... -- COMMAND...: they answer the same
same()
{
	local a=()
	while [ "$1" != -- ]; do
		a+=("$1")
		shift
	done
	shift
	eq "${a[*]}" "$(ctl "${a[@]}" 2>&1)" "$(ctl "$@")"
}

# ---- commands
for name in describe-table DescribeTable describe_table describetable desc show info schema; do
	same $name music -- describe music
done
for name in list-tables ListTables list_tables list ls; do
	same $name -- tables
done
same get-item music Acme Blue -- get music Acme Blue
same Query music Acme -- query music Acme
same SCAN music -- scan music
same query music Acme Blue -- get music Acme Blue
same execute-statement '{"Statement":"SELECT * FROM music"}' -- call ExecuteStatement '{"Statement":"SELECT * FROM music"}'
same describe-time-to-live '{"TableName":"music"}' -- call DescribeTimeToLive '{"TableName":"music"}'
same count music -- scan music --count
same count music Acme -- query music Acme --count
same count music --where "Song = 'Red'" -- scan music --count --filter "Song = 'Red'"
same ls music -- scan music
same ls music Acme -- query music Acme
ok ctl put-item music '{"Artist":"B","Song":"1"}'
ok ctl insert music '{"Artist":"B","Song":"2"}'
ok ctl delete-item music B 1
ok ctl rm music B 2
eq 'put, inserted, deleted, removed' "$(ctl query music B --count)" 0
gives 2 'itemctl: there is no command "qurey": did you mean itemctl query?' ctl qurey
gives 2 'did you mean itemctl create-table?' ctl create-tabel
gives 2 'itemctl: there is no command "xyzzy"; see itemctl help' ctl xyzzy

# ---- options
for pair in '--pk Acme --sk Blue' '--hash Acme --range Blue' '--partition-key Acme --sort-key Blue' '--sk Blue --pk Acme' '--pk=Acme --sk=Blue'; do
	same get music $pair -- get music Acme Blue
done
same get --pk Acme --sk Blue --table-name music -- get music Acme Blue
same get --table music Acme Blue -- get music Acme Blue
same get music Acme --sk Blue -- get music Acme Blue
same query music --pk Acme --desc -- query music Acme --reverse
same query music Acme --descending --max-items 1 -- query music Acme --reverse --limit 1
same query music Acme --asc -- query music Acme
same query music Acme --no-scan-index-forward --top 1 -- query music Acme --reverse --limit 1
same query music 1999 --index-name ByYear -- query music 1999 --index ByYear
same query music 1999 --index_name ByYear -- query music 1999 --index ByYear
for name in filter-expression filter_expression where; do
	same scan music --$name "Song = 'Blue'" -- scan music --filter "Song = 'Blue'"
done
for name in projection-expression columns fields attributes; do
	same scan music --$name Song -- scan music --project Song
done
for form in table json csv; do
	same scan music --output $form -- scan music --format $form
	same scan music -o $form -- scan music --format $form
	same -o $form scan music -- scan music --format $form
done
same -V -- --version
gives 2 'itemctl: --format is jsonl, json, typed, csv or table, not "yaml"' ctl scan music --output yaml
ok ctl put music "$item" --condition 'attribute_exists(Song)'
ok ctl put music "$item" --condition-expression 'attribute_exists(Song)'
gives 4 'ConditionalCheckFailedException' ctl put music "$item" --condition 'attribute_not_exists(Song)'
ok ctl alter music --gsi BySong=Song
gives 2 'unknown option --filtre: did you mean --filter?' ctl scan music --filtre x
eq 'and how it is written' "$(head -n 1 <<<"${err#*$'\n'}" | cut -d' ' -f1-4)" 'usage: itemctl scan TABLE'
gives 2 'unknown option --xyzzy' ctl scan music --xyzzy
case $err in *'did you mean'*) fail "nothing is near: $err" ;; esac
gives 2 'the key is words, its condition options: itemctl query TABLE PK' ctl query music --key-condition-expression 'Artist = :a'
gives 2 'itemctl: --pk wants PK' ctl get music --pk
gives 2 'itemctl: get: something is missing' ctl get music
gives 2 'itemctl: get: too many words, from "x" on' ctl get music Acme Blue x
for mistake in 'scan' 'scan music --limit x' 'scan music --frob'; do
	gives 2 'usage: itemctl scan TABLE' ctl $mistake
	eq "$mistake begins with itemctl" "${err%%:*}" itemctl
done

# ---- nothing is found, and nothing is silent about why
ok ctl scan music --filter 'Song = Blue'
eq 'a bare word' "$out$err" "Blue is read as an attribute's name; a text stands in quotes: Song = 'Blue'"
ok ctl query music Acme --where 'attribute_exists(Year) AND Name<>Blue AND Year = x'
eq 'in a query' "$err" "Blue is read as an attribute's name; a text stands in quotes: Name <> 'Blue'"
ok ctl query music Artist=Acme
eq 'name=value' "$err" 'PK is the value alone: itemctl query music Acme'
ok ctl scan music --filter "Song = 'nothing'"
eq 'what is right says nothing' "$out$err" ''
ok ctl -q scan music --filter 'Song = Blue'
eq 'nor does --quiet' "$out$err" ''
while IFS=$'\t' read -r expression hint; do
	gives 2 "$hint" ctl scan music --filter "$expression"
done <<'ROWS'
Song == 'Blue'	== is written =
Song != 'Blue'	!= is written <>
Song = 'Blue' && Year = '1'	&& is written AND
Song = 'Blue' || Year = '1'	is written OR
Song LIKE 'B%'	is written begins_with(a, 'x')
ROWS
gives 2 'is written begins_with' ctl sql "SELECT * FROM music WHERE Song LIKE 'B%'"
gives 2 'token: "<EOF>"' ctl scan music --filter "Song = '==' AND"
case $err in *'is written'*) fail "a text is no operator: $err" ;; esac

# ---- endpoints, as the AWS command line names them
if [ -z "${SERVED-}" ]; then
	begin_server --port 0
	url=http://$(address log)
	eq '--endpoint-url' "$("$ITEMCTL" --endpoint-url "$url" get music Acme Blue)" "$item"
	eq 'behind the command' "$("$ITEMCTL" get music Acme Blue --endpoint-url "$url" --region eu-west-1)" "$item"
	gives 2 'itemctl: -s and --endpoint-url: one of them' ctl get music Acme Blue --endpoint-url "$url"
	end_server
	gives 70 'ServiceUnavailable' env AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:1 AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b "$ITEMCTL" tables --region eu-west-1
fi

# ---- tables and indexes
gives 3 'did you mean music?' ctl scan musci
gives 3 'itemctl tables lists those there are' ctl scan orders
gives 3 'there are ByYear, BySong' ctl query music 1999 --index ByYeer
ok ctl drop music --force
gives 3 'the store has no tables; itemctl create-table makes one' ctl scan music
done_testing
