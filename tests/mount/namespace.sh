#!/bin/bash
# fs/NAMESPACE.md: each claim of its tables is tried; namespace.py has the probes. PRINT=1 writes the tables as they
# should be.
. "$(dirname "$0")/lib.sh"

here python3 || exit 77
store --key PK,SK --gsi 'gsi=G,H'
ctl create-table other --key PK,SK >/dev/null
ctl put other '{"PK":"q","SK":"a"}' >/dev/null
ctl put tab '{"PK":"p","SK":"viewed","G":"x","H":"1"}' >/dev/null
ctl put tab '{"PK":"p","SK":"more","G":"x","H":"2"}' >/dev/null
mnt all
mnt m -o table=tab
checks=$((checks + 1))
python3 -B "$HERE/namespace.py" "$W/m" "$W/all" "$HERE/../../fs/NAMESPACE.md" ${PRINT:+--print} 2>&1 || fail 'the document differs'
rm -rf m/p m/[dn]*

# ---- inotify reports the changes of its own mount only, .stream reports all

cat >watch.py <<'WATCH'
import ctypes, select, subprocess, sys
libc = ctypes.CDLL(None)
fd = libc.inotify_init1(0)
assert libc.inotify_add_watch(fd, sys.argv[1].encode(), 0x302) >= 0  # create, delete, modify
subprocess.run(["sh", "-c", sys.argv[2]], check=True)
print("told" if select.select([fd], [], [], float(sys.argv[3]))[0] else "nothing")
WATCH
mkdir m/w
tells() { python3 -B watch.py m/w "$@"; }
export ITEMCTL S
eq 'a write through this mount' "$(tells 'echo {} >m/w/a.json' 5)" told
eq 'a write through another mount' "$(tells 'echo {} >all/tab/w/b.json' 0.5)" nothing
eq 'a write by itemctl' "$(tells '"$ITEMCTL" -s "$S" --quiet put tab "{\"PK\":\"w\",\"SK\":\"c\"}" >/dev/null' 0.5)" nothing
eq 'all of them are listed' "$(echo m/w/*)" 'm/w/a.json m/w/b.json m/w/c.json'

done_testing
