#!/bin/bash
# shell: lines are commands or statements; on a terminal with history and completion.
. "$(dirname "$0")/lib.sh"
begin
export XDG_STATE_HOME=$W/state
ctl -q create-table music --key Artist,Song --gsi 'ByYear=Year:N' --stream KEYS_ONLY
ctl -q put music '{"Artist":"Acme","Song":"Blue","Year":1999}'

# typed LINE... - into a shell that reads from a pipe
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
eq 'statements in small letters' "$status $out" $'0 {"Artist":"Acme","Song":"Gold","Plays":1}\n1'
typed "update music Acme Blue 'SET Plays = 2'" 'get music Acme Blue --project Plays;' 'delete music Acme Blue --if "Plays = 3"'
eq 'commands of the same names' "$status $out" '4 {"Plays":2}'
for line in .tables '\dt' '\d' tables; do
	typed "$line"
	eq "$line" "$(jq -r .TableName <<<"$out")" music
done
for line in '.schema music' '\d music' 'describe music'; do
	typed "$line"
	eq "$line" "$(jq -r .TableName <<<"$out")" music
done
for line in exit quit .quit .exit '\q'; do
	typed "$line" tables
	eq "$line" "$status $out" '0 '
done
typed help
eq help "$(head -n 1 <<<"$out")" 'usage: itemctl [-s STORE] [--format FORM] [--quiet] COMMAND ...'
typed frob 'count music'
eq 'an error is not the end' "$status $out $(grep -c 'no command "frob"' <<<"$err")" '0 1 1'
typed 'get music "Acme'
eq 'a quote that is not closed' "$status $(grep -c 'is not closed' <<<"$err")" '2 1'
typed '' '# a comment' '   '
eq 'nothing' "$status $out$err" '0 '
typed 'get music Acme none'
eq 'the status is that of the last one' "$status" 1
eq 'forms' "$(echo 'scan music --project Song' | ctl --format csv shell)" $'Song\nBlue'
eq 'without an end of line' "$(printf 'count music' | ctl shell)" 1
eq 'no history of a pipe' "$(ls state 2>&1 | grep -c 'No such')" 1
printf 'count music\0more\n' | ctl shell >/dev/null 2>&1
ok test $? -le 2

python3 "$SOURCE/tests/tools/prompt.py" "$ITEMCTL" "$S" >told 2>&1
eq 'on a terminal' "$? $(cat told)" '2 '
if [ -e state/itemfs/history ]; then
	eq 'history, for its owner alone' "$(stat -c %a state/itemfs state/itemfs/history | tr '\n' ' ')$(grep -c 'count' state/itemfs/history)" '700 600 2'
	eq 'what was dropped is not in it' "$(grep -c 'Acme --index' state/itemfs/history)" 0
fi
done_testing
