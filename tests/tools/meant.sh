#!/bin/bash
# Input in the style of other tools: it works, or the message has one line that can be pasted and works.
. "$(dirname "$0")/lib.sh"
begin
export ITEMFS_STORE=$S
itemctl()
{
	"$ITEMCTL" "$@"
}
ok itemctl create-table orders --key PK,SK --gsi GSI1=Status,SK --gsi ByTotal=Kind,Total:N
ok itemctl create-table counters --key Id:N,Seq:N
ok itemctl create-table users --key UserId
ok itemctl put orders '{"PK":"C#1","SK":"PROFILE","Name":"Ann"}' \
	'{"PK":"C#1","SK":"ORDER#2024-01-01","Status":"SHIPPED","Total":5,"Kind":"order","Date":"2024-01-01"}' \
	'{"PK":"C#1","SK":"ORDER#2024-02-01","Status":"NEW","Total":15,"Kind":"order","Date":"2024-02-01"}'
ok itemctl put counters '{"Id":1,"Seq":1}' '{"Id":1,"Seq":2}'
ok itemctl put users '{"UserId":"u1","Age":30}'

# same COMMAND... -- COMMAND... - check that both print the same, and that it is not empty
same()
{
	local a=() is
	while [ "$1" != -- ]; do
		a+=("$1")
		shift
	done
	shift
	is=$(itemctl "${a[@]}" 2>&1)
	eq "${a[*]}" "$is" "$(itemctl "$@")"
	[ -n "$is" ] || fail "${a[*]} says nothing"
}

# leads MESSAGE COMMAND... - check that it prints MESSAGE, and that the line after its last ": " works: prints
# something, and no note
leads()
{
	local message=$1 line
	shift
	itemctl "$@" >out 2>err </dev/null
	eq "$*" "$(sed -n 's/^itemctl: //; 1,/itemctl /p' err)" "$message"
	line=itemctl${message##*itemctl}
	eq "$line" "$(eval "$line" 2>&1 >pasted)" ''
	[ -s pasted ] || fail "$line prints nothing"
}

# reads LINE ARGUMENT... - check that the arguments run as LINE, which a note shows
reads()
{
	local line=$1
	shift
	ok itemctl "$@"
	eq "$*" "$err" "read as: $line"
	eq "$line" "$out" "$(eval "$line")"
	[ -n "$out" ] || fail "$line prints nothing"
}

# ---- conditions on the sort key as words
for words in 'begins_with ORDER#' 'BEGINS_WITH ORDER#' 'SK begins_with ORDER#' 'starts_with ORDER#' 'like ORDER#%'; do
	same query orders C#1 $words -- query orders C#1 --begins-with ORDER#
done
same query orders C#1 '>=' ORDER#2024-02 -- query orders C#1 --ge ORDER#2024-02
same query orders C#1 SK '<' ORDER#2024-02 -- query orders C#1 --lt ORDER#2024-02
same query orders C#1 = PROFILE -- get orders C#1 PROFILE
for words in 'between ORDER#2024-01 ORDER#2024-03' 'BETWEEN ORDER#2024-01 AND ORDER#2024-03' '--between ORDER#2024-01 AND ORDER#2024-03' \
	'--between ORDER#2024-01,ORDER#2024-03' '--from ORDER#2024-01 --to ORDER#2024-03' '--ge ORDER#2024-01 --le ORDER#2024-03'; do
	same query orders C#1 $words -- query orders C#1 --between ORDER#2024-01 ORDER#2024-03
done
same query orders PK = C#1 -- query orders C#1
same query orders PK = C#1 AND SK begins_with ORDER# -- query orders C#1 --begins-with ORDER#
same query orders C#1 --sk begins_with ORDER# -- query orders C#1 --begins-with ORDER#
same query orders C#1 --prefix ORDER# -- query orders C#1 --begins-with ORDER#
same query counters 1 between 2 3 -- query counters 1 --between 2 3
same query counters 1 '>' 1 -- query counters 1 --gt 1
gives 2 '--prefix without --shards is --begins-with: give only one' itemctl query orders C#1 --prefix a --begins-with b
gives 2 'give one condition on the sort key, not 2' itemctl query orders C#1 like ORDER#%x
gives 2 'give one condition on the sort key, not 2' itemctl query orders C#1 between x
while IFS='|' read -r line word; do
	reads "$line" query orders C#1 "$word"
done <<'ROWS'
itemctl query orders C#1 --ge ORDER#2024-02|>= ORDER#2024-02
itemctl query orders C#1 --begins-with ORDER#|SK begins_with ORDER#
itemctl query orders C#1 --begins-with ORDER#|begins_with(SK, 'ORDER#')
itemctl query orders C#1 --gt ORDER#|SK>ORDER#
itemctl query orders C#1 --between ORDER#2024-01 ORDER#2024-03|SK BETWEEN 'ORDER#2024-01' AND 'ORDER#2024-03'
itemctl query orders C#1 --between ORDER#2024-01 ORDER#2024-03|SK >= 'ORDER#2024-01' and SK <= 'ORDER#2024-03'
itemctl query orders C#1 --begins-with ORDER#|ORDER#%
itemctl query orders C#1 --begins-with ORDER#|ORDER#*
itemctl query orders C#1 PROFILE|SK = 'PROFILE'
ROWS
reads "itemctl query orders C#1 --begins-with ORDER#" query orders C#1 --sk 'begins_with ORDER#'
reads "itemctl query orders C#1 --ge ORDER#2024-02 --project SK" query orders C#1 '>= ORDER#2024-02' --project SK
both="itemctl query orders C#1"
reads "$both --begins-with ORDER#" query orders "PK = 'C#1' AND begins_with(SK, 'ORDER#')"
reads "$both --begins-with ORDER# --count" query orders 'PK = C#1 and begins_with(SK, ORDER#)' --count
reads "$both --between ORDER#2024-01 ORDER#2024-03" query orders "PK = 'C#1' AND SK BETWEEN 'ORDER#2024-01' AND 'ORDER#2024-03'"
leads 'give PK without its name: itemctl query orders C#1' query orders PK C#1
reads "itemctl query orders C#1 --begins-with ORDER# --count" query orders C#1 'ORDER#%' --count
reads 'itemctl query counters 1 --gt 1' query counters 1 '> 1'
leads 'a range includes both ends: itemctl query orders C#1 --between ORDER#2024-01 ORDER#2024-03' \
	query orders C#1 --after ORDER#2024-01 --before ORDER#2024-03
start='--start needs the key, as JSON, after which the page begins; for a range: itemctl query orders C#1'
leads "$start --between ORDER#2024-01 ORDER#2024-03" query orders C#1 --start ORDER#2024-01 --end ORDER#2024-03
leads "$start --ge ORDER#2024-01" query orders C#1 --start ORDER#2024-01
# A sort key that only looks like a condition is found.
ok itemctl put orders '{"PK":"odd","SK":"SK > 5"}'
ok itemctl query orders odd 'SK > 5'
eq 'a key with an operator' "$out$err" '{"PK":"odd","SK":"SK > 5"}'

# ---- an index as a word
index='give an index as an option: itemctl'
leads "$index query orders SHIPPED --index GSI1" query orders GSI1 SHIPPED
leads "$index query orders SHIPPED --index GSI1" query orders SHIPPED GSI1
leads "$index scan orders --index GSI1 --count" scan orders GSI1 --count
for typed in 'GSI1 SHIPPED' 'orders.GSI1 SHIPPED' 'orders/GSI1 SHIPPED'; do
	itemctl query $typed 2>err
	eq "$typed" "$(tail -n 1 err)" 'itemctl query orders SHIPPED --index GSI1'
done
itemctl scan GSI1 2>err
eq 'an index alone' "$(tail -n 1 err)" 'itemctl scan orders --index GSI1'
itemctl query orders SHIPPED 2>err
eq 'a partition key of an index' "$(cat err)" $'no item has PK = \'SHIPPED\'\nindex GSI1 has: itemctl query orders SHIPPED --index GSI1'
same query orders SHIPPED --gsi GSI1 -- query orders SHIPPED --index GSI1
same query orders SHIPPED -i GSI1 -- query orders SHIPPED --index GSI1
gives 2 'itemctl query orders PK --index GSI1; for all items: itemctl scan orders --index GSI1' itemctl query orders --index GSI1
gives 2 'scan: too many words, from "foo" on: itemctl query orders foo' itemctl scan orders foo
gives 2 'get: too many words, from "Total,Status" on: did you mean: itemctl get orders C#1 O#1 --project Total,Status' itemctl get orders C#1 O#1 Total,Status
gives 2 'get: too many words, from "Total" on: did you mean: itemctl get orders C#1 O#1 --project Total,Status' itemctl get orders C#1 O#1 Total Status
gives 2 "update: too many words, from \"{\":n\":1}\" on: did you mean: itemctl update orders C#1 O#1 'SET n = :n' --values '{\":n\":1}'" itemctl update orders C#1 O#1 'SET n = :n' '{":n":1}'
gives 2 "delete: too many words, from \"Total = 7\" on: did you mean: itemctl delete orders C#1 O#1 --if 'Total = 7'" itemctl delete orders C#1 O#1 'Total = 7'
gives 2 "scan: too many words, from \"Total = 7\" on: did you mean: itemctl scan orders --limit 3 --filter 'Total = 7'" itemctl scan orders --limit 3 'Total = 7'
gives 2 "did you mean: itemctl scan orders --filter 'Status = \"SHIPPED\"'" itemctl scan orders Status=SHIPPED
gives 2 'did you mean: itemctl scan orders --filter Total=7' itemctl scan orders Total=7
gives 2 "to group items: itemctl sql 'SELECT Status, COUNT(*) FROM orders GROUP BY Status'" itemctl count orders --by Status
gives 2 "to group items: itemctl sql 'SELECT SUM(Total) FROM orders'" itemctl scan orders --sum Total
gives 2 "to group items: itemctl sql 'SELECT SUM(Total) FROM orders'" itemctl scan --limit 5 orders --sum Total
gives 2 "to group items: itemctl sql 'SELECT SUM(Total) FROM orders'" itemctl scan --sum Total --limit 5 orders
gives 2 "add: | jq -sc 'sort_by(.Total)[]'" itemctl scan orders --order-by Total desc
gives 3 'to list the tables: itemctl tables' itemctl drop order --yes
gives 2 'scan: too many words, from "160" on' itemctl scan orders --filter Total gt 160
[[ $err != *--limit\ 160* ]] || fail 'a number is taken for a limit'
gives 2 'get: too many words, from ".Total" on' itemctl get orders C#1 O#1 .Total
[[ $err != *project\ .* ]] || fail 'a path of jq is taken for an attribute'
gives 2 "give the statement as one word, in quotes: itemctl sql 'select * from orders'" itemctl select '*' from orders

# ---- options without dashes
leads 'options begin with two dashes: itemctl query orders C#1 --limit 1' query orders C#1 limit 1
leads 'scan: too many words, from "count" on: options begin with two dashes: itemctl scan orders --count' scan orders count

# ---- keys of another type
gives 2 'itemctl: Id is a number, not abc' itemctl query counters abc
gives 2 'itemctl: Seq is a number, not x' itemctl query counters 1 --between 1 x
leads 'Id is a number, not "1": itemctl query counters 1' query counters '"1"'
gives 2 'the key is only UserId: "x" is one value too many' itemctl query users u1 x

# ---- unquoted texts in an expression, and operators of other languages
# says LAST COMMAND... - check that LAST is in its messages, and that the line in it works
says()
{
	local last=$1 line
	shift
	itemctl "$@" >out 2>err </dev/null
	eq "$*" "$(grep -m 1 itemctl' ' err | sed 's/^itemctl: //')" "$last"
	line=itemctl' '${last#*itemctl }
	eval "$line" >pasted 2>err || fail "$line gives $?: $(cat err)"
}
while IFS=$'\t' read -r expression text right; do
	says "${text}itemctl scan orders --filter $right" scan orders --filter "$expression"
	[ -s pasted ] || fail "$right finds nothing"
done <<'ROWS'
Status = SHIPPED	SHIPPED was taken for an attribute name. Quote text: 	"Status = 'SHIPPED'"
Status <> SHIPPED	SHIPPED was taken for an attribute name. Quote text: 	"Status <> 'SHIPPED'"
Status = SHIPPED OR Total > 10	SHIPPED was taken for an attribute name. Quote text: 	"Status = 'SHIPPED' OR Total > 10"
Status IN (SHIPPED, NEW)	SHIPPED was taken for an attribute name. Quote text: 	"Status IN ('SHIPPED', 'NEW')"
contains(Name, An)	An was taken for an attribute name. Quote text: 	"contains(Name, 'An')"
begins_with(SK, ORDER#)	Quote text: 	"begins_with(SK, 'ORDER#')"
Date >= 2024-01-01	Quote text: 	"Date >= '2024-01-01'"
Date >= 2024-01-01 AND Status = NEW	Quote text: 	"Date >= '2024-01-01' AND Status = 'NEW'"
Date BETWEEN 2024-01-01 AND 2024-02-28	Quote text: 	"Date BETWEEN '2024-01-01' AND '2024-02-28'"
Status == 'NEW'	== is written =: 	"Status = 'NEW'"
Status != NEW && Total > 1	!= is written <>: 	"Status <> 'NEW' AND Total > 1"
ROWS
ok itemctl scan orders --filter 'Total < Date OR Status <> Date' --count
eq 'names of attributes are not changed' "$err" ''
ok itemctl scan orders --filter "Status = 'GONE'"
eq 'nor is quoted text' "$err" ''
k='orders C#1 ORDER#2024-01-01'
while IFS=$'\t' read -r expression text right; do
	says "${text}itemctl update $k $right" update $k "$expression"
done <<'ROWS'
SET Status = PAID	PAID was taken for an attribute name. Quote text: 	"SET Status = 'PAID'"
SET Name = Ann Lee	Quote text: 	"SET Name = 'Ann Lee'"
SET Email = a@b.c, Total = 5	Quote text: 	"SET Email = 'a@b.c', Total = 5"
SET Month = 2024-05	Quote text: 	"SET Month = '2024-05'"
SET Date = 2024-05-01	Quote text: 	"SET Date = '2024-05-01'"
Status='PAID'	an update begins with SET, REMOVE, ADD or DELETE: 	"SET Status='PAID'"
Total = Total + 1	an update begins with SET, REMOVE, ADD or DELETE: 	'SET Total = Total + 1'
UPDATE Total = 5	write: 	'SET Total = 5'
DELETE Email	write: 	'REMOVE Email'
SET Total = 5,	write: 	'SET Total = 5'
Email=	an update begins with SET, REMOVE, ADD or DELETE: 	"SET Email=''"
SET Status = 'A', SET Total = 5	write: 	"SET Status = 'A', Total = 5"
SET Status = 'A' AND Total = 5	write: 	"SET Status = 'A', Total = 5"
SET Status = 'A' Total = 5	write: 	"SET Status = 'A', Total = 5"
ROWS
gives 2 'itemctl: 2024-05 would be a subtraction' itemctl update $k 'SET Month = 2024-05'
gives 2 'if_not_exists(n, 0) + 1' itemctl update $k 'SET Nope = Nope + 1'
ok itemctl update $k 'SET Total = 2030 - 4, Text = "2024-05"'
ok itemctl update $k 'SET Total = Total-1'
# A condition that is true for each item, since no item has the attribute that a word is taken for
says "NEW was taken for an attribute name. Quote text: itemctl update $k 'SET Total = 1' --if \"Status <> 'NEW'\"" \
	update $k 'SET Total = 1' --if 'Status <> NEW'
says 'NEW was taken for an attribute name. Quote text: itemctl delete users --filter "NOT Name = '"'NEW'"'" --dry-run' delete users --filter 'NOT Name = NEW' --dry-run
gives 4 "GONE was taken for an attribute name. Quote text: itemctl update $k 'SET Total = 1' --if \"Status = 'GONE'\"" \
	itemctl update $k 'SET Total = 1' --if 'Status = GONE'

# ---- an update in several words
one='give the expression as one word, with text in quotes: itemctl update'
says "$one $k \"set Status = 'PAID', Total = 3\"" update $k set Status = PAID, Total = 3
says "$one $k \"SET Status='PAID' ADD Total 1\"" update $k --set Status=PAID --add Total=1
ok itemctl update $k SET Total = 7
ok itemctl update $k --set 'Status = "OPEN"' --add Total=1 --remove Text
ok itemctl update users --filter 'Age = 30' SET Age = 31
eq 'the updates are done' "$(itemctl get $k --project Status,Total; itemctl get users u1)" $'{"Status":"OPEN","Total":8}\n{"UserId":"u1","Age":31}'
gives 2 "itemctl update $k \"SET a = 'b'\"" itemctl update $k a b

# ---- a key cannot be changed
new='a key cannot be changed: put the item with another key, then delete this one'
says "$new: itemctl get $k | jq -c '.\"SK\" = \"ORDER#2025\"' | itemctl put orders - && itemctl delete $k" update $k 'SET SK = "ORDER#2025"'
eq 'the item has the other key' "$(itemctl query orders C#1 ORDER#2025 --project Total) $(itemctl query orders C#1 ORDER#2024-01-01 --count)" '{"Total":8} 0'
gives 2 "$new" itemctl update orders C#1 ORDER#2025 'REMOVE SK'

# ---- placeholders without a value
gives 2 "write the value itself in place of :v, or add: --values '{\":v\":VALUE}'" itemctl scan orders --filter 'Total > :v'
gives 2 "write the name itself in place of #n, or add: --names '{\"#n\":\"NAME\"}'" itemctl scan orders --filter '#n = 5'
gives 2 'names in --values begin with a colon: {":v":5}' itemctl scan orders --filter 'Total > :v' --values '{"v":5}'

# ---- keys of one item
same get users '{"UserId":"u1"}' -- get users u1
all='the key needs a value for SK too; for all items with PK'
gives 2 "$all '*': itemctl delete orders '*' --all" itemctl delete orders '*'
gives 2 "$all C#1: itemctl delete orders C#1 --all" itemctl delete orders 'PK = C#1'
gives 2 "$all C#1: itemctl update orders C#1 'SET Seen = true' --all" itemctl update orders C#1 'SET Seen = true'
gives 2 "$all C#1: itemctl query orders C#1" itemctl delete orders C#1 --if 'Total > 5'
same get counters --key Id=1,Seq=2 -- get counters 1 2
same get counters --key Id=1 Seq=2 -- get counters 1 2
same get counters '{"Id":"1"}' 2 -- get counters 1 2
same get orders --key PK=C#1 SK=PROFILE -- get orders C#1 PROFILE
ok itemctl update counters --key Id=1 Seq=2 'SET N = 5'
ok itemctl delete counters --key Id=1,Seq=1
eq 'only these updates are done' "$(itemctl scan counters)" '{"Id":1,"Seq":2,"N":5}'
gives 2 'cannot be converted to a numeric value: x' itemctl get counters --key Id=1,Seq=x
gives 2 'Missing the key attribute Seq of type N' itemctl get counters --key Id=1
gives 2 $'Seq of type N\nthe key of counters is Id (N) and Seq (N): itemctl get counters \'{"Id":1,"Seq":0}\'' itemctl get counters '{"Id":1}'
gives 2 'Seq is given twice: in JSON and as 3' itemctl get counters --key Id=1,Seq=2 3
gives 2 "the key is only UserId: \"u2\" is one value too many" itemctl get users '{"UserId":"u1"}' u2

# ---- an option without its value, and an option that query has under two names
for o in --limit=10 --begins-with=2024 "--filter='Total > 10'" '--between=2024-01 2024-12'; do
	gives 2 "for example: itemctl query orders C#1 ${o/=/ }" itemctl query orders C#1 "${o%%=*}"
done
gives 2 'for example: itemctl query orders C#1 --between 2024-01 2024-12' itemctl query orders C#1 --between 2024-01
gives 2 'unknown option --last: for the last ones: itemctl query orders --index GSI1 NEW --reverse --limit 2' \
	itemctl query orders --index GSI1 NEW --last=2
gives 2 'for the last ones: itemctl query orders C#1 --reverse --limit 1' itemctl query orders C#1 --last

# ---- actions as words
ok itemctl transact 'put users {"UserId":"t1"}' 'delete users none'
eq 'both actions are done' "$err" 'transaction of 2 actions: done'
ok itemctl transact '[{"Delete":{"TableName":"users","Key":{"UserId":{"S":"t1"}}}}]'
gives 1 'not found' itemctl get users t1
gives 2 '"b.txt" is not an action: give each action as one word, such as '"'delete TABLE PK'" itemctl transact 'delete users t1' b.txt
gives 2 'No such file or directory' itemctl transact none.txt

# ---- types, operators and words of other tools: the message has the whole line, which works
# hints TEXT COMMAND... - check that it is refused, that a line of its error is TEXT, and carry out the line after its
# last ": "
hints()
{
	local text=$1
	shift
	gives 2 "$text" itemctl "$@"
	[ "$text" = "${text##*itemctl}" ] || ok eval "itemctl${text##*itemctl}"
}
hints "itemctl put users '{\"UserId\":\"5\",\"Age\":1}'" put users '{"UserId":5,"Age":1}'
hints "itemctl put counters '{\"Id\":7,\"Seq\":2}'" put counters '{"Id":7,"Seq":"2"}'
hints "itemctl put orders '{\"PK\":\"t\",\"SK\":\"1\",\"Kind\":\"x\",\"Total\":7}'" put orders '{"PK":"t","SK":"1","Kind":"x","Total":"7"}'
hints "write a number without quotes: itemctl update users u1 'SET Age = Age + 1'" update users u1 'SET Age = Age + "1"'
hints "n += 1 is written n = n + 1: itemctl update users u1 'SET Age = Age + 5'" update users u1 'SET Age += 5'
gives 0 'read as: SET Name = "Zoe", Age = 3' itemctl update users u1 '{"Name":"Zoe","Age":3}'
gives 0 'read as: SET Old = true' itemctl update users u1 '{"$set":{"Old":true}}'
eq 'the updates are done' "$(itemctl get users u1)" '{"UserId":"u1","Age":3,"Name":"Zoe","Old":true}'
# like kubectl patch: -p is not a port; null would remove the attribute there
patches() {
	local note=$1 n=$2
	shift 2
	gives 0 "read as: $note" itemctl "$@"
	eq "$*" "$(itemctl get users u1 | jq -c .Note)" "$n"
}
patches 'SET Note = "a"' '"a"' patch users u1 -p '{"Note":"a"}'
patches 'SET Note = "b=c, d", Age = 3' '"b=c, d"' patch users u1 --patch '{"Note":"b=c, d","Age":3}'
patches 'SET Note = 7' 7 patch users u1 --type merge -p '{"Note":7}'
patches 'SET Note = "x"' '"x"' patch users u1 --type=merge -p='{"Note":"x"}'
gives 2 'unknown option --type' itemctl patch users u1 --type json -p '{"Note":8}'
gives 2 'unknown option --type' itemctl update users u1 --type S 'SET Note = 9'
patches 'SET Note = "y"' '"y"' update users u1 --set '{"Note":"y"}'
patches 'SET Note = "z"' '"z"' update users u1 SET '{"Note":"z"}'
patches 'SET Note = 1' 1 patch users --filter 'Note = "z"' -p '{"Note":1}'
ok itemctl patch users u1 -p 'REMOVE Note'
hints "write the update as an expression: itemctl patch users u1 -p 'SET Name = \"Zoe\", Note = null'" patch users u1 -p '{"Name":"Zoe","Note":null}'
ok itemctl patch users u1 -p 'REMOVE Note'
gives 2 'an update begins with SET' itemctl patch users u1 -p '{"Note":{"a":"b=c"}}'
gives 2 'a key cannot be changed' itemctl patch users u1 -p '{"UserId":"u2"}'
gives 70 'http://127.0.0.1:65535: ' itemctl patch users u1 'SET a = 1' -p 65535
gives 2 "an update begins with SET, REMOVE, ADD or DELETE: SET a = 'x'" itemctl update users u1 '{"a":[1]}'
gives 2 'an update begins with SET' itemctl update users u1 '{}'
hints "n += 1 is written n = n + 1: itemctl update users u1 'SET Age = Age - 2'" update users u1 'Age -= 2'
for e in 'SET += 5' 'SET Age += ' '+='; do
	gives 2 'Syntax error' itemctl update users u1 "$e"
	eq "no line for $e" "$(grep -c 'n = n + 1: itemctl' err)" 0
done
hints 'itemctl query orders C#1 --gt ORDER#2024-01' query orders C#1 --filter 'SK > "ORDER#2024-01"'
hints 'itemctl query orders C#1 --begins-with ORDER --reverse' query orders C#1 --filter="begins_with(SK, 'ORDER')" --reverse
hints 'itemctl query orders C#1 --limit 1 --between A Z' query orders C#1 --limit 1 --filter "SK BETWEEN 'A' AND 'Z'"
gives 2 'Primary key attribute: PK' itemctl query orders C#1 --filter "PK = 'C#1'"
eq 'no query is suggested for the partition key' "$(grep -c 'itemctl query' err)" 0

# ---- lines of aws that DynamoDB refuses
values='{":s":{"S":"NEW"}}'
names="--expression-attribute-names '{\"#Status\":\"Status\"}'"
hints "itemctl query --table-name orders --key-condition-expression '#Status = :s' --expression-attribute-values '$values' $names --index-name GSI1" \
	query --table-name orders --key-condition-expression 'Status = :s' --expression-attribute-values "$values"
hints "$names --expression-attribute-values '$values' --index-name GSI1" query --table-name orders \
	--key-condition-expression '#Status = :s' --expression-attribute-names '{"#Status":"Status"}' --expression-attribute-values "$values"
hints "itemctl scan --table-name orders --filter-expression '#Status = :s AND size(SK) > :s' --expression-attribute-values '$values' $names" \
	scan --table-name orders --filter-expression 'Status = :s AND size(SK) > :s' --expression-attribute-values "$values"
hints "itemctl scan --table-name orders --filter-expression '#Date = :s AND #a = :s' --expression-attribute-names '{\"#a\":\"Kind\",\"#Date\":\"Date\"}' --expression-attribute-values '$values'" \
	scan --table-name orders \
	--filter-expression 'Date = :s AND #a = :s' --expression-attribute-names '{"#a":"Kind"}' --expression-attribute-values "$values"
hints "itemctl scan --table-name orders --projection-expression '#Name, PK' --expression-attribute-names '{\"#Name\":\"Name\"}'" \
	scan --table-name orders --projection-expression 'Name, PK'
hints "itemctl scan --table-name orders --filter-expression 'begins_with(SK, :s)' --expression-attribute-values '$values'" \
	scan --table-name orders --filter-expression 'begin_with(SK, :s)' --expression-attribute-values "$values"
line="itemctl query --table-name orders --index-name GSI1 --key-condition-expression '#a = :s' --expression-attribute-names '{\"#a\":\"Status\"}' --expression-attribute-values '$values'"
gives 3 "$line" eval "${line/GSI1/GSI1x}"
ok eval "$line"
hints "itemctl scan --table-name orders --expression-attribute-values '$values' --filter-expression 'SK = :s'" \
	query --table-name orders --key-condition-expression 'SK = :s' --expression-attribute-values "$values"
gives 2 "itemctl update-item --table-name users --key '{\"UserId\":{\"S\":\"u1\"}}' --update-expression 'SET n = n + :s' --expression-attribute-values '{\":s\":{\"N\":\"1\"}}'" \
	itemctl update-item --table-name users --key '{"UserId":{"S":"u1"}}' --update-expression 'SET n + :s' --expression-attribute-values '{":s":{"N":"1"}}'
hints "itemctl put-item --table-name orders --item '{\"PK\":{\"S\":\"a\"},\"SK\":{\"S\":\"b\"}}'" \
	put-item --table-name orders --item '{PK:{S:a},SK:{S:b}}'
create=(create-table --table-name made --attribute-definitions AttributeName=Id,AttributeType=S --key-schema AttributeName=Id,KeyType=HASH)
gives 2 "Sk is a key attribute: its type, S, N or B, must be defined, too: itemctl" itemctl "${create[@]}" AttributeName=Sk,KeyType=RANGE
hints "itemctl ${create[*]} --billing-mode PAY_PER_REQUEST" "${create[@]}"

# ---- a misspelt store, and a file of access patterns where a program is expected
mkdir near && itemctl -q -s near/shop create-table orders --key Id
gives 2 'did you mean: itemctl -s near/shop tables' itemctl -s near/shopp tables
gives 2 "to create one: itemctl create-table, or itemfs --create" itemctl -s near/other tables
case $err in *'did you mean'*) fail "a distant name is suggested: $err" ;; esac
: >near/a.patterns
gives 2 'itemctl run near/a.patterns --all' itemctl test near/a.patterns
gives 2 'itemctl serve -- npm test' itemctl test npm test

# ---- JSON that ends too early
says "close the brackets: itemctl put orders '{\"PK\":\"j\",\"SK\":\"1\",\"l\":[{\"a\":1}]}'" put orders '{"PK":"j","SK":"1","l":[{"a":1'
gives 2 'the text ends too early' itemctl put orders '{"PK":"j","SK":"1'

# ---- an order, and items to skip
gives 2 "by an attribute: itemctl query orders C#1 | jq -sc 'sort_by(.Total)[]'" itemctl query orders C#1 --order-by Total
gives 2 "by an attribute: itemctl scan orders --filter 'Total > 1' | jq -sc 'sort_by(.Total)[]'" itemctl scan orders --sort=Total --filter 'Total > 1'
gives 2 "by an attribute, add: | jq -sc 'sort_by(.Total)[]'" itemctl scan orders --limit 3 --order-by Total
gives 2 "by an attribute, add: | jq -sc 'sort_by(.VALUE)[]'" itemctl scan orders --order-by 'Total DESC'
gives 2 "by an attribute, add: | jq -sc 'sort_by(.VALUE)[]'" itemctl scan orders --order-by
gives 2 'to leave out the first ones: itemctl scan orders | tail -n +$((2 + 1))' itemctl scan orders --offset 2
gives 2 'or in reverse with --reverse' itemctl query orders C#1 --order desc

# ---- misspelt file names
mkdir -p data && printf 'PK,SK\nf,1\n' | tee data/inner.csv >items.csv
echo '{"PK":{"S":"f"},"SK":{"S":"2"}}' >one.json
printf 'pattern p\n  get orders C#1 PROFILE\n' >paths.txt
# misspelt WORDS... -- LINE - check that there is no such file, and that LINE, which works, has the intended one
misspelt()
{
	local typed=()
	while [ "$1" != -- ]; do
		typed+=("$1")
		shift
	done
	gives 2 "No such file or directory
did you mean: $2" itemctl "${typed[@]}"
	ok bash -c "itemctl() { '$ITEMCTL' \"\$@\"; }; $2"
}
misspelt import orders itmes.csv -- 'itemctl import orders items.csv'
misspelt import orders items.csw -- 'itemctl import orders items.csv'
misspelt import orders items.json -- 'itemctl import orders items.csv'
misspelt import orders dta/inner.csv -- 'itemctl import orders data/inner.csv'
misspelt import orders data/items.csv -- 'itemctl import orders items.csv'
misspelt run pahts.txt p -- 'itemctl run paths.txt p'
misspelt put-item --table-name orders --item file://on.json -- 'itemctl put-item --table-name orders --item file://one.json'
ITEMFS_STORE='' gives 2 'did you mean: itemctl serve --seed one.json --port 0 -- true' itemctl serve --seed oen.json --port 0 -- true
ok itemctl import items.csv orders
cp items.csv plain
gives 2 'absent' itemctl import plain absent # "plain" may be the table
mkdir -p folder && mv plain folder
gives 2 'absent' itemctl import folder/plain absent
rm -r folder
gives 3 'name the table first: itemctl import items items.csv --key auto;' itemctl import itmes.csv
gives 2 'to import items from a file: itemctl import orders one.json' itemctl put orders oen.json
gives 2 'create the folder first: mkdir -p fresh && itemctl export orders fresh/o.jsonl' itemctl export orders fresh/o.jsonl
ok itemctl backup saved
gives 2 'did you mean: itemctl -s new restore saved' itemctl -s new restore svaed
gives 2 'nowhere.csv: No such file or directory' itemctl import orders nowhere.csv
gives 127 'did you mean: itemctl serve --port 0 -- bash -c true' env ITEMFS_STORE= "$ITEMCTL" serve --port 0 -- bsah -c true

# ---- an invalid value of an option with a few values
gives 2 'not "jsno": did you mean: itemctl scan orders --format json' itemctl scan orders --format jsno
gives 2 'not "tpyed": did you mean: itemctl export orders --to typed' itemctl export orders --to tpyed
gives 2 '--on-error must be stop or skip, not "skp": did you mean: itemctl import orders items.csv --on-error skip' itemctl import orders items.csv --on-error skp

# ---- a text in a column of numbers
printf 'Id,Seq\n1,E17\n1,18\n' >numbers.csv
gives 2 'numbers.csv:2: Seq: The parameter cannot be converted to a numeric value: E17
to report such lines and continue: itemctl import counters numbers.csv --on-error skip' itemctl import counters numbers.csv

# ---- a store, a file or a statement in the place of the command
ok "$ITEMCTL" -s shop import orders items.csv --key PK,SK
bare() { env -u ITEMFS_STORE "$ITEMCTL" "$@"; }
eq 'a store as the first word' "$(bare -csv shop 'SELECT * FROM orders')" "$(bare -s shop -csv 'SELECT * FROM orders')"
eq 'a command of a store' "$(bare shop tables)" "$(bare -s shop tables)"
eq 'a store alone reads lines' "$(bare shop <<<'SELECT * FROM orders')" "$(bare -s shop shell <<<'SELECT * FROM orders')"
eq 'a statement of -c' "$(bare -s shop -c 'SELECT * FROM orders')" "$(bare -s shop 'SELECT * FROM orders')"
gives 3 'did you mean: itemctl -s shop describe orders' bare shop describe ordrs
for line in 'scan orders' 'query orders a' 'get orders a b' "sql 'SELECT * FROM orders'" 'explain query orders a' 'shapes orders' 'get-item --table-name orders --key {"PK":{"S":"a"},"SK":{"S":"b"}}'; do
	eval "set -- $(printf %s "$line" | sed 's/{/'"'"'{/; s/}$/}'"'"'/')"
	eq "a store after $1" "$(bare "$1" shop "${@:2}")" "$(bare -s shop "$@")"
done
eq 'a store alone after a command that needs no table' "$(bare tables shop; bare ls shop)" "$(bare -s shop tables; bare -s shop tables)"
eq 'a store at the end of a line of aws' "$(bare describe-table --table-name orders shop)" "$(bare -s shop describe-table --table-name orders)"
gives 3 'did you mean: itemctl describe -s shop orders' bare describe shop ordrs
gives 2 'drop is permanent. To confirm: itemctl drop -s shop orders --yes' bare drop shop orders
gives 2 'scan needs TABLE, for example: itemctl -s shop scan orders' bare scan shop </dev/null
gives 3 'Table: shop not found' itemctl scan shop
mkdir tables.d && gives 2 'there is no command "tables.d"' bare tables.d x
gives 2 "give the statement as one word, in quotes: itemctl sql 'select * from orders'" itemctl select items.csv one.json from orders
eq 'a line of psql' "$(itemctl '\d orders')" "$(itemctl describe orders)"
gives 2 'itemctl: orders does not exist; the word names a backup. To check the store: itemctl check' itemctl check orders
gives 3 'it is an index of this table: itemctl describe orders' itemctl describe orders.GSI1
python3 -c "import sqlite3
d = sqlite3.connect('people.db')
d.execute('CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT)')
d.commit()"
gives 2 "it is an SQLite database; to import a table of it: sqlite3 -json people.db 'SELECT * FROM people' | itemctl -s ./db import people - --key id:N" bare -s people.db tables
ok bare -s ./db import people - --key id:N <<<'[{"id":1,"name":"Ann"}]'
gives 2 'did you mean: itemctl -s http://localhost:1 tables' bare -s http//localhost:1 tables
gives 2 'did you mean: itemctl -s http://localhost:8000 tables' bare -s localhost tables

# ---- a table and a file
gives 1 '1 equal, 8 removed, 0 added, 0 changed' itemctl diff orders items.csv
cp items.csv again.csv
gives 2 'to compare a file with a table: itemctl import items items.csv --key auto && itemctl diff items again.csv' itemctl diff items.csv again.csv
(itemctl -q import items items.csv --key auto && itemctl -q diff items again.csv && itemctl -q drop items --yes) || fail 'the suggested line fails'
gives 2 'shop names no table: STORE/TABLE' bare diff shop items.csv
gives 2 "itemctl draw orders" itemctl entities orders --diagram
gives 3 'did you mean: itemctl diff orders users' itemctl diff orders usres

# ---- another file in place of access patterns
echo '{}' >other.json
gives 2 "to create a file with one pattern: printf '%s\\n' 'pattern NAME' '  param id' '  query TABLE \${id}' '  expect 5 items' >FILE; then: itemctl run FILE NAME id=VALUE" itemctl run other.json
printf '%s\n' 'pattern NAME' '  param id' '  query orders ${id}' >FILE
ok itemctl run FILE NAME id=f


# ---- changes of lists and counters in the syntax of other languages
ok itemctl create-table lists --key PK
ok itemctl put lists '{"PK":"a","n":1,"L":["x"]}'
while IFS='|' read -r line word; do
	itemctl update lists a "$word" 2>err && fail "$word is accepted as an update"
	eq "$word" "$(sed -n 's/^did you mean: //p' err)" "itemctl update lists a $line"
	ok eval "itemctl update lists a $line"
done <<'ROWS'
'SET n = n + 1'|SET n++
'SET n = n + 1'|n++
'SET L = list_append(L, ["y"])'|SET L += "y"
'SET L = list_append(L, ["z"])'|SET L = L + ["z"]
"SET L = list_append(L, ['v'])"|SET L = list_append(L, 'v')
"SET L = list_append(L, ['w'])"|SET L = array_append(L, 'w')
'SET L = list_append(L, [5])'|SET L = list_append(L, 5)
ROWS
while IFS='#' read -r line set; do
	itemctl update lists a --set "$set" 2>err && fail "$set is accepted as an update"
	eq "--set $set" "$(sed -n 's/^did you mean: //p' err)" "itemctl update lists a --set $line"
	ok eval "itemctl update lists a --set $line"
done <<'ROWS'
'n = n + 1'#n++
'L = list_append(L, ["u"])'#L = L || ["u"]
ROWS
eq 'the suggested lines work' "$(itemctl get lists a)" '{"PK":"a","n":4,"L":["x","y","z","v","w",5,"u"]}'
while IFS='|' read -r line sql; do
	itemctl sql "$sql" 2>err && fail "$sql is accepted as a statement"
	eq "$sql" "$(sed -n 's/^did you mean: //p' err)" "itemctl sql \"$line\""
	ok itemctl sql "$line"
done <<'ROWS'
UPDATE lists SET n = n + 1 WHERE PK = 'a'|UPDATE lists SET n++ WHERE PK = 'a'
UPDATE lists SET L = list_append(L, ['p']) WHERE PK = 'a'|UPDATE lists SET L = list_append(L, 'p') WHERE PK = 'a'
UPDATE lists SET n = 1 WHERE PK = 'a' RETURNING ALL NEW *|UPDATE lists SET n = 1 WHERE PK = 'a' RETURNING *
DELETE FROM lists WHERE PK = 'a' RETURNING ALL OLD *|DELETE FROM lists WHERE PK = 'a' RETURNING *
ROWS
ok itemctl update lists b --append L=x --set n=1
ok itemctl update lists b --push 'L=["y",2]' --increment n
ok itemctl update lists b --append L=3
eq '--append' "$(itemctl get lists b)" '{"PK":"b","n":2,"L":["x","y",2,3]}'
gives 2 'itemctl: give --append an attribute and a value: --append L=VALUE' itemctl update lists b --append L x
ok itemctl update lists b --delete n
eq '--delete' "$(itemctl get lists b)" '{"PK":"b","L":["x","y",2,3]}'
gives 4 'ConditionalCheckFailedException' itemctl put lists '{"PK":"b"}' --no-clobber

same get orders --key PK=C#1 --key SK=PROFILE -- get orders C#1 PROFILE
gives 2 '--key: the partition key is given twice' itemctl get orders --key C#1 --key PROFILE
gives 2 '--key: the partition key is given twice' itemctl get orders --key PK=C#1 --key PROFILE
gives 4 'ConditionalCheckFailedException' itemctl put lists '{"PK":"b"}' --if 'attribute_not_exists(#p) AND attribute_exists(#l)' --names '#p=PK,#l=L'
eq 'a report has plain names' "$(itemctl -q --format csv sql 'SELECT PK, COUNT(*) AS n FROM lists GROUP BY PK')" $'PK,n\nb,1'

# ---- a store after the word before the command, and in each suggested line
unset ITEMFS_STORE
store=$W/store
eq 'explain -s' "$(itemctl explain -s "$store" query lists b | sed -n 2p)" 'keys    PK = "b"'
eq 'cost -s' "$(itemctl -q cost -s "$store" query lists b | jq .ReadUnits)" 0.5
printf 'sku\nP1\n' >goods.csv
gives 3 "name the table first: itemctl -s $store import goods goods.csv --key auto; for a Workbench" itemctl import -s "$store" goods.csv
gives 2 "put has no such option: itemctl -s $store import lists goods.csv" itemctl put -s "$store" lists -f goods.csv
gives 2 "itemctl -s $store scan TABLE --filter 'n > 3'" itemctl -s "$store" select lists --where 'n > 3'
done_testing
