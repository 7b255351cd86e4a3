#!/bin/bash
# Effects of the calling shell: closed descriptors, empty variables, missing files.
. "$(dirname "$0")/lib.sh"
begin

ctl create-table tab --key PK,SK --gsi gsi=G
ctl put tab '{"PK":"p","SK":"a","G":"needle"}'

# ---- a closed standard output is an error, and no file of the store gets its descriptor
gives 70 'writing the answer' eval 'ctl get tab p a >&-'
gives 70 'writing the answer' eval 'ctl tables <&- >&-'
eq 'no output is written into the store' "$(grep -rl needle "$S/db/LOG")" ''
ok eval 'ctl put tab "{\"PK\":\"p\",\"SK\":\"b\"}" <&- >&- 2>&-'
eq 'a command with all three closed' "$(ctl get tab p b)" '{"PK":"p","SK":"b"}'

# ---- an empty variable is an empty expression, never "no condition"
gives 2 'Invalid ConditionExpression: The expression can not be empty' ctl delete tab p b --if ''
gives 2 'Invalid ConditionExpression: The expression can not be empty' ctl put tab '{"PK":"p","SK":"b"}' --if ' '
gives 2 'Invalid FilterExpression: The expression can not be empty' ctl query tab p --filter ''
gives 2 'Invalid FilterExpression: The expression can not be empty' ctl scan tab --filter ''
gives 2 'Invalid ProjectionExpression: The expression can not be empty' ctl get tab p b --project ''
eq 'the item is still there' "$(ctl get tab p b)" '{"PK":"p","SK":"b"}'

# ---- messages name what was typed
gives 2 'token: "ANDD", near: "3 ANDD x"' ctl query tab p --filter 'a = 3 ANDD x'
gives 2 'near: "== "x""' ctl query tab p --filter 'a == "x"'
gives 2 'near: "b #i0"' ctl query tab p --filter 'a = b #i0' --names '{"#i0":"c"}'

# ---- missing files and tables, reported before anything is done
gives 2 'none.jsonl: No such file' ctl import tab none.jsonl
eq 'there is no other message' "$err" 'itemctl: none.jsonl: No such file or directory'
echo '{"PK":"q","SK":"1"}' >good.jsonl
gives 2 'none.jsonl: No such file' ctl import tab good.jsonl none.jsonl
eq 'no file was imported' "$(ctl query tab q --count)" 0
ok ctl import tab - good.jsonl </dev/null
eq 'standard input can be one of the files' "$(ctl query tab q --count)" 1
gives 2 'none: No such file' ctl transact none
gives 3 'Table: none not found' ctl export none out.jsonl
gives 2 'no/where: No such file' ctl export tab no/where
gives 3 'Table: none not found' ctl scan none
gives 3 'there are gsi' ctl export tab --index none
eq 'no file was created' "$(ls -d out.jsonl* 2>/dev/null)" ''
gives 2 'line 2: not JSON: column 11: ' ctl import tab <<<$'{"PK":"r","SK":"1"}\n{"PK":"r",}'
ok ctl import tab <<<'[{"PK":"r","SK":"1"}]'
ok ctl delete tab r 1
gives 2 'an array of them is read with --from json' ctl import tab <<<$'{"PK":"r","SK":"1"}\n[{"PK":"r","SK":"2"}]'
printf '\xef\xbb\xbf{"PK":"bom","SK":"1"}\r\n{"PK":"bom","SK":"2"}\r\n' >bom.jsonl
printf '\xef\xbb\xbfPK,SK\r\nbom,3\r\n' >bom.csv
printf '\xef\xbb\xbf[{"PK":"bom","SK":"4"}]' >bom.json
ok ctl import tab bom.jsonl bom.csv bom.json
eq 'files with a byte order mark' "$(ctl query tab bom --project SK | jq -r .SK | tr '\n' ' ')" '1 2 3 4 '
marked()
{
	printf '\xef\xbb\xbf%s\n' "$@"
}
marked '{"PK":"bom","SK":"6"}' | ok ctl put tab -
marked '{"PK":"bom","SK":"6"}' | ok ctl update tab - 'SET a = 1'
marked '{"TableName":"tab","Key":{"PK":{"S":"bom"},"SK":{"S":"6"}}}' | ok ctl call GetItem -
eq 'a request with a byte order mark' "$(printf %s "$out" | jq -c .Item.a)" '{"N":"1"}'
marked '{"PK":"bom","SK":"6"}' | ok ctl delete tab -
eq 'a script with a byte order mark' "$(marked 'query tab bom --count' | ctl shell)" 4
printf "put tab '{\"PK\":\"long\",\"SK\":\"1\",\"v\":\"%s\"}'\n" "$(head -c 200000 /dev/zero | tr '\0' x)" >long.script
gives 2 'a word of over 128 KiB cannot be given to a command' bash -c "\"\$@\" <long.script" - "$ITEMCTL" -s "$S" shell
marked 'put tab {"PK":"bom","SK":"6"}' | ok ctl transact
ctl delete tab bom 6
ctl describe tab | jq '.TableName = "marked"' | marked "$(cat)" | ok ctl create-table --from -
ctl -q drop marked --yes
{ echo '{"PK":"bom","SK":"7"}'; marked '{"PK":"bom","SK":"8"}'; } | gives 2 'line 2: not JSON' ctl put tab -
ctl delete tab bom 7
printf '\xef' | gives 2 'line 1' ctl import tab
{ printf '\xef'; head -c 1 /dev/zero | tr '\0' '\273'; printf '\xbfPK,SK\nbom,5\n'; } | ok ctl import tab --from csv
eq 'also if it comes byte by byte' "$(ctl query tab bom --count)" 5
for to in UTF-16 UTF-16LE UTF-16BE; do
	printf 'PK,SK\nwide,1\n' | iconv -f UTF-8 -t $to >wide.csv
	ok ctl import tab wide.csv
	eq "$to" "$(ctl query tab wide --count)" 1
done
for header in 'PK,,SK' 'PK,PK' '"PK,SK'; do
	printf '%s\nx,1\n' "$header" >header.csv
	gives 2 'header.csv:1: ' ctl import tab header.csv
	gives 2 'header.csv:1: ' ctl import tab header.csv --on-error skip
done

# ---- on a terminal
if here script; then
	on_terminal()
	{
		NO_COLOR=1 script -qec "stty cols $1; '$ITEMCTL' -s '$S' $2" /dev/null </dev/null | tr -d '\r'
	}
	ctl put tab '{"PK":"t","SK":"a","Name":"Jane Doe","Street":"A street with a long name","n":1}' \
		'{"PK":"t","SK":"b","City":"Springfield"}' '{"PK":"t","SK":"c"}'
	eq 'a narrow terminal: attributes of many types are wrapped' "$(on_terminal 40 'query tab t')" \
		$'PK SK Attributes\nt  a  Name: Jane Doe\n      Street: A street with a long name\n      n: 1\nt  b  City: Springfield\nt  c  '
	eq 'a wide terminal: one column each' "$(on_terminal 80 'query tab t')" \
		$'PK SK Name     Street                    n City\nt  a  Jane Doe A street with a long name 1 \nt  b                                       Springfield\nt  c                                       '
	eq 'an empty result is explained' "$(on_terminal 80 'query tab none')" "no item has PK = 'none'"
	eq 'and so is an empty range of keys' "$(on_terminal 80 'query tab t --gt x')" "no item has PK = 't' AND SK > 'x'"
	eq 'a count of 0 is only a number' "$(on_terminal 80 'query tab t --gt x --count' 2>&1 | tail -1)" 0
	# colored COMMAND [NAME=VALUE] - run it on a terminal with colors
	colored()
	{
		env TERM=xterm ${2-} script -qec "'$ITEMCTL' -s '$S' $1" /dev/null </dev/null | tr -d '\r'
	}
	ctl put tab '{"PK":"z","SK":"a","Gone":null,"Text":"null"}'
	for form in 'query tab z' 'get tab z a'; do
		eq "a null has its color: $form" "$(colored "$form --format table" | grep -o $'\e\\[1;30mnull\\|null')" $'\e[1;30mnull\nnull'
		eq "no color with NO_COLOR: $form" "$(colored "$form --format table" NO_COLOR=1 | grep -c $'\e\\[1;30m')" 0
	done
	eq 'the name of an error has a color' "$(colored 'get none a' | head -n 1)" \
		$'\e[1;31mResourceNotFoundException:\e[0m Requested resource not found: Table: none not found'
	eq 'and so has the program name in a message' "$(colored 'get' | head -n 1 | cut -c 1-20)" $'\e[1;31mitemctl:\e[0m '
	eq 'no color with NO_COLOR' "$(colored 'get none a' NO_COLOR=1 | head -n 1)" 'ResourceNotFoundException: Requested resource not found: Table: none not found'
fi
done_testing
