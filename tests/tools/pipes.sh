#!/bin/bash
# Two commands of a pipeline on one unserved store: they do not wait for each other.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table aaa --key PK,SK:N
ctl -q create-table bbb --key PK,SK:N
seq 1 20000 | sed 's/.*/{"PK":"p","SK":&,"t":"a text that fills the pipe and the store"}/' | ctl -q import aaa

# ---- more data than a pipe can buffer, and less
for i in 1 2 3 4 5 6 7 8 9 10; do
	ctl query aaa p --project PK,SK | ok ctl update aaa - "SET n = $i"
	eq 'all keys are updated' "$err" '20000 keys updated'
	ctl query aaa p --limit 3 --project PK,SK | ok ctl update aaa - "SET m = $i"
	eq 'a few keys are updated' "$err" '3 keys updated'
done
eq 'the items are changed' "$(ctl query aaa p --filter 'n = 10' --count) $(ctl query aaa p --filter 'm = 10' --count)" '20000 3'
for i in 1 2 3 4 5; do
	ctl scan aaa | ok ctl -q import bbb
done
eq 'the items are copied' "$(ctl scan bbb --count)" 20000
ctl query aaa p --limit 2 | ok ctl -q put bbb -
ctl query aaa none | ok ctl update aaa - 'SET n = 1'
eq 'no keys' "$err" '0 keys updated'
echo 'put bbb {"PK":"t","SK":1}' | ok ctl transact
ctl query aaa p --limit 1 | sed 's/^/put bbb /' | ok ctl transact
ctl query bbb p --project PK,SK | ok ctl delete bbb -
eq 'the items are deleted' "$err $(ctl scan bbb --count)" '20000 keys deleted 1'
ctl query aaa p | gives 2 'UpdateExpression' ctl update aaa - 'SET'

# ---- a command that waits for input does not keep the store from others
mkfifo pipe
ctl update aaa - 'SET late = 1' <pipe 2>late.err &
late=$!
exec 3>pipe
eq 'another command reads meanwhile' "$(ctl scan aaa --count)" 20000
echo '{"PK":"p","SK":1}' >&3
exec 3>&-
wait $late
eq 'the waiting command continues with its input' "$? $(cat late.err) $(ctl query aaa p --filter 'late = 1' --count)" '0 1 key updated 1'

# ---- "-" may be a key: then standard input is not read
exec 4<>pipe
ok ctl update bbb - 5 'SET n = 1' <&4
eq 'an item with the key "-"' "$(ctl get bbb - 5)" '{"PK":"-","SK":5,"n":1}'
ok ctl delete bbb - 5 <&4
exec 4>&-
done_testing
