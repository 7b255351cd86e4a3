#!/bin/bash
# What itemctl does on a terminal only: it asks before it drops a table, shows progress, and prints tables.
# "exec", since not every $SHELL that script(1) may find puts its last command in its own place.
. "$(dirname "$0")/lib.sh"

# at_terminal ANSWER COMMAND... - itemctl with a terminal, on which ANSWER is typed; sets $status and $out
at_terminal()
{
	local answer=$1
	shift
	out=$(python3 "$SOURCE/tests/tools/typed.py" "$answer" sh -c "exec '$ITEMCTL' -s '$S' $*" | tr -d '\r'; exit "${PIPESTATUS[0]}")
	status=$?
}

# said TEXT - how often was it shown?
said()
{
	printf %s "$out" | grep -cF "$1"
}

tables()
{
	ctl tables | jq -r .TableName | tr '\n' ' '
}

ctl -q create-table people --key PK || exit 1
ctl put people '{"PK":"a"}' '{"PK":"b"}'

# ---- drop
for answer in $'\n' $'n\n' $'maybe\n' $'\004'; do
	at_terminal "$answer" drop people
	eq "$(printf %q "$answer") is no yes" "$status $(said 'Drop table people with 2 items? [y/N] ') $(said 'not confirmed')" '2 1 1'
	eq 'and the table is there' "$(tables)" 'people '
done
at_terminal $'y\n' drop people
eq 'dropped' "$status $(said 'table people dropped') $(tables)" '0 1 '
at_terminal '' drop people
eq 'no question about what is not there' "$status $(said '?')" '3 0'

# ---- tables
ctl -q create-table shown --key PK
ctl put shown '{"PK":"a","n":1}'
at_terminal '' scan shown
eq 'a table' "$(printf %s "$out" | sed 's/\x1b\[[0-9;]*m//g')" $'PK n\na  1'

# narrow COMMAND... - the lines of what itemctl prints on a terminal of 60 columns
narrow()
{
	script -qec "stty cols 60; '$ITEMCTL' -s '$S' $*" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g; s/ *$//'
}
# help_at COLUMNS WORD... - the longest line of running text, and a word that is there at any width
help_at()
{
	local columns=$1
	shift
	script -qec "stty cols $columns; '$ITEMCTL' --no-pager help $*" /dev/null </dev/null | tr -d '\r' >text
	awk -v most="$columns" '/^ / { next } length > most { print "too long: " $0 } length > longest { longest = length } END { print (longest > most - 15) }' text
	tr -s ' \n' ' ' <text | grep -c 'without it the request is'
}
for columns in 50 80 120; do
	eq "help at $columns columns" "$(help_at $columns call)" $'1\n1'
done
eq '40 columns at least' "$(help_at 20 call >/dev/null; awk 'length > longest && !/^( |usage)/ { longest = length } END { print (longest > 25 && longest <= 40) }' text)" 1
cat >patterns <<'END'
pattern orders  Orders of a customer in a time: a query for each status, since the status comes first
    param who="John Smith's"
    get shown ${who}
END
eq 'a list is folded between words, its parameters can be typed' "$(narrow run patterns)" \
	"Pattern Parameters            Description
orders  who='John Smith'\\''s' Orders of a customer in a
                              time: a query for each status,
                              since the status comes first"
ctl put shown '{"PK":"b","text":"one two three four five six seven eight nine ten twelve eleven","line":"x\ny"}'
eq 'so is an item' "$(narrow get shown b)" 'PK   b
text one two three four five six seven eight nine ten twelve
     eleven
line "x\ny"'
for n in 1 2 3 4 5 6; do
	ctl update shown b "SET attribute$n = '$n $n $n $n'"
done
eq 'so are attributes that have no column' "$(narrow query shown b | sed 's/^[b ] *//' | head -n 4 | tail -n 3)" 'text: one two three four five six seven eight nine ten
twelve eleven  line: "x\ny"  attribute1: 1 1 1 1
attribute2: 2 2 2 2  attribute3: 3 3 3 3'
ctl delete shown b
ctl put shown '{"PK":"c\u0000\u001b","v\u0000":"x\u0000y","w":"\\x00"}'
eq 'control characters, NUL too' "$(ctl --format table scan shown --filter 'attribute_exists(w)' | tr -s ' ' | sed 's/ $//')" \
	'PK v\x00 w
c\x00\x1b x\x00y \x5cx00'
ctl put shown "{\"PK\":\"c\u0000\u001b\",\"v\u0000\":\"x\u0000y\",\"w\":\"$(printf '%080d' 0)\",\"u\":\"$(printf '%080d' 0)\"}"
eq 'in folded text, too' "$(narrow scan shown | grep 'x00:' | sed 's/^[^ ]* *//')" 'v\x00: "x\u0000y"'
ctl -q delete shown - <<<'{"PK":"c\u0000\u001b"}'

# ---- progress: items come until it is shown
feed()
{
	local n=0 end
	until grep -q 'items/s' screen; do
		for ((end = n + 100; n < end; n++)); do
			printf '{"PK":"%s","filler":"%01000d"}\n' $n 0
		done
	done
}

mkfifo items
script -qefc "exec '$ITEMCTL' -s '$S' import shown items" screen </dev/null >/dev/null &
feed >items
wait $!
eq 'the import ends well' $? 0
tr '\r' '\n' <screen >lines
eq 'its progress' "$(grep -m 1 'items/s' lines | sed -E 's/[0-9]+(,[0-9]{3})*/N/g')" $'N items, N.N MB, N items/s\x1b[K'
eq 'is wiped away before the last word' "$(grep -c $'^\x1b\\[K'"imported $(($(ctl scan shown --count) - 1)) items" <(tr -d , <lines))" 1
rm screen
script -qefc "exec '$ITEMCTL' -s '$S' put shown - <items" screen </dev/null >/dev/null &
feed >items
wait $!
eq 'that of put -' "$(tr '\r' '\n' <screen | grep -m 1 'items/s' | sed -E 's/[0-9]+(,[0-9]{3})*/N/g')" $'N items, N.N MB, N items/s\x1b[K'
ctl -q create-table few --key PK
ctl put few '{"PK":"a"}'
ITEMFS_TIMING=progress=600000 at_terminal '' scan few --count
eq 'quick work shows none' "$out" 1

# ---- a share of the whole, where the first of several pages is late: the server does not answer before progress is due
# late COMMAND... - the first progress that itemctl shows then
late()
{
	halt "$server"
	ITEMFS_TIMING=progress=10 script -qefc "exec '$ITEMCTL' -s '$S' $*" screen </dev/null >/dev/null &
	shown=$!
	wait_until 10 asks "/proc/$shown/task/$shown/children" || fail "$* asks for nothing"
	sleep 0.05 # at least: it waits for longer than 10 ms by now
	kill -CONT "$server"
	wait $shown
	eq "$* ends well" $? 0
	tr '\r' '\n' <screen | grep -m 1 '/s,' | sed -E 's/[0-9.,]+ (MB|records|items)\/s/N \1\/s/; s/[0-9]+ s left/N s left/; s/\x1b\[K//'
}
ctl -q create-table over --key PK --ttl end
seq 250 | sed 's/.*/{"PK":"&","end":1600000000}/' | ctl -q import over
ctl -q create-table many --key PK
seq 25000 | sed 's/.*/{"PK":"&"}/' | ctl -q import many
begin_server --ttl-sweep 0
eq 'of a sweep' "$(late sweep over --any-age)" '100 items, N items/s, 40 %, N s left'
eq 'of a check' "$(late check | sed -E 's/[0-9,]*N? records/N records/g; s/[0-9]+ %/N %/')" 'N records, N records/s, N %, N s left'
end_server
# ---- control characters: of C0, C1 (as CSI in one byte), DEL, and what turns the direction of writing
ctl -q create-table wild --key PK
acts=$'\302\233\177\342\200\256'
ctl put wild "{\"PK\":\"k\",\"a\":\"\\u001b$acts\"}"
shown='\u001b\u009b\u007f\u202e'
# shows FORMAT TEXT - what a terminal gets, colours aside; pipes get each byte
shows()
{
	at_terminal '' scan wild --format "$1"
	eq "an item as $1 on a terminal" "$status $(printf %s "$out" | sed 's/\x1b\[[0-9;]*m//g')" "0 $2"
}
shows table $'PK a\nk  \\x1b\\xc2\\x9b\\x7f\\u202e'
shows jsonl "{\"PK\":\"k\",\"a\":\"$shown\"}"
shows json $'[\n'"{\"PK\":\"k\",\"a\":\"$shown\"}"$'\n]'
shows typed "{\"PK\":{\"S\":\"k\"},\"a\":{\"S\":\"$shown\"}}"
shows csv $'PK,a\n'"k,$shown"
eq 'bytes of a pipe are exact' "$(ctl scan wild --format csv)" $'PK,a\nk,\033'"$acts"
at_terminal '' scan wild --format jsonl
eq 'JSON stays the same JSON' "$(printf %s "$out" | jq -c .)" "$(ctl scan wild | jq -c .)"
at_terminal '' query wild k --filter "\"x$acts = 1\""
eq 'a message that quotes it, and the line at fault' "$status $(said 'x\u009b\u007f\u202e')" '2 2'
eq 'in which nothing acts' "$(printf %s "$out" | LC_ALL=C grep -c $'\302\233\|\177\|\342\200\256')" 0
at_terminal '' put wild "'{\"PK\":\"k\"}'" --if "'attribute_not_exists(PK)'" --return old
eq 'nor in an item that comes with an error' "$status $(said "$shown") $(printf %s "$out" | LC_ALL=C grep -c $'\302\233\|\177\|\342\200\256')" '4 1 0'

# ---- what does not fit goes through a pager, as git's answers do
seq 40 | sed 's/.*/{"PK":"&"}/' | ctl -q import wild
screen=$ITEMCTL
printf '#!/bin/sh\nstty rows 12 cols 80 <&1 2>/dev/null\nexec %q "$@"\n' "$ITEMCTL" >small
chmod +x small
ITEMCTL=$W/small
export PAGER='sed s/^/P:/'
unset ITEMCTL_PAGER LESS
at_terminal '' scan wild
eq 'a long answer' "$status $(printf %s "$out" | grep -c '^P:') $(printf %s "$out" | grep -vc '^P:')" '0 42 0'
at_terminal '' get wild 1
eq 'a short one' "$status $(said P:)" '0 0'
at_terminal '' scan wild --limit 2
eq 'a command that may be long, and is not' "$status $(said P:)" '0 0'
at_terminal '' scan wild --no-pager
eq '--no-pager' "$(said P:)" 0
at_terminal '' help query --no-pager
eq 'help without it' "$(said P:)" 0
at_terminal '' help query
eq 'help' "$(($(said P:) > 12))" 1
eq 'not into a pipe' "$(ctl scan wild | grep -c P:)" 0
for none in '' cat; do
	ITEMCTL_PAGER=$none at_terminal '' scan wild
	eq "no pager: $none" "$status $(said P:)" '0 0'
done
PAGER='nosuchpager -x' at_terminal '' scan wild
eq 'a pager that is not there loses nothing' "$status $(said PK) $(said 'the pager nosuchpager is not there: the answer is printed without it')" '0 1 1'
PAGER='head -n 1' at_terminal '' scan wild
eq 'who has seen enough has no error' "$status" 0
PAGER='sed -n 1p; kill -INT 0' at_terminal '' scan wild
eq 'Ctrl-C is the pager'"'"'s' "$(said PK)" 1
unset PAGER
mkdir less
printf '#!/bin/sh\necho "less $LESS"; cat >/dev/null\n' >less/less
chmod +x less/less
PATH=$W/less:$PATH at_terminal '' scan wild
eq 'less, as git has it' "$(said 'less FRX')" 1
ITEMCTL=$screen

# ---- a picture
mkdir bin temp
# As slow as a desktop may be: itemctl and its terminal are gone before it shows anything. A comparison with $PPID would not
# do: when itemctl ends before this shell starts, $PPID is the process that inherits the shell, and it never changes.
cat >bin/xdg-open <<EOF
#!/bin/sh
while read -r _ _ _ parent _ </proc/\$\$/stat && [ "\$(cat /proc/\$parent/comm 2>/dev/null)" = itemctl ]; do sleep 0.01; done
sleep 0.1
echo "\$1" >>$W/shown
EOF
chmod +x bin/xdg-open
export TMPDIR=$W/temp
unset DISPLAY WAYLAND_DISPLAY
at_terminal '' draw wild
file=$(printf %s "$out" | sed -n 's/^written to //p')
eq 'draw writes a file instead of HTML to a terminal' "$status $(head -c 15 "$file") $(stat -c %a "${file%/*}")" '0 <!DOCTYPE html> 700'
DISPLAY=:0 PATH=$W/bin:$PATH at_terminal '' draw wild
file=$(printf %s "$out" | sed -n 's/^opened //p')
ok wait_until 10 test -s shown
eq 'which a desktop shows' "$(cat shown)" "$file"
unset TMPDIR

done_testing
