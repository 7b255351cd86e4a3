#!/bin/bash
# The mount of an endpoint: .jsonl .json .csv .count, which are composed of pages (NAMESPACE 5).
. "$(dirname "$0")/lib.sh"

endpoint
server=${helpers##* }
store --key PK,SK --gsi 'gsi=G,H'
"$ITEMCTL" -s "$S" --quiet create-table empty --key PK,SK >/dev/null
n=12000
text=$(head -c 150 /dev/zero | tr '\0' x)
awk -v n=$n -v t="$text" 'BEGIN { for (i = 1; i <= n; i++)
	printf "{\"PK\":\"big\",\"SK\":\"%06d\",\"G\":\"g%d\",\"H\":\"%06d\",\"v\":%d,\"t\":\"%s\"}\n", i, i % 15, n - i, i, t }' >big
ctl import tab big >/dev/null 2>&1
ctl put tab '{"z":"Ünï","SK":"a","PK":"p","set":{"SS":["a","b"]}}' '{"PK":"p","SK":"b","raw":{"B":"aGk="},"z":1}' >/dev/null
mnt m -o table=tab
mnt all
mnt typed -o table=tab,typed,pretty

# ---- contents

eq '.jsonl of a partition is the text of its files' "$(cat m/p/.jsonl)" "$(cat m/p/*)"
eq 'key attributes first' "$(head -n 1 m/p/.jsonl)" '{"PK":"p","SK":"a","z":"Ünï","set":{"SS":["a","b"]}}'
eq 'typed, one line per item' "$(tail -n 1 typed/p/.jsonl)" '{"PK":{"S":"p"},"SK":{"S":"b"},"raw":{"B":"aGk="},"z":{"N":"1"}}'
eq '.json is an array' "$(cat m/p/.json)" "[
$(sed -n 1p m/p/.jsonl),
$(sed -n 2p m/p/.jsonl)
]"
eq 'CSV' "$(cat m/p/.csv)" 'PK,SK,z:JSON,set:JSON,raw:B
p,a,"""Ünï""","{""SS"":[""a"",""b""]}",
p,b,1,,aGk='
eq '.count of tables, partitions and indexes' "$(cat m/.count m/p/.count m/.index/gsi/.count m/.index/gsi/g1/.count all/empty/.count | tr '\n' ' ')" \
	"$((n + 2)) 2 $n $((n / 15)) 0 "
eq 'files of an empty table' "$(cat all/empty/.jsonl all/empty/.json all/empty/.csv)" '[]'
eq 'size and kind of a file' "$(stat -c '%s %F' m/p/.jsonl)" '0 regular empty file'
eq 'each open shows the latest state' "$(ctl put tab '{"PK":"p","SK":"c"}' >/dev/null; cat m/p/.count; tail -n 1 m/p/.jsonl)" $'3\n{"PK":"p","SK":"c"}'
refused 'Read-only file system' bash -c 'echo x >m/p/.jsonl'

# ---- many pages

cmp big m/big/.jsonl || fail '.jsonl of a large partition differs'
cmp big <(dd if=m/big/.jsonl bs=3M status=none) || fail 'reading in large pieces differs'
eq '.jsonl of a table' "$(sort m/.jsonl | md5sum)" "$(cat big m/p/.jsonl | sort | md5sum)"
eq 'a large array' "$(jq -s '.[0] == [.[1:][]]' m/big/.json m/big/.jsonl)" true
eq 'a large CSV file' "$(md5sum <m/big/.csv)" "$("$ITEMCTL" -s "$S" --format csv query tab big | md5sum)"

# ---- below clauses: the answers of the command line, with key attributes first where they are requested

asks big/.between/000500/000510 big --between 000500 000510
asks big/.begins_with/0119/.reverse/.limit/7 big --begins-with 0119 --reverse --limit 7
asks 'big/.filter/v > 11990 AND G = "g1"' big --filter 'v > 11990 AND G = "g1"'
asks 'big/.filter/v > 11000/.limit/3/.reverse' big --filter 'v > 11000' --limit 3 --reverse
asks big/.le/000003/.project/v,PK big --le 000003 --project PK,v
asks 'big/.filter/v = -1' big --filter 'v = -1'
asks .index/gsi/g1/.lt/000100 g1 --index gsi --lt 000100
asks '.index/gsi/.shards/g{0..14}' --index gsi --shards 0..14 --prefix g
asks '.index/gsi/.shards/g{0..14}/.between/005000/005020' --index gsi --shards 0..14 --prefix g --between 005000 005020
asks '.index/gsi/.shards/g{0..14}/.reverse/.filter/v < 2000/.limit/9' --index gsi --shards 0..14 --prefix g --reverse --filter 'v < 2000' --limit 9
asks '.index/gsi/.shards/g{0..99}/.limit/500/.project/v' --index gsi --shards 0..99 --prefix g --limit 500 --project v
gone 'm/big/.filter/v/.jsonl' m/nothing/.jsonl

# ---- programs that seek back, stop, start again

eq 'head' "$(head -n 1 m/big/.jsonl)" "$(head -n 1 big)"
eq 'a shell reads it line by line' "$(while read -r line; do jq -r .SK <<<"$line"; done <m/p/.jsonl | tr '\n' ' ')" 'a b c '
eq 'seeking to the beginning' "$(perl -e 'open F, "<", "m/big/.jsonl" or die; sysread F, $a, 300000; sysread F, $b, 300000; sysseek F, 0, 0;
	sysread F, $c, 300000; print $a eq $c ? "same" : "other"')" same
refused 'Invalid argument' dd if=m/big/.jsonl of=out bs=1000 skip=10 count=1

# ---- an endpoint that does not respond: a reader that waits for a page can be interrupted, and then continues; an
# endpoint that has ended

eq 'a signal ends a READ; the next READ goes on' "$(perl -e '
	use Time::HiRes "ualarm"; $SIG{ALRM} = sub {};
	my ($file, $endpoint) = @ARGV;
	END { kill "CONT", $endpoint }
	open(my $f, "<", $file) or die;
	sysread($f, $all, 16384) or die;
	kill "STOP", $endpoint;
	select(undef, undef, undef, 0.01) while qx(cat /proc/$endpoint/task/*/stat) =~ /\) [^T]/; # until all its threads are stopped
	ualarm(20000, 20000);
	for (my $n = 1; $n;) {
		$n = sysread($f, $all, 1 << 20, length $all);
		$waits = defined $n ? 0 : $waits + 1;
		if ($waits == 3) { ualarm(0); kill "CONT", $endpoint; $interrupted = "$!" }
		$n = 1 unless defined $n;
	}
	print "$interrupted\n"; print STDERR $all' m/big/.jsonl "$server" 2>whole)" 'Interrupted system call'
cmp big whole || fail 'the whole text differs'
exec 5<all/tab/big/.jsonl
kill -9 "$server"
wait_until 5 is_gone "$server" || fail 'the endpoint is still there'
refused 'Input/output error' bash -c 'cat <&5'
exec 5<&-
eq 'the reason is in the log' "$(tail -n 1 all/.itemfs/errors | grep -c "$S")" 1
unmnt m all typed

done_testing
