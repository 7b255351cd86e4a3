#!/bin/bash
# A store that another program has open without serving it: who has it, and what to do, is said.
. "$(dirname "$0")/lib.sh"

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

echo '{"PK":"a"}' >&3
exec 3>&-
wait $import
eq 'the import has ended well' "$? $(ctl scan tab)" '0 {"PK":"a"}'
done_testing
