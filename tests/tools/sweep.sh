#!/bin/bash
# sweep: now, as of another time, one table or all; and the server's own sweeps.
. "$(dirname "$0")/lib.sh"
begin

ok ctl create-table sessions --key Id --gsi ByUser=User --ttl expires
ok ctl create-table plain --key Id
jq -nc 'range(250) | {Id: "s\(.)", User: "u\(. % 3)", expires: (1600000000 + .)}' | ok ctl put sessions - -q
ok ctl put sessions '{"Id":"no end","User":"u0"}' '{"Id":"text","expires":"1600000000"}'
ok ctl put plain '{"Id":"a","expires":1600000000}'

ok ctl sweep --now 1600000100
eq 'expired items are deleted and counted' "$err" '252 items examined, 100 deleted'
eq 'the other items stay' "$(ctl scan sessions --count) $(ctl scan plain --count)" '152 1'
ok ctl sweep sessions --now 2020-09-13T12:28:50Z
eq 'a time in ISO 8601' "$err" '152 items examined, 30 deleted'
eq 'index entries are deleted, too' "$(ctl scan sessions --index ByUser --count)" 121
ok ctl sweep
eq 'items that expired more than five years ago stay' "$(printf "%s\n" "$err" | head -n 1)" '122 items examined, 0 deleted'
ok ctl sweep --any-age -q
eq 'unless --any-age is given' "$(ctl scan sessions --index ByUser | jq -r .Id) $(ctl scan sessions --count)" 'no end 2'
ok ctl check

gives 2 'is not enabled on table plain' ctl sweep plain
gives 3 'Table: none not found' ctl sweep none
gives 2 'the name of the table is empty' ctl sweep ''
gives 2 'the name of the table is empty' ctl compact ''
for time in soon 0 -5 12x 2020-09-13 2020-09-13T12:28:50 2026-02-31T00:00:00Z 2026-02-29T00:00:00Z 2026-11-31T00:00:00Z; do
	gives 2 "--now needs Unix seconds" ctl sweep "--now=$time"
done
if [ -z "${SERVED-}" ]; then
	past=$(($(date +%s) - 10))
	ok ctl put sessions "{\"Id\":\"past\",\"expires\":$past}" "{\"Id\":\"ahead\",\"expires\":$((past + 9999))}" '{"Id":"old","expires":1}'
	told='its expires has passed: a server or a mount will delete it; to delete it now: itemctl sweep sessions'
	ok ctl get sessions past
	eq 'a returned item that has expired is reported' "$err" "$told"
	ok ctl get-item --table-name sessions --key '{"Id":{"S":"past"}}'
	eq 'also for options of aws' "$err" "$told"
	ok ctl -q get sessions past
	eq 'but not with -q' "$err" ''
	for id in ahead old text 'no end'; do
		ok ctl get sessions "$id"
		eq "not reported: $id" "$err" ''
	done
	ok ctl get plain a
	eq 'nothing is reported without a time to live' "$err" ''
	ok ctl sweep sessions
	gives 1 'not found' ctl get sessions past
	ok ctl delete sessions ahead
	ok ctl delete sessions old
fi
ok ctl sweep --now 2024-02-29T00:00:00Z
gives 2 'too many words' ctl sweep sessions plain
for n in 'text "2020-01-01" is_not_a_number' 'late 4000000000000 has_milliseconds' 'aged 1 --any-age_deletes_them'; do
	read -r name value reason <<<"$n"
	ok ctl create-table "$name" --key Id --ttl at
	ok ctl put "$name" "{\"Id\":\"a\",\"at\":$value}"
	ok ctl sweep "$name"
	eq "why nothing of $name is deleted" "$(printf '%s\n' "$err" | grep -c -e "${reason//_/ }")" 1
done

# ---- the server's own sweeper; its start cannot be set, so the items expire in a second
end_server
begin_server
ok ctl put sessions "{\"Id\":\"soon\",\"expires\":$(($(date +%s) - 10))}" '{"Id":"old","expires":1}'
swept()
{
	[ -z "$(ctl get sessions soon 2>/dev/null)" ]
}
wait_until 20 swept || fail 'it does not sweep'
eq 'the server sweeps by itself' "$(ctl scan sessions | jq -r .Id | sort | tr '\n' ' ')" 'no end old text '
end_server
gives 2 'ttl_sweep=often is not a number' ctl serve --ttl-sweep often
done_testing
