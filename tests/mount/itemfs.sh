#!/bin/bash
# .itemfs: files about the mount itself (NAMESPACE 5).
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G'
mnt all
mnt m -o table=tab,pretty,suffix=.item,timeout=7
mnt g -o table=tab,index=gsi

# ---- where it is, and what it contains

for root in all m g; do
	eq "$root: its files" "$(ls $root/.itemfs | tr '\n' ' ')" 'README config.json errors rejected stats.json version '
	eq "$root: not listed" "$(ls -A $root | grep -c itemfs)" 0
	eq "$root: not found" "$(find $root -name .itemfs | wc -l)" 0
	for file in README config.json stats.json version; do
		eq "$root: length of $file" "$(stat -c %s $root/.itemfs/$file)" "$(wc -c <$root/.itemfs/$file)"
	done
done
gone all/tab/.itemfs m/.index/.itemfs m/.index/gsi/.itemfs m/.itemfs/none m/.itemfs/rejected/none m/.itemfs/errors/x
eq 'the version' "$(cat m/.itemfs/version)" "$("$ITEMFS" --version)"

# ---- the options of the mount, and its statistics

eq 'config.json has the options' "$(jq -c '[.store,.mountpoint,.table,.index,.suffix,.ro,.pretty,.typed,.sync,.conflict_fail,.timeout]' m/.itemfs/config.json)" \
	"[\"$S\",\"$W/m\",\"tab\",\"\",\".item\",false,true,false,false,false,7]"
eq 'config.json of the other mounts' "$(jq -r '.table + "," + .index' all/.itemfs/config.json g/.itemfs/config.json)" ',
tab,gsi'
mkdir m/p m/q
echo '{"G":"x"}' >m/p/a.item
settle m
exec 4>m/p/b.item
eq 'stats.json has the statistics' "$(jq -c '[.files_being_written,.empty_partitions,.open_streams,.waits_given_up >= 0,.known_names > 3,.newest_change]' m/.itemfs/stats.json)" \
	'[1,1,0,true,true,2]'
exec 4>&-

# ---- the README names everything that is not listed

for name in .eq/ .lt/ .le/ .gt/ .ge/ .between/ .begins_with/ .filter/ .project/ .reverse .limit/ .shards/ .jsonl .json .csv .count \
	.index/ .table.json .stream .stream.jsonl README version config.json stats.json errors rejected/; do
	case $name in README) continue ;; esac
	eq "the README has $name" "$(grep -c -F -- "$name" m/.itemfs/README | sed 's/^[1-9].*/some/')" some
done

# ---- nothing can be changed

for change in 'echo x >m/.itemfs/README' 'echo x >m/.itemfs/new' 'rm m/.itemfs/errors' 'mkdir m/.itemfs/d' 'rmdir m/.itemfs/rejected' 'rm -r m/.itemfs' \
	'touch m/.itemfs/version' 'mv m/.itemfs/version m/.itemfs/v' 'chmod 600 m/.itemfs/errors' 'truncate -s 0 m/.itemfs/errors' 'ln m/.itemfs/errors m/.itemfs/e'; do
	refused '' bash -c "$change"
done
eq 'all files are still there' "$(ls all/.itemfs | wc -l)" 6

# ---- refused writes: rejected texts are named by time, a number and the file

echo '{"a":1,' >m/p/one.item 2>/dev/null
settle m # half a text is kept at RELEASE
echo '{"b":}' >m/p/two.item 2>/dev/null
eq 'names of rejected texts' "$(ls m/.itemfs/rejected | sed -E 's/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{12}Z-[0-9]{6}-//' | tr '\n' ' ')" 'one.item two.item '
eq 'rejected texts are as they were written' "$(cat m/.itemfs/rejected/*-one.item) $(cat m/.itemfs/rejected/*-two.item)" '{"a":1, {"b":}'
eq 'errors has their lines' "$(cut -f 3,4 m/.itemfs/errors | tail -n 2)" "$W/m/p/one.item	EBADMSG
$W/m/p/two.item	EBADMSG"
eq 'other mounts do not show them' "$(grep -v '	ENOENT	-	' all/.itemfs/errors; ls all/.itemfs/rejected)" ''
refused 'Read-only file system' rm m/.itemfs/rejected/*-one.item

# ---- closed by a reader before the end of the text: a sanitizer's build sees the producer return for a while yet

if can_trace; then
	settle m
	traces trace -e trace=writev -e inject=writev:delay_exit=200ms
	for file in .itemfs/stats.json .table.json; do
		eq "the beginning of $file" "$(head -c 1 m/$file)" '{'
	done
	untrace
fi

done_testing
