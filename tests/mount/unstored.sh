#!/bin/bash
# When a mount ends, what was written and not stored is reported: on the terminal that it was started on, on standard
# error in the foreground, and always in the log. The end does not wait for a terminal.
. "$(dirname "$0")/lib.sh"

store --key PK,SK
mkdir m n p
export S W ITEMFS ITEMCTL

# on_terminal COMMANDS CONDITION... - run bash on its own terminal, which lives until CONDITION is true; its output is
# $shown
on_terminal()
{
	rm -f began ended
	python3 "${terminal-$TESTS/tools/typed.py}" '' bash -c "$1; : >began; until [ -e ended ]; do sleep 0.01; done" >shown &
	wait_until 10 test -e began || fail 'the commands on the terminal do not start'
	wait_until 10 "${@:2}" || fail 'the mount does not end'
	: >ended
	wait $!
	shown=$(tr -d '\r' <shown | sed "s|$W|W|g; s|[0-9TZ:.-]*Z-[0-9]*-|TIME-|")
}

# Texts of all kinds. The shell's own messages are dropped.
write_all='mkdir -p $M/p 2>/dev/null
{ echo "{" >$M/p/half.json; echo text >$M/p/plain; echo "{" >$M/p/mended.json; echo "{\"a\":1}" >$M/p/mended.json; echo "{}" >$M/p/fine.json; } 2>/dev/null'
half='W/m/p/half.json: a text that was refused; it is kept in W/store/rejected/TIME-half.json'
plain='W/m/p/plain: a scratch file that was left; it is kept in W/store/rejected/TIME-plain'

for how in 'fusermount3 -u m' 'umount m' 'kill $(cat pid)'; do
	on_terminal '"$ITEMFS" "$S" m -o table=tab >/dev/null; M=m; '"$write_all; pgrep -f \"^[^ ]*itemfs $S m\" >pid; $how" nobody_left
	eq "on the terminal: $how" "$shown" "
itemfs: not stored: $half
itemfs: not stored: $plain"
done
eq 'in the log, each once' "$(sed "s|$W|W|g; s|[0-9TZ:.-]*Z-[0-9]*-|TIME-|" "$S/log" | grep -c -F -e " itemfs: $half" -e " itemfs: $plain")" 6

# ---- a mount that joins uses the terminal of its own start

: >"$S/log"
mnt n -o table=tab
on_terminal '"$ITEMFS" "$S" m -o table=tab >/dev/null; echo "{" >n/p/other.json; echo "{" >m/p/half.json; fusermount3 -u m' \
	grep -q "$W/m is unmounted" "$S/log"
eq 'it reports what was written to this mount' "$(grep -c 'not stored: W/m/p/half.json' <<<"$shown") $(grep -c 'not stored: W/n' <<<"$shown")" '1 0'
unmnt n

# ---- rename: the intended item is named, until it is stored

on_terminal '"$ITEMFS" "$S" m -o table=tab >/dev/null; cd m/p; for i in moved saved; do echo "{" >t; mv t $i.json; rm t; done 2>/dev/null
	echo "{}" >t; mv t saved.json; : >none; cd ../..; fusermount3 -u m' nobody_left
eq 'a refused rename is reported' "$(grep -c . <<<"$shown") $(grep -o 'not stored: W/m/p/moved.json: a text that was refused; it is kept in W/store/rejected/TIME-t' <<<"$shown")" \
	'1 not stored: W/m/p/moved.json: a text that was refused; it is kept in W/store/rejected/TIME-t'

# ---- more than a terminal should show

on_terminal '"$ITEMFS" "$S" m -o table=tab >/dev/null; for i in {101..130}; do echo text >m/p/$i; done; fusermount3 -u m' nobody_left
eq 'at most twenty lines are shown' "$(grep -c 'not stored: W/m/p/1' <<<"$shown") $(tail -n 1 <<<"$shown")" '20 itemfs: not stored: 10 more'
on_terminal '"$ITEMFS" "$S" m -o table=tab >/dev/null; echo "{}" >m/p/fine.json; fusermount3 -u m' nobody_left
eq 'nothing is shown if all is stored' "$shown" ''

# ---- the terminal does not exist any more, or accepts no output

on_terminal '"$ITEMFS" "$S" m -o table=tab >/dev/null; echo late >m/p/late' true
eq 'the session ends without the daemon' "$shown $(cat m/p/late)" ' late'
unmnt m
eq 'and the daemon ends without the terminal' "$(grep -c 'm/p/late: a scratch file that was left' "$S/log")" 1
cat >stopped.py <<'END'
"""stopped.py '' COMMAND... - run it on a terminal whose output is stopped, as by Ctrl-S, and never read"""
import os, pty, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    termios.tcflow(2, termios.TCOOFF)
    os.execvp(sys.argv[2], sys.argv[2:])
os.waitpid(pid, 0)
END
terminal=stopped.py on_terminal '"$ITEMFS" "$S" m -o table=tab >/dev/null && echo held >m/p/held && fusermount3 -u m' nobody_left
eq 'a stopped terminal does not delay the end' "$(grep -c 'm/p/held: a scratch file that was left' "$S/log")" 1
"$ITEMFS" "$S" m -o table=tab 2>errors </dev/null
eq 'without a terminal the daemon has none open' "$(find /proc/$(our_pids)/fd -lname '/dev/pts/*' -o -lname '/dev/tty*' | wc -l)" 0
unmnt m

# ---- in the foreground

for signal in INT TERM; do
	env --default-signal=INT "$ITEMFS" "$S" m -o table=tab -f >/dev/null 2>front.err &
	front=$!
	wait_until 10 mountpoint -q m || fail 'not mounted'
	M=m
	eval "$write_all" 2>/dev/null
	kill -$signal $front
	wait $front
	eq "on standard error, after SIG$signal" "$(sed "s|$W|W|g; s|[0-9TZ:.-]*Z-[0-9]*-|TIME-|; s|^[^ ]* ||" front.err | grep -F -e "$half" -e "$plain" | sort)" "itemfs: $half
itemfs: $plain"
done

done_testing
