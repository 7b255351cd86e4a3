#!/bin/bash
# What itemctl does only on a terminal: it asks before it drops a table, shows progress, and prints tables. Commands
# use "exec", since not every $SHELL that script(1) finds replaces itself by its last command.
. "$(dirname "$0")/lib.sh"

# at_terminal ANSWER COMMAND... - run itemctl on a terminal, on which ANSWER is typed; sets $status and $out
at_terminal()
{
	local answer=$1
	shift
	out=$(python3 "$SOURCE/tests/tools/typed.py" "$answer" sh -c "exec '$ITEMCTL' -s '$S' $*" | tr -d '\r'; exit "${PIPESTATUS[0]}")
	status=$?
}

# said TEXT - number of times that it was shown
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
	eq "$(printf %q "$answer") does not mean yes" "$status $(said 'Drop table people with 2 items? [y/N] ') $(said 'not confirmed')" '2 1 1'
	eq 'and the table still exists' "$(tables)" 'people '
done
at_terminal $'y\n' drop people
eq 'the table is dropped' "$status $(said 'table people dropped') $(tables)" '0 1 '
at_terminal '' drop people
eq 'no question about a missing table' "$status $(said '?')" '3 0'

# ---- tables
ctl -q create-table shown --key PK
ctl put shown '{"PK":"a","n":1}'
at_terminal '' scan shown
eq 'a table' "$(printf %s "$out" | sed 's/\x1b\[[0-9;]*m//g')" $'PK n\na  1'

# narrow COMMAND... - print the output of itemctl on a terminal of 60 columns
narrow()
{
	script -qec "stty cols 60; '$ITEMCTL' -s '$S' $*" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[[0-9;]*m//g; s/ *$//'
}
# help_at COLUMNS WORD... - print the longest line of running text, and a word that is there at any width
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
eq 'a list is wrapped between words, its parameters can be pasted' "$(narrow run patterns)" \
	'Pattern Parameters         Description
orders  who="John Smith'"'"'s" Orders of a customer in a time: a
                           query for each status, since the
                           status comes first'
ctl put shown '{"PK":"b","text":"one two three four five six seven eight nine ten twelve eleven","line":"x\ny"}'
eq 'an item is wrapped' "$(narrow get shown b)" 'PK   b
text one two three four five six seven eight nine ten twelve
     eleven
line "x\ny"'
for n in 1 2 3 4 5 6; do
	ctl update shown b "SET attribute$n = '$n $n $n $n'"
done
eq 'attributes without a column are wrapped' "$(narrow query shown b | sed 's/^[b ] *//' | head -n 4 | tail -n 3)" 'text: one two three four five six seven eight nine ten
twelve eleven  line: "x\ny"  attribute1: 1 1 1 1
attribute2: 2 2 2 2  attribute3: 3 3 3 3'
ctl delete shown b
ctl put shown '{"PK":"c\u0000\u001b","v\u0000":"x\u0000y","w":"\\x00"}'
eq 'control characters, including NUL, are escaped' "$(ctl --format table scan shown --filter 'attribute_exists(w)' | tr -s ' ' | sed 's/ $//')" \
	'PK v\x00 w
c\x00\x1b x\x00y \x5cx00'
ctl put shown "{\"PK\":\"c\u0000\u001b\",\"v\u0000\":\"x\u0000y\",\"w\":\"$(printf '%080d' 0)\",\"u\":\"$(printf '%080d' 0)\"}"
eq 'also in wrapped text' "$(narrow scan shown | grep 'x00:' | sed 's/^[^ ]* *//')" 'v\x00: "x\u0000y"'
ctl -q delete shown - <<<'{"PK":"c\u0000\u001b"}'

# ---- progress: items are sent until it is shown
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
eq 'the progress of the import' "$(grep -m 1 'items/s' lines | sed -E 's/[0-9]+(,[0-9]{3})*/N/g')" $'N items, N.N MB, N items/s\x1b[K'
eq 'is erased before the summary' "$(grep -c $'^\x1b\\[K'"imported $(($(ctl scan shown --count) - 1)) items" <(tr -d , <lines))" 1
rm screen
script -qefc "exec '$ITEMCTL' -s '$S' put shown - <items" screen </dev/null >/dev/null &
feed >items
wait $!
eq 'the progress of put -' "$(tr '\r' '\n' <screen | grep -m 1 'items/s' | sed -E 's/[0-9]+(,[0-9]{3})*/N/g')" $'N items, N.N MB, N items/s\x1b[K'
ctl -q create-table few --key PK
ctl put few '{"PK":"a"}'
ITEMFS_TIMING=progress=600000 at_terminal '' scan few --count
eq 'a fast command shows no progress' "$out" 1

# ---- percentages, where the first of several pages is late: the server does not respond before progress is due
# late COMMAND... - print the first progress that itemctl then shows
late()
{
	halt "$server"
	ITEMFS_TIMING=progress=10 script -qefc "exec '$ITEMCTL' -s '$S' $*" screen </dev/null >/dev/null &
	shown=$!
	wait_until 10 asks "/proc/$shown/task/$shown/children" || fail "$* makes no request"
	sleep 0.05 # at least; now it has waited for more than 10 ms
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
eq 'the progress of a sweep' "$(late sweep over --any-age)" '100 items, N items/s, 40 %, N s left'
eq 'the progress of a check' "$(late check | sed -E 's/[0-9,]*N? records/N records/g; s/[0-9]+ %/N %/')" 'N records, N records/s, N %, N s left'
end_server
# ---- control characters: C0, C1 (as CSI in one byte), DEL, and those that change the direction of writing
ctl -q create-table wild --key PK
acts=$'\302\233\177\342\200\256'
ctl put wild "{\"PK\":\"k\",\"a\":\"\\u001b$acts\"}"
shown='\u001b\u009b\u007f\u202e'
# shows FORMAT TEXT - check what a terminal gets, without colors; pipes get the exact bytes
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
eq 'a pipe gets the exact bytes' "$(ctl scan wild --format csv)" $'PK,a\nk,\033'"$acts"
at_terminal '' scan wild --format jsonl
eq 'escaped JSON is the same JSON' "$(printf %s "$out" | jq -c .)" "$(ctl scan wild | jq -c .)"
at_terminal '' query wild k --filter "\"x$acts = 1\""
eq 'the message and the quoted line are escaped' "$status $(said 'x\u009b\u007f\u202e')" '2 2'
eq 'and have no control characters' "$(printf %s "$out" | LC_ALL=C grep -c $'\302\233\|\177\|\342\200\256')" 0
at_terminal '' put wild "'{\"PK\":\"k\"}'" --if "'attribute_not_exists(PK)'" --return old
eq 'nor has an item in an error' "$status $(said "$shown") $(printf %s "$out" | LC_ALL=C grep -c $'\302\233\|\177\|\342\200\256')" '4 1 0'

# ---- output that does not fit goes through a pager, as with git
seq 40 | sed 's/.*/{"PK":"&"}/' | ctl -q import wild
screen=$ITEMCTL
printf '#!/bin/sh\nstty rows 12 cols 80 <&1 2>/dev/null\nexec %q "$@"\n' "$ITEMCTL" >small
chmod +x small
ITEMCTL=$W/small
export PAGER='sed s/^/P:/'
unset ITEMCTL_PAGER LESS
at_terminal '' scan wild
eq 'long output goes through the pager' "$status $(printf %s "$out" | grep -c '^P:') $(printf %s "$out" | grep -vc '^P:')" '0 42 0'
at_terminal '' get wild 1
eq 'short output does not' "$status $(said P:)" '0 0'
at_terminal '' scan wild --limit 2
eq 'a command with possibly long, but short output' "$status $(said P:)" '0 0'
at_terminal '' scan wild --no-pager
eq 'no pager with --no-pager' "$(said P:)" 0
at_terminal '' help query --no-pager
eq 'help without the pager' "$(said P:)" 0
at_terminal '' help query
eq 'help with the pager' "$(($(said P:) > 12))" 1
at_terminal '' ls wild/
eq 'a list of paths with the pager' "$status $(said P:)" '0 41'
at_terminal '' cat wild/.jsonl
eq 'cat has no pager: files such as .stream have no end' "$status $(said P:) $(said PK)" '0 0 41'
eq 'no pager for a pipe' "$(ctl scan wild | grep -c P:)" 0
for none in '' cat; do
	ITEMCTL_PAGER=$none at_terminal '' scan wild
	eq "no pager: $none" "$status $(said P:)" '0 0'
done
PAGER='nosuchpager -x' at_terminal '' scan wild
eq 'a missing pager loses no output' "$status $(said PK) $(said 'the pager nosuchpager was not found: the answer is printed without it')" '0 1 1'
PAGER='head -n 1' at_terminal '' scan wild
eq 'quitting the pager is not an error' "$status" 0
PAGER='sed -n 1p; kill -INT 0' at_terminal '' scan wild
eq 'Ctrl-C goes to the pager' "$(said PK)" 1
unset PAGER
mkdir less
printf '#!/bin/sh\necho "less $LESS"; cat >/dev/null\n' >less/less
chmod +x less/less
PATH=$W/less:$PATH at_terminal '' scan wild
eq 'less gets the options that git uses' "$(said 'less FRX')" 1
ITEMCTL=$screen

# ---- a picture
mkdir bin temp
# As slow as a desktop may be: itemctl and its terminal have ended before it shows anything. A comparison with $PPID
# would not work: if itemctl ends before this shell starts, $PPID is the process that inherits the shell, and never
# changes.
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
eq 'which the desktop opens' "$(cat shown)" "$file"
unset TMPDIR

done_testing
