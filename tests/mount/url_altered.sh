#!/bin/bash
# The mount of an endpoint whose responses lack one member, or have it as null or with another type: each access
# succeeds or fails, the daemon goes on and ends normally. ITEMFS_ALTERED=all tries every member of every response.
. "$(dirname "$0")/lib.sh"

endpoint
ctl -q create-table tab --key PK,SK --gsi ByG=G:N --lsi Two=two:N --ttl t --stream NEW_AND_OLD_IMAGES
printf '{"PK":"p","SK":"1","G":1,"two":2,"v":[1,{"a":null}]}\n{"PK":"p","SK":"2","G":1}\n' | ctl -q import tab - || fail 'no items'

# look -s URL NAME - mount it in the folder "m", read it, unmount; the status and the messages are the daemon's
cat >look <<'END'
#!/bin/bash
mkdir m || exit
"$ITEMFS" "$2" m -f &
daemon=$!
until mountpoint -q m; do
	kill -0 "$daemon" 2>/dev/null || { wait "$daemon"; exit; }
	sleep 0.01
done
{
	ls -lR m
	cat m/tab/p/1.json m/tab/.table.json m/tab/.jsonl m/tab/.count m/tab/p/.csv
	cat m/.itemfs/* m/tab/.stream.jsonl
	ls -l m/tab/.index/* m/tab/.index/*/* 'm/tab/.filter/G = 1'
	cat m/tab/.index/ByG/1/1::p::1.json m/tab/p/.eq/1/1.json
	df m
	echo '{"v":1}' >m/tab/p/new.json
	mv m/tab/p/new.json m/tab/p/old.json
	rm m/tab/p/old.json
} >/dev/null 2>&1
until fusermount3 -u m 2>/dev/null || umount m 2>/dev/null; do
	mountpoint -q m || break
	sleep 0.01
done
wait "$daemon"
END
chmod +x look
export ITEMFS
echo 'mount 0 look' >runs
mkdir empty
checks=$((checks + 1))
(cd empty && python3 "$HERE/../tools/altered.py" "$W/look" "${S#http://}" "$W/runs" 60) >altered.out || fail "$(cat altered.out)"
cat altered.out
done_testing
