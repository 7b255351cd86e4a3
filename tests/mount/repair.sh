#!/bin/bash
# A repair below a mount: an entry that it restores is shown at once, even if it was looked for just before.
. "$(dirname "$0")/lib.sh"

harm=$BUILD/tests/tools/harm
store --key PK,SK --gsi 'gsi=G,H'
ctl put tab '{"PK":"p","SK":"a","G":"x","H":"1"}' '{"PK":"p","SK":"b","G":"x","H":"1"}' >/dev/null
entry=$("$harm" "$S" list | grep -m 1 '^69........0001') # the index entry of a
ok "$harm" "$S" del "$entry"

mnt m -o table=tab
view='m/.index/gsi/x'
eq 'the entry is lost' "$(ls $view)" '1::p::b.json'
gone "$view/1::p::a.json"
gone "$view/1::p::a.json"
ok ctl check --repair
eq 'the name is found' "$(jq -r .SK "$view/1::p::a.json")" a # before a listing, which would tell the kernel
eq 'and listed' "$(ls $view)" $'1::p::a.json\n1::p::b.json'
unmnt m
done_testing
