#!/bin/bash
# draw: one picture per index, as HTML and SVG, of a store and of an endpoint; no item can have an effect in a
# browser.
. "$(dirname "$0")/lib.sh"
begin
ok ctl create-table tab --key PK,SK --gsi 'ByYear=Year:N,SK' --gsi 'Names=SK/KEYS_ONLY' --lsi 'ByScore=Score:N/INCLUDE:Tag,<b>'
ok ctl create-table plain --key Id:N
printf '%s\n' '{"PK":"b","SK":"2","Year":10}' '{"PK":"a","SK":"x","Year":9,"Score":1,"Tag":"one"}' '{"PK":"b","SK":"10","Year":10,"Map":{"k":[1,true]}}' |
	ok ctl import tab

# text FILE - print an HTML picture as lines of words: a heading, or a row
text()
{
	sed -n -e 's/<i>/ /g' -e 's/<\/t[hd]>/ | /g' -e 's/<\/b>/=/g' -e 's/<\/\?\(nav\|head\|title\|style\)[^>]*>/&\n/g' -e '/<h2>\|<p>\|<tr>/s/<[^>]*>//gp' "$1"
}

# ---- contents
ok ctl draw tab -o t.html
eq 'the drawn tables are reported' "$err" 'Table tab: 3 items in 2 collections
Local index ByScore: 1 item in 1 collection; INCLUDE Tag, <b>
Global index ByYear: 3 items in 2 collections
Global index Names: 3 items in 3 collections; KEYS_ONLY'
eq 'the table, then each index in its own order' "$(text t.html | sed 's/[ |]*$//')" 'Table tab
3 items in 2 collections
Primary key | Attributes
Partition key: PK | Sort key: SK
a | x | Year N=9 | Score N=1 | Tag=one
b | 10 | Year N=10 | Map M={&quot;k&quot;:[1,true]}
2 | Year N=10
Local index ByScore
1 item in 1 collection; INCLUDE Tag, &lt;b&gt;
Primary key | Attributes
Partition key: PK | Sort key: Score (N)
a | 1 | SK=x | Tag=one
Global index ByYear
3 items in 2 collections
Primary key | Attributes
Partition key: Year (N) | Sort key: SK
9 | x | PK=a | Score N=1 | Tag=one
10 | 10 | PK=b | Map M={&quot;k&quot;:[1,true]}
2 | PK=b
Global index Names
3 items in 3 collections; KEYS_ONLY
Primary key | Attributes
Partition key: SK
10 | PK=b
2 | PK=b
x | PK=a'
eq 'sticky key columns have the width of the longest key' "$(sed -n 's/.*style="\(.*\)".*/\1/p' t.html | head -n 2)" '--pk-width:min(144px,25vw);--sk-width:min(104px,25vw)
--pk-width:min(144px,25vw);--sk-width:min(160px,25vw)'
ok ctl draw tab
eq 'standard output has the same' "$out" "$(cat t.html)"
ok ctl -q draw tab -o -
eq 'a file name for standard output has the same' "$out$err" "$(cat t.html)"
ok ctl draw tab -o t.svg
eq 'a box for each collection' "$(grep -c 'class="pk"' t.svg)" 8
eq 'SVG is XML' "$(python3 -c 'import sys, xml.dom.minidom as m; print(m.parse(sys.argv[1]).documentElement.tagName)' t.svg)" svg
eq 'the type of a number is separate from its name' "$(grep -o 'Score<.*' t.svg | head -n 1)" 'Score<tspan class="type"> N</tspan></text>'
ok ctl draw tab -o T.SVG
eq 'a suffix in upper case' "$(cmp t.svg T.SVG && echo same)" same
chmod 600 T.SVG
ok ctl draw tab -o T.SVG
eq 'a replaced file keeps its mode' "$(stat -c %a T.SVG)" 600
ok ctl draw plain
eq 'an empty table has a heading' "$(printf '%s\n' "$out" | grep -c 'Partition key: Id (N)')" 1

# ---- formats
ctl -q draw tab >r.svg
eq 'the name of a redirection determines the format' "$(cmp t.svg r.svg && echo same)" same
ctl -q draw tab >r.html
eq 'HTML for a redirection to .html' "$(cmp t.html r.html && echo same)" same
ctl -q draw tab >r.data
eq 'HTML for a redirection to another name' "$(cmp t.html r.data && echo same)" same
ctl -q draw tab | ok cmp - t.html
ok ctl draw tab --format svg
eq 'a requested format' "$out" "$(cat t.svg)"
ok ctl -q draw tab --format SVG -o t.picture
eq 'a requested format, whatever the name' "$(cmp t.svg t.picture && echo same)" same
ok ctl -q draw tab --partition a --format mermaid
eq 'a flow chart' "$out" 'flowchart LR
  subgraph p0["Table tab"]
    p0c0(["PK = a"])
    p0c0 --> p0i0["SK = x<br>Year N = 9<br>Score N = 1<br>Tag = one"]
  end
  subgraph p1["Local index ByScore"]
    p1c0(["PK = a"])
    p1c0 --> p1i0["Score (N) = 1<br>SK = x<br>Tag = one"]
  end'
chart=$out
ok ctl -q draw tab --partition a -o a.mmd
eq 'a flow chart by its suffix' "$(cat a.mmd)" "$chart"
ok ctl -q draw tab --partition a -o a.md
eq 'a flow chart in Markdown' "$(cat a.md)" "\`\`\`mermaid
$(cat a.mmd)
\`\`\`"
ok ctl -q draw tab --partition b --format text
eq 'the picture as text' "$out" 'Table tab: PK, SK
  b
    10  Year=10  Map={"k":[1,true]}
    2  Year=10'
gives 2 '--format of a picture must be html, svg, png, mermaid, markdown or text, not "gif"' ctl draw tab --format gif
gives 2 'to select a form: --format svg' ctl draw tab -o svg

# ---- some partitions
ok ctl draw tab --partition b --partition 9 -o some.html
eq 'partitions of the table and of the index that has such keys' "$(text some.html | sed -n 's/^\([b9]\) .*/\1/p' | tr '\n' ' ')" 'b 9 '
eq 'indexes without such keys are omitted' "$(grep -c '<h2>' some.html)" 2
before=$err
ok ctl draw tab --partition b --partition b --partition 9 --partition 9.0 --partition b -o again.html
eq 'a partition that is named twice is drawn once' "$(cmp again.html some.html && printf %s "$err")" "$before"
gives 1 'there is no partition "nobody", in the table or in an index' ctl draw tab --partition nobody -o none.html
eq 'nothing is written' "$(ls none.html 2>/dev/null)" ''
gives 1 'there is no partition "nobody"' ctl draw tab --partition b --partition nobody --partition 9 -o b.html
eq 'existing partitions are drawn' "$(cmp b.html some.html && echo same)" same
eq 'and reported' "$(printf '%s\n' "$err" | sed 's/:.*//')" 'Table tab
Global index ByYear
there is no partition "nobody", in the table or in an index'
ok ctl create-table both --key id --gsi 'Both=a+b' --gsi 'One=a'
ok ctl put both '{"id":"1","a":"x","b":"y"}'
ok ctl draw both --partition x -o both.html
eq 'an index whose key --partition cannot name is reported' "$err" 'the index Both is not drawn: its partition key has several attributes, of which --partition names one
Global index One: 1 item in 1 collection'
ok ctl draw both -o both.html
eq 'without --partition it is drawn' "$(grep -c '<h2>' both.html)" 3

# ---- hostile items
jq -cn '{PK: "<script>alert(1)</script>", SK: "\" onload=\"x\" & '"'"'", "</b><img src=x>": "</td>", bell: "a\u0007b\n\u001b[31m\u202ec\u200b", end: "\uffff\ufffe", bin: {B: "AP8Q"},
	long: ("é" * 5000), set: {NS: [3, 1]}, name: "日本語"}' | ok ctl import tab
ok ctl draw tab --partition '<script>alert(1)</script>' -o h.html
eq 'no tags and no addresses from items' "$(grep -ciE '<script|<img|onload="|<[^>]* (src|href)="?[^#"]|url\(|@import' h.html)" 0
eq 'hostile text is shown as text' "$(text h.html | sed -n 5p | sed 's/[ |]*$//')" "&lt;script&gt;alert(1)&lt;/script&gt; | &quot; onload=&quot;x&quot; &amp; &#39; | &lt;/b&gt;&lt;img src=x&gt;=&lt;/td&gt; | bell=a\\u0007b\\n\\u001b[31m\\u202ec\\u200b | end=\\uffff\\ufffe | bin B=AP8Q | long=$(printf 'é%.0s' {1..60})… (10000 bytes) | set NS={&quot;NS&quot;:[1,3]} | name=日本語"
ok ctl -q draw tab --partition '<script>alert(1)</script>' --format mermaid
eq 'items contain no syntax of the chart' "$(grep -o '"[^"]*"' <<<"$out" | sed 's/<br>//g' | grep -c '[<>`\\]')" 0
eq 'and add no lines to it' "$(grep -vcE '^flowchart LR$|^  subgraph p0\["Table tab"\]$|^    p0c0\(\["[^"]*"\]\)$|^    p0c0 --> p0i0\["[^"]*"\]$|^  end$' <<<"$out")" 0
ok ctl draw tab --partition '<script>alert(1)</script>' -o h.svg
eq 'SVG stays XML' "$(python3 -c 'import sys, xml.dom.minidom as m; print(m.parse(sys.argv[1]).getElementsByTagName("script").length)' h.svg)" 0
jq -cn '{PK: "cut", SK: "s", just: ("x" * 72), over: ("y" * 73)}' | ok ctl import tab
ok ctl draw tab --partition cut
eq 'long values are truncated' "$(printf '%s\n' "$out" | grep -oE '>(xx|yy)[^<]*')" ">$(printf 'x%.0s' {1..72})
>$(printf 'y%.0s' {1..60})… (73 bytes)"
jq -cn '{PK: "wide", SK: "w"} + ([range(150) | {key: "a\(.)", value: .}] | from_entries)' | ok ctl import tab
ok ctl draw tab --partition wide
eq 'very many attributes are counted' "$(printf '%s\n' "$out" | grep -o 'and=[0-9]* more\|[0-9]* more attributes')" '50 more attributes'

# ---- many items
seq 45 | jq -c '{PK: "long", SK: (. + 100 | tostring)}' | ok ctl import tab
ok ctl draw tab --partition long -o long.svg
eq 'a long partition repeats its key' "$(grep -c '>long<' long.svg)" 3
seq 2500 | jq -c '{Id: .}' | ok ctl import plain
ok ctl draw plain
eq 'an excerpt has some partitions of each kind' "$(printf '%s\n' "$out" | grep -c '<tbody>')" 2
eq 'and the excerpt is reported' "${err#*: }" '2 items in 2 collections: an excerpt of about 2,500 items, one or two collections of each of 1 kind; --partition draws others'
ok ctl --yes -q drop plain
ok ctl create-table plain --key Id:N
seq 2000 | jq -c '{Id: .}' | ok ctl import plain
ok ctl draw plain
eq 'the size of a picture is limited' "${err#*: }" '2000 items in 2000 collections'
ok ctl -q draw plain --format mermaid
eq 'the size of a chart is limited' "$(tail -n 1 <<<"$out" | tr -d 0-9)" '  more[" more items: a flow chart has no room for them"]'
[ "${#out}" -lt 50000 ] || fail "${#out} bytes are more than Mermaid accepts"
seq 2100 | jq -c '{PK: "huge", SK: "\(.)"}' | ok ctl import tab
ok ctl draw tab --partition huge -o huge.html
eq 'a partition that is too long is reported' "$(head -1 <<<"$err")" 'Table tab: 2000 items in 1 collection: there are more than one picture can show'

# ---- PNG, rendered by a browser
mkdir no-browser
ok ctl -q draw tab --partition a -o a.svg
gives 2 'none is installed: install chromium' env PATH="$W/no-browser" "$ITEMCTL" -s "$S" draw tab --partition a -o none.png
eq 'without a browser nothing is written' "$(ls none.png 2>/dev/null)" ''
mkdir browsers tmp
cat >browsers/chromium <<'EOF'
#!/bin/sh
for word; do
	case $word in
	--screenshot=*) png=${word#*=} ;;
	file://*) svg=${word#file://} ;;
	--window-size=*) echo "${word#*=}" >>"$SEEN" ;;
	esac
done
/bin/cat "$svg" >>"$SEEN"
[ -z "$BROKEN" ] || { echo "$BROKEN" >&2; exit 3; }
printf '\211PNG\r\n\032\nbytes' >"$png"
EOF
chmod +x browsers/chromium
# drawn [NAME=VALUE]... WORD... - draw with only that browser installed
drawn()
{
	env PATH="$W/browsers" TMPDIR="$W/tmp" SEEN="$W/seen" BROKEN= "$@"
}
ok drawn "$ITEMCTL" -q -s "$S" draw tab --partition a -o a.png
eq 'the browser gets the SVG and its size' "$(cat seen)" "$(sed -n '1s/.* width="\([0-9]*\)" height="\([0-9]*\)".*/\1,\2/p' a.svg; cat a.svg)"
eq 'its output is the file' "$(od -c a.png | head -n 1)" "$(printf '\211PNG\r\n\032\nbytes' | od -c | head -n 1)"
drawn "$ITEMCTL" -q -s "$S" draw tab --partition a --format png >out.png
eq 'or goes to standard output' "$(cmp a.png out.png && echo same)" same
echo kept >old.png
gives 70 'chromium did not draw a picture: no \u001b room; -o FILE.svg needs no browser' drawn BROKEN=$'warning\nno \e room' "$ITEMCTL" -s "$S" draw tab --partition a -o old.png
eq 'a failure keeps the old file' "$(cat old.png)" kept
eq 'no temporary file is left' "$(ls tmp)" ''
gives 2 'more than the 16000 that a browser draws' drawn "$ITEMCTL" -s "$S" draw plain -o plain.png
browser=$(command -v chromium-headless-shell || command -v chromium)
if here "${browser:-chromium}"; then
	ok ctl -q draw tab --partition a -o real.png
	eq 'a real browser renders it' "$(head -c 8 real.png | od -An -tx1)" ' 89 50 4e 47 0d 0a 1a 0a'
fi

# ---- an endpoint
begin_made_up hostile $'<b>\e[2J'
ok "$ITEMCTL" -s "http://$made_up" draw sound
eq 'its names have no effect on a terminal' "$err" 'Table sound: 1 item in 1 collection
Global index Sound: 1 item in 1 collection
Global index <b>\u001b[2J: 1 item in 1 collection'
eq 'members that the endpoint omits stay absent' "$("$ITEMCTL" -s "http://$made_up" describe sound | jq -c '[.TableName, .CreationDateTime]')" '["sound",null]'
end_made_up
if [ -z "${SERVED-}" ]; then
	begin_server --listen 127.0.0.1:0
	ok "$ITEMCTL" -s "http://$(address log)" draw tab -o e.html
	ok ctl draw tab -o own.html
	eq 'the same picture' "$(cmp e.html own.html && echo same)" same
	end_server
fi

# ---- refused
gives 2 'FILE.html, .svg, .png, .mmd, .md or .txt, not "t.gif"' ctl draw tab -o t.gif
gives 3 'ResourceNotFoundException' ctl draw nothing -o n.html
gives 2 'draw needs TABLE, for example: itemctl draw' ctl draw
gives 2 'too many words' ctl draw tab u
gives 2 'No such file or directory' ctl draw tab -o no/where.html
gives 1 'no partition "x"' ctl draw plain --partition x
eq 'no partial files are left' "$(ls -A | grep -c part)" 0
done_testing
