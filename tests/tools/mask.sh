#!/bin/bash
# mask and copy --mask, --sample, --where, --partitions: what is copied, what is masked, what is refused; and that
# nothing unmasked is on the disk.
. "$(dirname "$0")/lib.sh"
begin
export ITEMFS_MASK_KEY='0123456789abcdef a key'
ctl -q create-table shop --key PK,SK --gsi ByEmail=email
ctl -q create-table bill --key id:N
cat >items <<'E2'
{"PK":"CUSTOMER#42","SK":"PROFILE","email":"ann@secret.org","name":"Ann Secret","customer":"42","birth":"1980-02-29","address":{"street":"Secret Street 1","city":"Berlin","zip":10115},"tags":{"SS":["secret-a","secret-b"]},"vip":true}
{"PK":"CUSTOMER#42","SK":"ORDER#2020-01-01#7","email":"ann@secret.org","total":19.5,"lines":[{"what":"secret pen","n":2},{"what":"secret ink","n":1}],"at":1577836800,"ms":1577836800123}
{"PK":"CUSTOMER#43","SK":"PROFILE","email":"bob@secret.org","name":"Bob Secret","birth":"unknown","blob":{"B":"c2VjcmV0"},"note":"secret"}
{"PK":"TENANT#7#USER#42","SK":"ORDER#2020-12-31T10:00:00Z"}
E2
ctl -q import shop items
printf '{"id":%d,"customer":"42","n":%d}\n' 7 7 8 -8 >bills
ctl -q import bill bills
cat >rules <<'E2'
# what must not leave
PK               hash parts #                   # CUSTOMER#42
SK               shift-days 400 after ORDER# when ORDER#
SK               hash except PROFILE
email            hash
customer         hash
name             fake name
birth            shift-days 400
address.street   fake street
address.zip      redact
lines[].what     redact 'some pen'
tags             hash
at               shift-days 1
ms               shift-days 1
total            shift -10
blob             hash
`note`           drop
vip              redact
E2

# ---- ten items before and after
ok ctl -q mask shop --check rules
eq 'a row for each attribute' "$(printf '%s\n' "$out" | wc -l)" $(($(jq -r 'keys[]' items | wc -l)))
row()
{
	printf '%s\n' "$out" | jq -c "select(.Attribute == \"$1\" and (.Before | tostring | contains(\"$2\")))$3"
}
eq 'the rule of an attribute' "$(row PK 'CUSTOMER#43' .Rule)" '"hash parts #"'
eq 'two rules of an attribute' "$(row SK 'T10' .Rule)" '"shift-days 400 after ORDER# when ORDER#; hash except PROFILE"'
eq 'a date with a time' "$(row SK 'T10' .After)" '"ORDER#2022-02-04T10:00:00Z"'
eq 'a dropped attribute' "$(row note secret '| has("After")')" false
eq 'paths' "$(row address Berlin '| [.Rule, .After.city, .After.zip]')" '["keep; paths below","Berlin",0]'
ok ctl mask shop --check rules --limit 1
eq 'a limit of one item' "$(printf '%s\n' "$out" | jq .Item | sort -u)" 1
printf 'none hash\nemail hash\n' | ok ctl mask shop --check -
eq 'a rule for a missing attribute is reported' "$err" '-:1: none: none of these items has it'

# ---- the masked copy
ok ctl copy shop --to ./new --mask rules
ok ctl copy bill --to ./new --mask <(printf 'id hash\ncustomer hash\nn hash\n')
eq 'the copy has as many items' "$(itemctl_of new scan shop --count)" 4
of()
{
	itemctl_of new scan shop --filter "$1" | jq -c "$2"
}
h42=$(printf 42 | openssl dgst -sha256 -mac HMAC -macopt "key:$ITEMFS_MASK_KEY" 2>/dev/null | sed 's/.*= //' | cut -c1-32)
eq 'a hash is HMAC-SHA256, the prefix stays' "$(of 'attribute_exists(customer)' '[.PK, .SK, .customer]')" "[\"CUSTOMER#$h42\",\"PROFILE\",\"$h42\"]"
eq 'the hash is the same in another table' "$(itemctl_of new scan bill | jq -r .customer | sort -u)" "$h42"
eq 'every second part of a key is masked' "$(of 'begins_with(PK, "TENANT")' .PK | sed 's/"//g' | cut -d'#' -f1,3,4)" "TENANT#USER#$h42"
eq 'a partition stays one' "$(itemctl_of new query shop "CUSTOMER#$h42" --count)" 2
eq 'a date in a key' "$(itemctl_of new query shop "CUSTOMER#$h42" --begins-with ORDER | jq -c '[.SK, .total, .at, .ms, .lines]')" \
	'["ORDER#2021-02-04#7",9.5,1577923200,1577923200123,[{"what":"some pen","n":2},{"what":"some pen","n":1}]]'
email=$(of 'attribute_exists(customer)' .email | tr -d '"')
eq 'an index query finds both' "$(itemctl_of new query shop --index ByEmail "$email" --count)" 2
eq 'dates, true, sets' "$(of 'attribute_exists(customer)' '[.birth, .vip, (.tags.SS | length)]')" '["1981-04-04",false,2]'
eq 'a value that is not a date' "$(of 'attribute_exists(blob)' '[.birth, (.blob.B | length), has("note")]')" '["***",24,false]'
eq 'numbers stay numbers, small and distinct' "$(itemctl_of new scan bill | jq -s 'map(.id) | [length, (unique | length), (max < 4503599627370496)]' -c)" '[2,2,true]'
eq 'equal numbers stay equal' "$(itemctl_of new scan bill | jq -s -c 'map(select(.id == .n)) | length')" 1
eq 'no unmasked text is on the disk' "$(grep -rliE 'secret|ann@|2020-01-01' new | wc -l)" 0
ok ctl copy shop --to ./again --mask rules
ok "$ITEMCTL" -q diff new/shop again/shop
printf 'another key, as long\n' >key
ok ctl copy shop --to ./third --mask rules --mask-key key
gives 1 '0 equal' "$ITEMCTL" diff new/shop third/shop
printf '%s\n' 'PK keep' 'SK keep' '* redact x' 'address.city keep' 'name fake from words' >strict
printf 'Ada\n\nBob\n' >words
ok ctl copy shop --to ./strict-store --mask strict
eq 'strict masks everything without a rule' "$(itemctl_of strict-store get shop 'CUSTOMER#42' PROFILE --project 'email, address, tags, vip, birth' | jq -cS .)" \
	'{"address":{"city":"Berlin","street":"x","zip":0},"birth":"x","email":"x","tags":{"SS":["x"]},"vip":false}'
[[ $(itemctl_of strict-store get shop 'CUSTOMER#42' PROFILE --project name) =~ ^\{\"name\":\"(Ada|Bob)\"\}$ ]] || fail 'the name is not from the file'
for kind in name first-name last-name company email phone address street zip city text; do
	printf 'note fake %s\n' $kind | ok ctl -q mask shop --check -
	[ -n "$(row note secret .After)" ] && [ "$(row note secret .After)" != '"secret"' ] || fail "fake $kind"
done

# ---- interrupted: no unmasked key is printed
full()
(
	trap '' XFSZ
	ulimit -f 1500
	ctl copy many --to ./tight --mask <(printf 'PK hash after #\nSK hash\ntext redact\n')
)
ctl -q create-table many --key PK,SK
seq 1 30000 | awk '{ printf "{\"PK\":\"part#secret%d\",\"SK\":\"secret%d\",\"text\":\"secret%0150d\"}\n", $1 % 700, $1, $1 }' | ctl -q import many -
ctl -q compact
gives 70 'copied ' full
eq 'the message has no key' "$(printf '%s' "$err" | grep -c -- --start)" 0
eq 'and no text of the items' "$(printf '%s' "$err" | grep -c secret)" 0
eq 'no unmasked text is on the disk' "$(grep -rl secret tight | wc -l)" 0

# ---- a part of the items
ok ctl copy many --to ./some --sample 10%
n=$(itemctl_of some scan many --count)
((n > 1500 && n < 4500)) || fail "10% of 30000 are $n"
eq 'partitions are copied whole' "$(itemctl_of some scan many --project PK | sort | uniq -c | awk '$1 < 42' | wc -l)" 0
ok ctl copy many --to ./same --sample 10% --mask <(printf 'text redact\n')
eq 'a sample is always the same' "$(itemctl_of same scan many --project PK,SK | sort | sha256sum)" "$(itemctl_of some scan many --project PK,SK | sort | sha256sum)"
ok ctl copy many --to ./few --sample 1k
n=$(itemctl_of few scan many --count)
((n > 300 && n < 3000)) || fail "about 1000 are $n"
ok ctl copy many --to ./whole --sample 1M
eq 'a sample of more items than there are' "$(itemctl_of whole scan many --count)" 30000
ok ctl copy shop --to ./where --where 'email = "ann@secret.org"'
eq '--where' "$(itemctl_of where scan shop --count)" 2
seq 1 100 | sed 's/^/part#secret/' >keys
printf 'part#none\r\n' >>keys
ok ctl copy many --to ./parts --partitions keys --where "begins_with(text, 'secret0')"
eq '--partitions' "$(itemctl_of parts scan many | jq -r .PK | sort -u | wc -l)" 100
gives 2 'Primary key attribute: SK' ctl copy many --to ./parts --partitions keys --where "SK < 'secret2'"
printf '7\n' | ok ctl copy bill --to ./parts --partitions -
eq '--partitions with a numeric key' "$(itemctl_of parts scan bill)" '{"id":7,"customer":"42","n":7}'

# ---- refused rules
# bad TEXT RULE... - check that copy and mask refuse a file with this rule
bad()
{
	printf '%s\n' "${@:2}" >bad
	gives 2 "$1" ctl mask shop --check bad
	gives 2 "$1" ctl copy shop --to ./refused --mask bad
}
bad 'bad:2: redact of PK, a key attribute of the table shop: different items would get the same key' '' 'PK redact'
bad 'bad:1: drop of SK' 'SK drop'
bad 'bad:1: fake of SK' 'SK fake name'
bad 'bad:1: drop of PK' '* drop'
bad 'bad:1: drop of SK' '* drop' 'PK hash'
bad 'shifted values could equal values that stay' 'SK shift-days 1 when 2020-' 'SK keep'
bad 'shifted values could equal values that stay' 'SK shift-days 1 except 2020-01-01'
bad 'shifted values could equal values that stay' 'SK shift-days 1 after # when ORDER#20' 'SK keep'
bad 'it is not a number' 'SK shift 1'
bad 'bad:1: a path needs an action' 'email'
bad 'unknown action "mangle": use keep, drop' 'email mangle'
bad 'bad:2: email has a rule in line 1' 'email hash' 'email drop'
bad 'other values of SK' 'SK hash when ORDER#'
bad 'shift-days needs a number' 'birth shift-days'
bad 'shift-days needs a whole number of days' 'birth shift-days 1.5'
bad 'shift needs a number, not "x"' 'total shift x'
bad 'fake needs one of: name' 'name fake'
bad 'fake needs one of: name' 'name fake nobody'
bad 'fake from needs a file' 'name fake from'
bad 'No such file' 'name fake from ./none'
bad 'after needs a separator' 'email hash after'
bad 'except needs values' 'email hash except'
bad '"more": use after, parts, when or except' 'email hash more'
bad 'after does not go with' 'email keep after #'
bad 'a quote is not closed' "email redact 'x"
bad 'a path must be names' '.email hash'
bad 'a path must be names' 'email..x hash'
bad 'a path must be names' 'lines[0] hash'
bad 'a path must be names' '`x hash'
bad 'a path must be names' '`` hash'
bad 'there is no rule' '# nothing'
gives 2 'No such file' ctl mask shop --check none
gives 2 'needs --check' ctl mask shop
gives 3 'ResourceNotFoundException' ctl mask none --check rules
gives 2 '--limit must be 1 to 1000' ctl mask shop --check rules --limit 0
gone refused
printf 'SK shift-days 1 after #\n' >bad
gives 2 'bad:1: a value of the key attribute SK is not a date' ctl mask shop --check bad
gives 2 'bad:1: a value of the key attribute SK is not a date' ctl copy shop --to ./halted --mask bad
ok ctl create-table dated --key PK,SK
printf '%s\n' '{"PK":"p","SK":"2020-01-01","A":"WORD"}' '{"PK":"p","SK":"WORD"}' | ok ctl import dated
printf 'PK keep\n* shift-days 1\n' >dates
gives 2 'dates:2: a value of the key attribute SK is not a date' ctl mask dated --check dates # although the same text in A may be replaced
printf 'SK shift-days 1 after #\n' >bad
gives 2 'bad:1' ctl mask shop --check bad
eq 'the message does not have the value' "$(printf '%s' "$err" | grep -c PROFILE)" 0
ITEMFS_MASK_KEY= gives 2 'hash and fake need a key' ctl mask shop --check rules
ITEMFS_MASK_KEY=short gives 2 'at least 16 bytes' ctl mask shop --check rules
eq 'the message does not have the key' "$(printf '%s' "$err$out" | grep -c short)" 0
gives 2 'No such file' ctl mask shop --check rules --mask-key none
printf 'email redact\n' >plain
ITEMFS_MASK_KEY= ok ctl -q mask shop --check plain

# ---- other refusals
gives 2 '--mask-key goes with --mask' ctl copy shop --to ./refused --mask-key key
for share in 0 0% 101% -1% x 1%% ''; do
	gives 2 '--sample must be a percentage' ctl copy shop --to ./refused --sample "$share"
done
gives 2 'Invalid FilterExpression' ctl copy shop --to ./refused --where 'email ='
gives 2 'can not be empty' ctl copy shop --to ./refused --where ''
gives 2 'No such file' ctl copy shop --to ./refused --partitions none
gives 2 'there is no key in' ctl copy shop --to ./refused --partitions /dev/null
gives 2 '-:2: ' ctl copy bill --to ./refused --partitions - <<<$'7\nx'
gives 2 '--start does not go with --partitions' ctl copy shop --to ./refused --partitions keys --start '{"PK":"a","SK":"b"}'
ctl -q create-table empty --key PK
gives 2 'give a percentage' ctl copy empty --to ./refused --sample 5
done_testing
