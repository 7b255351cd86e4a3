#!/bin/bash
# import --set: attributes that are computed from others.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N --gsi 'ByYear=G,Year:N'
ctl -q create-table one --key PK
printf 'id,name,year\n1,Ann,1999\n2,Bob,2000\n' >doctors.csv

# ---- each input format
ok ctl -q import tab doctors.csv --set 'PK=DOCTOR#${id}' --set 'SK=${id}' --set 'Year=${year}' --set 'n:N=-${id}.50' --set 'lit=$${id} $1 }' --set 'name=${name} ${name}'
eq 'CSV: keys and NAME:N have types, other attributes are text' "$(ctl get tab DOCTOR#1 1)" '{"id":"1","year":"1999","PK":"DOCTOR#1","SK":1,"Year":1999,"n":-1.5,"lit":"${id} $1 }","name":"Ann Ann"}'
ok ctl -q import one --set 'PK=${name}' <doctors.csv
eq 'CSV from standard input' "$(ctl scan one | sort)" $'{"id":"1","name":"Ann","year":"1999","PK":"Ann"}\n{"id":"2","name":"Bob","year":"2000","PK":"Bob"}'
import_of()
{
	ctl -q delete one --all
	ok ctl -q import one "$@" --set 'PK=A#${id}#${b}'
	ctl scan one --project PK
}
echo '{"id":1,"b":true}' >a.jsonl
eq 'JSON Lines' "$(import_of a.jsonl)" '{"PK":"A#1#true"}'
echo '{"id":{"N":"1.50"},"b":{"S":"x"}}' >a.jsonl
eq 'typed' "$(import_of a.jsonl)" '{"PK":"A#1.5#x"}'
echo '[{"id":"ü","b":"${id}"}]' >a.json
eq 'an array; values are not templates' "$(import_of a.json)" '{"PK":"A#ü#${id}"}'
echo '- {id: 1, b: false}' >a.yaml
eq 'YAML' "$(import_of a.yaml)" '{"PK":"A#1#false"}'
ok ctl import made doctors.csv --key PK --set 'PK=${id}' --set 'id=X${id}'
eq 'a new table; templates use the record as it was read' "$(ctl scan made --project PK,id | sort)" $'{"PK":"1","id":"X1"}\n{"PK":"2","id":"X2"}'

# ---- refused records
printf '%s\n' '{"id":1}' '{"id":[1]}' '{"no":1}' '{"id":"x"}' '{"id":""}' '{"id":4}' >bad.jsonl
gives 2 'bad.jsonl:2: --set PK: id is of type L, not a string, a number, true or false' ctl import one bad.jsonl --set 'PK=B${id}'
eq 'the records before it are imported' "$(ctl scan one --filter 'begins_with(PK, "B")' --project PK)" '{"PK":"B1"}'
gives 2 'bad.jsonl:3: ValidationException: --set PK: there is no attribute id' ctl import tab bad.jsonl --set 'PK=C${id}' --set 'SK=${id}' --on-error skip
eq 'each refused record is reported with its line' "$(grep -c '^bad.jsonl:[2345]: ' <<<"$err") $(ctl query tab C4 --count)" '4 1'
gives 2 'bad.jsonl:1: ' ctl import tab bad.jsonl --set 'PK=${id}'
gives 2 'line 3: ' ctl import one --set 'PK=${id}' <<<$'{"id":"1"}\n{"id":"2"}\n{"ID":"3"}'

# ---- wrong options, refused before anything is read
gives 2 '--set must be NAME=TEMPLATE, NAME:S=TEMPLATE or NAME:N=TEMPLATE, not "PK"' ctl import one bad.jsonl --set PK
gives 2 'not "=x"' ctl import one bad.jsonl --set =x
gives 2 'not "a:BOOL=x"' ctl import one bad.jsonl --set a:BOOL=x
gives 2 'a ${ is not closed' ctl import one bad.jsonl --set 'PK=a${id'
gives 2 '${} names nothing' ctl import one bad.jsonl --set 'PK=a${}'
gives 2 'PK is given twice' ctl import one bad.jsonl --set 'PK=${id}' --set 'PK:S=${id}'
gives 2 'gives all records the same key' ctl import one bad.jsonl --set "PK=DOCTOR#"
gives 2 'gives all records the same key' ctl import tab bad.jsonl --set PK=DOCTOR# --set SK=1
gives 2 '--set does not go with --apply' ctl import one bad.jsonl --apply --set 'PK=${id}'
gives 2 'a ${ is not closed' ctl import nothing bad.jsonl --key PK --set 'PK=a${id'
gives 3 '' ctl describe nothing

# ---- a store that does not exist
ok itemctl_of fresh import doctors doctors.csv --key id
eq 'the store is created, and this is reported' "$(head -2 <<<"$err")" $'store fresh created\ntable doctors created'
eq 'with the items' "$(itemctl_of fresh scan doctors --count)" 2
itemctl_of piped -q import doctors --key id <doctors.csv
eq 'from a pipe, too' "$(itemctl_of piped scan doctors --count)" 2
gives 2 'there is no store at typo' itemctl_of typo import doctors doctors.csv
gives 2 'none.csv: No such file' itemctl_of typo import doctors none.csv --key id
gives 2 'without --dry-run this command creates one' itemctl_of typo import doctors doctors.csv --key id --dry-run
gives 2 'there is no store at typo' itemctl_of typo cost import doctors doctors.csv --key id
[ ! -e typo ] || fail 'a store is created although the import is refused'
done_testing
