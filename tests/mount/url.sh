#!/bin/bash
# The mount of an endpoint: listings, reads, writes (NAMESPACE 1, 2, 4).
. "$(dirname "$0")/lib.sh"

endpoint
store --key PK,SK --gsi 'ByG=G,SK' --lsi 'ByD=D'
"$ITEMCTL" -s "$S" --quiet create-table sim --key Id:N
for p in a b 'c/d'; do
	ctl put tab "$(jq -nc --arg p "$p" '{PK: $p, SK: "1", G: "g", D: "x", v: 1}')" \
		"$(jq -nc --arg p "$p" '{PK: $p, SK: "2", D: "y", s: {SS: ["m", "n"]}}')" >/dev/null
done
ctl put sim '{"Id":1}' '{"Id":-2.5,"v":[1,2]}' >/dev/null

# ---- the tree

mnt m
eq 'tables' "$(ls m)" $'sim\ntab'
eq 'partitions' "$(ls m/tab)" $'a\nb\nc%2Fd'
eq 'items in the order of their keys' "$(ls -U m/tab/a)" $'1.json\n2.json'
eq 'an item' "$(cat m/tab/c%2Fd/2.json)" '{"PK":"c/d","SK":"2","D":"y","s":{"SS":["m","n"]}}'
eq 'its size is that of its text' "$(stat -c %s m/tab/a/2.json)" "$(cat m/tab/a/2.json | wc -c)"
eq 'also the size in a listing' "$(ls -l m/tab/a | awk '{print $5}' | tail -1)" "$(cat m/tab/a/2.json | wc -c)"
eq 'items of a table without a sort key' "$(ls m/sim)" $'-2.5.json\n1.json'
eq 'one of these items' "$(cat m/sim/-2.5.json)" '{"Id":-2.5,"v":[1,2]}'
gone m/tab/x m/tab/a/3.json m/nix m/sim/7.json
eq 'indexes' "$(ls m/tab/.index)" $'ByD\nByG'
eq 'the partitions of an index view' "$(ls m/tab/.index/ByG)" g
eq 'its entries' "$(ls m/tab/.index/ByG/g | tr '\n' ' ')" '1::a::1.json 1::b::1.json 1::c%2Fd::1.json '
eq 'and their contents' "$(cat m/tab/.index/ByG/g/1::a::1.json)" '{"PK":"a","SK":"1","G":"g","D":"x","v":1}'
eq 'entries of a local index' "$(ls m/tab/.index/ByD/a | tr '\n' ' ')" 'x::a::1.json y::a::2.json '
gone m/tab/.index/ByG/h m/tab/.index/ByG/g/1::a::2.json
eq 'the definition of a table' "$(jq -r .TableName m/tab/.table.json)" tab
eq 'find lists all items' "$(find m -type f | wc -l)" 8
eq 'config.json has the URL' "$(jq -r '.store, .timeout' m/.itemfs/config.json)" "$S"$'\n1'
eq 'the table of mounts has the URL' "$(findmnt -n -o SOURCE,FSTYPE m | tr -s ' ')" "$S fuse.itemfs"
unmnt m

# ---- queries

mnt m -o table=tab
eq 'a query' "$(ls m/a/.ge/2)" 2.json
eq 'a filter' "$(ls 'm/a/.filter/v = 1')" 1.json
eq 'a query of an index' "$(ls m/.index/ByG/g/.reverse/.limit/1)" 1::c%2Fd::1.json
eq 'several shards, merged' "$(ls -U 'm/.index/ByG/.shards/g{0..3}')" ''
ls 'm/a/.filter/v = ' >/dev/null 2>&1
eq 'errors has the reason for a wrong query' "$(grep -o 'FilterExpression: Syntax error' m/.itemfs/errors | uniq)" 'FilterExpression: Syntax error'

# ---- writing

ok write m/a/3.json '{"G":"g2","n":7}'
eq 'what a shell writes is the item' "$(item tab a 3)" '{"G":"g2","PK":"a","SK":"3","n":7}'
eq 'and is visible at once' "$(cat m/a/3.json; ls m/a | tail -1)" $'{"PK":"a","SK":"3","G":"g2","n":7}\n3.json'
ls m/.index/ByG >/dev/null
ok write m/a/3.json '{"G":"g3"}'
eq 'also in index views that were read before' "$(ls m/.index/ByG | tr '\n' ' ')$(cat m/.index/ByG/g3/3::a::3.json)" \
	'g g3 {"PK":"a","SK":"3","G":"g3"}'
gone m/.index/ByG/g2
ok cp m/a/3.json m/a/4.json
ok mv m/a/4.json m/b/5.json
eq 'a moved item has a new key' "$(item tab b 5)$(item tab a 4)" '{"G":"g3","PK":"b","SK":"5"}'
eq 'appended, then truncated' "$(printf ' ' >>m/b/5.json && truncate -s 0 m/b/5.json && item tab b 5)" '{"PK":"b","SK":"5"}'
ok sed -i 's/"SK"/"x":1,"SK"/' m/b/5.json
eq 'an edited item is stored' "$(item tab b 5)" '{"PK":"b","SK":"5","x":1}'
ok touch -d 2001-01-01 m/b/5.json
times()
{
	local look=(stat -c %y m/b/5.json)
	"${look[@]}"
	exec 3>m/b/5.json
	"${look[@]}"
	echo '{}' >&3
	"${look[@]}"
	exec 3>&-
	"${look[@]}"
}
eq 'the time of files is always that of the mount' "$(times | uniq | wc -l)" 1
ok rm m/b/5.json
gone m/b/5.json
refused 'No such file' rm m/b/5.json
echo '{"SK":' >bad
refused 'Bad message' cp bad m/a/bad.json
settle m
gone m/a/bad.json
eq 'why has the reason' "$(reasons m/a/bad.json | cut -f3-5)" "$W/m/a/bad.json"$'\tEBADMSG\tSerializationException'
eq 'why lists all refusals' "$(reasons | cut -f4 | sort -u | tr '\n' ' ')$(ctl why m/b | jq -r .Message | cut -d';' -f1)" 'EBADMSG ENOENT nothing was refused'
eq 'why shows nothing of the mounts of another endpoint' "$("$ITEMCTL" -s http://127.0.0.1:1 why m/a/bad.json | jq -r .Message)" 'there is no item bad.json'
# Besides the item that was written as {} above.
eq 'a rejected text is not lost' "$(grep -hv '"PK":"b"' m/.itemfs/rejected/*)" '{"SK":'
eq 'it is kept in the state directory' "$(grep -hv '"PK":"b"' state/itemfs/*/rejected/*)" '{"SK":'
ok sync m/a/3.json m/a
eq 'exclusive creation of an existing item' "$( (set -C; echo '{}' >m/a/1.json) 2>/dev/null || echo refused)" refused

# ---- partitions

ok mkdir m/new
refused 'File exists' mkdir m/a
ok write m/new/1.json '{}'
refused 'Directory not empty' rmdir m/new
ok rm m/new/1.json
ok rmdir m/new
gone m/new
ok mv m/a m/z
eq 'a partition moves' "$(ls m | tr '\n' ' ')$(item tab z 3)" 'b c%2Fd z {"G":"g3","PK":"z","SK":"3"}'
ok renameat2 m/b/1.json m/z/1.json 2
eq 'two partitions are exchanged' "$(jq -c '[.PK,.SK]' m/b/1.json m/z/1.json | tr '\n' ' ')" '["b","1"] ["z","1"] '
seq -w 51 | jq -c '{PK:"many",SK:(.|tostring)}' >items
"$ITEMCTL" -s "$S" --quiet import tab items >/dev/null
refused 'Invalid cross-device link' renameat2 m/many m/more 0
ok mv m/many m/more
eq 'a partition too large for a transaction is moved item by item' "$(ls m/more | wc -l)" 51
ok rm -r m/more
gone m/more
unmnt m

# ---- views, options

mnt g -o table=tab,index=ByG
eq 'an index as the root' "$(ls g | tr '\n' ' ')" 'g g3 '
refused 'Read-only' touch g/g/x.json
mnt p -o table=sim,pretty,suffix=
eq 'two mounts are two processes' "$(our_pids | wc -l)" 2
eq 'pretty works as in other mounts' "$(cat p/1)" $'{\n  "Id": 1\n}'
unmnt g p

done_testing
