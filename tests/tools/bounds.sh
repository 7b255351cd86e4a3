#!/bin/bash
# Input that never ends, or whose lines never end: refused with its line number, in bounded memory.
. "$(dirname "$0")/lib.sh"
begin
ok ctl create-table tab --key pk
MIB=1048576

# bytes CHAR N - print the character N times
bytes()
{
	head -c "$2" /dev/zero | tr '\0' "$1"
}

# refused TEXT COMMAND... - check for exit status 2, and TEXT in short messages
refused()
{
	local text=$1
	shift
	"$@" >out.txt 2>err.txt
	eq "exit status of $*" $? 2
	case $(head -c 5000 err.txt) in *"$text"*) ;; *) eq "$*" "$(head -c 300 err.txt)" "$text" ;; esac
	eq "$* repeats no long text" "$(($(wc -c <err.txt) < 3000))" 1
}

# ---- a line that does not end
{ echo '# a comment' && bytes x $((17 * MIB)); } >line
for command in transact 'sql --file' 'call PutItem' run 'create-table --from'; do
	# shellcheck disable=SC2086 # words
	refused 'line: line 2: over 16 MiB' ctl $command line
done
refused 'line: line 2: over 16 MiB' ctl sql @line
refused 'standard input: line 2: over 16 MiB' ctl transact <line
refused 'standard input: line 2: over 16 MiB' ctl sql <line
refused 'standard input: line 2: over 16 MiB' ctl call PutItem - <line
refused 'line 2: over 16 MiB' ctl shell <line
refused 'line 1: over 16 MiB' ctl put tab - < <(bytes x $((17 * MIB)))
refused 'standard input: line 1: over 16 MiB' ctl transact < <(bytes x $((1024 * MIB)))

# ---- lines that do not end
bytes '\n' $((64 * MIB + 1)) >lines
refused 'lines: over 64 MiB at line 67108866; split it' ctl transact lines
refused 'standard input: over 64 MiB at line' ctl sql < <(bytes '\n' $((1024 * MIB)))
truncate -s $((64 * MIB)) lines
refused 'a transaction needs at least one action' ctl transact lines
eq 'a long file without patterns' "$(ctl run lines 2>&1 | head -n 1)" 'itemctl: lines has no patterns: each one begins with a line "pattern NAME"'

# ---- long values within the limits are not repeated
bytes x $((15 * MIB)) >word
refused 'line 1: unknown action "xxx' ctl transact word
refused 'use put, update, delete, check or get' ctl transact word
{ printf "SELECT * FROM tab WHERE pk = '" && cat word && printf "'"; } >long.sql
refused "SELECT * FROM tab WHERE pk = 'xxx" ctl sql --file long.sql

# ---- many lines
seq -f 'get tab %g' 10001 >actions
refused 'line 10001: over 10000 actions; a transaction has at most 100' ctl transact actions
seq -f 'pattern p%g' 1001 >patterns
refused 'patterns:1001: over 1000 patterns' ctl run patterns
{ echo 'pattern p' && seq -f ' param p%g' 101; } >patterns
refused 'patterns:102: over 100 parameters' ctl run patterns

# ---- CSV
{ printf pk && seq -f ',c%g' 99999 | tr -d '\n' && printf '\na,1\n'; } >most.csv
ok ctl import tab most.csv
eq 'a file of 100,000 columns' "$(ctl get tab a)" '{"pk":"a","c1":"1"}'
{ printf pk && seq -f ',c%g' 100000 | tr -d '\n' && printf '\na,1\n'; } >more.csv
refused 'more.csv:1: the header has more than 100000 columns' ctl import tab more.csv
{ printf pk && seq -f ',c%g' 1000 | tr -d '\n' && printf ',c500\na,1\n'; } >twice.csv
refused 'twice.csv:1: the header names c500 twice' ctl import tab twice.csv
{ printf 'pk,b\n"' && bytes '\n' $((17 * MIB)); } >open.csv
refused 'open.csv:2: an item of over 16 MiB' ctl import tab open.csv

# ---- JSON that does not end
{ printf '{"pk":"' && bytes x $((17 * MIB)); } >open.json
refused 'open.json:1: an item of over 16 MiB' ctl import tab open.json
{ printf '{"Items":[{"pk":"b"},{"pk":' && bytes '[' $((17 * MIB)); } >open.json
refused 'open.json:1: ' ctl import tab open.json

# ---- partitions to copy
seq 1000001 >keys
refused 'keys:1000001: over 1000000 partitions' ctl copy tab --to "$W/other/tab" --partitions keys
done_testing
