#!/bin/bash
# fs/NAMESPACE.md: each claim of its tables is tried; namespace.py has the probes.  PRINT=1 writes the tables as they are.
. "$(dirname "$0")/lib.sh"

command -v python3 >/dev/null || {
	echo 'skipped: python3 is not here'
	exit 77
}
store --key PK,SK --gsi 'gsi=G,H'
ctl create-table other --key PK,SK >/dev/null
ctl put other '{"PK":"q","SK":"a"}' >/dev/null
ctl put tab '{"PK":"p","SK":"viewed","G":"x","H":"1"}' >/dev/null
ctl put tab '{"PK":"p","SK":"more","G":"x","H":"2"}' >/dev/null
mnt all
mnt m -o table=tab
checks=$((checks + 1))
python3 -B "$HERE/namespace.py" "$W/m" "$W/all" "$HERE/../../fs/NAMESPACE.md" ${PRINT:+--print} 2>&1 || fail 'the document says otherwise'
rm -rf m/p m/[dn]*

done_testing
