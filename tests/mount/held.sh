#!/bin/bash
# A mount that ends while processes have things open in it: what is written is stored, everything is released (a
# sanitizer's build reports what is not), and the holders get errors (NAMESPACE 1).
. "$(dirname "$0")/lib.sh"

store --key PK,SK
seq 5000 | jq -c '{PK:"p",SK:(.|tostring)}' | ctl import tab /dev/stdin >/dev/null

# hold - start a process with a half-read directory, and files of all kinds, open; its id is $holder
hold()
{
	rm -f held
	perl -e '
		opendir D, "m/p"; readdir D for 1 .. 10;
		open R, "m/p/1.json"; <R>;
		open V, "m/.itemfs/errors";
		open J, "m/.jsonl"; sysread J, $line, 100;
		open K, "m/p/.begins_with/1/.csv"; sysread K, $line, 100;
		open L, "m/.stream";
		sysopen E, "m/p/made.json", 0301;
		open T, ">", "m/p/2.json";
		open W, ">", "m/p/written.json"; syswrite W, "{\"v\":1}";
		open X, ">>", "m/p/written.json";
		open H, ">", "m/p/half.json"; syswrite H, "{\"v\":";
		open S, ">", "m/p/.scratch"; syswrite S, "bytes";
		open U, ">", "m/p/unlinked.json"; syswrite U, "{}"; unlink "m/p/unlinked.json";
		open F, ">held"; close F; close STDIN; sleep 300' &
	holder=$!
	wait_until 10 test -e held || fail 'the holder does not start'
}

released()
{
	wait_until 10 nobody_left || fail 'the daemon stays'
	kill $holder 2>/dev/null
	wait $holder 2>/dev/null
	eq "$1: a written file is stored" "$(item tab p written)" '{"PK":"p","SK":"written","v":1}'
	eq "$1: a created and a truncated file are items" "$(item tab p made) $(item tab p 2)" '{"PK":"p","SK":"made"} {"PK":"p","SK":"2"}'
	eq "$1: half a text and a removed file are not items" "$(item tab p half) $(item tab p unlinked)" ' '
	eq "$1: the half and the scratch file are kept" \
		"$(cat "$S"/rejected/*-half.json) $(cat "$S"/rejected/*.scratch)" '{"v": bytes'
	rm -r "$S/rejected"
	ctl delete tab p written >/dev/null
	ctl delete tab p made >/dev/null
}

# ---- SIGTERM

mnt m -o table=tab
hold
kill "$(our_pids)"
released SIGTERM

# ---- the owner's mount ends by force; another mount and the store go on

mnt m -o table=tab
mnt n -o table=tab
hold
refused 'busy' fusermount3 -u m
eq 'a busy mount stays mounted' "$(our_mounts | wc -l) $(jq -r .SK m/p/3.json)" '2 3'
ok fusermount3 -uz m
eq 'after a lazy unmount it is gone from the tree' "$(our_mounts) $(ls m)" "$W/n "
eq 'the holder and the other mount go on' "$(kill -0 $holder && echo yes) $(jq -r .SK n/p/3.json) $(our_pids | wc -l)" 'yes 3 1'
kill $holder
wait $holder 2>/dev/null
wait_until 10 grep -q "$W/m is unmounted" "$S/log" || fail 'it never ends'
eq 'after its end the other mount shows what was written' "$(jq .v n/p/written.json)" 1
unmnt n
released 'lazy unmount'

# ---- a directory whose mount has ended

mnt m -o table=tab
exec 5<m/p/1.json 6<m/p
kill "$(our_pids)"
wait_until 10 nobody_left || fail 'the daemon stays'
refused 'not connected' cat /dev/fd/5
refused 'not connected' ls /proc/self/fd/6/
exec 5<&- 6<&-
mnt m -o table=tab
eq 'it can be mounted again' "$(jq -r .SK m/p/1.json)" 1
unmnt m

done_testing
