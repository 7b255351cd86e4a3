#!/bin/bash
# Items that become backups, as editors create them (NAMESPACE 4): one save is one write.
. "$(dirname "$0")/lib.sh"

store --key PK,SK --stream NEW_AND_OLD_IMAGES
export ITEMFS_TIMING=hidden=600000 # the name is reused in time
mnt m -o table=tab
mnt other -o table=tab
mkdir m/p

# records - number of changes so far
records()
{
	jq .newest_change m/.itemfs/stats.json
}

# ---- one put, no delete

# is_deleted PARTITION SK
is_deleted()
{
	[ -z "$(item tab "$1" "$2")" ]
}

# put_anew N - restore the item with that value, without a backup
put_anew()
{
	rm -f m/p/a.json~ m/p/x
	ctl put tab '{"PK":"p","SK":"a","n":'"$1"'}' >/dev/null
}

put_anew 1
ok mv m/p/a.json m/p/a.json~
gone m/p/a.json
eq 'the table keeps the item' "$(item tab p a)" '{"PK":"p","SK":"a","n":1}'
eq 'other mounts show it' "$(cat other/p/a.json)" '{"PK":"p","SK":"a","n":1}'
eq 'this mount lists the backup' "$(ls -A m/p)" 'a.json~'
eq 'with the contents' "$(cat m/p/a.json~)" '{"PK":"p","SK":"a","n":1}'
echo '{"n":2}' >m/p/a.json
eq 'the name is written again' "$(item tab p a)" '{"PK":"p","SK":"a","n":2}'
eq 'item and backup are listed' "$(ls -A m/p | tr '\n' ' ')" 'a.json a.json~ '
rm m/p/a.json~
eq 'removing the backup leaves the item' "$(item tab p a | jq .n)" 2

# ---- O_EXCL, as vim creates the file

mv m/p/a.json m/p/a.json~
ok dd if=<(echo '{"n":3}') of=m/p/a.json conv=excl status=none
eq 'an exclusive creator is not in its own way' "$(item tab p a | jq .n)" 3
rm m/p/a.json~

# ---- the backup is renamed back

mv m/p/a.json m/p/a.json~
ok mv m/p/a.json~ m/p/a.json
eq 'the item is as it was' "$(cat m/p/a.json)" '{"PK":"p","SK":"a","n":3}'
put_anew 3
mv m/p/a.json m/p/a.json~
exec 5>m/p/a.json
echo '{"n":' >&5
rm m/p/a.json
exec 5>&-
eq 'unlinking an unfinished new file changes nothing' "$(item tab p a | jq .n)" 3
ok mv m/p/a.json~ m/p/a.json
eq 'the backup is renamed back after that' "$(cat m/p/a.json)" '{"PK":"p","SK":"a","n":3}'
mv m/p/a.json m/p/a.json~
echo '{"n":4}' >m/p/a.json~
ok mv m/p/a.json~ m/p/a.json
eq 'the backup is renamed back with another text' "$(item tab p a | jq .n)" 4

# ---- the backup is renamed to another item, over an item, over a scratch file

mv m/p/a.json m/p/a.json~
ok mv m/p/a.json~ m/p/b.json
eq 'to a new item' "$(item tab p a)$(item tab p b)" '{"PK":"p","SK":"b","n":4}'
echo '{"n":5}' >m/p/a.json
mv m/p/a.json m/p/a.json~
ok mv m/p/b.json m/p/a.json
eq 'another item takes the hidden name' "$(item tab p a)$(item tab p b)" '{"PK":"p","SK":"a","n":4}'
put_anew 4
mv m/p/a.json m/p/x
echo >m/p/a.json~
ok mv -f m/p/x m/p/a.json~
gone m/p/x
eq 'to another scratch name' "$(cat m/p/a.json~) $(item tab p a | jq .n)" '{"PK":"p","SK":"a","n":4} 4'
ok mv m/p/a.json~ m/p/a.json
open='use strict; my ($n, $text, @names) = @ARGV; $n += 0; open F, ">", "m/p/a.json" or die; syswrite F, $text;
	die "$!\n" if syscall($n, -100, $names[0], -100, $names[1], 2)' n=316
[ "$(uname -m)" = x86_64 ] || n=276
put_anew 6
echo '{"n":7}' >m/p/b.json
mv m/p/a.json m/p/a.json~
ok perl -e "$open" $n '{"n":8}' m/p/b.json m/p/a.json
mv m/p/a.json m/p/a.json~
ok perl -e "$open" $n '' m/p/a.json m/p/b.json
settle m 1
eq 'the new file of a hidden item exchanges its name' "$(item tab p a | jq .n) $(item tab p b | jq .n)" '8 null'
rm -f m/p/a.json~ m/p/b.json
put_anew 4

# ---- what may go wrong

mv m/p/a.json m/p/a.json~
ctl delete tab p a >/dev/null
ok mv m/p/a.json~ m/p/a.json
eq 'renamed back after another front end removed the item' "$(item tab p a | jq .n)" 4
mv m/p/a.json m/p/a.json~
ctl put tab '{"PK":"p","SK":"a","n":44}' >/dev/null
ok mv m/p/a.json~ m/p/a.json
eq 'renamed back after another front end changed it: the last writer wins' "$(item tab p a | jq .n)" 4
mv m/p/a.json m/p/a.json~
ctl put tab '{"PK":"p","SK":"a","n":45}' >/dev/null
ok mv m/p/a.json~ m/p/c.json
eq 'renamed elsewhere after another front end changed it: both are there' "$(item tab p a | jq .n) $(item tab p c | jq .n)" '45 4'
rm m/p/c.json
echo '{"n":4}' >m/p/a.json
exec 5>m/p/a.json
mv m/p/a.json m/p/a.json~
echo '{"n":5}' >&5
exec 5>&-
eq 'truncated, then renamed: the writer continues in the backup' "$(cat m/p/a.json~)" '{"n":5}'
ok mv m/p/a.json~ m/p/a.json
eq 'which becomes the item with what was written' "$(item tab p a | jq .n)" 5
mkdir m/r m/s
echo '{"n":1}' >m/r/x.json
mv m/r/x.json m/r/x~
rm other/r/x.json
eq 'a partition with a scratch file stays' "$(cat m/r/x~ | jq .n)" 1
ok mv m/r/x~ m/s/y.json
ok rmdir m/r
rm -r m/s

# ---- the end

mv m/p/a.json m/p/a.json~
rm m/p/a.json~
eq 'removing the scratch file deletes the item at once' "$(item tab p a)" ''
gone other/p/a.json
echo '{"n":6}' >m/p/a.json
mv m/p/a.json m/p/a.json~
ctl put tab '{"PK":"p","SK":"a","n":7}' >/dev/null
rm m/p/a.json~
eq 'what another front end wrote meanwhile stays' "$(item tab p a | jq .n)" 7
eq 'and is shown' "$(jq .n m/p/a.json)" 7
mv m/p/a.json m/p/a.json~
ok rm -r m/p
eq 'rm -r deletes a hidden item, too' "$(item tab p a)" ''

# ---- the scratch file is gone, but a new file is being written: its outcome decides

mkdir m/q
for n in a b; do
	ctl put tab '{"PK":"q","SK":"'$n'","n":1}' >/dev/null
	mv m/q/$n.json m/q/$n.json~
done
exec 5>m/q/a.json 6>m/q/b.json
printf '{"n":' >&6
rm m/q/a.json~ m/q/b.json~
exec 6>&-
ok wait_until 10 is_deleted q b
eq 'the item is not deleted while the new file is being written' "$(item tab q a | jq .n)" 1
eq 'the rejected text of a shell is shown' "$(cat m/q/b.json.rejected)" '{"n":'
rm m/q/b.json.rejected
echo '{"n":2}' >&5
exec 5>&-
eq 'the new file replaces the item' "$(item tab q a | jq .n)" 2
rm m/q/a.json

# ---- editors

save()
{
	local what=$1
	shift
	echo '{"n":1}' >m/q/e.json
	records >before
	ok "$@"
	eq "$what" "$(item tab q e | jq .n)" 2
	eq "$what: one write" "$(($(records) - $(cat before)))" 1
	eq "$what: nothing is left" "$(ls -A m/q | grep -v 'e.json$')" ''
}
if command -v vim >/dev/null; then
	save 'vim' vim -es -u NONE -c 'set backup&' -c '%s/"n":1/"n":2/' -c wq m/q/e.json
	save 'vim with backupcopy=yes' vim -es -u NONE -c 'set backupcopy=yes' -c '%s/"n":1/"n":2/' -c wq m/q/e.json
	save 'vim with backupcopy=no' vim -es -u NONE -c 'set backupcopy=no writebackup' -c '%s/"n":1/"n":2/' -c wq m/q/e.json
fi
if command -v nano >/dev/null && command -v tmux >/dev/null; then
	screen()
	{
		tmux -S "$W/tmux" capture-pane -p | grep -q "$1"
	}
	ended()
	{
		! tmux -S "$W/tmux" has-session 2>/dev/null
	}
	# Cut the line, type another, write out, exit: each key when the screen is ready for it.
	nano_keys()
	{
		env -u TMUX SHELL=/bin/sh tmux -S "$W/tmux" -f /dev/null new-session -d -x 80 -y 24 "nano -I $1" &&
			wait_until 10 screen '"n":1' && tmux -S "$W/tmux" send-keys C-k '{"n":2}' &&
			wait_until 10 screen '"n":2' && tmux -S "$W/tmux" send-keys C-o &&
			wait_until 10 screen 'File Name to Write\|Write to File' && tmux -S "$W/tmux" send-keys Enter &&
			wait_until 10 screen 'Wrote' && tmux -S "$W/tmux" send-keys C-x && wait_until 10 ended
	}
	save 'nano' nano_keys m/q/e.json
fi
if command -v emacs >/dev/null; then
	save 'emacs' emacs -Q --batch m/q/e.json --eval '(setq make-backup-files nil)' \
		--eval '(while (search-forward "\"n\":1" nil t) (replace-match "\"n\":2"))' -f save-buffer
	save 'emacs that precious' emacs -Q --batch --eval '(setq file-precious-flag t make-backup-files nil)' m/q/e.json \
		--eval '(while (search-forward "\"n\":1" nil t) (replace-match "\"n\":2"))' -f save-buffer
fi
unmnt m other

# ---- the name is not reused in time

ITEMFS_TIMING=hidden=1
mnt m -o table=tab
mkdir -p m/p
echo '{"n":6}' >m/p/a.json
settle m
mv m/p/a.json m/p/a.json~
ok wait_until 10 is_deleted p a
eq 'the item is deleted, the scratch file stays' "$(cat m/p/a.json~)" '{"PK":"p","SK":"a","n":6}'
ok mv m/p/a.json~ m/p/a.json
eq 'and becomes an item again when renamed' "$(item tab p a | jq .n)" 6

done_testing
