#!/bin/bash
# why suggests the intended path or command for each mistake that users of other tools make. The suggestions are run,
# too.
. "$(dirname "$0")/lib.sh"
store --key PK,SK --gsi 'ByYear=Year:N,SK' --gsi 'ByTitle=Title'
printf '{"PK":"%s","SK":"%s","Title":"x","Year":%d}\n' p a 1 p b 2 q/r a 1 | ctl import tab -
ctl create-table users --key id >/dev/null
ctl create-table nums --key n:N >/dev/null
ctl create-table blobs --key k:B >/dev/null
ctl create-table scores --key game,score:N >/dev/null
printf '%s\n' '{"id":"ann"}' '{"id":"a/b"}' | ctl import users -
ctl put nums '{"n":5}'
ctl call PutItem '{"TableName":"blobs","Item":{"k":{"B":"aGVsbG8="}}}' >/dev/null
printf '{"game":"chess","score":%d}\n' 1 1000 | ctl import scores -
mnt m

# instead PATH - what why suggests to type
instead()
{
	ctl why "$1" | jq -r '.Instead? // empty'
}

# means TYPED MEANT - check that MEANT is suggested for TYPED, quoted for a shell, and exists
means()
{
	local said
	ls "m/$1" >/dev/null 2>&1
	said=$(instead "m/$1")
	eq "$1" "$(eval "printf '%s\\n' $said")" "$W/m/$2"
	ok eval "ls -d $said"
}

# nothing TYPED - check that nothing is suggested, since no path is certain
nothing()
{
	ls "m/$1" >/dev/null 2>&1
	eq "$1" "$(instead "m/$1")" ''
}

# ---- names of clauses in other tools, and values in the same component
means tab/p/.filtre/Year\ =\ 1 'tab/p/.filter/Year = 1'
means tab/p/.reverse/.limt/1 tab/p/.reverse/.limit/1
means tab/p/limit/1 tab/p/.limit/1
means tab/p/.limit=1 tab/p/.limit/1
means tab/p/.limit:1/.jsonl tab/p/.limit/1/.jsonl
means 'tab/p/.limit(1)' tab/p/.limit/1
means 'tab/p/.filter(Year > 1)/.csv' 'tab/p/.filter/Year > 1/.csv'
means tab/p/.where/Year\ =\ 1 'tab/p/.filter/Year = 1'
means tab/p/.prefix/a tab/p/.begins_with/a
means tab/p/.since/b/.json tab/p/.ge/b/.json
means tab/p/.last tab/p/.reverse/.limit/1
means tab/p/.last/2 tab/p/.reverse/.limit/2
means tab/p/.desc tab/p/.reverse
means tab/p/.jsonl.gz tab/p/.jsonl
means tab/.schema tab/.table.json
means tab/jsonl tab/.jsonl
nothing tab/p/.contains/x
nothing tab/p/.log/x
nothing tab/events
nothing tab/p/last
nothing tab/p/.offset/3
nothing tab/p/.where
nothing tab/p/.limit
nothing tab/p/.nonsense

# ---- two conditions, or conditions of the wrong kind
means tab/p/.between/a/AND/b tab/p/.between/a/b
means tab/p/.between/a/and/b/.jsonl tab/p/.between/a/b/.jsonl
means tab/p/.between/a,b tab/p/.between/a/b
means tab/p/.between/a..b tab/p/.between/a/b
means 'tab/p/.between/a AND b' tab/p/.between/a/b
means tab/p/.ge/a/.le/b tab/p/.between/a/b
means tab/p/.le/b/.ge/a/.count tab/p/.between/a/b/.count
nothing tab/p/.gt/a/.lt/b
means 'tab/p/.filter/Year = 1/.filter/Title = "x"' 'tab/p/.filter/Year = 1 AND Title = "x"'
means 'tab/p/.filter/Year = 1/.reverse/.filter/Title = "x"/.json' 'tab/p/.filter/Year = 1 AND Title = "x"/.reverse/.json'
means tab/p/.limit/1/.reverse/.limit/2 tab/p/.limit/2/.reverse
means "tab/p/.filter/SK = 'a'" tab/p/.eq/a
means 'tab/p/.filter/SK >= "a"/.jsonl' tab/p/.ge/a/.jsonl
means 'tab/p/.filter/begins_with(SK, "a%25%2Fb")' tab/p/.begins_with/a%2525%252Fb
means 'tab/p/.reverse/.filter/SK < "b"' tab/p/.reverse/.lt/b
means "tab/p/.filter/PK = 'p'/.count" tab/p/.count
means 'scores/chess/.filter/score > 5' scores/chess/.gt/5
means "tab/.index/ByYear/1/.filter/SK = 'a'" tab/.index/ByYear/1/.eq/a
nothing "tab/p/.filter/SK = 'a' AND Year = 1"
nothing "tab/p/.ge/a/.filter/SK = 'a'"
means 'tab/p/.filter/Title = x' "tab/p/.filter/Title = 'x'"

# ---- indexes, and files of the root directory
means tab/index/ByYear tab/.index/ByYear
means tab/indexes/ByYear/1 tab/.index/ByYear/1
means tab/.indexes/ByYear tab/.index/ByYear
means tab/gsi/ByTitle tab/.index/ByTitle
means tab/ByYear/1 tab/.index/ByYear/1
means tab/.ByYear tab/.index/ByYear
means tab/gsi/ByTitle/x tab/.index/ByTitle/x
means tab/.index/byyear/1 tab/.index/ByYear/1
means ByYear/1 tab/.index/ByYear/1
means .index/ByYear tab/.index/ByYear
means p/a.json tab/p/a.json
means tab/p/.index/ByYear tab/.index/ByYear
means tab/p/.reverse/.table.json tab/.table.json
means tab/p/.stream tab/.stream
means tab/p/.itemfs/README .itemfs/README
nothing .jsonl

# ---- names of items
means tab/p/a tab/p/a.json
means user/ann.json users/ann.json
means users/annn.json users/ann.json
means users/id=ann users/ann.json
means tab/PK=p tab/p
means tab/p/SK=a.json tab/p/a.json
means tab/p.json tab/p
means users/a/b.json users/a%2Fb.json
means users/a/b users/a%2Fb.json
means tab/q/r tab/q%2Fr
means tab/q/r/a.json tab/q%2Fr/a.json
for pair in tab/p/q/r tab/p/a/b tab/p/a.json/b tab/none/q/r users/ann.json/b users/an/b; do
	eq "a key with a / that is new: $pair" "$(instead "m/$pair.json")" "$W/m/$(sed -E 's|(\.json)?/([^/]*)$|%2F\2|' <<<"$pair").json"
done
echo '{}' >m/tab/p/2024-02-02.json
nothing tab/p/2024-05-01.json
(echo '{"n": x}' >m/tab/p/aa.json) 2>/dev/null
nothing tab/p/aa.json
eq 'a refused name is not taken for a typing error' "$(ctl why m/tab/p/aa.json | jq -s length)" 1
rm m/tab/p/2024-02-02.json
nothing tab/new/a.json
for name in 05 5.0 +5 0.5e1; do
	means nums/$name.json nums/5.json
	means nums/$name nums/5.json
done
means blobs/68656C6C6F.json blobs/68656c6c6f.json
means scores/chess/1e3.json scores/chess/1000.json
means blobs/hello.json blobs/68656c6c6f.json
means blobs/aGVsbG8=.json blobs/68656c6c6f.json
(echo '{"a":1}' >m/nums/1.50.json) 2>/dev/null
eq 'a name that was refused gives the refusal and the suggestion' "$(ctl why m/nums/1.50.json | jq -r '.Errno // .Instead')" "EBADMSG
$W/m/nums/1.5.json"

# ---- files of items
printf '%s\n' '{"id":"n1"}' '{"id":"n2"}' >items.jsonl
for suffix in csv jsonl json; do
	eq "a table with .$suffix" "$(instead m/tab.$suffix)" "$W/m/tab/.$suffix"
	ok cat "$W/m/tab/.$suffix"
done
printf 'PK,SK\nc,d\n' >tab.csv
cp items.jsonl m/users/
cp tab.csv m/ 2>/dev/null
cp tab.csv m/tab/ 2>/dev/null
cp items.jsonl m/ 2>/dev/null
import="itemctl -s $S import"
eq 'a file of items copied into a table' "$(instead m/users/items.jsonl)" "$import users $W/m/users/items.jsonl"
eq 'one whose copy was refused' "$(instead m/tab/tab.csv)" "$import tab $W/tab.csv"
eq 'a file with the name of a table' "$(instead m/tab.csv)" "$import tab $W/tab.csv"
eq 'a file without a table' "$(instead m/items.jsonl)" "$import TABLE $W/items.jsonl"
eq 'no suggestion without such a file in the current directory' "$(cd / && instead "$W/m/tab/tab.csv" || true)" ''
eq 'but the sentence says where the file was' "$(cd / && ctl why "$W/m/tab/tab.csv" | jq -r 'select(.Errno == null).Message')" \
	"tab.csv is a file of items, not an item; to import them: in the directory that it was copied from, $import tab tab.csv"
for path in m/users/items.jsonl m/tab/tab.csv; do
	ok eval "$(instead "$path" | sed "s|^itemctl|'$ITEMCTL' -q|")"
done
eq 'the suggested commands work' "$(ls m/users/n1.json m/users/n2.json m/tab/c/d.json)" 'm/tab/c/d.json
m/users/n1.json
m/users/n2.json'

# ---- files and tables with the same name: in a mount each table is a directory
into()
{
	(cd m/tab && "$ITEMCTL" "$@") 2>&1
}
eq 'an export into the mount' "$(into export tab 'it s.csv')" "itemctl: it s.csv is in a mount, where files are items
itemctl export tab ~/'it s.csv'"
eq 'below a directory that is not there' "$(into export tab none/o.csv)" 'itemctl: none/o.csv is in a mount, where files are items
itemctl export tab ~/o.csv'
eq 'a refused export leaves no line in errors' "$(grep -c 'part-' m/.itemfs/errors)" 0
eq 'an import of a file that is not there' "$(cd m && ctl import tab none.jsonl 2>&1)" 'itemctl: none.jsonl: No such file or directory'
rm m/users/items.jsonl
echo '{"v":1}' >m/users/bob
ok eval "$(instead m/users/bob)"
eq 'import accepts a file without the suffix' "$(item users bob)" '{"id":"bob","v":1}'
eq 'the command names the store where nothing else does' "$(ctl why m/other | jq -r .Message)" "there is no table other; to create it with the key PK and SK: itemctl -s $S create-table other --key PK,SK"

# ---- several paths, and pasted lines and messages
there='nothing was refused; this is a partition: each item is a file; ls -U lists them by their sort key, ls by their names'
none='there is no item x.json'
eq 'several paths' "$(ctl why m/tab/p m/tab/p/x.json | jq -r .Message)" "$there
$none"
eq 'a command before the path is ignored' "$(env -C / -u ITEMFS_STORE "$ITEMCTL" why cat "$W/m/tab/p/x.json" | jq -r .Message)" "$none"
eq 'a message after the path is ignored' "$(ctl why m/tab/p/x.json: No such file or directory | jq -r .Message)" "$none"
eq 'a filter without quotes' "$(ctl why m/tab/p/.filter/Title = x | jq -r .Instead)" "\"$W/m/tab/p/.filter/Title = 'x'\""
unmnt m
done_testing
