#!/bin/bash
# Exclusive creation: exactly one of many wins (NAMESPACE 4).
# BEHAVIOUR D.11, EX-12
. "$(dirname "$0")/lib.sh"

store --key PK,SK
mnt m -o table=tab
mnt n -o table=tab
mkdir m/p
ctl put tab '{"PK":"p","SK":"there","v":1}' >/dev/null

refused 'cannot overwrite existing file' bash -c 'set -C; echo "{}" >m/p/there.json'
refused 'File exists' perl -MFcntl -e 'sysopen F, "m/p/there.json", O_CREAT|O_EXCL|O_WRONLY or die "$!"'
ok bash -c 'set -C; echo "{\"v\":2}" >m/p/new.json'
eq 'set -C creates a new item' "$(item tab p new | jq .v)" 2
eq 'and leaves an existing one' "$(item tab p there | jq .v)" 1

# ---- the name is reserved at creation, in all mounts

perl -MFcntl -e 'sysopen F, "m/p/lock.json", O_CREAT|O_EXCL|O_WRONLY or die; print "made\n"; $| = 1; <STDIN>; syswrite F, "{\"v\":1}"; close F or die' <<<'' >/dev/null
eq 'one creator at a time' "$(item tab p lock | jq .v)" 1
exec 4> >(perl -MFcntl -e '
	sysopen F, "m/p/held.json", O_CREAT|O_EXCL|O_WRONLY or die; open G, ">held"; close G;
	<STDIN>; syswrite F, "{\"v\":1}"; close F or die; open G, ">written"')
wait_until 5 test -e held || fail 'no creator'
refused 'File exists' perl -MFcntl -e 'sysopen F, "m/p/held.json", O_CREAT|O_EXCL|O_WRONLY or die "$!"'
refused 'File exists' perl -MFcntl -e 'sysopen F, "n/p/held.json", O_CREAT|O_EXCL|O_WRONLY or die "$!"'
echo >&4
exec 4>&-
wait_until 5 test -e written || fail 'the creator failed'
eq 'the first creator wrote it' "$(item tab p held | jq .v)" 1

# ---- another front end is faster

exec 4> >(perl -MFcntl -e '
	sysopen F, "m/p/slow.json", O_CREAT|O_EXCL|O_WRONLY or die; open G, ">open"; close G;
	<STDIN>; my $ok = syswrite(F, "{\"v\":\"late\"}") && close F; my $why = "$!"; open G, ">answer"; print G $ok ? "written" : $why; close G; rename "answer", "result"' 2>/dev/null)
wait_until 5 test -e open || fail 'no creator'
ctl put tab '{"PK":"p","SK":"slow","v":"early"}' >/dev/null
echo >&4
exec 4>&-
wait_until 5 test -e result || fail 'no answer'
eq 'the later commit fails' "$(cat result)" 'File exists'
eq 'and the item is that of the other front end' "$(item tab p slow | jq .v)" '"early"'

# ---- many racing creators

for round in $(seq $(rounds 2)); do
	for k in $(seq 12); do
		d=m
		[ $((k % 2)) = 0 ] || d=n
		(
			set -C
			{ echo "{\"v\":$k}" >"$d/p/race$round.json"; } 2>/dev/null && echo "$k" >>"won$round"
		) &
	done
	wait $(jobs -p)
	eq "exactly one of twelve wins, round $round" "$(wc -l <"won$round")" 1
	eq "and its text is stored" "$(item tab p "race$round" | jq .v)" "$(cat "won$round")"
done

# ---- creators in the mounts, and conditional puts through the API

# creates PATH TEXT - create exclusively and check close(), which the shell's own redirect does not
creates()
{
	perl -MFcntl -e 'sysopen F, $ARGV[0], O_CREAT | O_EXCL | O_WRONLY or exit 1; syswrite F, $ARGV[1] or exit 1; close F or exit 1' "$@"
}

for round in $(seq $(rounds 2)); do
	for k in $(seq 4); do
		for d in m n; do
			( creates "$d/p/door$round.json" "{\"v\":\"$d$k\"}" 2>/dev/null && echo "$d$k" >>"door$round" ) &
		done
		( ctl call PutItem '{"TableName":"tab","Item":{"PK":{"S":"p"},"SK":{"S":"door'$round'"},"v":{"S":"api'$k'"}},"ConditionExpression":"attribute_not_exists(PK)"}' >/dev/null 2>&1 && echo "api$k" >>"door$round" ) &
	done
	wait $(jobs -p)
	eq "exactly one of twelve through three front ends wins, round $round" "$(wc -l <"door$round")" 1
	eq "and its text is stored and shown, round $round" "$(item tab p "door$round" | jq -r .v) $(jq -r .v n/p/door$round.json)" "$(cat "door$round") $(cat "door$round")"
done

done_testing
