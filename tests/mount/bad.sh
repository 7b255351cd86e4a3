#!/bin/bash
# Bad content: EBADMSG as early as possible, the old item intact, the reason and the text kept (NAMESPACE 4 and 6).
# BEHAVIOUR 17.16
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G:N'
mnt m -o table=tab
mkdir m/p
echo '{"v":1}' >m/p/old.json
old='{"PK":"p","SK":"old","v":1}'

# ---- refused at WRITE: even a shell builtin sees it

while IFS= read -r bad; do
	refused 'Bad message' write m/p/old.json "$bad"
	eq "the old item after $bad" "$(item tab p old)" "$old"
	refused 'Bad message' write m/p/new.json "$bad"
	gone m/p/new.json
	eq "no new item after $bad" "$(item tab p new)" ''
done <<'END'
x
[1]
"text"
42
null
{"v":1}}
{"v":1} x
{"v":1}{"v":2}
{'v':1}
{v:1}
{"v":01}
{"v":1,}
{"v":nul}
{"v":"\x"}
{"v":"\ud800"}
{"v":1e999}
{"v":123456789012345678901234567890123456789}
{"v":{"N":"x"}}
{"v":{"B":"?"}}
{"v":{"SS":[]}}
{"v":{"SS":["a","a"]}}
{"v":{"NS":["1","1.0"]}}
{"v":1,"v":2}
{"PK":1}
{"SK":{"N":"1"}}
{"G":"text for a number"}
END
refused 'Bad message' write m/p/old.json $'{"v":"\xff"}'
refused 'Bad message' write m/p/old.json '{"v":"'$'\x01''"}'
deep=$(printf "[%.0s" $(seq 40))$(printf "]%.0s" $(seq 40))
refused "Bad message" write m/p/old.json "{\"v\":$deep}"
eq 'the old item after all of these' "$(item tab p old)" "$old"
for _ in {1..60}; do
	refused 'Bad message' write m/p/many.json x
done

# ---- refused at FLUSH: programs that check close() see it

refused 'Bad message' cp <(printf '{"v":') m/p/new.json
settle m # a new file whose close was refused disappears at RELEASE
gone m/p/new.json
printf '{"v":' >half
refused 'Bad message' cp half m/p/old.json
refused 'Bad message' dd if=half of=m/p/old.json
refused 'Bad message' install half m/p/new.json
refused 'Bad message' bash -c 'tee m/p/old.json <half'
eq 'the old item after half a text' "$(item tab p old) $(cat m/p/old.json)" "$old $old"
refused 'Bad message' dd if=half of=m/p/old.json conv=fsync
eq 'the old item after half a text with fsync' "$(item tab p old)" "$old"
printf '{"v":' >m/p/quiet.json 2>/dev/null
eq 'a builtin does not check close: nothing is stored' "$(item tab p quiet)" ''
eq 'the rejected text is shown beside it' "$(cat m/p/quiet.json.rejected)" '{"v":'
eq 'and listed' "$(cd m/p && echo quiet*)" 'quiet.json.rejected'
eq 'why of its path gives the reason' "$(ctl why "$W/m/p/quiet.json.rejected" | jq -r .Message | tail -n 1)" 'not JSON: line 1, column 6: the text ends too early'
printf '{"v":2' >m/p/quiet.json
eq 'the newest text is shown' "$(cat m/p/quiet.json.rejected)" '{"v":2'
(printf '{"v":'; /bin/cat; printf '2}') >m/p/quiet.json </dev/null 2>/dev/null
eq 'a successful write removes it' "$(cd m/p && echo quiet*) $(item tab p quiet | jq .v)" 'quiet.json 2'
printf '{"v":' >m/p/quiet.json
exec 7<>m/p/quiet.json.rejected
printf '{"v":2}' >m/p/quiet.json
printf '{"v":4}' >&7
exec 7>&-
eq 'a program that had it open loses no text' "$(cat m/p/quiet.json.rejected)" '{"v":4}'
rm m/p/quiet.json.rejected
printf '{"v":' >m/p/quiet.json
printf '{"v":3}' >m/p/quiet.json.rejected
mv m/p/quiet.json.rejected m/p/quiet.json
echo mine >m/p/own.json.rejected
printf '{"v":' >m/p/own.json
eq 'a scratch file of that name keeps its contents' "$(cat m/p/own.json.rejected)" mine
rm m/p/own.json.rejected
printf '{"v":' >m/p/named.json
mv m/p/named.json.rejected m/p/other.json.rejected
printf '{"v":1}' >m/p/other.json
eq 'a text that was renamed keeps its name and contents' "$(cat m/p/other.json.rejected)" '{"v":'
rm m/p/other.json.rejected m/p/other.json
eq 'corrected, it becomes the item' "$(cd m/p && echo quiet*) $(item tab p quiet | jq .v)" 'quiet.json 3'
rm m/p/quiet.json
refused '' bash -c 'printf "{\"v\":" >m/p/loud.json && sync m/p/loud.json'

# ---- a refused write poisons the buffer

exec 4>m/p/old.json
echo 'x' >&4 2>/dev/null && fail 'a bad write succeeds'
echo '{"v":2}' >&4 2>/dev/null && fail 'a write after a bad one succeeds'
refused 'Bad message' sync m/p/old.json
exec 4>&-
eq 'nothing of a refused write is committed' "$(item tab p old)" "$old"
perl -e '
	open F, "+<", "m/p/old.json" or die; truncate F, 0; syswrite F, "x"; 
	truncate F, 0; sysseek F, 0, 0; syswrite F, "{\"v\":3}" or die; close F or die'
eq 'truncation to 0 bytes makes the file writable again' "$(item tab p old)" '{"PK":"p","SK":"old","v":3}'
echo '{"v":1}' >m/p/old.json

# ---- limits

head -c 409600 /dev/zero | tr '\0' x >big
refused 'File too large' bash -c '{ printf "{\"v\":\""; cat big; printf "\"}"; } >big.json; cp big.json m/p/big.json'
eq 'an item over 400 KB is not stored' "$(item tab p big)" ''
gone m/p/big.json
head -c 409000 /dev/zero | tr '\0' x >fits
{ printf '{"v":"'; cat fits; printf '"}'; } >fits.json
ok cp fits.json m/p/fits.json
settle m
eq 'an item just below 400 KB is stored' "$(stat -c %s m/p/fits.json)" "$(($(wc -c <fits.json) + $(printf '"PK":"p","SK":"fits",' | wc -c) + 1))"
{ printf '{'; head -c 4500000 /dev/zero | tr '\0' ' '; printf '}'; } >blanks.json
refused '' cp blanks.json m/p/blanks.json
gone m/p/blanks.json

# ---- the reason and the text

ok grep -q 'p/old.json' m/.itemfs/errors
eq 'the errors have a path, an errno and the name of the DynamoDB error' "$(tail -1 m/.itemfs/errors | grep -c "$W/m/p/blanks.json")" 1
ok grep -q 'ValidationException' m/.itemfs/errors
echo '{"my":"text" oops' >m/p/typo.json 2>/dev/null
rejected=$(ls m/.itemfs/rejected | grep 'typo.json$')
eq 'the rejected text is kept' "$(cat "m/.itemfs/rejected/$rejected")" '{"my":"text" oops'
eq 'itemctl why finds a path' "$(($(ctl why "$W/m/p/typo.json" | grep -c typo.json) > 0))" 1
eq 'itemctl why as CSV' "$("$ITEMCTL" -s "$S" --format csv why "$W/m/p/typo.json" | sed 1q)" 'Time,Uid:N,Path,Errno,Error,Message'
eq 'itemctl why lists all refusals' "$(($(ctl why | wc -l) > 20))" 1
unmnt m
eq 'the text outlives the mount' "$(cat "$S/rejected/$rejected")" '{"my":"text" oops'
eq 'the newest hundred are kept' "$(ls "$S/rejected" | wc -l)" 100
mnt m -o table=tab
eq 'and is seen in the next mount' "$(cat "m/.itemfs/rejected/$rejected")" '{"my":"text" oops'
eq 'errors lists it' "$(grep -c "EBADMSG	-	a text that an earlier mount refused; it is here$" m/.itemfs/errors)" "$(ls m/.itemfs/rejected | wc -l)"
eq 'why of its path names the text' "$("$ITEMCTL" -s "$S" why "$W/m/p/quiet.json" 2>&1 >/dev/null | sed 's/^[0-9]* texts\{0,1\} .*: //')" "ls -l $S/rejected/*-quiet.json"
eq 'the stored item is still the old one' "$(item tab p old)" "$old"

done_testing
