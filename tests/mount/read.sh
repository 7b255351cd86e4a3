#!/bin/bash
# Reading: contents as plain JSON, lossless (NAMESPACE 3).
# BEHAVIOUR 23.7
. "$(dirname "$0")/lib.sh"

store --key PK,SK
mnt m -o table=tab

put()
{
	ctl put tab "$1" >/dev/null
}

# ---- rendering

put '{"b":1,"SK":"1","a":"x","PK":"p"}'
eq 'key attributes first, the others as written, on one line' "$(cat m/p/1.json)" '{"PK":"p","SK":"1","b":1,"a":"x"}'
eq 'which ends with a newline' "$(tail -c 1 m/p/1.json | od -An -c | tr -d ' ')" '\n'
put '{"PK":"p","SK":"2","n":12345678901234567890123456789012345678,"m":0.1,"t":true,"f":false,"z":null,"l":[1,"a",{"x":[]}],"o":{}}'
eq 'plain values' "$(cat m/p/2.json)" \
	'{"PK":"p","SK":"2","n":12345678901234567890123456789012345678,"m":0.1,"t":true,"f":false,"z":null,"l":[1,"a",{"x":[]}],"o":{}}'
put '{"PK":"p","SK":"3","b":{"B":"aGk="},"ss":{"SS":["b","a"]},"ns":{"NS":["2","1"]},"bs":{"BS":["aGk="]}}'
eq 'binary and sets are typed' "$(jq -cS '[.b, (.ss.SS|sort), (.ns.NS|sort), .bs]' m/p/3.json)" '[{"B":"aGk="},["a","b"],[1,2],{"BS":["aGk="]}]'
put '{"PK":"p","SK":"4","m":{"M":{"S":{"S":"x"}}},"two":{"S":"a","N":"b"}}'
eq 'a map that looks typed is typed' "$(jq -c '[.m, .two]' m/p/4.json)" '[{"M":{"S":{"S":"x"}}},{"S":"a","N":"b"}]'
put '{"PK":"p","SK":"5","u":"ä\u0000\u001f\"\\/😀"}'
eq 'strings' "$(jq -c .u m/p/5.json)" "$(jq -cn '"ä\u0000\u001f\"\\/😀"')"
put '{"PK":"p","SK":"6"}'
eq 'an item that is only a key' "$(cat m/p/6.json)" '{"PK":"p","SK":"6"}'

# ---- lossless: the text of an item can be written again

mkdir m/copy
for n in 1 2 3 4 5 6; do
	ok cp "m/p/$n.json" "m/copy/$n.json"
	eq "item $n is the same after a copy" "$(item tab copy $n | sed 's/"copy"/"p"/')" "$(item tab p $n)"
	eq "byte for byte" "$(sed 's/"copy"/"p"/' "m/copy/$n.json")" "$(cat m/p/$n.json)"
done
ok touch m/copy/7.json
settle m
eq 'an item from an empty file shows its key' "$(cat m/copy/7.json)" '{"PK":"copy","SK":"7"}'

# ---- ways of reading

eq 'cat of a partition is JSON Lines' "$(cat m/p/* | jq -r .SK | tr '\n' ' ')" '1 2 3 4 5 6 '
eq 'dd from the middle' "$(dd if=m/p/1.json bs=1 skip=2 count=2 2>/dev/null)" PK
eq 'head, tail' "$(head -c 5 m/p/1.json)$(tail -c 5 m/p/1.json)" '{"PK""x"}'
eq 'a shell reads a line' "$(read -r line <m/p/1.json && echo "$line")" "$(cat m/p/1.json)"
eq 'and so does dash' "$(dash -c 'read -r line <m/p/6.json; echo "$line"')" '{"PK":"p","SK":"6"}'
eq 'wc' "$(wc -l <m/p/1.json)" 1
eq 'grep -r' "$(grep -rl '"t":true' m/p)" m/p/2.json
ok cmp m/p/1.json <(cat m/p/1.json)
refused 'Is a directory' cat m/p
refused 'Not a directory' ls m/p/1.json/x
eq 'reading past the end' "$(dd if=m/p/1.json bs=1 skip=1000 2>/dev/null | wc -c)" 0

# ---- a large item

big=$(head -c 300000 /dev/zero | tr '\0' 'x')
printf '{"PK":"p","SK":"big","v":"%s"}' "$big" >big.json
ctl put tab - <big.json >/dev/null
eq 'a large item' "$(jq -r .v m/p/big.json | tr -d '\n' | md5sum)" "$(printf %s "$big" | md5sum)"
eq 'its size' "$(stat -c %s m/p/big.json)" "$(wc -c <m/p/big.json)"

# ---- an open file shows the latest state

exec 3<m/p/1.json
ctl put tab '{"PK":"p","SK":"1","changed":true}' >/dev/null
eq 'a file opened before a change shows the change' "$(cat <&3)" '{"PK":"p","SK":"1","changed":true}'
exec 3<&-
exec 3<m/p/6.json
rm m/p/6.json
eq 'a removed file that is open can still be read' "$(cat <&3)" '{"PK":"p","SK":"6"}'
exec 3<&-

# ---- a listing consumes capacity, as the Query that it is

mkdir m/listed
echo '{}' >m/listed/1.json
ls m/listed >/dev/null
eq 'a listing counts in key usage' "$(ctl shards heat tab | jq -c 'select(.Key == "listed") | [.ReadUnits > 0, .WriteUnits]')" '[true,1]'

done_testing
