#!/bin/bash
# One daemon for a store, many mounts (NAMESPACE 1).
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G'
ctl put tab '{"PK":"p","SK":"a","G":"x"}' >/dev/null

# ---- the second mount joins the first

mnt m
mnt g -o table=tab,index=gsi
mnt r -o table=tab,ro
eq 'one process serves three mounts' "$(our_pids | wc -l) $(our_mounts | wc -l)" '1 3'
eq 'each with its own options' "$(ls m g r | tr '\n' ' ')" 'g: x  m: tab  r: p '
eq 'the sockets are private' "$(stat -c %a "$S/socket" "$S/mount" | tr '\n' ' ')" '600 600 '
eq 'the table of mounts names the store' "$(grep -c "^$S $W/. fuse.itemfs " /proc/self/mounts)" 3

# ---- one mount ends, the others go on

unmnt m
eq 'the first mount ends, the daemon stays' "$(cat g/x/p::a.json)" '{"PK":"p","SK":"a","G":"x"}'
mnt m
eq 'the first mount can be made again' "$(ls m)" tab
unmnt m g r
eq 'the last unmount ends the daemon' "$(our_pids)" ''
gone "$S/mount" "$S/socket"
ok ctl get tab p a

# ---- unmounted in any order

for order in 'm g r' 'm r g' 'g m r' 'g r m' 'r m g' 'r g m'; do
	mnt m
	mnt g -o table=tab,index=gsi
	mnt r -o table=tab
	for dir in $order; do
		umount $dir
		for left in $(our_mounts); do
			ls "$left" >/dev/null || fail "$order: $left does not answer when $dir has gone"
		done
	done
	wait_until 10 nobody_left || fail "$order: the daemon stays"
done

# ---- clients that send nothing, or garbage, to the socket disturb no other

mnt m
perl -MSocket -e '
	for my $text (undef, "", "x", "\0\0\0", "/mnt\0ro\0007\0", "\0listen=nonsense\0000\0", "x" x 60000) {
		socket(my $s, AF_UNIX, SOCK_SEQPACKET, 0) or die;
		connect($s, pack_sockaddr_un("store/mount")) or die "$!";
		send($s, $text, 0) if defined $text;
		push @all, $s;
	}
	open F, ">silent"; close F; sleep 300' &
silent=$!
wait_until 5 test -e silent || fail 'no garbage was sent'
mnt g -o table=tab,index=gsi
eq 'a mount joins meanwhile' "$(ls g) $(our_pids | wc -l)" 'x 1'
kill $silent
wait $silent 2>/dev/null
rm silent
perl -MSocket -e '
	socket(my $s, AF_UNIX, SOCK_SEQPACKET, 0) or die;
	connect($s, pack_sockaddr_un("store/mount")) or die "$!";
	open F, ">silent"; close F; sleep 300' &
silent=$!
wait_until 5 test -e silent || fail 'no silent client'
unmnt g m # the daemon does not wait for the silent client
kill $silent
wait $silent 2>/dev/null

# ---- the maximum number of mounts

mnt m
for n in $(seq 63); do
	mkdir -p "many/$n"
	"$ITEMFS" "$S" "$W/many/$n" -o table=tab || fail "mount $n"
done
mkdir one
refused 'already serves the maximum number of mounts' "$ITEMFS" "$S" one
eq 'one more leaves no mount, and harms none' "$(our_mounts | wc -l) $(cat many/63/p/a.json)" '64 {"PK":"p","SK":"a","G":"x"}'
refused 'already serves the maximum number of mounts' env ITEMFS_TIMING=start=0 "$ITEMCTL" -s "$S" ls tab/
eq 'exit status of itemctl' "$(ITEMFS_TIMING=start=0 "$ITEMCTL" -s "$S" ls tab/ 2>/dev/null; echo $?)" 2
ITEMFS_TIMING=start=600000 "$ITEMCTL" -s "$S" ls tab/p/ >queued 2>queued.err &
queued=$!
wait_until 10 grep -qs '^itemfs: waiting for' queued.err || fail 'itemctl does not wait'
leave many/7
wait $queued
eq 'itemctl waits until there is room' "$? $(cat queued)" '0 a.json'
wait_until 10 grep -q "$W/many/7 is unmounted" "$S/log" || fail 'it does not end'
ok "$ITEMFS" "$S" one
kill "$(our_pids)"
wait_until 10 nobody_left || fail 'the daemon stays'
eq 'all end with the daemon' "$(our_mounts)" ''

# ---- from another mount namespace

if private true; then
	mnt m
	mkdir far
	private bash -c "'$ITEMFS' '$S' '$W/far' -o table=tab && ls far >seen && umount m && echo \$\$ >sleeper && exec sleep 3000" &
	sleeper=$!
	wait_until 10 test -s seen || fail 'no mount elsewhere'
	eq 'the mount is visible there, not here' "$(cat seen) $(ls far) $(our_pids | wc -l)" 'p  1'
	mount -t tmpfs itemfs-test far
	umount m
	eq 'the mount there keeps the daemon alive' "$(our_pids | wc -l)" 1
	kill "$(our_pids)"
	wait_until 10 nobody_left || fail 'the daemon stays'
	eq 'its end unmounts nothing here' "$(stat -f -c %T far)" tmpfs
	umount far
	wait_until 10 test -s sleeper
	kill "$(cat sleeper)"
	wait $sleeper 2>/dev/null
fi

# ---- a joining mount is checked like the first one

mnt m
mkdir x
refused 'none' "$ITEMFS" "$S" x -o table=none
refused 'none' "$ITEMFS" "$S" x -o table=tab,index=none
eq 'a refused mount leaves nothing' "$(our_mounts | wc -l)" 1
"$ITEMFS" "$S" x -o table=none 2>/dev/null
eq 'exit status: no such table' $? 3
ok rmdir x

# ---- -f: the joining program lives as long as its mount

mkdir f
"$ITEMFS" "$S" "$W/f" -f -o table=tab 2>f.err &
joiner=$!
wait_until 5 test -d f/p || fail 'no mount'
eq 'the joining program waits' "$(kill -0 $joiner && echo yes)" yes
unmnt f
wait $joiner
eq 'and ends with its mount' $? 0
"$ITEMFS" "$S" "$W/f" -f -o table=tab 2>f.err &
joiner=$!
wait_until 5 hears_signals $joiner || fail 'no mount'
kill -INT $joiner
wait $joiner
eq 'SIGINT ends the program and its mount' "$? $(our_mounts)" "0 $W/m"

# ---- the owner in the foreground outlives its own mount

unmnt m
mkdir -p m g
"$ITEMFS" "$S" "$W/m" -f 2>m.err &
owner=$!
wait_until 5 test -d m/tab || fail 'no mount'
mnt g -o table=tab,index=gsi
unmnt m
eq 'the owner serves the other mount' "$(ls g; kill -0 $owner && echo yes)" 'x
yes'
unmnt g
wait $owner
eq 'and ends with it' $? 0

# ---- many start at once

for round in $(seq $(rounds 1)); do
	started=()
	for k in 1 2 3 4 5 6; do
		mkdir -p "r$k"
		"$ITEMFS" "$S" "$W/r$k" -o table=tab &
		started+=($!)
	done
	for pid in "${started[@]}"; do
		wait "$pid"
		eq "one of six starts, round $round" $? 0
	done
	eq 'there is one owner' "$(our_pids | wc -l) $(our_mounts | wc -l)" '1 6'
	eq 'all of them answer' "$(cat r?/p/a.json | wc -l)" 6
	unmnt r1 r2 r3 r4 r5 r6
done

# ---- the last unmount races with a new mount

mnt m
for k in $(seq $(rounds 4)); do
	umount "$W/m" &
	mkdir -p n
	"$ITEMFS" "$S" "$W/n" -o table=tab || fail "round $k"
	wait
	eq "round $k" "$(cat n/p/a.json)" '{"PK":"p","SK":"a","G":"x"}'
	"$ITEMFS" "$S" "$W/m" || fail "round $k"
	umount n
done
unmnt m

# ---- a store whose path is longer than a socket's address

deep=$W/$(printf 'd%.0s' $(seq 120))
mkdir "$deep"
mv "$S" "$deep/store"
S=$deep/store
mnt m
mnt n -o table=tab
eq 'a long path' "$(our_pids | wc -l) $(cat n/p/a.json)" '1 {"PK":"p","SK":"a","G":"x"}'
ctl put tab '{"PK":"p","SK":"b"}' >/dev/null
eq 'itemctl reaches it, too' "$(ls n/p | tr '\n' ' ')" 'a.json b.json '
unmnt m n
mv "$S" "$W/store"
S=$W/store

# ---- a server with a mount, and a server alone

if here curl; then
	tables()
	{
		curl -s -H 'X-Amz-Target: DynamoDB_20120810.ListTables' -H 'Content-Type: application/x-amz-json-1.0' -d '{}' "http://$1/"
	}
	mkdir -p m
	address=$("$ITEMFS" "$S" "$W/m" -o listen=127.0.0.1:0 | sed -n 's/^listening on //p')
	eq 'listen= prints its address' "$(sed -E 's/127.0.0.1:[1-9][0-9]+/good/' <<<"$address")" good
	eq 'the address answers' "$(tables "$address")" '{"TableNames":["tab"]}'
	mkfifo said
	"$ITEMFS" "$S" --no-mount -f -o listen=127.0.0.1:0 >said 2>serve.err &
	server=$!
	read -r _ _ second <said
	eq 'a server joins a mount' "$(tables "$second") $(our_pids | wc -l)" '{"TableNames":["tab"]} 2'
	kill $server
	wait $server
	eq 'the server ends with status 0' $? 0
	is_down()
	{
		! curl -s "http://$second/" >/dev/null
	}
	ok wait_until 5 is_down
	eq 'the mount goes on' "$(ls m) $(tables "$address")" 'tab {"TableNames":["tab"]}'
	unmnt m
	"$ITEMFS" "$S" --no-mount -f -o listen=127.0.0.1:0 >said 2>serve.err &
	server=$!
	read -r _ _ address <said
	mnt m
	eq 'a mount joins a server' "$(tables "$address") $(our_pids | wc -l)" '{"TableNames":["tab"]} 1'
	umount m
	eq 'the server goes on' "$(tables "$address")" '{"TableNames":["tab"]}'
	mnt m
	kill $server
	wait $server
	eq 'the server ends on SIGTERM' $? 0
	eq 'it names the mount that ends with it' "$(grep -o "$W/m is unmounted because this process ends: mount it again" serve.err)" "$W/m is unmounted because this process ends: mount it again"
	refused 'so it needs credentials' "$ITEMFS" "$S" --no-mount -f -o listen=0.0.0.0:0
	refused '' "$ITEMFS" "$S" --no-mount -f -o listen=nonsense
fi

done_testing
