#!/bin/bash
# edit: one item in an editor; concurrent changes are not overwritten, and no text is lost.
. "$(dirname "$0")/lib.sh"
begin
ok ctl create-table tab --key PK,SK:N
ok ctl put tab '{"PK":"a","SK":1,"n":1,"s":{"SS":["x","y"]},"b":{"B":"AAEC"},"big":12345678901234567890123456789012345678}'
mkdir temp
export TMPDIR=$W/temp
unset VISUAL

# editor COMMAND... - what the editor does with the file "$1"; $W/seen keeps the texts that it was given, one file per
# run
editor()
{
	printf '#!/bin/bash\nn=$(ls %q/seen | wc -l)\ncp "$1" %q/seen/$n\n%s\n' "$W" "$W" "$*" >"$W/editor"
	chmod +x "$W/editor"
	rm -rf "$W/seen"
	mkdir "$W/seen"
	export EDITOR=$W/editor
}
item()
{
	ctl get tab a 1
}
before=$(item)

editor 'sed -i "s/\"n\": 1/\"n\": 2/" "$1"'
ok ctl edit tab a 1
eq 'an edited item is written' "$(item) $err" "${before/\"n\":1/\"n\":2} written"
eq 'the text is pretty JSON' "$(jq -c .n seen/0) $(wc -l <seen/0 | sed 's/^[1-9][0-9]*/some/')" '1 some'
eq 'no temporary file is left' "$(ls temp)" ''
ok ctl edit tab a 1
eq 'a saved but equal text changes nothing' "$err" 'nothing was changed'
editor 'stat -c "%a %A" "$1" "${1%/*}" >>'"$W"'/modes; sed -i "s/\"n\":/\"m\":/" "$1"'
ok ctl edit --typed tab a 1
eq 'typed JSON' "$(jq -c .n seen/0) $(ctl get tab a 1 --project m)" '{"N":"2"} {"m":2}'
eq 'no other user can read the text' "$(cut -d' ' -f1 modes | tr '\n' ' ')" '600 700 '
editor 'true'
ok ctl edit tab a 1
eq 'an unchanged text changes nothing' "$err" 'nothing was changed'
EDITOR='sed -i s/x/z/' ok ctl edit tab a 1
eq 'an editor with arguments' "$(ctl get tab a 1 --project s)" '{"s":{"SS":["y","z"]}}'
VISUAL='sed -i s/z/v/' EDITOR=false ok ctl edit tab a 1
eq 'VISUAL takes precedence' "$(ctl get tab a 1 --project s)" '{"s":{"SS":["v","y"]}}'

# ---- an item that does not exist yet
editor 'sed -i "s/\"SK\": 2/\"SK\": 2, \"made\": true/" "$1"'
ok ctl edit tab a 2
eq 'the item is created' "$(ctl get tab a 2)" '{"PK":"a","SK":2,"made":true}'
editor 'true'
ok ctl edit tab a 3
eq 'without a change it is not created' "$err $(ctl get tab a 3)" 'nothing was changed '

# ---- mistakes: the editor is started again
editor '[ $n -gt 0 ] && echo "{\"PK\":\"a\",\"SK\":1,\"n\":9}" >"$1" || echo "{\"PK\":" >"$1"'
ok ctl edit tab a 1
eq 'after a mistake' "$(item)" '{"PK":"a","SK":1,"n":9}'
eq 'the reason is above the text' "$(sed -n '1s/^\(# \).*JSON.*/\1/p' seen/1)$(tail -n 1 seen/1)" '# {"PK":'
editor '[ $n -gt 0 ] || sed -i "s/\"SK\": 1/\"SK\": 7/" "$1"'
gives 2 'the key cannot be changed' ctl edit tab a 1
file=$(sed -n 's/^the text is kept in //p' <<<"$err")
eq 'after giving up, the text is kept' "$(grep -c '"SK": 7' "$file")" 1
rm -r "${file%/*}"
editor '[ $n -gt 0 ] && echo "{\"PK\":\"a\",\"SK\":1,\"n\":9}" >"$1" || echo "[]" >"$1"'
ok ctl edit tab a 1
eq 'the original text changes nothing' "$err" 'nothing was changed'
editor 'echo "{\"PK\":\"a\",\"SK\":1,\"long\":\"$(head -c 410000 /dev/zero | tr "\0" x)\"}" >"$1"; [ $n -lt 1 ] || exit 3'
gives 2 'the editor failed' ctl edit tab a 1
eq 'the reason for an item that is too large' "$(grep -c '^# .*400 KB\|^# .*maximum allowed size' seen/1)" 1
rm -r temp/*

# ---- changes by others
editor '"'"$ITEMCTL"'" -s '"$S"' update tab a 1 "SET n = 10" && echo "{\"PK\":\"a\",\"SK\":1,\"n\":11}" >"$1"'
gives 4 'the item was changed meanwhile' ctl edit tab a 1
file=$(sed -n 's/^the text is kept in //p' <<<"$err")
eq 'neither change is lost' "$(item) $(cat "$file")" '{"PK":"a","SK":1,"n":10} {"PK":"a","SK":1,"n":11}'
editor '"'"$ITEMCTL"'" -s '"$S"' delete tab a 1 && sed -i s/10/11/ "$1"'
gives 4 'the item was changed' ctl edit tab a 1
eq 'an item that was deleted meanwhile stays deleted' "$(item)" ''
editor '"'"$ITEMCTL"'" -s '"$S"' put tab "{\"PK\":\"a\",\"SK\":1}" && sed -i s/1/1,\"x\":1/ "$1"'
gives 4 'the item was changed' ctl edit tab a 1
eq 'an item that was created meanwhile stays' "$(item)" '{"PK":"a","SK":1}'
rm -r temp/*

gives 2 'without a terminal, set $EDITOR to a program' env -u EDITOR -u VISUAL "$ITEMCTL" -s "$S" edit tab a 1 </dev/null
EDITOR=false gives 2 'the editor failed' ctl edit tab a 1
EDITOR=/nowhere/editor gives 2 'the editor failed' ctl edit tab a 1
TMPDIR=/nowhere gives 70 'No such file' ctl edit tab a 1
gives 3 'ResourceNotFound' ctl edit none a 1
gives 2 'SK' ctl edit tab a
gives 2 'x' ctl edit tab a x
eq 'two texts are kept' "$(ls temp | wc -l)" 2
done_testing
