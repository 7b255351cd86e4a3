#!/bin/bash
# shell: lines are commands or statements; on a terminal with history and completion.
. "$(dirname "$0")/lib.sh"
begin
export XDG_STATE_HOME=$W/state
ctl -q create-table music --key Artist,Song --gsi 'ByYear=Year:N' --stream KEYS_ONLY
ctl -q put music '{"Artist":"Acme","Song":"Blue","Year":1999}'

# typed LINE... - send the lines to a shell that reads from a pipe
typed()
{
	out=$(printf '%s\n' "$@" | ctl shell 2>err)
	status=$?
	err=$(cat err)
}
typed 'get music Acme Blue'
eq 'a command' "$status $out" '0 {"Artist":"Acme","Song":"Blue","Year":1999}'
typed "SELECT Song FROM music" "WHERE Artist = 'Acme'" "AND Song <> ';';"
eq 'a statement of several lines' "$status $out" '0 {"Song":"Blue"}'
typed "SELECT Song FROM music WHERE Artist = 'Acme'"
eq 'the last semicolon may be missing' "$status $out" '0 {"Song":"Blue"}'
typed "insert into music value {'Artist':'Acme','Song':'Gold'};" "update music set Plays = 1 where Artist = 'Acme' and Song = 'Gold';" 'get music Acme Gold' \
	"delete from music where Artist = 'Acme' and Song = 'Gold';" 'count music'
eq 'statements in lower case' "$status $out" $'0 {"Artist":"Acme","Song":"Gold","Plays":1}\n1'
typed "update music Acme Blue 'SET Plays = 2'" 'get music Acme Blue --project Plays;' 'delete music Acme Blue --if "Plays = 3"'
eq 'commands with the names of statements' "$status $out" '4 {"Plays":2}'
for line in .tables '\dt' '\d' tables; do
	typed "$line"
	eq "$line" "$(jq -r .TableName <<<"$out")" music
done
for line in '.schema music' '\d music' 'describe music'; do
	typed "$line"
	eq "$line" "$(jq -r .TableName <<<"$out")" music
done
# ---- lines as in other programs: each is run as the command beside it
while IFS=$'\t' read -r line command; do
	typed "$command"
	wanted=$out
	typed "$line"
	eq "$line" "$status $out $err" "0 $wanted "
done <<'ROWS'
itemctl count music	count music
$ itemctl count music	count music
% itemctl count music;	count music
> count music	count music
aws dynamodb list-tables	call ListTables {}
.tables;	tables
\dt+	tables
\l	tables
SHOW TABLES;	tables
show full tables	tables
\d+ music	describe music
DESCRIBE music;	describe music
desc music	describe music
DESC TABLE music	describe music
show create table music;	describe music
show columns from music;	describe music
.indexes music	describe music
COUNT music	count music
/* all */ SELECT * FROM music;	scan music
ROWS
ok ctl update music Acme Blue 'REMOVE Plays'
typed 'count music; count music' 'count music;;'
eq 'two commands on a line' "$status $out" $'0 1\n1\n1'
typed "itemctl -s $S count music" "itemctl -s $S --format csv scan music --project Song"
eq 'a suggested line that names its store' "$status $out" $'0 1\nSong\nBlue'
typed '-- all of it' 'SELECT Song' '-- the name' 'FROM music; -- that is all' 'count music'
eq 'comments' "$status $out" $'0 {"Song":"Blue"}\n1'
typed 'UPDATE music' "SET Plays = 2" "WHERE Artist = 'Acme' AND Song = 'Blue';" 'get music Acme Blue --project Plays' 'update music Acme Blue "REMOVE Plays"'
eq 'an UPDATE of several lines' "$status $out" '0 {"Plays":2}'

# ---- commands of the prompt itself
typed .mode '.mode csv' 'scan music --project Song' '.mode json' 'SELECT Song FROM music;' '.mode markdown' '.mode' 'scan music --project Song --format jsonl'
eq '.mode' "$status $err $out" $'0 .mode auto\n.mode md Song\nBlue\n[\n{"Song":"Blue"}\n]\n{"Song":"Blue"}'
typed '.mode insert'
eq 'an unknown format' "$status $(head -n 1 <<<"$err")" '2 itemctl: .mode: there is no form insert: table, json, jsonl, csv, tsv, md, yaml, typed, auto'
typed '.headers on' '.mode csv' 'scan music --project Song'
eq '.headers on is the default' "$status $out $err" $'0 Song\nBlue csv, tsv and table begin with the names of their columns: .mode csv'
typed '.output answer' 'count music' 'get music Acme Blue --project Song' '.output' 'count music' '.once other' 'count music' 'count music'
eq '.output and .once' "$status $out $(cat answer other)" $'0 1\n1 1\n{"Song":"Blue"}\n1'
typed '.output no/where' '.output stdout' 'count music'
eq 'a file that cannot be created' "$status $out $(head -n 1 <<<"$err")" '2 1 itemctl: no/where: No such file or directory'
printf '%s\n' '.mode csv' 'SELECT Song' 'FROM music;' 'frob' "SELECT Song FROM music" >lines
for line in '.read lines' 'source lines;' '\i lines'; do
	typed "$line" 'count music'
	eq "$line" "$status $out" $'2 Song\nBlue\nSong\nBlue\n1'
	eq "$line: where it fails" "$(tail -n 2 <<<"$err")" $'lines:4: exit status 2\nline 1: exit status 2'
done
echo '.read loop' >loop
typed '.read loop'
eq 'a file that reads itself' "$status $(head -n 1 <<<"$err")" '2 itemctl: loop: files read each other more than 20 deep'
typed '.read none'
eq 'a missing file' "$status $(head -n 1 <<<"$err")" '2 itemctl: none: No such file or directory'
printf 'Artist,Song\nBolt,Gold\n' >songs.csv
typed '.import songs.csv music' 'delete music Bolt Gold'
eq '.import with the file first, as with sqlite3' "$status ${err%% in *}" '0 imported 1 item'

# ---- unsupported commands get the line that does it
while IFS=$'\t' read -r line answer; do
	typed "$line"
	eq "$line" "$status $out$(head -n 1 <<<"${err//-s $S /}")" "2 itemctl: $answer"
done <<'ROWS'
use music;	each command names its table: scan music
USE shop	there is no table shop; tables lists them; for another store: itemctl -s STORE shell
.open shop.db	.open shop.db: a command names its table, tables lists them; for another store: itemctl -s STORE shell
.nullvalue x	.nullvalue x: there is no such command: .tables, .schema TABLE, .mode FORM, .read FILE, .output FILE, .quit; help lists those of itemctl
\x	\x: for one attribute per line: .mode yaml
.timer on	.timer on: --stats after a command counts its requests and items
clear	clear: Ctrl-L clears the screen
!ls	!ls: run other programs in your own shell: Ctrl-D leaves this one
PRAGMA table_info(music);	PRAGMA table_info(music): describe TABLE shows a table, tables lists them
scan music | jq .Song	this prompt has no |; in your own shell: itemctl scan music | jq .Song
scan music >all	this prompt has no >all; in your own shell: itemctl scan music >all
ROWS
typed "UPDATE music SET Plays = 1 WHERE Artist = 'Acme' AND Song = 'Blue';"
eq 'an UPDATE' "$status $out $err" '0  1 item updated'
typed "count music --filter 'Song > \"A\"'"
eq 'an operator in quotes is text' "$status $out" '0 1'

for line in exit quit .quit .exit '\q' q 'exit;' 'quit()' :q bye EXIT; do
	typed "$line" tables
	eq "$line" "$status $out" '0 '
done
typed 'SELECT Song' quit
eq 'a statement without a semicolon is not run' "$status $out$err" '0 the statement before it has no ; and was not run'
for line in help 'help;' '?' .help '\h'; do
	typed "$line"
	eq "$line" "$(head -n 1 <<<"$out")" 'usage: itemctl [-s STORE] [--format FORM] [--quiet] COMMAND ...'
done
typed help
eq help "$(head -n 1 <<<"$out")" 'usage: itemctl [-s STORE] [--format FORM] [--quiet] COMMAND ...'
typed frob 'count music'
eq 'the shell continues after an error, and reports its line' "$status $out $err" '2 1 itemctl: there is no command "frob"; see itemctl help
line 1: exit status 2'
typed 'get music "Acme'
eq 'a quote that is not closed' "$status $(grep -c 'is not closed' <<<"$err")" '2 1'
typed '' '# a comment' '   '
eq 'empty input' "$status $out$err" '0 '
typed 'count music' '' 'get music Acme none' frob
eq 'the status is that of the first failure' "$status $(tail -n 1 <<<"$err")" '1 line 4: exit status 2'
typed "SELECT Song" "FROM nowhere;" 'count music'
eq 'a failed statement is named by its first line' "$status $out $(tail -n 1 <<<"$err")" '3 1 line 1: exit status 3'
eq 'an output format' "$(echo 'scan music --project Song' | ctl --format csv shell)" $'Song\nBlue'
eq 'a line without an end' "$(printf 'count music' | ctl shell)" 1
eq 'input from a pipe has no history' "$(ls state 2>&1 | grep -c 'No such')" 1
printf 'count music\0more\n' | ctl shell >/dev/null 2>&1
ok test $? -le 2

typed ".output '$W/a b'" 'count music' .output "\\i '$W/a b'"
eq 'a quoted file name' "$(cat "$W/a b")" 1
typed '\o | cat' 'count music'
eq 'a pipe after a command is refused' "$out $(head -n 1 <<<"$err")" '1 itemctl: answers go to a file; to pipe them to a program, in your own shell: itemctl COMMAND | cat'
eq 'and no file of that name is created' "$(find . -name '|*')" ''
printf '%s\n' 'count music' .quit 'scan music' >"$W/read"
typed ".read $W/read" tables
eq '.quit ends only the file that is read' "$(head -n 1 <<<"$out") $(grep -c TableName <<<"$out") $(grep -c '"Song"' <<<"$out")" '1 1 0'

python3 "$SOURCE/tests/tools/prompt.py" "$ITEMCTL" "$S" >told 2>&1
eq 'all expected texts appear on a terminal' "$? $(cat told)" '2 '
if [ -e state/itemfs/history ]; then
	eq 'the history can be read only by its owner' "$(stat -c %a state/itemfs state/itemfs/history | tr '\n' ' ')$(grep -c 'count' state/itemfs/history)" '700 600 2'
	eq 'dropped lines are not in the history' "$(grep -c 'Acme --index' state/itemfs/history)" 0
fi
done_testing
