#!/bin/bash
# SIGTERM while an endpoint is silent: itemfs ends by itself, during its start and with a write that gets no response.
. "$(dirname "$0")/lib.sh"

withheld()
{
	grep -q "^withholds $1" slow.log
}

# ends PID - check that it ends after the signal that it was just sent; its requests may take an hour
ends()
{
	checks=$((checks + 1))
	wait_until 20 is_gone "$1" || { fail "$2: it goes on"; kill -9 "$1"; }
}
patient=timeout_request=3600

# ---- no response during the start

begin_made_up slow deaf 2>slow.err
mkdir m
"$ITEMFS" "http://$made_up" m -f -o table=tab,$patient 2>foreground.err &
pid=$!
wait_until 10 withheld DescribeTable || fail 'no request is sent'
kill "$pid"
ends "$pid" 'in the foreground'
wait "$pid"
eq 'in the foreground: it fails, and mounts nothing' "$(($? > 0)) $(our_mounts)" '1 '
"$ITEMFS" "http://$made_up" m -o table=tab,$patient 2>background.err &
pid=$!
wait_until 10 eval '[ "$(our_pids | wc -l)" = 2 ]' || fail 'no daemon'
wait_until 10 eval '[ "$(grep -c "^withholds" slow.log)" -gt 1 ]' || fail 'no second request is sent'
daemon=$(our_pids | grep -vx "$pid")
kill "$pid"
ends "$daemon" 'the daemon of a parent that was interrupted'
eq 'in the background: it mounts nothing' "$(our_mounts)" ''
end_made_up

# ---- a write without a response

begin_made_up slow silent 2>slow.err
S=http://$made_up
ITEMFS_TIMING=mount_end=1 mnt m -o table=tab,$patient
daemon=$(our_pids)
perl -e 'open(my $f, ">", "m/a.json") or die $!; print $f "{\"v\":1}"; close $f; print STDERR "$!\n"' 2>closed &
writer=$!
wait_until 10 withheld PutItem || fail 'no PutItem is sent'
kill "$daemon"
ends "$daemon" 'with a write under way'
wait "$writer"
eq 'the writer gets an error' "$([ -s closed ] && echo yes)" yes
eq 'the text is kept' "$(cat state/itemfs/*/rejected/*)" '{"v":1}'
end_made_up

done_testing
