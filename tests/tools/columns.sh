#!/bin/bash
# The order of columns: key attributes first (of an index, its own and then the table's), the others in the order of
# the items; with --project, the requested order.
. "$(dirname "$0")/lib.sh"
begin
ctl -q create-table tab --key pk,sk --gsi 'Gsi=zz,yy'
ok ctl put tab '{"zz":"1","b":2,"sk":"s1","a":1,"pk":"p1","yy":"q"}' '{"c":2,"pk":"p2","sk":"s1"}'

# header COMMAND... - the columns as CSV, as a table, and the first line of TSV
header()
{
	"$@" --format csv | sed -n '1s/:[A-Z]*//gp'
	"$@" --format table | head -n 1 | tr -s ' ' , | sed 's/,$//'
	"$@" --format text | head -n 1 | tr '\t' ,
}
all_of_it()
{
	eq "$* scan" "$(header "$@" scan tab)" 'pk,sk,zz,b,a,yy,c
pk,sk,zz,b,a,yy,c
p1,s1,1,2,1,q'
	eq "$* query" "$(header "$@" query tab p1)" 'pk,sk,zz,b,a,yy
pk,sk,zz,b,a,yy
p1,s1,1,2,1,q'
	eq "$* index" "$(header "$@" query tab 1 --index Gsi)" 'zz,yy,pk,sk,b,a
zz,yy,pk,sk,b,a
1,q,p1,s1,2,1'
	eq "$* scan of an index" "$(header "$@" scan tab --index Gsi | head -n 1)" zz,yy,pk,sk,b,a
	eq "$* project" "$(header "$@" scan tab --project b,c,sk,pk)" 'b,c,sk,pk
b,c,sk,pk
2,,s1,p1'
	eq "$* sql" "$(header "$@" sql 'SELECT * FROM tab' | head -n 1)" pk,sk,zz,b,a,yy,c
	eq "$* sql of an index" "$(header "$@" sql 'SELECT * FROM tab.Gsi' | head -n 1)" zz,yy,pk,sk,b,a
	eq "$* sql of some" "$(header "$@" sql 'SELECT a, sk, pk FROM tab' | head -n 1)" a,sk,pk
	eq "$* get" "$("$@" --format table get tab p1 s1 | cut -d' ' -f1 | paste -sd,)" pk,sk,zz,b,a,yy
	eq "$* get of some" "$("$@" --format table get tab p1 s1 --project b.x,a,pk | cut -d' ' -f1 | paste -sd,)" a,pk
	eq "$* project, as lines" "$("$@" scan tab --project c,b,sk,pk)" '{"b":2,"sk":"s1","pk":"p1"}
{"c":2,"sk":"s1","pk":"p2"}'
	eq "$* query, typed" "$("$@" query tab p1 --project sk,pk -o typed)" '{"sk":{"S":"s1"},"pk":{"S":"p1"}}'
	eq "$* query, an array" "$("$@" query tab p1 --project sk,pk -o json)" $'[\n{"sk":"s1","pk":"p1"}\n]'
	eq "$* yaml" "$("$@" scan tab --project sk,pk --filter 'a = 1' -o yaml)" $'- sk: s1\n  pk: p1'
	eq "$* get, as a line" "$("$@" get tab p1 s1 --project sk,zz,pk)" '{"sk":"s1","zz":"1","pk":"p1"}'
	eq "$* get, as json" "$("$@" get tab p1 s1 --project sk,pk -o json)" $'{\n  "sk": "s1",\n  "pk": "p1"\n}'
	eq "$* sql, as lines" "$("$@" sql "SELECT a, sk, pk FROM tab WHERE pk = 'p1'")" '{"a":1,"sk":"s1","pk":"p1"}'
	eq "$* lines keep the order of the item" "$("$@" get tab p1 s1)" '{"zz":"1","b":2,"sk":"s1","a":1,"pk":"p1","yy":"q"}'
}
all_of_it ctl

# More rows than are printed at once, none of which has a column.
ctl create-table many --key ID >/dev/null
seq 2500 | sed 's/.*/{"ID":"&"}/' | ctl import many 2>/dev/null
gives 0 '' ctl scan many --project Nothing --format table
ctl drop many --yes 2>/dev/null

ok ctl export tab out.csv
eq 'the columns of a CSV file' "$(head -n 1 out.csv)" 'pk,sk,zz,b:N,a:N,yy,c:N'
ok ctl export tab split --split-by pk --to csv
eq 'the columns of several CSV files' "$(head -qn 1 split/*)" $'pk,sk,zz,b:N,a:N,yy\npk,sk,c:N'
ok ctl update tab p1 s1 'SET q = 1' --return new --format csv
eq 'the columns of the item that a write returns' "$(head -n 1 <<<"$out")" 'pk,sk,zz,b:N,a:N,yy,q:N'
ok ctl update tab p1 s1 'REMOVE q'
if [ -z "${SERVED-}" ]; then
	begin_server --port 0
	all_of_it itemctl_of "http://$(address log)"
	end_server
fi
done_testing
