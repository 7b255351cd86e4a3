#!/bin/bash
# itemctl ls, cat, tree and find read the paths of a mount without one, also where there is no /dev/fuse.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table music --key Artist,Song --gsi ByYear=Year:N,Song
printf '{"Artist":"Acme","Song":"%s","Year":%s}\n' Black 1985 Blue 1999 Red 1991 $'a/b' 2001 'line\nend' 2002 | ctl -q import music -
ctl -q put music '{"Artist":"Zed","Song":"1","Year":1999}'

# ---- cat
ok ctl cat music/Acme/Red.json
eq 'an item' "$out" "$(ctl get music Acme Red --format jsonl)"
ok ctl cat 'music/Acme/.begins_with/B/.filter/Year > 1990/.jsonl'
eq 'a query' "$out" "$(ctl query music Acme --begins-with B --filter 'Year > 1990' --format jsonl)"
ok ctl cat music/.jsonl
eq 'a table' "$out" "$(ctl scan music --format jsonl)"
ok ctl cat music/.index/ByYear/1999/.count music/Acme/.count /music/Acme/Red.json
eq 'several files' "$out" "$(printf '2\n5\n'; ctl get music Acme Red --format jsonl)"
ok ctl cat 'music/Acme/a%2Fb.json' music/Acme/line%0Aend.json
eq 'names with a slash and a line end' "$(jq -r .Year <<<"$out" | tr '\n' ' ')" '2001 2002 '
ok ctl cat music//./Acme/../Zed/1.json
eq 'dots and slashes' "$(jq -r .Artist <<<"$out")" Zed

# ---- mistakes: the text of cat, the reason of why, exit status 1
gives 1 'itemctl: music/Acme: Is a directory' ctl cat music/Acme
gives 1 'itemctl: music/Acme/.begins_with: Is a directory' ctl cat music/Acme/.begins_with
gives 1 "itemctl: music/Acme/Red: No such file or directory: the item's file is music/Acme/Red.json" ctl cat music/Acme/Red
gives 1 'itemctl: music/Acme/Red.json/: Not a directory' ctl cat music/Acme/Red.json/
for end in /x /. /.. //.; do
	gives 1 "itemctl: music/Acme/Red.json$end: Not a directory" ctl cat "music/Acme/Red.json$end"
done
gives 1 'itemctl: music/Nobody/.jsonl: No such file or directory' ctl cat music/Nobody/.jsonl
gives 1 'No such file or directory: ' ctl cat 'music/Acme/.filter/Year >/.jsonl'
ok ctl cat music/Acme/Red.json
"$ITEMCTL" -s "$S" cat music/no/x.json music/Acme/Red.json >got 2>got.err
eq 'the other files are printed' "$? $(cat got)" "1 $out"
gives 1 $'itemctl: music/\\u001b[31m/x: No such' ctl cat $'music/\e[31m/x'
gives 2 'cat changes nothing: it takes no --dry-run' ctl cat --dry-run music/.jsonl
ok ctl cat 'music/Acme/.filter/Year = x/.count' .itemfs/errors
eq 'remarks are logged' "$(grep 'needs quotes' <<<"$out" | cut -f 3,6)" $'itemctl:/music/Acme/.filter/Year = x\tx is the name of an attribute here; a text needs quotes: '"'itemctl:/music/Acme/.filter/Year = \"x\"'"

# ---- ls
ok ctl ls /
eq 'the root' "$out" music
ok ctl ls music/
eq 'partitions' "$out" $'Acme\nZed'
ok ctl ls music/Acme/.begins_with/B music/.index
eq 'directories' "$out" $'music/Acme/.begins_with/B:\nBlack.json\nBlue.json\n\nmusic/.index:\nByYear'
ok ctl ls music/Zed music/Acme/Red.json / music/Acme/Blue.json
eq 'files before directories' "$out" $'music/Acme/Red.json\nmusic/Acme/Blue.json\n\nmusic/Zed:\n1.json\n\n/:\nmusic'
"$ITEMCTL" -s "$S" ls music/Zed nothing/ music/Acme/Red.json >got 2>got.err
eq 'and a mistake' "$? $(cat got)" $'1 music/Acme/Red.json\n\nmusic/Zed:\n1.json'
ok ctl ls -a music/Zed
eq 'all names' "$(sort <<<"$out")" $'.\n..\n1.json'
ok ctl ls -l music/Acme/Red.json
eq 'mode, size and time of an item' "$(sed -E 's/ [0-9-]{10} [0-9:]{5} / TIME /; s/^(.{10} 1) [^ ]+ [^ ]+ +/\1 /' <<<"$out")" "-rw-r--r-- 1 $(ctl cat music/Acme/Red.json | wc -c) TIME music/Acme/Red.json"
ok ctl ls -al music/Zed/
eq 'a long list' "$(wc -l <<<"$out")" 3
gives 1 'itemctl: music/.index/None: No such file or directory' ctl ls music/.index/None
eq 'ls alone is tables' "$(ctl ls)" "$(ctl tables)"
eq 'ls of a table is scan' "$(ctl ls music)" "$(ctl scan music)"
eq 'cat with a key is get' "$(ctl cat music Acme Red)" "$(ctl get music Acme Red)"
eq 'find with a key is query' "$(ctl find music Acme)" "$(ctl query music Acme)"
eq 'a store as the first part of a path' "$("$ITEMCTL" cat store/music/Zed/1.json)" "$(ctl get music Zed 1 --format jsonl)"
for name in ls cat tree find; do
	ok "$ITEMCTL" help $name
	eq "help $name" "${out%%$name*}" 'usage: itemctl '
done

# ---- find
ok ctl find
eq 'all paths' "$out" $'.\n./music\n./music/Acme\n./music/Acme/Black.json\n./music/Acme/Blue.json\n./music/Acme/Red.json\n./music/Acme/a%2Fb.json\n./music/Acme/line%0Aend.json\n./music/Zed\n./music/Zed/1.json'
ok ctl find music/ -name 'B*.json'
eq 'by name' "$out" $'music/Acme/Black.json\nmusic/Acme/Blue.json'
ok ctl find music -type d -maxdepth 1
eq 'directories of one level' "$out" $'music\nmusic/Acme\nmusic/Zed'
eq 'zero bytes' "$(ctl find music/Zed/ -print0 -type f | xargs -0 "$ITEMCTL" -s "$S" cat)" "$(ctl get music Zed 1 --format jsonl)"
eq '-print is the default' "$(ctl find music/Zed -print) $(ctl find -print music/Zed -type f) $(ctl find music Acme/ --print 2>ok.err | head -n 1)" $'music/Zed\nmusic/Zed/1.json music/Zed/1.json music'
eq 'its order is of no importance' "$(ctl find -maxdepth 1 music -type d -name Z\* -print)" music/Zed
gives 2 '-print and -print0 cannot both be given' ctl find -print -print0
gives 2 '-type is f (files) or d (directories), not l' ctl find -type l
others="find has only -name, -type and -maxdepth; to select paths by other conditions: itemctl -s $S find music/ | grep REGEX"
for word in iname path regex not mindepth prune and; do
	gives 2 "unknown option -$word: $others" ctl find music/ -$word x
done
gives 2 "unknown option -o: $others" ctl find music/ -name a -o -name b
gives 2 'itemctl -s '"$S"' find TABLE | grep REGEX' ctl find -type f -o -type d
for word in ! '(' ')'; do
	gives 2 "find has no $word: to select paths by other conditions: itemctl -s $S find PATH | grep REGEX" ctl find music "$word" -name a
done
for word in size mtime newer empty printf perm; do
	gives 2 "unknown option -$word: find prints only paths; for sizes and times: itemctl -s $S ls -l music" ctl find music -$word x
done
gives 2 "unknown option -exec: to run a program on each file: itemctl -s $S find music -type f -print0 | xargs -0 -n1 itemctl cat" ctl find music -exec cat {} \;
gives 2 'unknown option -delete: find deletes nothing; to delete items: itemctl delete music --filter EXPR' ctl find music -delete
gives 2 'unknown option -xdev: a mount has no links and no other file systems' ctl find . -xdev
gives 2 "unknown option -nmae: did you mean: itemctl -s $S find music -name x" ctl find music -nmae x
gives 2 "unknown option -typ: did you mean: itemctl -s $S find -typ" ctl find -typ f
gives 2 "unknown option -max-depth: did you mean: itemctl -s $S find music Acme -maxdepth 1" ctl find music Acme -max-depth 1
gives 2 'unknown option -foo' ctl find music Acme -foo
grep -qF 'usage: itemctl find' ok.err || fail "the usage is not that of find: $(cat ok.err)"
gives 2 "unknown option -projct: did you mean: itemctl -s $S find music Acme -project Year" ctl find music Acme -projct Year
gives 2 "unknown option --group: did you mean: itemctl -s $S find music Acme --group-by x" ctl find music Acme --group x
gives 1 'itemctl: nothing/: No such file' ctl find nothing/
grep -qF "to create it with the key PK and SK: itemctl -s $S create-table nothing" ok.err || fail "the line lacks the store: $(cat ok.err)"

# ---- tree
ok ctl tree
eq 'a tree' "$out" "/
└── music/
    ├── Acme/
    │   ├── Black.json
    │   ├── Blue.json
    │   ├── Red.json
    │   ├── a%2Fb.json
    │   └── line%0Aend.json
    └── Zed/
        └── 1.json"
ok ctl tree -L 1 music/
eq 'one level' "$out" $'music/\n├── Acme/\n└── Zed/'
ok ctl tree -n 1 music
eq 'some entries' "$out" "music
├── Acme/
│   ├── Black.json
│   └── ... and more: itemctl -s $S ls music/Acme/
└── ... and more: itemctl -s $S ls music/"
ok ctl tree -n 1 music/Acme/.begins_with/B
eq 'the others' "$(eval "$(sed -n 's/.*and more: itemctl/"$ITEMCTL"/p' <<<"$out")")" $'Black.json\nBlue.json'
ok "$ITEMCTL" tree -n 1 store/music/Acme
eq 'the store of the path' "$(tail -n 1 <<<"$out")" '└── ... and more: itemctl -s store ls music/Acme/'
gives 2 '-L must be at least 1' ctl tree -L 0

# ---- options without an effect
for option in --format=json --capacity --stats; do
	gives 2 "tree prints what a mount has: it takes no ${option%=*}" ctl tree $option
done
gives 2 'ls prints what a mount has: it takes no --format' ctl ls music/ --format csv
gives 2 'find prints what a mount has: it takes no --capacity' ctl find -type d --return-consumed-capacity TOTAL
gives 2 "$S is no endpoint: cat takes no --rate" ctl cat --rate 5 music/Acme/Red.json
gives 2 'the endpoint is not on this machine' itemctl_of http://192.0.2.1:8000 tree --near

# ---- a long file: the first bytes at once, a closed pipe, no process is left
seq 60000 | jq -c '{Artist: "Many", Song: "\(.)", Text: ("x" * 50)}' | ctl -q import music -
eq 'all of a long file' "$(ctl cat music/Many/.jsonl | wc -l)" 60000
"$ITEMCTL" -s "$S" cat music/Many/.jsonl 2>pipe.err | head -n 1 >/dev/null
eq 'a closed pipe' "${PIPESTATUS[0]} $(cat pipe.err)" '141 '
"$ITEMCTL" -s "$S" ls music/Many/.reverse 2>pipe.err | head -n 1 >/dev/null
eq 'a closed pipe of ls' "${PIPESTATUS[0]} $(cat pipe.err)" '141 '

# ---- a long item that is replaced while it is read: all of it is old
jq -nc '{Artist: "Zed", Song: "Long", Text: ("a" * 300000)}' | ctl -q import music -
ctl cat music/Zed/Long.json >long.want
mkfifo long
"$ITEMCTL" -s "$S" cat music/Zed/Long.json >long 2>long.err &
reader=$!
exec 3<long
read -r -N 1 first <&3 # now the first piece is read, and the pipe has no room for all of it
jq -nc '{Artist: "Zed", Song: "Long", Text: ("b" * 300000)}' | ctl -q import music -
{ printf %s "$first"; cat <&3; } >long.got
exec 3<&-
wait $reader
eq 'a long item is one version' "$? $(cmp long.want long.got 2>&1)" '0 '
ok ctl cat music/Zed/Long.json
eq 'the next reader gets the new one' "$(jq -r '.Text[:3]' <<<"$out")" bbb
ctl -q delete music Zed Long

mkfifo stream
interruptible "$ITEMCTL" -s "$S" cat music/.stream >stream 2>stream.err &
reader=$!
exec 3<stream
# The stream begins when it is opened: write until the reader has one change.
(for ((n = 0; ; n++)); do ctl -q put music "Artist=Live" "Song=$n"; done) 2>/dev/null &
writer=$!
read -r line <&3
eq 'a change' "$(jq -r .NewImage.Artist <<<"$line")" Live
kill $writer
wait $writer 2>/dev/null
kill -INT $reader
wait $reader
eq 'Ctrl-C ends it' $? 130
exec 3<&-

# ---- a reader that is stopped delays no writer, and one that is killed leaves nothing
"$ITEMCTL" -s "$S" cat music/.stream >killed.out 2>&1 &
reader=$!
is_free()
{
	local dir
	for dir in /proc/[0-9]*; do
		! [[ $dir/exe -ef $ITEMFS && $(tr '\0' ' ' 2>/dev/null <"$dir/cmdline") = *"$S /dev/fd/"* ]] || return 1
	done
}
n=0
begun() { ctl -q put music "Artist=Live" "Song=k$((n += 1))" && [ -s killed.out ]; }
wait_until 30 begun || fail 'no change is shown'
kill -STOP $reader
seq 3000 | jq -c '{Artist: "Live", Song: "s\(.)"}' | ok ctl -q import music -
kill -CONT $reader
wait_until 30 grep -q '"Song":"s3000"' killed.out || fail 'the reader does not go on'
[ -n "${SERVED-}" ] || ! is_free || fail 'the reader has no process of its own'
kill -9 $reader
wait $reader 2>/dev/null
wait_until 10 is_free || fail 'a killed reader leaves a process'

# ---- the store is free when a command has ended
if [ -z "${SERVED-}" ]; then
	ctl cat music/Acme/Red.json >/dev/null
	eq 'no process has it open' "$(fuser "$S/db/LOCK" 2>/dev/null || find /proc/[0-9]*/fd -lname "$S/*" 2>/dev/null)" ''
	ctl -q put music '{"Artist":"Acme","Song":"New"}'
fi

# ---- servers, and mistakes with stores
begin_server 127.0.0.1:0
url=http://$(sed -n "s/^listening on //p" log | tail -n 1)
eq 'an endpoint' "$(itemctl_of "$url" cat music/Acme/Red.json)" "$(ctl cat music/Acme/Red.json)"
eq 'a query at an endpoint' "$(itemctl_of "$url" cat 'music/Acme/.begins_with/B/.filter/Year > 1990/.jsonl')" \
	"$(ctl query music Acme --begins-with B --filter 'Year > 1990' --format jsonl)"
eq 'a limited rate' "$(itemctl_of "$url" cat --rate 1000 music/Acme/Red.json)" "$(ctl cat music/Acme/Red.json)"
gives 1 'itemctl: music/.count: Invalid argument: ' itemctl_of "$url" cat --rate 25% music/.count
: >blocked
for state in "$W/state" "$W/blocked/state"; do
	eq 'no directory is made' "$(XDG_STATE_HOME=$state itemctl_of "$url" cat music/Acme/Red.json; ls -d "$state" 2>/dev/null)" "$(ctl cat music/Acme/Red.json)"
done

# A proxy, which is far away for itemctl because of its name, refuses some requests.
mkdir before
python3 "$TESTS/mount/between.py" port "${url##*:}" before &
between=$!
at_end 'kill $between 2>/dev/null; clean_up'
wait_until 10 test -s port || fail 'no proxy'
far=http://0.0.0.0:$(cat port)
export AWS_ACCESS_KEY_ID=k AWS_SECRET_ACCESS_KEY=s AWS_REGION=eu-north-1
eq 'reads do not wait' "$(itemctl_of "$far" cat .itemfs/config.json | jq .max_read)" 0
eq 'also with --rate' "$(itemctl_of "$far" cat --rate 1000 .itemfs/config.json | jq .max_read)" 0
echo 'echo AccessDeniedException; false' >before/ListTables
eq 'tables that cannot be listed can be read' "$(itemctl_of "$far" cat music/Acme/Red.json music/Acme/.count)" "$(ctl cat music/Acme/Red.json music/Acme/.count)"
gives 1 'itemctl: /: Permission denied' itemctl_of "$far" ls /
echo 'echo UnrecognizedClientException; false' >before/ListTables
gives 2 'itemfs: Too much' itemctl_of "$far" cat music/Acme/Red.json
rm before/ListTables
kill $between
wait $between 2>/dev/null
eq 'a store in the environment' "$(ITEMFS_STORE=$S "$ITEMCTL" ls music/Zed)" 1.json
[ -n "${SERVED-}" ] || end_server
gives 2 'there is no store at nowhere' itemctl_of nowhere cat music/.jsonl

# ---- without /dev/fuse
hidden()
{
	mkdir -p dev
	mount -t tmpfs itemfs-test dev && touch dev/null && mount --bind /dev/null dev/null && ln -s /proc/self/fd dev/fd && mount --rbind dev /dev || exit 77
	mkdir mnt
	[ ! -e /dev/fuse ] || exit 77
	"$ITEMCTL" -s "$S" cat music/Acme/Red.json
	echo "$?"
	"$ITEMFS" "$S" mnt
	echo "$?"
}
export -f hidden
export ITEMCTL ITEMFS S
private bash -c hidden >without.out 2>&1
if [ $? = 77 ]; then
	without 'nothing can be mounted over /dev here'
else
	eq 'without /dev/fuse' "$(cat without.out)" "$(ctl get music Acme Red --format jsonl)
0
itemfs: this system has no /dev/fuse, as most containers, so nothing can be mounted; outside a container try: modprobe fuse; to read the same paths without a mount: itemctl ls, cat, tree and find; for programs: itemctl serve
70"
fi
done_testing
