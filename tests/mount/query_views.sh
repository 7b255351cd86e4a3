# Queries as paths during changes, through every kind of mount, and with unusual names.
. "$(dirname "$0")/lib.sh"

store --key PK,SK --gsi 'gsi=G,H' --gsi 'many=A+B,C+D:N+E'
seq 20 | jq -c '{PK:"p\(. % 3)",SK:"s\(100 + .)",G:"g\(. % 2)",H:"h\(. % 7)",n:.}' | ctl put tab - >/dev/null
mnt m -o table=tab

# shown PATH NAME... - check that readdir gives these names, in this order
shown()
{
	local path=$1
	shift
	eq "$path" "$(ls -U "$path" 2>&1 | tr '\n' ' ')" "$*${*:+ }"
}

# ---- changes through another front end are visible at once

q=m/p0/.ge/s115
shown $q s115.json s118.json
gone $q/s116.json
exec 7<$q/s118.json
ctl put tab '{"PK":"p0","SK":"s116","n":16}' '{"PK":"p0","SK":"s118","n":1818}' >/dev/null
shown $q s115.json s116.json s118.json
eq 'a new item is shown' "$(jq .n $q/s116.json)" 16
eq 'a changed item is shown' "$(jq .n $q/s118.json)" 1818
eq 'a file opened before shows the change' "$(jq .n <&7)" 1818
exec 7<&-
ok rm m/p0/s116.json
gone $q/s116.json
shown "m/p0/.filter/n > 1000" s118.json
echo '{"n":1}' >m/p0/s118.json
shown "m/p0/.filter/n > 1000"
gone "m/p0/.filter/n > 1000/s118.json"

# ---- a listing during writes: items that stay are listed once each time

seq 3000 | jq -c '{PK:"busy",SK:"\(10000 + .)",n:.}' | ctl put tab - >/dev/null
(
	while [ ! -e stop ]; do
		seq 1 7 2900 | jq -c '{PK:"busy",SK:"\(10000 + .)x",n:.}' | ctl put tab - >/dev/null
		seq 1 7 2900 | jq -c '{PK:"busy",SK:"\(10000 + .)x"}' | ctl delete tab - >/dev/null 2>&1
	done
) &
for round in 1 2 3 4 5; do
	for q in .reverse .gt/1 '.filter/n > 0' .shards; do
		path=m/busy/$q
		[ "$q" != .shards ] || path='m/.shards/bus{0..1}'
		ls -U "$path" >names
		[ "$q" = .shards ] || eq "$q: all items that stay" "$(grep -c '^[0-9]*\.json$' names)" 3000
		eq "$q: none twice" "$(sort names | uniq -d | head -n 1)" ''
	done
done
touch stop
wait $!
shown 'm/busy/.reverse/.limit/2' 13000.json 12999.json

# ---- long components, unusual names

v=$(printf 'v%.0s' $(seq 1000))
long=$(printf '%%61%.0s' $(seq 1300))
ctl put tab '{"PK":"hard","SK":"'"$v"'","n":1}' '{"PK":"hard","SK":"'"${v}w"'","n":2}' '{"PK":"hard","SK":"a\nb","n":3}' '{"PK":"hard","SK":"ü::é","n":4}' \
	'{"PK":"shard3","SK":"'"$v"'","n":5}' '{"PK":"shard4","SK":"::","n":6}' '{"PK":"shard:5","SK":":a","n":7}' >/dev/null
h=m/hard
eq 'a condition of 1,000 bytes' "$(cat "$h/.eq/$v"/* | jq .n)" 1
eq 'of 3,900 bytes' "$(cd $h/.eq && ls "$long" && cd ../.lt && ls "$long" | wc -l)" 1
refused 'File name too long' stat "$h/.eq/$long$long"
eq 'shortened names' "$(cat "$h/.begins_with/vv"/* | jq .n | sort | tr '\n' ' ')" '1 2 '
eq 'shortened names in shards' "$(cat 'm/.shards/shard{0..4}'/* | jq .n | sort | tr '\n' ' ')" '5 6 '
gone "$h/.eq/x/$(ls $h | grep '%~' | head -n 1)"
eq 'a newline' "$(cat "$h/.eq/a%0Ab"/* | jq .n)" 3
eq 'an unescaped newline' "$(cat "$h/.eq/a"$'\n'"b"/* | jq .n)" 3
eq 'other alphabets' "$(ls "$h/.begins_with/ü")" ü::é.json
refused 'No such file' ls "$h/.eq/"$'\xff'
eq 'a value that is not UTF-8' "$(tail -n 1 m/.itemfs/errors | cut -f 6)" 'SK is a string: these bytes are not UTF-8'
eq 'a key of colons is escaped' "$(ls -U 'm/.shards/shard{4..4}')" '%3A%3A::shard4.json'
eq 'and its name can be read' "$(jq .n 'm/.shards/shard{4..4}/%3A%3A::shard4.json')" 6

# ---- sort keys of several attributes

ctl put tab '{"PK":"1","SK":"1","A":"a","B":"b","C":"c","D":1,"E":"x"}' '{"PK":"2","SK":"2","A":"a","B":"b","C":"c","D":2,"E":"x"}' \
	'{"PK":"3","SK":"3","A":"a","B":"b","C":"c","D":2,"E":"y"}' '{"PK":"4","SK":"4","A":"a","B":"b","C":"d","D":2,"E":"y"}' >/dev/null
k=m/.index/many/a::b
shown $k/.eq/c c::1::x::1::1.json c::2::x::2::2.json c::2::y::3::3.json
shown $k/.eq/c/.eq/2 c::2::x::2::2.json c::2::y::3::3.json
shown $k/.eq/c/.eq/2.0/.begins_with/y c::2::y::3::3.json
shown $k/.eq/c/.between/0/1 c::1::x::1::1.json
shown $k/.ge/d d::2::y::4::4.json
gone $k/.eq/c/.eq/2/.lt/a/.eq $k/.eq/a/.eq/1/.eq/b/.eq
gone 'm/.index/many/.shards'
eq 'errors has the reason' "$(tail -n 1 m/.itemfs/errors | cut -f 6)" '.shards needs a partition key of one attribute'
eq 'itemctl why has the reason' "$("$ITEMCTL" -s "$S" why "$W/m/.index/many/.shards" | grep -c 'one attribute')" 1

# ---- every kind of mount

mnt ro -o table=tab,ro
shown ro/p0/.limit/1 s103.json
mnt ix -o table=tab,index=gsi
shown ix/g1/.between/h1/h2 h1::p0::s115.json h1::p1::s101.json h2::p0::s109.json
shown 'ix/.shards/g{0..1}/.eq/h1' h1::p0::s115.json h1::p1::s101.json h1::p2::s108.json
mnt txt -o table=tab,suffix=.txt
shown txt/p0/.limit/1 s103.txt
eq 'a query in a mount with a suffix' "$(jq .n txt/p0/.limit/1/s103.txt)" 3
mnt bare -o table=tab,suffix=
shown bare/p0/.limit/2 s103 s106
eq 'a query in a mount without a suffix' "$(jq .n bare/p0/.limit/2/s106)" 6
mnt typed -o table=tab,typed
eq 'a query in a typed mount' "$(cat typed/p0/.project/n/.limit/1/s103.json)" '{"n":{"N":"3"}}'
mnt pretty -o table=tab,pretty
eq 'a query in a pretty mount' "$(cat pretty/p0/.project/n/.limit/1/s103.json)" '{
  "n": 3
}'
eq 'its size' "$(stat -c %s pretty/p0/.project/n/s103.json)" 13

unmnt ro ix txt bare typed pretty

# ---- a listing that finds nothing for long ends when it is interrupted, and with the daemon

text=$(printf 'abcdefghij%.0s' $(seq 100))
seq 40000 | jq -c --arg text "$text" '{PK:"slow",SK:"\(.)",t:$text}' >slow
ctl import tab slow 2>/dev/null
filter='contains(t, "x")'
for i in $(seq 140); do
	filter="$filter or contains(t, \"x$i\")"
done

# ---- any number of them leave other requests served, and can be interrupted

# threads N - test if there are more than N
threads()
{
	[ "$(ls "/proc/$(our_pids)/task" | wc -l)" -gt "$1" ]
}
# spent COMMAND... - print the seconds of processor time that the daemon needs for it; a whole search needs several
spent()
{
	local daemon before
	daemon=$(our_pids)
	before=$(cut -d ' ' -f 14 "/proc/$daemon/stat")
	"$@" 2>/dev/null
	echo $((($(cut -d ' ' -f 14 "/proc/$daemon/stat") - before) / $(getconf CLK_TCK)))
}
# gone_all PID... - wait until they have ended
gone_all()
{
	local pid
	kill -TERM "$@"
	for pid; do
		wait_until 60 is_gone "$pid" || fail "process $pid is still there"
	done
}
listers=
for i in $(seq 20); do
	# Each in a directory of its own: the kernel allows one reader per directory at a time.
	ls -U "m/slow/.filter/$filter or contains(t, \"y$i\")" >/dev/null 2>&1 &
	listers="$listers $!"
done
ok wait_until 20 threads 27
eq 'an item can be read meanwhile' "$(timeout 120 jq .n m/p0/s115.json)" 15
eq 'all searches are interrupted' "$(($(spent gone_all $listers) < 20))" 1
wait $listers 2>/dev/null

for whom in lister daemon; do
	ls -U "m/slow/.filter/$filter" >listed 2>&1 &
	lister=$!
	ok wait_until 10 holds $lister filter # so it is under way
	if [ $whom = lister ]; then
		eq 'the search ends with its reader' "$(($(spent gone_all $lister) < 2))" 1
	else
		kill -TERM $(our_pids)
		ok wait_until 10 nobody_left
		wait $lister
		eq 'the search ends with the daemon, before it is complete' $? 2 # a complete search finds nothing, which is no error
	fi
	wait $lister 2>/dev/null
done
done_testing
