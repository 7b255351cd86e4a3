#!/bin/bash
# pages: a store in a browser: access, escapes, conditions on keys, working links, live changes; also in a real
# browser, with three widths.
. "$(dirname "$0")/lib.sh"

# page PATH [WORD...] - request it as a browser does; the status is on the last line
page()
{
	local path=$1
	shift
	curl -s -g -H 'Accept: text/html,application/xhtml+xml' -w '\n%{http_code}\n' "$@" "http://$at$path"
}

# text FILE - print a page as lines of words
text()
{
	sed -e 's/<style>.*<\/style>//' -e 's/<\/t[hdr]>/ | /g' -e 's/<br>/; /g' -e 's/<[^>]*>//g' "$1" | grep -v '^[.a-z].*{'
}

begin_server --port 0
at=$(address log)
page / >empty
ok grep -q 'There are no tables yet' empty
eq 'other clients get the health of the server' "$(curl -s "http://$at/")" "healthy: $at"

ok ctl create-table shop --key PK,SK --gsi 'ByStatus=Status,Date' --gsi 'Two=Status+Date,PK' --stream NEW_AND_OLD_IMAGES
ok ctl create-table numbers --key Id:N
python3 -c '
import json
for n in range(1, 131):
    print(json.dumps({"PK": f"C#{n // 3:03}", "SK": f"{n}<b>bold</b>\u0007&\"", "Status": "PAID" if n % 10 else "OPEN",
                      "Date": f"2026-01-{n % 28 + 1:02}", "Total": n}))' | ok ctl import shop
ok ctl put numbers '{"Id":7,"Text":"</td><script>document.title=\"broken\"</script>"}'
ok ctl put numbers '{"Id":-1.5,"<i>":{"B":"AAEC"}}'

eq 'HEAD has the length of the page' "$(curl -s -I -H 'Accept: text/html' "http://$at/" | tr -d '\r' | sed -n 's/^Content-Length: //p')" \
	"$(curl -s -H 'Accept: text/html' "http://$at/" | wc -c)"

# ---- the tables
page / >list
eq 'the status of the list of tables' "$(tail -n 1 list)" 200
for word in 'href="numbers"' 'href="shop?index=ByStatus"' 'Id (N)' 'Status, Date' '<td class="n">130</td>' 'href="shop?changes=now"'; do
	grep -qF "$word" list || fail "the list of tables has no $word"
done
page / -D head >/dev/null
for header in 'X-Frame-Options: DENY' 'Referrer-Policy: no-referrer' 'X-Content-Type-Options: nosniff' 'Cache-Control: no-store' 'Content-Type: text/html; charset=utf-8'; do
	grep -qi "^$header" head || fail "no header $header"
done
page / --compressed -D head >packed
eq 'a compressed page has the same contents' "$(cmp list packed && grep -ciE '^Content-Encoding: (gzip|deflate)' head)" 1

# ---- item collections
page /numbers >numbers
eq 'texts of items are not markup' "$(grep -c '<script\|<i>">' numbers)" 0
ok grep -qF '&lt;script&gt;' numbers
page /shop >first
eq 'a page of items' "$(grep -o 'class="sk" scope' first | wc -l)" 100
next=$(sed -n 's/.*href="\(shop?from=[^"]*\)".*next page.*/\1/p' first)
page "/$next" >second
eq 'the next page has the rest' "$(grep -o 'class="sk" scope' second | wc -l)" 30
ok grep -qF '>first page</a>' second
eq 'and is the last one' "$(grep -c 'next page' second)" 0
page '/shop?pk=C%23002' >collection
eq 'the items of a partition key' "$(grep -o 'class="sk" scope' collection | wc -l)" 3
page '/shop?index=ByStatus&pk=OPEN&filter=Total+%3E+100' >filtered
eq 'the items of an index, with a filter' "$(grep -o 'class="sk" scope' filtered | wc -l)" 3
ok grep -qF '13 items examined' filtered
eq 'control characters and markup are shown escaped' "$(grep -c '<b>bold' first)$(grep -oF '&lt;b&gt;bold&lt;/b&gt;\u0007&amp;&quot;' first | wc -l)" 0100
page '/numbers?pk=-1.50' >number
eq 'a number is the same key in each spelling' "$(grep -c 'class="pk" scope' number)" 1
for limit in 0 -1 x 1x 101abc 1000x; do
	eq "$limit items per page" "$(page "/shop?limit=$limit" | grep -c 'expected a whole number, 1 or more')" 1
done
eq 'many items per page' "$(page '/shop?limit=1000' | tail -n 1)" 200
page '/shop?pk=absent' >none
ok grep -q 'No item has this key' none

# ---- conditions on keys
# found PATH - number of items on a page
found()
{
	page "$1" | grep -c '</tr>' | awk '{ print ($1 < 2 ? 0 : $1 - 2) }'
}

ok ctl create-table keys --key PK:S,SK:N --gsi 'Raw=PK,Bin:B' --gsi 'Four=A+B,C+D:N'
python3 -c '
import base64, json
for n in range(10):
    print(json.dumps({"PK": "p", "SK": n, "Bin": {"B": base64.b64encode(bytes([0, n])).decode()}, "A": "a", "B": "b\"<i>", "C": f"c{n // 5}", "D": n}))' | ok ctl import keys
for case in 'sk=3 1' 'op=%3D&sk=3.0 1' 'op=%3C&sk=3 3' 'op=%3C%3D&sk=3 4' 'op=%3E&sk=3 6' 'op=%3E%3D&sk=3 7' 'op=between&sk=2&to=4 3' 'op=between&sk=4&to=4 1' \
	'op=%3D&sk=&to= 10' 'op=%3E&sk=100 0' 'op=%3E%3D&sk=3&filter=D+%3C+5 2'; do
	eq "numbers: $case" "$(found "/keys?pk=p&${case% *}")" "${case##* }"
done
for case in 'op=begins_with&sk=c 10' 'op=begins_with&sk=c1 5' 'sk=c0 5' 'sk=c0&op2=%3E&sk2=2 2' 'sk=c1&op2=between&sk2=6&to2=7 2' 'op=%3C&sk=c1 5'; do
	eq "several attributes: $case" "$(found "/keys?index=Four&pk=a&pk2=b%22%3Ci%3E&${case% *}")" "${case##* }"
done
page '/keys?index=Four&pk=a&pk2=b%22%3Ci%3E&op=begins_with&sk=c' >four
eq 'the form keeps the values' "$(grep -c 'name="pk2" aria-label="B" value="b&quot;&lt;i&gt;"' four)$(grep -c '<option value="begins_with" selected>' four)" 11
eq 'each operator once, and none that numbers do not have' "$(grep -o '<option value="[^"]*"' four | sort | uniq -c | awk '{ printf "%s", $1 }')" 2222212
eq 'a condition on a binary key' "$(found '/keys?index=Raw&pk=p&op=%3C%3D&sk=AAI%3D')" 3
page '/keys?pk=p&order=desc' >turned
eq 'descending order' "$(grep -o 'scope="row"><span>[0-9]*' turned | sed 's/.*>//' | tr '\n' ' ')" '9 8 7 6 5 4 3 2 1 0 '
page '/shop?index=ByStatus&pk=PAID&op=begins_with&sk=2026&order=desc' >first
next=$(sed -n 's/.*href="\(shop?[^"]*from=[^"]*\)".*next page.*/\1/p' first | sed 's/&amp;/\&/g')
page "/$next" >second
eq 'the next page has the same condition and order' \
	"$(grep -o 'scope="row"><span>[0-9-]*' first second | sed 's/.*>//' | sort -r -c && cat first second | grep -c 'class="sk" scope')" 117

# ---- kinds of items
page '/keys?index=Four&shapes=1' >kinds
eq 'the note has the number of kinds' "$(sed -n 's/^<p>\([0-9]* kind.*\)<.p>$/\1/p' kinds)" '1 kind of 10 items'
example=$(sed -n 's/.*href="\(keys?index=Four[^"]*\)" title="an example">.*/\1/p' kinds | sed 's/&amp;/\&/g')
eq 'the link to an example of a kind' "$(found "/$example")" 1
ok grep -qF '<td class="n">10</td>' kinds
eq 'the links to the kinds of the table' "$(page '/keys?index=Four&shapes=1' | grep -c 'href="keys?shapes=1"')$(page /keys | grep -c 'href="keys?shapes=1"')" 11
page '/keys?index=Raw&shapes=1' >kinds
example=$(sed -n 's/.*href="\(keys?index=Raw[^"]*\)" title="an example">.*/\1/p' kinds | sed 's/&amp;/\&/g')
eq 'an example with a binary key' "$(found "/$example")" 1
page '/shop?shapes=1' >kinds
eq 'names are not markup' "$(grep -c '<b>bold' kinds)$(tail -n 1 kinds)" 0200

# ---- mistakes
for case in '/absent 404 Requested resource not found' '/shop?index=Nope 400 has no index Nope' '/shop?filter=Total+%3E%3E+1 400 Syntax error' \
	'/numbers?pk=x 400 cannot be converted to a numeric value' '/shop?from=x 400 ' '/shop?from=%7B%7D 400 ' '/shop?changes=x 400 ' \
	'/shop?filter=%22 400 ' '/%3Cscript%3E 400 ' '/shop?pk=%FF 400 UTF-8' '/shop?index=%3Cb%3E 400 ' \
	'/keys?index=Nope&shapes=1 400 Nope' '/keys?index=%3Cb%3E&shapes=1 400 ' '/keys?sk=3 400 needs a value of the partition key' '/keys?pk=p&sk=x 400 cannot be converted to a numeric value' '/keys?pk=p&op=%3C%3E&sk=1 400 has no operator' \
	'/keys?pk=p&op=%3E 400 needs a value' '/keys?pk=p&to=3 400 only between' '/keys?pk=p&sk=1&to=3 400 only between' '/keys?pk=p&op=between&sk=1 400 second one is missing' \
	'/keys?pk=p&op=begins_with&sk=1 400 begins_with' '/keys?pk=p&op=between&sk=4&to=1 400 BETWEEN' '/keys?index=Raw&pk=p&sk=%C3%A4 400 base64' \
	'/keys?index=Four&pk=a 400 B has no value' '/keys?index=Four&pk=a&pk2=b&sk2=1 400 C = a value before it' '/keys?order=desc 400 needs a value of the partition key' \
	'/keys?index=Four&pk=a&pk2=b&op=%3C&sk=c&sk2=1 400 C = a value before it' '/keys?pk=p&op=%3Cscript%3E&sk=1 400 &lt;script&gt;' \
	'/keys?pk=p&sk=1&op=%00 400 has no operator'; do
	read -r path status words <<<"$case"
	page "$path" >wrong
	eq "$path" "$(tail -n 1 wrong)" "$status"
	grep -qF "$words" wrong || fail "$path does not have: $words"
	eq "$path is escaped" "$(grep -c '<script>' wrong)" 0
done
page '/shop?filter=Total+%3E%3E+1' >wrong
eq 'the mistake is marked' "$(grep -oF 'Total &gt;<mark>&gt;</mark> 1' wrong)" 'Total &gt;<mark>&gt;</mark> 1'
page '/shop?filter=Total+%3E' >wrong
eq 'something missing at the end is marked' "$(grep -cF 'Total &gt;<mark> </mark>' wrong)" 1
page '/shop?filter=Total+%3E%3E+1' >wrong
eq 'the form keeps the wrong value' "$(grep -c 'name="filter" value="Total &gt;&gt; 1"' wrong)" 1

# ---- changes
page '/numbers?changes=now' >none
ok grep -q 'has no stream' none
page '/shop?changes=now' >now
next=$(sed -n 's/.*href="\([^"]*\)" id="next".*/\1/p' now)
ok ctl put shop '{"PK":"C#001","SK":"new","Status":"<u>OPEN"}'
ok ctl update shop 'C#001' new 'SET Status="PAID", Extra=1'
ok ctl delete shop 'C#001' new
page "/$next" >changes
eq 'latest change first, with the differences' "$(text changes | grep -E '(INSERT|MODIFY|REMOVE)' | sed 's/^[^|]*| //')" \
	'REMOVE | PK: C#001; SK: new;  | Status: PAID; Extra: 1;  |  | 
MODIFY | PK: C#001; SK: new;  | Status: &lt;u&gt;OPEN &rarr; PAID; Extra: 1;  |  | 
INSERT | PK: C#001; SK: new;  | Status: &lt;u&gt;OPEN;  |  | '
page '/shop?changes=oldest' >oldest
eq 'changes from the oldest on' "$(grep -o 'class="INSERT"' oldest | wc -l)" 100

# ---- access
eq 'no access under another host name' "$(page / -H 'Host: evil.example' | tail -n 1)" 400
for path in /shell /shell/; do
	eq "the path of DynamoDB Local's page: $path" "$(page $path | tail -n 1)$(page $path | grep -c 'href=\"shop')" "$(page / | tail -n 1)$(page / | grep -c 'href=\"shop')"
done
eq 'and the paths of its links' "$(page /shell/shop | tail -n 1)" "$(page /shop | tail -n 1)"
eq 'no access with POST' "$(page / -X POST -H 'Content-Type: text/plain' -d x | tail -n 1)" 404
eq 'nothing is loaded from elsewhere' "$(cat list first changes | grep -ciE '(src|href)="?(https?:)?//')" 0
for file in list first changes; do
	ok grep -q "default-src 'none'" $file
done
eq 'pages of tables have no script' "$(cat list first | grep -ci '<script')" 0

# ---- in a browser: scripts of items do not run, live changes appear
browser=$(command -v chromium-headless-shell || command -v headless_shell || command -v chromium)
if here "${browser:-chromium}"; then
	# The browser's clock runs ahead while nothing is loading, so the test waits for a row, not for a time.
	show()
	{
		timeout 250 "$browser" --no-sandbox --disable-gpu --user-data-dir="$W/browser" "$@" 2>browser.log
	}
	browse()
	{
		timeout 250 python3 "$SOURCE/tests/tools/browse.py" "$browser" "$W/browser"
	}
	show --dump-dom "http://$at/numbers" >dom
	eq 'the title is the name of the table' "$(sed -n 's/.*<title>\(.*\)<\/title>.*/\1/p' dom)" numbers
	show --virtual-time-budget=20000 --dump-dom "http://$at/$next" >dom
	eq 'the page waits for live changes' "$(grep -c 'id="state">Changes appear here as they are made' dom)" 1
	python3 -c '
import json
print(json.dumps({"PK": "BIG<b>", "SK": "\u202edlrow \"quoted\"", "Status": "PAID", "a\"b\u0027<i>": 1}))
print(json.dumps({"PK": "W" * 2000, "SK": "w" * 1000, "Status": "W" * 1000, "x" * 200: "y" * 390000}))' | ok ctl put shop -
	long=$(printf 'W%.0s' {1..300})
	pages="/ /shop /shop?pk=$(printf 'W%.0s' {1..2000}) /shop?index=Two /shop?index=Two&sk=x /shop?pk=BIG%3Cb%3E /shop?pk=absent
		/shop?changes=oldest /shop?shapes=1 /shop?index=Two&shapes=1 /shop?filter=$long+%3E%3E+$long /shop?index=$long /keys?index=Four&op=between&op2=between /absent$long"
	for width in 1400 800 400; do
		echo "width $width"
		for path in $pages; do
			printf 'open http://%s%s\nsideways\n' "$at" "$path"
		done
	done | browse >sideways
	eq 'only tables scroll sideways' "$(sort sideways | uniq -c | sed 's/^ *//')" '42 '
	for width in 1400 400; do
		browse >shown <<-end
			width $width
			open http://$at/keys
			show getComputedStyle(document.querySelector('[name=to]')).display
			fill pk p
			fill op between
			show getComputedStyle(document.querySelector('[name=to]')).display
			fill sk 2
			fill to 4
			key Enter
			show document.querySelectorAll('tbody .sk').length
			fill sk x
			send
			show document.querySelector('.error').textContent
			show document.querySelector('[name=sk]').value
			open http://$at/shop?pk=BIG%3Cb%3E
			show document.querySelector('tbody .sk').textContent
			show document.title
			fill pk $long
			key Tab
			show document.activeElement.name + ' ' + getComputedStyle(document.activeElement).outlineStyle
			shot $W/page-$width.png
		end
		eq "the form, without scripts, at $width" "$(cat shown)" 'none
block
3
SK: The parameter cannot be converted to a numeric value: x
x
\u202edlrow "quoted"
shop
op solid'
		ok test -s "$W/page-$width.png"
	done
fi
end_server

# ---- access patterns
cat >patterns <<-'end'
	pattern of-customer  Orders of a <b>customer</b>
	    param customer=C#002  who "ordered"
	    param least:N=0
	    query shop ${customer} --reverse --limit 2
	        --filter 'Total >= ${least} AND Status <> "x${customer}" AND Status <> ${customer} AND Date <> '\''${customer}'\'''
	pattern by-status  Of a status
	    param status
	    param from=2026-01-10
	    query shop ${status} --index ByStatus --between ${from} 2026-01-11 --project Total
	    query shop ${status} --index ByStatus --ge ${from} --limit 1
	pattern several  Several attributes, and one item
	    param c
	    query keys a 'b"<i>' ${c} --index Four --gt 2
	    get keys p 3
	    scan keys --limit 4
	    query keys p --values '{":v":1}' --filter 'D > :v'
	    put keys '{"PK":"<u>","SK":1}'
	pattern absent  Of a table that is not there
	    scan nope
	    query keys p 1 2
end
ok ctl run patterns
begin_server --port 0 --patterns patterns
at=$(address log | tail -n 1)
page / >list
eq 'the list of access patterns' "$(grep -oE 'href="./\?pattern=[a-z-]*"' list | tr '\n' ' ')" \
	'href="./?pattern=of-customer" href="./?pattern=by-status" href="./?pattern=several" href="./?pattern=absent" '
page '/?pattern=of-customer' >shown
eq 'a pattern with its default values' "$(grep -o 'scope="row"><span>[0-9]*' shown | sed 's/.*>//' | tr '\n' ' ')" '8 7 '
eq 'the form of a pattern' "$(grep -oE 'name="p.(customer|least)" value="[^"]*"' shown | tr '\n' ' ')" 'name="p.customer" value="C#002" name="p.least" value="0" '
ok grep -qF 'who &quot;ordered&quot;' shown
eq 'the link to the same request in the form' "$(sed -n 's/.*<a href="\(shop?[^"]*\)">with its fields.*/\1/p' shown | sed 's/filter=[^&]*//')" \
	'shop?pk=C%23002&amp;&amp;order=desc&amp;limit=2'
next=$(sed -n 's/.*href="\(shop?[^"]*from=[^"]*\)".*next page.*/\1/p' shown | sed 's/&amp;/\&/g')
eq 'the link to the next page' "$(found "/$next")" 1
eq 'a pattern with another value' "$(found '/?pattern=of-customer&p.customer=C%23003&p.least=10')" 2
for value in "x'+OR+1=1" 'x%22+OR+%22a%22=%22a' '%01customer%02' '%5Cu0001customer%5Cu0002' '%5C' '$%7Bleast%7D' '%3Cscript%3E' '%E2%80%AE'; do
	page "/?pattern=of-customer&p.customer=$value" >shown
	eq "a value is only a value: $value" "$(tail -n 1 shown)$(grep -c 'class="error"\|<script\|scope="row"' shown)" 2000
	ok grep -q 'No item matches the filter' shown
done
python3 -c '
import json
name = "q\"u\u0027o\\te"
for key, day in ("1", "x"), ("2", name):
    print(json.dumps({"PK": name, "SK": key, "Status": "PAID", "Total": 1, "Date": day}))' | ok ctl put shop -
page '/?pattern=of-customer&p.customer=q%22u%27o%5Cte' >shown
eq 'quotes and backslashes: one item differs, one is equal' "$(grep -c 'scope="row"' shown)$(grep -c '2 items examined' shown)" 11
page '/?pattern=of-customer&p.least=x' >shown
eq 'a value that is not a number' "$(tail -n 1 shown)$(grep -c 'least is a number, not &quot;x&quot;' shown)" 4001
page '/?pattern=by-status' >shown
eq 'a missing value is not an error before the form is sent' "$(tail -n 1 shown)$(grep -c 'class="empty">status has no value yet' shown)" 2001
eq 'a missing value is a mistake after the form was sent' "$(page '/?pattern=by-status&p.from=2026' | tail -n 1)" 400
page '/?pattern=by-status&p.status=PAID' >shown
eq 'a pattern with two lines' "$(grep -c 'whole items' shown)$(grep -c '<section' shown)" 12
page '/?pattern=by-status&p.status=' >shown
eq 'an empty value of a key' "$(grep -c 'Status is a key and must not be empty' shown)" 2
page '/?pattern=several&p.c=c0' >shown
eq 'lines that read are carried out' "$(grep -o 'scope="row"><span>[^<]*' shown | sed 's/.*>//' | tr '\n' ' ')" 'c0 + 3 c0 + 4 3 0 1 2 3 '
eq 'lines that a page does not run' "$(grep -c 'The page does not run this' shown)$(grep -c '<u>' shown)" 20
page '/?pattern=absent' >shown
eq 'an error is shown for each line' "$(tail -n 1 shown)$(grep -c 'class="error"' shown)" 2002
ok grep -q 'one more: 2' shown
eq 'a pattern that does not exist' "$(page '/?pattern=%3Cscript%3E' | tail -n 1)" 400
if [ -n "$browser" ]; then
	for width in 1400 800 400; do
		printf 'width %s\nopen http://%s/\nsideways\nopen http://%s/?pattern=several&p.c=c0\nsideways\nshot %s/pattern-%s.png\n' $width "$at" "$at" "$W" $width
	done | browse >sideways
	eq 'only tables scroll sideways' "$(sort sideways | uniq -c | sed 's/^ *//')" '6 '
	browse >shown <<-end
		open http://$at/?pattern=by-status
		fill p.status OPEN
		key Enter
		show document.querySelectorAll('section').length
	end
	eq 'the form runs a pattern' "$(cat shown)" 2
fi
end_server
gives 2 'patterns=' ctl serve --listen none --patterns patterns
# All features that a line of a pattern may have.
printf 'pattern a\n    scan shop --select PK --explain --run --segments 2 -j 2\n    query shop p --select COUNT --page-size 5 --one-page --consistent\n    get shop p q --explain\n' >any
ok ctl serve --port 0 --patterns any -- true
printf 'pattern a\n    param x\n    query shop ${y}\n' >wrong
gives 2 'wrong:3: there is no parameter "y"' ctl serve --port 0 --patterns wrong
printf '# c\npattern a\n    query shop p --lmit 3\n' >wrong
gives 2 'wrong:3: unknown option --lmit' ctl serve --port 0 --patterns wrong
printf 'pattern a\n    query shop p --filter "x\n' >wrong
gives 2 'wrong:2: ' ctl serve --port 0 --patterns wrong
printf 'query shop\n' >wrong
gives 2 'wrong:1: ' ctl serve --port 0 --patterns wrong
: >wrong
gives 2 'wrong has no patterns' ctl serve --port 0 --patterns wrong
gives 2 'no-such-file' ctl serve --port 0 --patterns no-such-file
eq 'no store is created for invalid patterns' "$(itemctl_of "$W/fresh" serve --port 0 --patterns wrong 2>&1 | grep -c 'no patterns')$(ls -d fresh 2>/dev/null)" 1
for line in '{' '[]' '{"pattern":1}' '{"pattern":"a","lines":[{"table":"t"}]}' '{"pattern":"a","lines":[{"text":"t","words":[1]}]}' \
	'{"pattern":"a","parameters":[{"name":""}]}' '{"pattern":"a","pattern":"b"}' '{"pattern":"a","lines":[{"text":"t","words":["","","","","","","","",""]}]}'; do
	printf '\n%s\n' "$line" >wrong
	gives 2 'wrong, line 2: ' "$ITEMFS" "$S" --no-mount -f -o listen=127.0.0.1:0,patterns=wrong
done

# ---- a server with credentials
printf '[default]\naws_access_key_id = A\naws_secret_access_key = B\n' >keys
chmod 600 keys
begin_server --port 0 --credentials keys
at=$(address log | tail -n 1)
eq 'a server with signatures has no pages' "$(page / | head -n 1)" "healthy: $at"
eq 'not for a table, either' "$(page /shop | tail -n 1)" 404
end_server
begin_server --port 0 --credentials keys --web --patterns patterns
at=$(address log | tail -n 1)
secret=$(sed -n 's/^# In a browser: http:\/\/[^/]*//p' log | tail -n 1)
eq 'unless it has a secret path' "$(echo "$secret" | grep -cE '^/[0-9a-f]{32}/$')" 1
eq 'the pages are below the secret path' "$(page "$secret" | tail -n 1)$(page "${secret}shop" | tail -n 1)" 200200
eq 'and so are the patterns' "$(page "$secret" | grep -c '?pattern=several')$(page "$secret?pattern=several&p.c=c0" | tail -n 1)$(page '/?pattern=several' | grep -c several)" 12000
for path in / /shop "${secret%??}/" "${secret%?}" "/x${secret#/?}" "${secret}../shop/"; do
	eq "no pages at $path" "$(page "$path" --path-as-is | grep -c 'class="tabs"\|class="list"')" 0
done
end_server
gives 2 'needs listen=' ctl serve --listen none --web
done_testing
