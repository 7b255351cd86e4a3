#!/bin/bash
# update of one item; update and delete of items whose keys come from standard input.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key PK,SK:N
ctl -q create-table one --key id:N

# ---- one item
ok ctl update tab a 1 'SET s = "x", Status = "OPEN", n = 1'
eq 'a created item is reported' "$out$err" 'there was no such item: it was created'
eq 'the item is created' "$(ctl get tab a 1)" '{"PK":"a","SK":1,"s":"x","Status":"OPEN","n":1}'
ok ctl update tab a 1 'SET n = n + 5 REMOVE s ADD tags :t' --values '{":t":{"SS":["p"]}}'
eq 'literals and placeholders' "$(ctl get tab a 1)" '{"PK":"a","SK":1,"Status":"OPEN","n":6,"tags":{"SS":["p"]}}'
ok ctl update tab a 1 'SET #s = if_not_exists(#s, "none")' --names '{"#s":"Status"}'
eq 'functions' "$(ctl get tab a 1 --project Status)" '{"Status":"OPEN"}'
eq 'the old item' "$(ctl update tab a 1 'SET n = 7' --return old)" '{"PK":"a","SK":1,"Status":"OPEN","n":6,"tags":{"SS":["p"]}}'
eq 'the new item' "$(ctl update tab a 1 'SET n = 8' --return new)" '{"PK":"a","SK":1,"Status":"OPEN","n":8,"tags":{"SS":["p"]}}'
eq 'the changed attributes, before' "$(ctl update tab a 1 'SET n = 9' --return updated-old)" '{"n":8}'
eq 'and after' "$(ctl update tab a 1 'SET n = 10' --return updated-new)" '{"n":10}'
eq 'no old item' "$(ctl update tab b 1 'SET n = 1' --return old)" ''
ok ctl update one 5 'SET Name = "five"'
eq 'a simple key' "$(ctl get one 5)" '{"id":5,"Name":"five"}'

ok ctl update tab m 1 'SET x = {"a":[1,{"b":null}]}, y = [1,2] ADD tags {"SS":["p"]}'
eq 'lists, maps, sets' "$(ctl get tab m 1)" '{"PK":"m","SK":1,"x":{"a":[1,{"b":null}]},"y":[1,2],"tags":{"SS":["p"]}}'
ok ctl update tab m 1 'SET y = list_append(y, ["z"]) REMOVE x' --if 'x = {"a":[1,{"b":null}]} AND y[0] = 1'
eq 'also in a condition' "$(ctl query tab m --filter 'y = [1,2,"z"]' --project y,x)" '{"y":[1,2,"z"]}'

# ---- NAME=VALUE
while IFS=$'\t' read -r words as item; do
	case $words in *--filter*) ok eval "ctl update tab $words" ;; *) ok eval "ctl update tab w 1 $words" ;; esac
	eq "$words" "$(grep -Ev 'was created|1 item' <<<"$err")" "${as#-}"
	eq "$words is done" "$(ctl get tab w 1 --project city,n,ok,d)" "$item"
done <<'ROWS'
city=Bern	read as: SET city = "Bern"	{"city":"Bern"}
city='New York' n=3 ok=true	read as: SET city = "New York", n = 3, ok = true	{"city":"New York","n":3,"ok":true}
SET d=2024-01-01 n=-1.5	read as: SET d = "2024-01-01", n = -1.5	{"city":"New York","n":-1.5,"ok":true,"d":"2024-01-01"}
--set city=a@b.c	read as: SET city = "a@b.c"	{"city":"a@b.c","n":-1.5,"ok":true,"d":"2024-01-01"}
--filter 'city = "a@b.c"' d=null	read as: SET d = null	{"city":"a@b.c","n":-1.5,"ok":true,"d":null}
city='"Bern"' d=Q-1	read as: SET city = "Bern", d = "Q-1"	{"city":"Bern","n":-1.5,"ok":true,"d":"Q-1"}
--set 'd = city'	-	{"city":"Bern","n":-1.5,"ok":true,"d":"Bern"}
--set n=n+1	-	{"city":"Bern","n":-0.5,"ok":true,"d":"Bern"}
ROWS
ok ctl set tab w 1 city=Basel
eq 'the command set' "$err" 'read as: SET city = "Basel"'
for word in n=n+1 n=n-1; do
	gives 2 "itemctl -s $S update tab w 1 'SET $word'" ctl update tab w 1 $word
done
gives 2 "give keys without their names: itemctl -s $S update tab w 1 'SET city = \"Bern\"'" ctl update tab PK=w SK=1 city=Bern
ok ctl update tab w 1 city=Bern, n=3
eq 'assignments with a comma' "$err" 'read as: SET city = "Bern", n = 3'
gives 2 'update tab w 1' ctl update tab w 1 city=Bern,
ctl -q delete tab w 1

# ---- conditions
gives 4 'ConditionalCheckFailedException' ctl update tab a 1 'SET n = 0' --if 'n < 10'
gives 4 '"n":10' ctl update tab a 1 'SET n = 0' --if 'n < 10' --return old
ok ctl update tab a 1 'SET n = 11' --if 'n = 10 AND Status = "OPEN"'
gives 4 '' ctl update tab c 1 'SET n = 1' --if 'attribute_exists(PK)'
gives 1 '' ctl get tab c 1

# ---- mistakes are reported with a caret
gives 2 'Invalid UpdateExpression: Syntax error' ctl update tab a 1 'SET n == 1'
eq 'the caret is at the mistake' "$(printf '%s\n' "$err" | tail -2)" $'  SET n == 1\n         ^'
gives 2 'Invalid ConditionExpression' ctl update tab a 1 'SET n = 1' --if 'n = = 1'
eq 'the caret is in the condition, not the update' "$(printf '%s\n' "$err" | tail -2)" $'  n = = 1\n      ^'
ok ctl update tab a 1 "SET q = ['a', 'it''s', \"b\"], w = {'k':{'l':['say \"x\"', 1]}} ADD e {'SS':['z']}"
eq 'single quotes' "$(ctl get tab a 1 --project q,w,e)" '{"q":["a","it'"'"'s","b"],"w":{"k":{"l":["say \"x\"",1]}},"e":{"SS":["z"]}}'
ok ctl update tab a 1 "SET q = list_append(q, ['d']) REMOVE w, e"
eq 'also in a function' "$(ctl get tab a 1 --project q)" '{"q":["a","it'"'"'s","b","d"]}'
ok ctl update tab a 1 'REMOVE q'
gives 2 'not JSON: expected a value' ctl update tab a 1 "SET q = ['a"
gives 2 'ValidationException: not JSON: expected a value' ctl update tab a 1 'SET n = 1, m = {"a": b}'
eq 'the caret is in the map' "$(printf '%s\n' "$err" | tail -2)" $'  SET n = 1, m = {"a": b}\n                       ^'
gives 2 'no closing bracket' ctl update tab a 1 'SET n = [1, 2'
eq 'the caret is at the start of the list' "$(printf '%s\n' "$err" | tail -1)" '          ^'
gives 2 'no closing quote' ctl update tab a 1 'SET n = "x'
eq 'the caret is at the start of the value' "$(printf '%s\n' "$err" | tail -1)" '          ^'
gives 2 'UpdateExpression' ctl update tab a 1 ''
gives 2 'part of the key' ctl update tab a 1 'SET SK = 2'
gives 2 'ValidationException' ctl update tab a 1 'SET Status = Status + 1'
gives 2 '--return must be old, new, updated-old or updated-new' ctl update tab a 1 'SET n = 1' --return all
gives 2 'update needs a key, --filter EXPR or --all' ctl update tab 'SET n = 1'
gives 2 'update needs TABLE' ctl update tab
gives 2 'needs a value for SK' ctl update tab a 'SET n = 1'
gives 2 'one value too many' ctl update one 5 1 'SET n = 1'
gives 3 'ResourceNotFoundException' ctl update none a 'SET n = 1'

# ---- keys from standard input
seq 1 2500 | sed 's/.*/{"PK":"k","SK":&,"n":&}/' | ctl -q import tab
ctl query tab k --project PK,SK >keys
ok ctl update tab - 'SET Status = "NEW"' <keys
eq 'the number of keys is reported' "$err" '2500 keys updated'
eq 'all items are updated' "$(ctl query tab k --filter 'Status = "NEW"' --count)" 2500
ok ctl update tab - 'SET Status = "NEW"' <keys
eq 'a second run has the same result' "$(ctl query tab k --filter 'Status = "NEW"' --count)/$err" '2500/2500 keys updated'
gives 4 '500 keys updated, 2000 refused by the condition' ctl update tab - 'SET Status = "OLD"' --if 'n <= 500' <keys
eq 'only the given items are updated' "$(ctl query tab k --filter 'Status = "OLD"' --count)" 500
head -2 keys | ok ctl update tab - 'ADD n 1' --return updated-new
eq 'results in the order of the keys' "$out" $'{"n":2}\n{"n":3}'
(head -3 keys; echo '{"PK":"k"}'; tail -1 keys) | gives 2 'line 4: Missing the key attribute SK' ctl update tab - 'SET x = 1'
eq 'the keys before a bad line are updated' "$(ctl query tab k --filter 'x = 1' --count)/$(printf '%s\n' "$err" | head -1)" '3/3 keys updated'
(head -3 keys; echo '{"PK":"k","SK":3000}'; tail -1 keys) | gives 2 'line 4: ' ctl update tab - 'SET x = n + 1'
gives 2 'Invalid UpdateExpression' ctl update tab - 'SET x 1' <keys
ok ctl update tab - 'SET x = 1' </dev/null
eq 'no keys' "$err" '0 keys updated'
gives 3 'ResourceNotFoundException' ctl update none - 'SET x = 1' <keys
gives 4 '500 keys deleted, 2000 refused by the condition' ctl delete tab - --if 'Status = "OLD"' <keys
ok ctl delete tab - <keys
eq 'whole batches' "$(ctl query tab k --count)/$err" '0/2500 keys deleted'

# ---- an interruption: what has been read is done, durable and counted
if [ -n "${SERVED-}" ]; then
	seq 1 6000 | sed 's/.*/{"PK":"i","SK":&}/' | ctl -q import tab
	mkfifo pipe
	interruptible "$ITEMCTL" -s "$S" update tab - 'SET x = 1' <pipe 2>stop.err &
	update=$!
	exec 3>pipe
	ctl query tab i --project PK,SK >&3
	begun()
	{
		[ "$(ctl query tab i --filter 'x = 1' --count)" -ge 4000 ]
	}
	wait_until 10 begun || fail 'no item is updated'
	kill -INT "$update"
	wait "$update" 2>/dev/null
	eq 'it ends by the signal' "$?" 130
	exec 3>&-
	done=$(ctl query tab i --filter 'x = 1' --count)
	[ "$done" -ge 4000 ] || fail 'updated items are lost'
	eq 'and reports the progress' "$(cat stop.err)" "$done keys updated"$'\nitemctl: interrupted'
fi

# ---- the same lines at an endpoint, which has no operation for many items
if [ -z "${SERVED-}" ]; then
	begin_server --listen 127.0.0.1:0
	S=http://$(address log)
	export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
	ok ctl update tab h 1 'SET Status = "OPEN", n = 1' --if 'attribute_not_exists(PK)' --return new
	eq 'an update at an endpoint' "$out" '{"PK":"h","SK":1,"Status":"OPEN","n":1}'
	gives 2 'Invalid UpdateExpression: Syntax error' ctl update tab h 1 'SET Status = "OLD", n == 1'
	eq 'the caret is at the mistake' "$(printf '%s\n' "$err" | tail -2)" $'  SET Status = "OLD", n == 1\n                         ^'
	seq 1 60 | sed 's/.*/{"PK":"h","SK":&}/' >few
	gives 4 '1 key updated, 59 refused by the condition' ctl update tab - 'ADD n 1' --if 'Status = "OPEN"' <few
	ok ctl update tab - 'SET Status = "NEW"' <few
	eq 'updates at an endpoint' "$err $(ctl query tab h --filter 'Status = "NEW"' --count)" '60 keys updated 60'
	gives 4 '59 keys deleted, 1 refused by the condition' ctl delete tab - --if 'SK > 1' <few
	ok ctl delete tab - <few
	eq 'deletes at an endpoint' "$err $(ctl query tab h --count)" '60 keys deleted 0'

	# A key that the endpoint refuses is reported with its line; the keys before it are done and counted.
	seq 1 500 | sed 's/.*/{"PK":"h","SK":&}/' >some
	(head -130 some; printf '{"PK":"%02100d","SK":1}\n' 0; tail -370 some) >refused
	gives 2 'line 131: ' ctl update tab - 'SET n = 1' <refused
	eq 'the keys before it are updated' "$(ctl query tab h --le 130 --count)" 130
	eq 'the updated keys are counted' "$(printf '%s\n' "$err" | head -1)" "$(ctl query tab h --count) keys updated"
	ctl -q update tab - 'SET n = 1' <some
	gives 2 'line 131: ' ctl delete tab - <refused
	eq 'the keys before it are deleted' "$(ctl query tab h --le 130 --count)" 0
	eq 'the deleted keys are counted' "$(printf '%s\n' "$err" | head -1)" "$((500 - $(ctl query tab h --count))) keys deleted"
fi
done_testing
