#!/bin/bash
# Another user who may write to the directory above a store replaces the store by a link of its name while it is
# mounted. What the daemon writes still goes to the store, and nothing goes to where the link leads.
. "$(dirname "$0")/lib.sh"

store --key PK,SK
mnt m -o table=tab
mkdir m/p
write m/p/a.json '{"v":1}'
mkdir elsewhere
moved=$W/moved
mv "$S" "$moved"
ln -s "$W/elsewhere" "$S"
: >elsewhere/mount
: >elsewhere/socket

printf 'no JSON' >bad
refused 'Bad message' cp bad m/p/refused.json
settle m
eq 'a rejected text is kept in the store' "$(cat "$moved"/rejected/*refused.json)" 'no JSON'
write m/p/draft 'a draft'
ok sync m/p/draft
eq 'and so is the copy of a scratch file' "$(tail -n 1 "$moved"/scratch/*/000001)" 'a draft'

mv "$moved/log" "$moved/log.1"
kill -HUP "$(our_pids)"
wait_until 10 test -e "$moved/log" || fail 'the log is not opened again'
ok ls m/p

rm m/p/draft
S=$moved unmnt m
wait_until 10 nobody_left || fail 'the daemon is still there'
gone "$moved/mount"
gone "$moved/socket"
eq 'nothing was written or removed where the link leads' "$(ls -A elsewhere | tr '\n' ' ')" 'mount socket '
rm "$S"
mv "$moved" "$S"
eq 'the item is stored' "$(ctl get tab p a)" '{"PK":"p","SK":"a","v":1}'

done_testing
