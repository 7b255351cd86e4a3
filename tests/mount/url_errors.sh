#!/bin/bash
# The mount of an endpoint that does not exist, denies access, goes away and comes back (NAMESPACE 1, 6).
. "$(dirname "$0")/lib.sh"

endpoint
store --key PK,SK --gsi gsi=G
ctl put tab '{"PK":"p","SK":"a","v":1}' >/dev/null
mkdir m
ln -s "$ITEMFS" mount.itemfs

# relay - $S is a fixed address: behind it is the server at PORT, or no server
behind()
{
	echo "$1" >target.new
	mv target.new target
}
relay()
{
	python3 "$HERE/relay.py" port target &
	helpers="$helpers $!"
	disown
	wait_until 10 test -s port || fail 'no relay'
	S=http://127.0.0.1:$(cat port)
}

export ITEMFS_TIMING=hidden=600000,mount_end=100,backoff=100 # an editor's backup still exists when the mount ends; the end does not wait

# ---- nothing is mounted, and the reason is printed

behind ''
real=$S
relay
for word in '' -f; do
	fails 70 "$S: " "$ITEMFS" "$S" m $word
	fails 70 "$S: " "$ITEMFS" "$S" m -o table=tab $word
done
fails 70 'http://127.0.0.1:1: ' "$ITEMFS" http://127.0.0.1:1 m
fails 32 'http://127.0.0.1:1: ' ./mount.itemfs http://127.0.0.1:1 m
fails 70 'http://no.such.host.invalid: ' "$ITEMFS" http://no.such.host.invalid m
fails 2 'ftp://127.0.0.1: an endpoint is http://HOST:PORT' "$ITEMFS" ftp://127.0.0.1 m
fails 2 'listen= is only for a store in a directory' "$ITEMFS" "$real" m -o listen=127.0.0.1:0
fails 1 '--create is only for a store' ./mount.itemfs "$real" m --create
fails 3 'Requested resource not found' "$ITEMFS" "$real" m -o table=none
gone state # a failed mount leaves no folder
mkdir state
fails 3 'table tab has no index none' "$ITEMFS" "$real" m -o table=tab,index=none
fails 2 'Unable to locate credentials' "$ITEMFS" dynamodb:eu-north-1 m
fails 2 'not a directory' "$ITEMFS" "$real" port
fails 2 "inside the mount point $W/state" env XDG_STATE_HOME="$W/state/deep" "$ITEMFS" "$real" state
fails 70 'Not a directory' env XDG_STATE_HOME="$W/port" "$ITEMFS" "$real" m
theirs=$W/theirs/itemfs/${real#*://}
mkdir -p "$theirs"
chmod 757 "$theirs"
fails 2 "other users can write to $theirs" env XDG_STATE_HOME="$W/theirs" "$ITEMFS" "$real" m
eq 'nothing is written to a folder of another user' "$(ls "$theirs")" ''
chmod 755 "$theirs"
if [ "$(id -u)" = 0 ]; then
	chown 65534 "$theirs"
	fails 2 "$theirs belongs to the user nobody" env XDG_STATE_HOME="$W/theirs" "$ITEMFS" "$real" m
	eq 'nor to that one' "$(ls "$theirs")" ''
fi

# ---- an endpoint that goes away and comes back

behind "${real##*:}"
mnt m -o table=tab,timeout=0
eq 'the item can be read' "$(cat m/p/a.json)" '{"PK":"p","SK":"a","v":1}'
behind ''
refused 'Input/output error' ls m
refused 'Input/output error' cat m/p/a.json
refused 'Input/output error' touch m/p/b.json
refused 'Input/output error' rm m/p/a.json
refused 'Input/output error' mkdir m/q
eq 'errors has the sentence' "$(awk -F'\t' -v s="$S: " '$4 == "EIO" && $5 == "ServiceUnavailable" && index($6, s) == 1' m/.itemfs/errors |
	cut -f3 | sort -u)" "$W/m"$'\n'"$W/m/p"$'\n'"$W/m/q"
behind "${real##*:}"
eq 'it is back, with all items' "$(ls m m/p | tr '\n' ' ')$(cat m/p/a.json)" 'm: p  m/p: a.json {"PK":"p","SK":"a","v":1}'
gone m/q
cat >save.pl <<'END'
use IO::Handle;
sub behind { open my $t, ">", "target.new" or die; print $t $_[0]; close $t; rename "target.new", "target" or die }
open F, ">", "m/p/late.json" or die "open: $!";
syswrite F, '{"v":2}' or die "write: $!";
behind "";
F->sync and die "saved by nobody\n";
print "$!\n";
behind $ARGV[0];
F->sync or die "sync: $!";
END
eq 'a save that failed succeeds when the server is back' "$(perl save.pl "${real##*:}" 2>&1) $(item tab p late)" \
	'Input/output error {"PK":"p","SK":"late","v":2}'
cat >lose.pl <<'END'
open F, ">", "m/p/lost.json" or die "open: $!";
syswrite F, '{"v":3}' or die "write: $!";
open T, ">", "target" or die; close T;
close F and die "saved by nobody\n";
print "$!\n";
END
eq 'a save that is never repeated' "$(perl lose.pl 2>&1)" 'Input/output error'
kept()
{
	grep -qs '"v":3' m/.itemfs/rejected/* # the current names
}
wait_until 5 kept || fail 'the text is not kept'

# ---- access is denied; the endpoint is throttled

umask 077
cat >keys <<'END'
[default]
aws_access_key_id = AKIDONE
aws_secret_access_key = secret
END
umask 022
relayed=$S
endpoint --credentials keys
closed=${S##*:}
S=$relayed
behind "$closed"
refused 'Permission denied' ls m
refused 'Permission denied' cat m/p/a.json
eq 'errors has the denied access' "$(grep -o 'EACCES.*MissingAuthenticationToken.*not signed: AWS_ACCESS_KEY_ID is not set' m/.itemfs/errors | cut -f1 | uniq)" EACCES
behind silent
for question in 'cat m/p/a.json' 'ls m'; do
	rm -f port.asked
	$question >/dev/null 2>&1 &
	wait_until 10 test -e port.asked || fail "no request: $question"
	kill $!
	wait_until 20 is_gone $! || fail "still waits after it was killed: $question"
done
behind "${real##*:}"
eq 'an interrupted request is not in errors' "$(grep -c 'no longer waits' m/.itemfs/errors)" 0
behind throttled
refused 'Device or resource busy' cat m/p/a.json
eq 'errors has the message of the endpoint' "$(grep -c 'EBUSY.*ProvisionedThroughputExceededException.*Too much' m/.itemfs/errors)" 1
behind "${real##*:}"
eq 'the item can be read again' "$(cat m/p/a.json)" '{"PK":"p","SK":"a","v":1}'

# ---- the endpoint is silent when the daemon ends: unsent data is kept, and the end does not wait long

for i in 1 2 3; do
	echo '{"v":1}' >"m/p/b$i.json"
	mv "m/p/b$i.json" "m/p/.b$i" # an editor's backup, to be deleted
done
echo 'syswrite F, q({"v":4}) or die; exec "sleep", "1000"' | sed '1i $^F = 10; open F, ">", "m/p/open.json" or die;' >leave.pl
perl leave.pl &
helpers="$helpers $!"
disown
wait_until 5 grep -qs sleep "/proc/$!/comm" || fail 'the writer does not start'
behind silent
kill -TERM "$(our_pids)"
wait_until 10 nobody_left || fail 'the daemon waits for a silent endpoint'
eq 'the text that was being written is kept' "$(find state -path '*/rejected/*open*' -exec cat {} +)" '{"v":4}'
behind "$closed"
fails 2 'not signed: AWS_ACCESS_KEY_ID is not set' "$ITEMFS" "$S" m
fails 2 'signed with the key AKIDONE of AWS_ACCESS_KEY_ID' env AWS_ACCESS_KEY_ID=AKIDONE AWS_SECRET_ACCESS_KEY=x "$ITEMFS" "$S" m
export AWS_SHARED_CREDENTIALS_FILE=$W/keys
mnt m
eq 'access with the right key' "$(ls m)" ''
unmnt m

done_testing
