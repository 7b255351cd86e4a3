#!/bin/bash
# A store that another program has open without serving it: the message names the program, and what to do.
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=open=100,start=100

ctl -q create-table tab --key PK || exit 1
mkfifo items
"$ITEMCTL" -s "$S" import tab items 2>/dev/null &
import=$!
exec 3>items # the import has the store open now, and waits for items

eq 'the store is not served' "$([ -e "$S/socket" ] && echo socket)" ''
"$ITEMFS" "$S" --no-mount 2>itemfs.err &
itemfs=$!
gives 5 "in use by process $import (itemctl), which does not share it: try again" ctl tables
eq 'the message says how to share it' "${err##*ended. }" 'A store that is mounted (itemfs) or served (itemctl serve) can be used by many'
wait $itemfs
eq 'itemfs prints the same' "$?: $(cat itemfs.err)" \
	"5: itemfs: $S/db: in use by process $import (itemctl), which does not share it: try again when that process has ended"

# ---- a wait is reported, and the command goes on

says="waiting for process $import (itemctl), which has the store open"
export ITEMFS_TIMING=open=100,start=100,waiting=0
gives 5 'does not share it' ctl tables
eq 'the wait is reported once' "${err%%$'\n'*} $(grep -c waiting <<<"$err")" "$says 1"
gives 5 'does not share it' ctl --quiet tables
eq 'it is not reported with --quiet' "$(grep -c waiting <<<"$err")" 0
echo '{"PK":"b"}' | gives 5 'does not share it' ctl import tab
eq 'it is reported to a pipe, too' "${err%%$'\n'*}" "$says"
gives 5 'does not share it' "$ITEMFS" "$S" --no-mount
eq 'itemfs reports it' "${err%%$'\n'*} $(grep -c waiting <<<"$err")" "itemfs: $says 1"
export ITEMFS_TIMING=open=100,start=100,waiting=600000
gives 5 'does not share it' ctl tables
eq 'a short wait is not reported' "$(grep -c waiting <<<"$err")" 0
export ITEMFS_TIMING=open=120000,start=120000,waiting=0
ctl scan tab >rows 2>waits.err 3>&- &
waits=$!
"$ITEMFS" "$S" --no-mount -f >served 2>served.err 3>&- &
served=$!
wait_until 10 grep -q "^$says" waits.err || fail 'the command does not report the wait'
wait_until 10 grep -q "^itemfs: $says" served.err || fail 'itemfs does not report the wait'

echo '{"PK":"a"}' >&3
exec 3>&-
wait $import
eq 'the import succeeds' "$?" 0
wait $waits
eq 'the command continues' "$? $(cat rows)" '0 {"PK":"a"}'
wait_until 10 grep -q '^listening on ' served || fail 'itemfs does not continue'
kill $served
wait $served
export ITEMFS_TIMING=open=100,start=100

# ---- an owner that is asked to serve, and ends without an answer after the time is over

cat >leaver.py <<'END'
import fcntl, os, socket, sys, time
lock = open(sys.argv[1] + "/db/LOCK", "r+")
fcntl.lockf(lock, fcntl.LOCK_EX)
listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
if os.path.exists(sys.argv[1] + "/mount"):
    os.unlink(sys.argv[1] + "/mount")
listener.bind(sys.argv[1] + "/mount")
listener.listen()
print("listens", flush=True)
conn, _ = listener.accept()
conn.recv(65536)
time.sleep(1)
END
python3 leaver.py "$S" >leaver.out &
leaver=$!
wait_until 10 grep -q listens leaver.out || fail 'the owner does not listen'
"$ITEMFS" "$S" --no-mount -f >served 2>served.err &
served=$!
wait $leaver
wait_until 10 grep -q '^listening on ' served || fail "itemfs does not take the store over: $(cat served.err)"
kill $served
wait $served

# ---- the first thread of the owner has ended, but the process lives: it only looks killed
# (tests/mount/dead_owner.sh)

cat >headless.py <<'END'
import ctypes, fcntl, sys, threading
lock = open(sys.argv[1] + "/db/LOCK", "r+")
fcntl.lockf(lock, fcntl.LOCK_EX)
threading.Thread(target=sys.stdin.read).start()
print("holds", flush=True)
ctypes.CDLL(None).syscall(60 if sys.argv[2] == "x86_64" else 93, 0)  # exit(2) of the first thread only
END
mkfifo held
python3 headless.py "$S" "$(uname -m)" <held >headless.out &
headless=$!
exec 4>held
wait_until 10 grep -q holds headless.out || fail 'the lock is not held'
wait_until 10 grep -q '^State:[[:space:]]*Z' /proc/$headless/status || fail 'its first thread still lives'
gives 5 "in use by process $headless (python3), which does not share it: try again" ctl tables
unset ITEMFS_TIMING
kill -9 $headless
exec 4>&-
wait $headless 2>/dev/null
ok ctl tables
done_testing
