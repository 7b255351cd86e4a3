#!/bin/bash
# A store that another program has open without serving it: who has it, and what to do, is said.
. "$(dirname "$0")/lib.sh"
export ITEMFS_TIMING=open=100,start=100

ctl -q create-table tab --key PK || exit 1
mkfifo items
"$ITEMCTL" -s "$S" import tab items 2>/dev/null &
import=$!
exec 3>items # the import has the store open now, and waits for items

eq 'nobody serves it' "$([ -e "$S/socket" ] && echo socket)" ''
"$ITEMFS" "$S" --no-mount 2>itemfs.err &
itemfs=$!
gives 5 "in use by process $import (itemctl), which does not share it: try again" ctl tables
eq 'and how to share' "${err##*ended. }" 'A store that is mounted (itemfs) or served (itemctl serve) can be used by many'
wait $itemfs
eq 'a mount is told the same' "$?: $(cat itemfs.err)" \
	"5: itemfs: $S/db: in use by process $import (itemctl), which does not share it: try again when that has ended"

# ---- a wait is said, and goes on

says="waiting for process $import (itemctl), which has the store open"
export ITEMFS_TIMING=open=100,start=100,waiting=0
gives 5 'does not share it' ctl tables
eq 'a note, once' "${err%%$'\n'*} $(grep -c waiting <<<"$err")" "$says 1"
gives 5 'does not share it' ctl --quiet tables
eq 'not with --quiet' "$(grep -c waiting <<<"$err")" 0
echo '{"PK":"b"}' | gives 5 'does not share it' ctl import tab
eq 'with a pipe, too' "${err%%$'\n'*}" "$says"
gives 5 'does not share it' "$ITEMFS" "$S" --no-mount
eq 'of a mount' "${err%%$'\n'*} $(grep -c waiting <<<"$err")" "itemfs: $says 1"
export ITEMFS_TIMING=open=100,start=100,waiting=600000
gives 5 'does not share it' ctl tables
eq 'a short wait is not said' "$(grep -c waiting <<<"$err")" 0
export ITEMFS_TIMING=open=120000,start=120000,waiting=0
ctl scan tab >rows 2>waits.err 3>&- &
waits=$!
"$ITEMFS" "$S" --no-mount -f >served 2>served.err 3>&- &
served=$!
wait_until 10 grep -q "^$says" waits.err || fail 'the command says nothing'
wait_until 10 grep -q "^itemfs: $says" served.err || fail 'itemfs says nothing'

echo '{"PK":"a"}' >&3
exec 3>&-
wait $import
eq 'the import has ended well' "$?" 0
wait $waits
eq 'the command goes on' "$? $(cat rows)" '0 {"PK":"a"}'
wait_until 10 grep -q '^listening on ' served || fail 'itemfs does not go on'
kill $served
wait $served
export ITEMFS_TIMING=open=100,start=100

# ---- its owner's first thread has ended, and it lives: it only looks like one that was killed (tests/mount/dead_owner.sh)

cat >headless.py <<'END'
import ctypes, fcntl, sys, threading
lock = open(sys.argv[1] + "/db/LOCK", "r+")
fcntl.lockf(lock, fcntl.LOCK_EX)
threading.Thread(target=sys.stdin.read).start()
print("holds", flush=True)
ctypes.CDLL(None).syscall(60 if sys.argv[2] == "x86_64" else 93, 0)  # exit(2) of the first thread alone
END
mkfifo held
python3 headless.py "$S" "$(uname -m)" <held >headless.out &
headless=$!
exec 4>held
wait_until 10 grep -q holds headless.out || fail 'nobody holds the lock'
wait_until 10 grep -q '^State:[[:space:]]*Z' /proc/$headless/status || fail 'its first thread lives'
gives 5 "in use by process $headless (python3), which does not share it: try again" ctl tables
unset ITEMFS_TIMING
kill -9 $headless
exec 4>&-
wait $headless 2>/dev/null
ok ctl tables
done_testing
