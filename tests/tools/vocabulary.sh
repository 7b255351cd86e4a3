#!/bin/bash
# First input of users of other tools: names of commands and options, misspelt words, an address to serve at.
. "$(dirname "$0")/lib.sh"
begin
ok ctl create-table music --key Artist,Song --gsi ByYear=Year
ok ctl put music '{"Artist":"Acme","Song":"Blue","Year":"1999"}' '{"Artist":"Acme","Song":"Red"}'
item='{"Artist":"Acme","Song":"Blue","Year":"1999"}'

# same COMMAND... -- COMMAND... - check that both print the same
same()
{
	local a=()
	while [ "$1" != -- ]; do
		a+=("$1")
		shift
	done
	shift
	eq "${a[*]}" "$(ctl "${a[@]}" 2>&1)" "$(ctl "$@")"
}

# ---- commands
for name in desc show info schema; do
	same $name music -- describe music
done
for name in describe-table DescribeTable describe_table describetable; do
	same $name music -- describe-table --table-name music
done
for name in list ls; do
	same $name -- tables
done
same get-item music Acme Blue -- get music Acme Blue
same Query music Acme -- query music Acme
same SCAN music -- scan music
same query music Acme Blue -- get music Acme Blue
same execute-statement '{"Statement":"SELECT * FROM music"}' -- call ExecuteStatement '{"Statement":"SELECT * FROM music"}'
same describe-time-to-live '{"TableName":"music"}' -- call DescribeTimeToLive '{"TableName":"music"}'
same count music -- scan music --count
same count music Acme -- query music Acme --count
same count music --where "Song = 'Red'" -- scan music --count --filter "Song = 'Red'"
same ls music -- scan music
same ls music Acme -- query music Acme
ok ctl put-item music '{"Artist":"B","Song":"1"}'
ok ctl insert music '{"Artist":"B","Song":"2"}'
ok ctl delete-item music B 1
ok ctl rm music B 2
eq 'put, inserted, deleted, removed' "$(ctl query music B --count)" 0
gives 2 "itemctl: there is no command \"qurey\": did you mean: itemctl query music \"it's\" --format csv" ctl qurey music "it's" --format csv
gives 2 "did you mean: itemctl create-table 'a b' --key Id" ctl create-tabel 'a b' --key Id
gives 2 'did you mean: itemctl help query' "$ITEMCTL" help qurey
for name in filter from group describe-tables backup-table; do
	gives 2 "there is no command \"$name\"" ctl $name music
	case $err in *'did you mean'*) fail "a command is suggested for $name: $err" ;; esac
done
gives 2 'itemctl: there is no command "xyzzy"; see itemctl help' ctl xyzzy

same version -- --version
same man -- help
same explain "SELECT * FROM music WHERE Artist = 'Acme'" -- sql --explain "SELECT * FROM music WHERE Artist = 'Acme'"
same show tables -- tables
same get tables -- tables
same describe table music -- describe music
same show table music -- describe music
ok ctl create table pairs --hash Left --range Right:N --gsi 'ByRight=Right,Left'
eq 'a key given by other options' "$(ctl tables | jq -r 'select(.TableName == "pairs").Key')" Left:S,Right:N
gives 2 '--key is given twice: give both keys as PK,SK' ctl create-table others --key Left --key Right
ok ctl drop table pairs --yes
ok ctl create-table tables --key Id
same show table tables -- describe tables
ok ctl drop tables --yes
line='itemctl -s there alter music --throttle off'
gives 2 "$line" "$ITEMCTL" throttle music off -s there
gives 2 "$line" "$ITEMCTL" -s there throttle music off
gives 2 "mkdir -p dump && itemctl -s there tables | jq -r .TableName | xargs -I{} itemctl -s there export {} dump/{}.jsonl" "$ITEMCTL" -s there export --all
gives 2 "mkdir -p 'a b' && itemctl -s there tables | jq -r .TableName | xargs -I{} itemctl -s there export {} 'a b'/{}.jsonl" "$ITEMCTL" export --all 'a b' --store there
while IFS=$'\t' read -r command instead; do
	gives 2 "itemctl: there is no command \"$command\": $instead" ctl $command music
done <<'ROWS'
add-index	itemctl alter music --add-gsi NAME=PK,SK
fields	itemctl shapes music
plan	itemctl query music PK --explain
validate	itemctl run music --all; for the format of the file: itemctl help patterns
hgetall	itemctl get music PK
du	itemctl stats
drop-index	itemctl alter music --drop-gsi NAME
ttl	itemctl alter music --ttl ATTR
logs	to log each request: itemctl serve --log FILE; a mount writes the file log in its store; for changes of a table: itemctl tail music
throttle	itemctl alter music --throttle on
patterns	itemctl run music --all; for the format of the file: itemctl help patterns
export-all	mkdir -p music && itemctl tables | jq -r .TableName | xargs -I{} itemctl export {} music/{}.jsonl
rename-table	itemctl copy music --to NEW && itemctl drop music --yes
restart	itemctl stop && itemctl serve --background
filter	itemctl scan music --filter EXPR
describe-tables	itemctl tables
backup-table	itemctl export music FILE
config	names of stores are set
mount	to mount a store: itemfs music DIR
ROWS
# A row after another one of the same name that matches is never reached.
tools=$SOURCE/tools
eq 'there are no duplicate rows' "$(grep -h '^	{"' "$tools/cli/instead.c" "$tools/cli/synonyms.c" | sort | uniq -d)" ''
eq 'each command has one row' "$(sed -n '/instead rows/,/^};/s/^\t{"\([^"]*\)".*/\1/p' "$tools/cli/instead.c" | sort | uniq -d)" ''
ok "$ITEMCTL" help aliases
eq 'the manual has each alias' "$(sed -n '/^\.\\" From here/,/^\.\\" End of/p' "$tools/itemctl.1" | sed 's/^\.B //; /^\./d; s/\\-/-/g; s/\\e/\\/g' | tr -s ' \n' ' ')" \
	"$(tr -s ' \n' ' ' <<<"$out")"
n=0
sed -n 's/^  \([a-z][a-z-]*\)  *\([^;]*\)$/\1 \2/p' <<<"$out" | tr -d , | while read -r command names; do
	for name in $names; do
		[[ $name =~ ^(keys|index|indexes|indices|ls|cat|find)$ ]] || eq "$name is $command" "$("$ITEMCTL" help "$name")" "$("$ITEMCTL" help "$command")"
		n=$((n + 1))
	done
done
eq 'commands with other names' "$((n > 40))" 1
# Aliases of all commands; those of some commands are in test_synonyms.c.
for form in csv json jsonl yaml typed; do
	same scan music --$form -- scan music --format $form
done
same scan music -q -v -- --version
same scan music --no-cli-pager -- scan music --no-pager
eq --db "$("$ITEMCTL" --db "$S" count music)" "$(ctl count music)"
eq --endpoint "$("$ITEMCTL" --endpoint "$S" count music 2>&1)" "$("$ITEMCTL" --endpoint-url "$S" count music 2>&1)"
for name in query jq set where filter index; do
	gives 2 "unknown option --$name: " ctl describe music --$name x
done
gives 2 "itemctl scan music --filter 'a = 1'" ctl filter music 'a = 1'
gives 2 "itemctl alter music --add-gsi ByTag=Tag,Song" ctl add-index music ByTag Tag Song
gives 2 "itemctl alter music --add-gsi 'By Tag'=Tag" ctl add-index music 'By Tag' Tag
gives 2 'itemctl alter music --add-gsi by-Tag=Tag' ctl create-index music Tag
gives 2 'there is no command "create index": itemctl alter music --add-gsi ByTag=Tag' ctl create index ByTag on music Tag
gives 2 'there is no command "drop index": itemctl alter music --drop-gsi ByTag' ctl DROP index ByTag on music
gives 2 'itemctl get music Acme Blue prints the item, to put with another key; then itemctl delete music Acme Blue;' ctl mv music Acme Blue Acme Red
gives 2 'itemctl get music Acme prints the item, to put with another key; then itemctl delete music Acme;' ctl mv -f music Acme Bell
gives 2 'itemctl create-table --from x.json --if-not-exists --update' ctl apply -f x.json
same exists music Acme Blue -- get music Acme Blue
gives 1 'not found' ctl has music Acme None
gives 2 'itemctl -s there restore monday' ctl restore monday there
gives 2 'itemctl draw music -o music.svg' ctl draw music music.svg
gives 2 'itemctl describe music >music.json' ctl describe music music.json
gives 2 'itemctl drop music' ctl 'DROP TABLE music'
same SHOW TABLES -- tables
same keys '*' -- tables
same dbs -- tables
same DESCRIBE TABLE music -- describe music
gives 2 "itemctl set music Acme \"It's\" 'SET n = 5'" ctl set music Acme "It's" 'n = 5'
gives 2 "itemctl set music Acme Blue \"SET n = 'x'\"" ctl set music Acme Blue "n = 'x'"
ok ctl --dry-run set music Acme Blue n=x
eq 'NAME=VALUE' "$(head -1 <<<"$err")" '(dry run) read as: SET n = "x"'
gives 2 "itemctl update music Acme Blue \"SET n = 'x'\"" ctl hset music Acme Blue n x
gives 2 "itemctl import TABLE '\$(x).csv' --key auto" ctl seed '$(x).csv'
gives 2 "itemctl alter music --add-gsi '\$(x)'=Tag" ctl sql 'CREATE INDEX "$(x)" ON music (Tag)'
gives 2 "itemctl copy music --to other && itemctl drop music --yes" env ITEMFS_STORE="$S" "$ITEMCTL" rename music other
gives 2 'to unmount a store: fusermount3 -u there' ctl umount there
ok ctl cp music other
eq 'a copy in the same store' "$(ctl scan other)" "$(ctl scan music)"
ok ctl drop other --yes
ok ctl cp -r music ./else/other
eq 'a copy in a new store' "$(itemctl_of ./else scan other)" "$(ctl scan music)"
gives 2 'to write a file: itemctl export music ./else/music.csv' ctl cp music ./else/music.csv
gives 2 'to write a file: itemctl export music music.jsonl' ctl copy music --to music.jsonl
same .tables -- tables
same '.schema' music -- describe music
same scan -t music -- scan music
gives 2 'to write one table: itemctl export music file' ctl backup music file
gives 2 'for the table itself: itemctl drop music' ctl delete music
gives 2 'name the table first: itemctl import TABLE ./songs.csv' ctl import ./songs.csv

# ---- suggested lines name the store of -s; lib.sh removes that
for how in '-s:store' '--store:store' '--endpoint-url:http://127.0.0.1:1'; do
	eq "pasted, of $how" "$("$ITEMCTL" "${how%%:*}" "${how#*:}" query music 2>&1 | sed 's/^[^:]*: //; 1q')" \
		"query needs PK or --shards LO..HI, for example: itemctl -s ${how#*:} query music PK; for all items: itemctl -s ${how#*:} scan music"
done
eq 'a password is not printed' "$("$ITEMCTL" -s http://me:secret@127.0.0.1:1 query music 2>&1 | grep -c secret)" 0
eq 'a store of the environment is not named' "$(ITEMFS_STORE=store "$ITEMCTL" query music 2>&1 | sed 's/^[^:]*: //; 1q')" 'query needs PK or --shards LO..HI, for example: itemctl query music PK; for all items: itemctl scan music'
eq 'a line that names the store has it once' "$("$ITEMCTL" query musik Acme -s store 2>&1 | tail -n 1)" 'did you mean: itemctl query music Acme -s store'
eq 'the usage does not name the store' "$("$ITEMCTL" -s store query music --frob 2>&1 | grep -c -- '-s store')" 0

# ---- keys and items in the syntax of the AWS command line, with and without types
for key in '{"Artist":"Acme","Song":"Blue"}' 'Artist=Acme,Song=Blue'; do
	same get music --key "$key" -- get music Acme Blue
	same get-item --table-name music --key "$key" -- get music Acme Blue
	same size music --key="$key" -- size music Acme Blue
	ok ctl put music --item 'Artist=K,Song=1'
	ok ctl update music --key "${key//Acme/K}" 'SET n = 1'
	ok ctl update music --key "${key//Acme/K}" --update-expression 'SET m = :m' --expression-attribute-values '{":m":{"N":"2"}}'
	ok ctl update music K Blue --update-expression 'SET l = 3'
	eq "update $key" "$(ctl get music K Blue)" '{"Artist":"K","Song":"Blue","n":1,"m":2,"l":3}'
	ok env EDITOR=true "$ITEMCTL" -s "$S" edit music --key "${key//Acme/K}"
	ok ctl delete music --key "${key//Acme/K}"
	ok ctl delete music --key 'Artist=K,Song=1'
	eq "delete $key" "$(ctl -q query music K --count)" 0
done
typed='{"Artist":{"S":"K"},"Song":{"S":"Blue"}}'
printf %s "$typed" >typed.json
ok ctl update music --key "$typed" 'SET n = 1'
ok ctl update music --key file://typed.json 'SET n = n + 1'
eq 'an expression as a word' "$(ctl get music K Blue)" '{"Artist":"K","Song":"Blue","n":2}'
ok env EDITOR=true "$ITEMCTL" -s "$S" edit music --key "$typed"
ok ctl delete music --key file://typed.json
for key in Acme '{"Artist":"Acme"}' '{"Artist":{"S":"Acme"}}'; do
	same query music --key "$key" -- query music Acme
done
for key in '{"Artist":"Acme","Song":"Blue"}' '{"Song":{"S":"Blue"},"Artist":{"S":"Acme"}}'; do
	same query music --key "$key" -- query music Acme Blue
done
same query music '{"Artist":"Acme","Song":"Blue"}' -- query music Acme Blue
gives 0 'no item has Artist = '\''{"Song":"Blue"}'\' ctl query music '{"Song":"Blue"}'
gives 0 'no item has Artist = '\''{"Artist":"Acme","Year":1}'\' ctl query music '{"Artist":"Acme","Year":1}'
gives 2 'give the key as words, and its condition as options: itemctl query music PK' ctl query music --key-condition-expression "Artist = 'Acme'"
gives 2 "all items with Artist Acme: itemctl -s $S delete music --key Acme --all" ctl delete music --key Acme
gives 2 'none.json' ctl get music --key file://none.json
gives 2 '--hash: the partition key is given twice' ctl create-table pairs --pk Left --sk Right --hash Other
gives 2 '--table: the table is given twice' ctl get --table music --table shelf Acme Blue
same sql --statement 'SELECT * FROM music' -- sql 'SELECT * FROM music'

# ---- the meaning of --select
same scan music --select COUNT -- scan music --count
same scan music --select=COUNT -- scan music --count
same scan music --select ALL_ATTRIBUTES -- scan music
same scan music --select SPECIFIC_ATTRIBUTES --project Song -- scan music --project Song
same scan music --select Song -- scan music --project Song
same query music 1999 --index ByYear --select ALL_PROJECTED_ATTRIBUTES -- query music 1999 --index ByYear
gives 2 '--select SPECIFIC_ATTRIBUTES needs --project ATTR' ctl query music Acme --select SPECIFIC_ATTRIBUTES
gives 2 'give only one of --select and --project' ctl query music Acme --select Song --project Year
gives 2 'ValidationException' ctl query music Acme --select ALL_ATTRIBUTES --project Year
gives 2 'ALL_PROJECTED_ATTRIBUTES can be used only when' ctl query music Acme --select ALL_PROJECTED_ATTRIBUTES
gives 2 '--count prints no attributes: leave out --select' ctl scan music --count --select Song

# ---- an alias belongs to a command
gives 2 'unknown option --path' ctl export music --path out.json
gives 2 'unknown option --data' ctl import music --data in.json
gives 2 'unknown option --pk' ctl export music --pk out.json
gives 2 '--scan-index-forward takes no value' ctl query music Acme --scan-index-forward=false

# ---- items that are not JSON
gives 2 "use double quotes around names and strings: itemctl put music '{\"Artist\":\"Acme\"}'" ctl put music "{'Artist':'Acme'}"
gives 2 "use double quotes around names and strings: itemctl put music '{\"Artist\":\"Acme\"}'" ctl put music "{'Artist':Acme}"
while IFS=$'\t' read -r typed meant; do
	gives 2 ": itemctl put music '$meant'" ctl put music "$typed"
	ok ctl put music "$(eval "printf %s '$meant'")"
done <<'ROWS'
{'Artist': 'Acme', 'Song': 'it\'s'}	{"Artist": "Acme", "Song": "it'\''s"}
{Artist: 'Acme', Song: 'Cyan', n: 5, ok: True, L: [a, 1, None,]}	{"Artist": "Acme", "Song": "Cyan", "n": 5, "ok": true, "L": ["a", 1, null]}
{Artist:C#1,Song:2024-01-01,n:-1.5,m:{k:v}}	{"Artist":"C#1","Song":"2024-01-01","n":-1.5,"m":{"k":"v"}}
{"Artist": "Acme", "Song": 'say "x"', "ok": False}	{"Artist": "Acme", "Song": "say \"x\"", "ok": false}
ROWS
gives 2 "single quotes around the item: itemctl put music '{" ctl put music "{'Artist':'Acme]}"
list='[{"Artist":"Li","Song":"a"},{"Artist":"Li","Song":"b"}]'
gives 2 "to import several items: printf %s '$list' | itemctl import music - --from json" ctl put music "$list"
ok ctl import music - --from json <<<"$list"
eq 'both items are put' "$(ctl count music Li)" 2
gives 2 "itemctl sql --explain 'select * from music'" ctl why 'select * from music'
gives 0 'read as: {"Artist":"1","Song":"b","n":5,"t":"x"}' ctl --dry-run put music Artist=1 Song=b n:=5 t=x
gives 2 "put the key into the item: itemctl put music '{\"Artist\":\"A\",\"Song\":\"b\",\"n\":1}'" ctl put music A b '{"n":1}'
gives 2 "itemctl put music '{\"Artist\":\"A\"}'" ctl put music A '{}'
gives 3 'Table: nothing not found' ctl put nothing Artist=1
gives 2 "an update begins with SET, REMOVE, ADD or DELETE: itemctl -s $S update music Acme Blue 'SET n=n+5'" ctl update music Acme Blue n=n+5

gives 2 "remove the comma after the last member: itemctl put music '{\"Artist\":\"Acme\",\"t\":[1]}'" ctl put music '{"Artist":"Acme","t":[1,],}'
echo '{"Artist":"F","Song":"f"}' >item.json
gives 2 'to import items from a file: itemctl import music item.json' ctl put music item.json
gives 2 'to import items from a file: itemctl import music item.json' ctl put music @item.json
gives 2 "X was taken for an attribute name. Quote text: itemctl -s $S update music Acme Blue \"SET Name = 'X'\"" ctl update music Acme Blue 'SET Name = X'
gives 2 'SET n = if_not_exists(n, 0) + 1, or ADD n 1' ctl update music Acme Blue 'SET n = n + 1'
gives 2 "n += 1 is written n = n + 1: itemctl -s $S update music Acme Blue 'SET n = n + 1'" ctl update music Acme Blue 'SET n += 1'
gives 4 'line 1: ValidationError: One or more parameter values were invalid: Missing the key Artist in the item' ctl transact 'put music {}'

# ---- keys
ok ctl create-table typed --key id:string,ts:number
eq 'types by their names' "$(ctl tables | jq -r 'select(.TableName == "typed").Key')" id:S,ts:N
ok ctl put typed '{"id":"1","ts":5}'
gives 2 'itemctl: the key needs a value for ts too; for all items with id 1: itemctl query typed 1' ctl get typed 1
same get typed '{"ts":5,"id":"1","other":2}' -- get typed 1 5
gives 2 'Missing the key attribute ts' ctl get typed '{"id":"1"}'
gives 2 'itemctl: give keys without their names: itemctl get typed 1 5' ctl get typed id=1 ts=5
gives 2 'itemctl: ts is a number: The parameter cannot be converted to a numeric value: x' ctl get typed 1 x
gives 0 'read as: itemctl query typed 1 --gt 4' ctl query typed 1 '> 4'
same query typed 1 --sk-gt 4 -- query typed 1 --gt 4
same query typed 1 --first 1 -- query typed 1 --limit 1
same -q draw typed --pk 1 --format text -- -q draw typed --partition 1 --format text
gives 2 '"by": write an index as NAME=KEY; did you mean: itemctl -s '"$S"' alter typed --add-gsi by-by=by' ctl alter typed --add-gsi by
ok ctl alter typed --stream on
ok ctl delete typed --where 'ts < 3'
eq 'an option with the name that SQL uses' "$err" '0 items deleted'
gives 2 'to select items, use scan, query, update or delete: itemctl scan typed --filter' ctl put typed --where 'ts < 3' '{}'
gives 2 "unknown option --last: for the last ones: itemctl -s $S query typed 1 --reverse --limit 1" ctl query typed 1 --last 1
same scan typed --csv -- scan typed --format csv
gives 2 '--csv takes no value' ctl scan typed --csv=x
gives 2 'a folder as DynamoDB exports: --to dynamodb-export' ctl export typed out/
ok ctl drop typed --yes
echo 'SELECT * FROM music' >q.sql
gives 2 'to run statements from a file: itemctl sql @q.sql' ctl sql q.sql
gives 2 'itemctl: there is no store at ./none; to create one: itemctl create-table, or itemfs --create' "$ITEMCTL" ./none 'SELECT * FROM music'
gives 2 'there is no command "./none"; to create a store: itemctl -s ./none create-table NAME --key PK,SK' "$ITEMCTL" ./none
gives 2 'name DynamoDB with its region: -s dynamodb:eu-west-1' "$ITEMCTL" -s dynamodb tables
gives 2 'itemctl shards heat music' ctl top music
same help filter -- help expressions

# ---- words of a shell
while IFS=$'\t' read -r typed line; do
	gives 2 '' eval "ctl $typed"
	eq "$typed" "${err//-s $S /}" "itemctl: there is no command \"${typed%% *}\": itemctl $line"
done <<'ROWS'
grep Acme music	scan music | grep Acme
wc -l music	scan music --count
sort music Year	scan music | jq -sc 'sort_by(.Year)[]'
cut -f Song music	scan music --project Song
less music	scan music
types music	shapes music
head -3 music	scan music --limit 5
sample music 3	scan music --limit 3
HGETALL music Acme Blue	get music Acme Blue
ROWS
eq partiql "$(ctl partiql 'SELECT * FROM music')" "$(ctl sql 'SELECT * FROM music')"
ok ctl query music Acme --return-consumed-capacity TOTAL
eq 'the same as --capacity' "$err" "$(ctl query music Acme --capacity 2>&1 >/dev/null)"
ok ctl query music Acme --return-consumed-capacity NONE
eq 'no capacity' "$err" ''

# ---- SQL that PartiQL does not have
while IFS=$'\t' read -r statement hint; do
	gives 2 "$hint" ctl sql "$statement"
done <<'ROWS'
CREATE TABLE t (id text)	itemctl create-table t --key id
create table t (a int, "b" text, primary key (b, a));	itemctl create-table t --key b,a:N
CREATE TABLE IF NOT EXISTS t (n text, id integer primary key)	itemctl create-table t --key id:N
CREATE TABLE	itemctl create-table NAME --key PK,SK creates a table
create index i ON t (a)	itemctl alter t --add-gsi i=a
create index i ON t (a, b)	itemctl alter t --add-gsi i=a,b
create unique index i	itemctl alter TABLE --add-gsi NAME=PK,SK adds an index
DROP TABLE t	itemctl drop t
TRUNCATE TABLE t	itemctl delete t --all
describe music	itemctl describe music
show tables	itemctl tables
.tables	itemctl tables lists the tables
PRAGMA table_info(music)	itemctl describe music
PRAGMA foreign_keys	itemctl describe TABLE shows a table
SELECT * FROM music LIMIT x	itemctl sql --limit N
INSERT INTO music (Artist, Song) VALUES ('a')	give as many names as values
SELECT * FROM music GROUP BY Artist	* has no value for a group
ROWS
ok ctl sql 'SELECT * FROM music WHERE Artist = "Acme"'
eq 'a text in double quotes' "${err//-s $S /}" "strings need single quotes; read as: itemctl sql \"SELECT * FROM music WHERE Artist = 'Acme'\""
ok ctl sql 'SELECT * FROM music WHERE Artist = Acme'
eq 'a text without quotes' "${err//-s $S /}" "strings need single quotes; read as: itemctl sql \"SELECT * FROM music WHERE Artist = 'Acme'\""
ok ctl sql "SELECT * FROM music WHERE Artist = 'LIMIT' AND \"Song\" = 'a = \"b\"'"
eq 'words in texts are not taken for clauses' "$out$err" "no item has Artist = 'LIMIT'"

# ---- options that belong to another command
ok ctl create-table shelf --key Artist,Song --gsi ByYear=Year
ok ctl put shelf '{"Artist":"Acme","Song":"Blue","Year":"1999"}'
echo '{"Artist":"F","Song":"f"}' >one.json
echo 'INSERT INTO x VALUE {}' >tx.sql
gives 2 'there is no command "shelf", but a table: itemctl query shelf Acme Blue' ctl shelf Acme Blue
gives 2 'get needs TABLE and PK, for example: itemctl get shelf Acme Blue; for all items: itemctl scan shelf' ctl get shelf
# not a scan itself: a variable of the shell may be empty
gives 2 "get needs TABLE and PK, for example: itemctl -s $S get shelf Acme Blue; for all items: itemctl -s $S scan shelf -o json" "$ITEMCTL" -s "$S" get shelf -o json
eq 'the suggested line works' "$("$ITEMCTL" -s "$S" scan shelf -o json | jq -c '.[].Song')" '"Blue"'
gives 2 'all items: itemctl scan shelf' ctl fetch shelf
gives 2 'all items: itemctl scan nothing' ctl get nothing
gives 2 'get needs TABLE and PK, for example' ctl get
eq 'no suggestion for a missing table' "$(grep -c 'all items' <<<"$err")" 0
gives 2 'give the table and its key as separate words: itemctl get shelf Acme Blue' ctl get shelf/Acme/Blue.json
gives 2 "give Artist and Song as separate words: itemctl delete shelf 'A me' Blue" ctl delete shelf 'A me/Blue'
gives 2 'there is no command "nothing"; to create a store: itemctl -s nothing create-table NAME --key PK,SK' "$ITEMCTL" nothing .tables
eq 'options after the store' "$("$ITEMCTL" "$S" -csv scan shelf)" $'Artist,Song,Year\nAcme,Blue,1999'
eq 'only a store starts the shell' "$(echo 'scan shelf --count' | ctl)" 1
eq 'query with a statement' "$(ctl query "SELECT Song FROM shelf WHERE Artist = 'Acme'"; ctl sql -c "SELECT Song FROM shelf WHERE Artist = 'Acme'")" $'{"Song":"Blue"}\n{"Song":"Blue"}'
ok ctl update shelf Acme Blue --inc n=2
ok ctl update shelf Acme Blue --unset n
gives 2 'describe needs TABLE, for example: itemctl describe music;' ctl schema
gives 2 'delete needs a key' ctl delete shelf
mkdir many monday
echo '{"Id":"1","a":2}' | tee many/bee.json >many/cee.json
while IFS=$'\t' read -r command hint; do
	eval "gives 2 '' ctl $command"
	case $err in *"$hint"*) ;; *) fail "$command says: $err" ;; esac
done <<'ROWS'
export shelf --where 'Year < 1985'	itemctl scan shelf --filter 'Year < 1985'
largest shelf	itemctl scan shelf | awk '{ print length, $0 }' | sort -rn | head -5 | cut -d' ' -f2-
undo	itemctl -s ./restored restore BACKUP && itemctl -s ./restored get TABLE PK [SK] | itemctl put TABLE -
lint 'SELECT * FROM music'	itemctl run 'SELECT * FROM music' --all
expire music a 3	itemctl alter music --ttl ATTR
distinct music Artist	itemctl sql 'SELECT DISTINCT Artist FROM music'
summarize music	itemctl shapes music
undo music Acme Blue	itemctl -s ./restored restore BACKUP && itemctl -s ./restored get music Acme Blue | itemctl put music -
import many/	for f in many/*.json; do t=${f##*/}; itemctl import "${t%%.*}" "$f" --key auto; done
import many/bee.json many/cee.json	for f in many/bee.json many/cee.json; do t=${f##*/}; itemctl import "${t%%.*}" "$f" --key auto; done
export shelf x.csv --where 'Year < 1985'	itemctl scan shelf --filter 'Year < 1985' --format csv >x.csv
put shelf --file one.json	itemctl import shelf one.json
put shelf <one.json	itemctl put shelf -
put shelf file://one.json	to import items from a file: itemctl import shelf one.json
transact tx.sql	tx.sql has PartiQL statements; to run one after the other: itemctl sql @tx.sql
transact --transact-items file://tx.json	itemctl transact-write-items --transact-items file://tx.json
alter shelf --key Artist,Year:N	itemctl export shelf --to typed | itemctl import NEW --key Artist,Year:N
scan shelf 'Year > 1998'	itemctl scan shelf --filter 'Year > 1998'
scan shelf Year '>' 1998	itemctl scan shelf --filter 'Year > 1998'
find shelf Year gt 1998	put a condition on other attributes into a filter: itemctl scan shelf --filter 'Year > 1998'
scan shelf Acme	itemctl query shelf Acme
tables shelf	itemctl describe shelf
streams shelf	itemctl tail shelf
heat shelf	itemctl shards heat shelf
serve --persist	to keep what is written
ROWS
printf 'Artist,Song\na,b\n' >csv.json
gives 2 'its content is CSV: itemctl import shelf csv.json --from csv' ctl import shelf csv.json
ok ctl table create --key Id Fifth
ok ctl create table Sixth --key Id
ok ctl drop Fifth Seventh Sixth --if-exists --yes
eq 'the tables are dropped' "$err|$(ctl table list | grep -c -e Fifth -e Sixth)" $'there is no table Seventh\ntable Fifth dropped\ntable Sixth dropped|0'
gives 3 'for f in many/*.json; do ' ctl load many
eval "$(printf '%s\n' "${err#*each file: }" | sed "s#itemctl#ctl -q#")"
eq 'a table for each file' "$(ctl scan bee)$(ctl scan cee)" '{"Id":"1","a":2}{"Id":"1","a":2}'
ok ctl drop bee cee --yes
gives 3 "did you mean: itemctl alter shelf --drop-gsi ByYear" ctl alter shelf --drop-gsi ByYer
gives 3 'there are ByYear' ctl alter shelf --remove-gsi Foo
gives 3 'for the table itself: itemctl drop shelf' ctl delete table shelf
gives 3 'for the table itself: itemctl describe shelf' ctl get table shelf
gives 4 'ConditionalCheckFailedException' ctl put shelf '{"Artist":"Acme","Song":"Blue"}' --if-not-exists
gives 4 'ConditionalCheckFailedException' ctl put shelf '{"Artist":"New","Song":"Blue"}' --no-overwrite --if 'attribute_exists(Year)'
ok ctl put shelf '{"Artist":"New","Song":"Blue"}' --if-not-exists
for form in json csv; do
	same -q export shelf -o $form -- -q export shelf --to $form
	[ ! -e $form ] || fail "there is a file $form"
done
same query shelf Acme --gte B -- query shelf Acme --ge B
ok ctl copy shelf --to Shelves --where 'Artist = "New"'
eq 'a copy in this store' "${err%% in 0*}" $'table Shelves created\ncopied 1 item to table Shelves of '"$S"
ok ctl drop Shelves --yes
ok ctl create-table shelf2 --key id
gives 3 'nowhere not found' ctl drop shelf nowhere --yes
ok ctl drop shelf shelf2 --yes
eq 'several tables are dropped' "$err" $'table shelf dropped\ntable shelf2 dropped'

# ---- options
for pair in '--pk Acme --sk Blue' '--hash Acme --range Blue' '--partition-key Acme --sort-key Blue' '--sk Blue --pk Acme' '--pk=Acme --sk=Blue'; do
	same get music $pair -- get music Acme Blue
done
same get --pk Acme --sk Blue --table-name music -- get music Acme Blue
same get --table music Acme Blue -- get music Acme Blue
same get music Acme --sk Blue -- get music Acme Blue
same query music --pk Acme --desc -- query music Acme --reverse
same query music Acme --descending --max-items 1 -- query music Acme --reverse --limit 1
same query music Acme --asc -- query music Acme
same query music Acme --sort desc -- query music Acme --reverse
same query music Acme --sort asc -- query music Acme
same query music Acme --sort Blue -- query music Acme Blue
same query music Acme --no-scan-index-forward --top 1 -- query music Acme --reverse --limit 1
same query music 1999 --index-name ByYear -- query music 1999 --index ByYear
same query music 1999 --index_name ByYear -- query music 1999 --index ByYear
for name in filter-expression filter_expression where; do
	same scan music --$name "Song = 'Blue'" -- scan music --filter "Song = 'Blue'"
done
for name in projection-expression columns fields attributes; do
	same scan music --$name Song -- scan music --project Song
done
for form in table json csv; do
	same scan music --output $form -- scan music --format $form
	same scan music -o $form -- scan music --format $form
	same -o $form scan music -- scan music --format $form
done
same -V -- --version
gives 2 'itemctl: --format must be jsonl, json, typed, csv, tsv, yaml, md, text or table, not "xml"' ctl scan music --output xml
ok ctl put music "$item" --condition 'attribute_exists(Song)'
ok ctl put music "$item" --condition-expression 'attribute_exists(Song)'
gives 4 'ConditionalCheckFailedException' ctl put music "$item" --condition 'attribute_not_exists(Song)'
eq 'return values as in the API' "$(ctl put music "$item" --return-values ALL_OLD)" "$(ctl put music "$item" --return old)"
ok ctl alter music --gsi BySong=Song
gives 2 "unknown option --filtre: did you mean: itemctl scan music --filter 'a = 1'" ctl scan music --filtre 'a = 1'
gives 2 "did you mean: itemctl scan music '--filter=a = 1'" ctl scan music --filtre='a = 1'
eq 'and the usage' "$(head -n 1 <<<"${err#*$'\n'}" | cut -d' ' -f1-4)" 'usage: itemctl scan TABLE'
gives 2 'unknown option --xyzzy' ctl scan music --xyzzy
case $err in *'did you mean'*) fail "an option is suggested: $err" ;; esac
gives 2 'unknown option --jq: to select from an answer with jq' ctl scan music --jq .a
gives 2 'query, scan and export read one index; draw shows all indexes' ctl draw music --index ByYear
gives 2 'give parameters as words: itemctl sql' ctl sql 'SELECT * FROM music WHERE Song = ?' --param x
gives 2 'itemctl: --pk needs a value' ctl get music --pk
gives 2 'itemctl: get needs TABLE and PK, for example: itemctl get music Acme Blue' ctl get music
gives 2 'itemctl: get: too many words, from "x" on' ctl get music Acme Blue x
for mistake in 'scan' 'scan music --limit x' 'scan music --frob'; do
	gives 2 'usage: itemctl scan TABLE' ctl $mistake
	eq "$mistake begins with itemctl" "${err%%:*}" itemctl
done

# ---- empty results, which are explained
gives 2 '' ctl scan music --filter 'Song = Blue'
eq 'a bare word' "$out$err" "Blue was taken for an attribute name. Quote text: itemctl scan music --filter \"Song = 'Blue'\""
gives 2 '' ctl query music Acme --where 'attribute_exists(Year) AND Name<>Blue AND Year = x'
eq 'a bare word in a query' "$err" "Blue was taken for an attribute name. Quote text: itemctl query music Acme --where \"attribute_exists(Year) AND Name<>'Blue' AND Year = 'x'\""
ok ctl scan music --filter 'Sogn = 1'
eq 'an attribute that no item has' "$err" "$(ctl scan music --count >n; echo "none of the $(cat n) items has an attribute Sogn: did you mean: itemctl scan music --filter 'Song = 1'")"
ok ctl scan music --count --filter 'Nonsense > 1'
eq 'an attribute that no item has, with --count' "$err" "none of the $(cat n) items has an attribute Nonsense"
ok ctl scan music --filter 'Song = "nothing has this"'
eq 'no note for an existing attribute' "$err" ''
gives 2 'itemctl query music Acme; if Artist is not the partition key: itemctl scan music --filter "Artist = '"'Acme'"'"' ctl query music --where "Artist = 'Acme'"
gives 2 "query needs PK: itemctl scan music --filter 'Year > 5'" ctl query music --where 'Year > 5'
gives 2 'itemctl query music PK; for all items: itemctl scan music' ctl query music
ok ctl query music Acme 'B*'
eq 'a star' "$err" "read as: itemctl query music Acme --begins-with B"
gives 3 "itemctl query music 1999 --reverse --index ByYear" ctl query music.ByYear 1999 --reverse
gives 3 "itemctl scan music --index ByYear" ctl scan music.ByYear
ok ctl query music Artist=Acme
eq 'name=value' "$err" "read as: itemctl query music Acme"
ok ctl query music "Artist = 'Acme' AND begins_with(Song, 'B')"
eq 'a whole condition' "$err" "read as: itemctl query music Acme --begins-with B"
gives 2 'the comparisons are --eq, --lt' ctl query music Acme more than B
ok ctl scan music --project Song,Yeer
eq 'an attribute that no item has in a projection' "$(head -c 12 <<<"$err")${err##*attribute }" "none of the Yeer: did you mean: itemctl scan music --project Song,Year"
ok ctl scan music --filter "Song = 'nothing'"
eq 'no note for a correct projection' "$out$err" ''
ok ctl -q scan music --filter 'Song = Blue'
eq 'no note with --quiet' "$out$err" ''
while IFS=$'\t' read -r expression hint; do
	gives 2 "$hint" ctl scan music --filter "$expression"
done <<'ROWS'
Song == 'Blue'	== is written =
Song != 'Blue'	!= is written <>
Song = 'Blue' && Year = '1'	&& is written AND
Song = 'Blue' || Year = '1'	is written OR
Song LIKE 'B%'	write: itemctl scan music --filter "begins_with(Song, 'B')"
starts_with(Song, 'B')	starts_with is written begins_with: itemctl scan music --filter "begins_with(Song, 'B')"
Song NOT LIKE 'B%'	is written begins_with(a, 'x')
Song contains 'B'	write: itemctl scan music --filter "contains(Song, 'B')"
Song in ['B']	in [...] is written a IN ('x', 'y')
exists(Song)	exists is written attribute_exists: itemctl scan music --filter 'attribute_exists(Song)'
ROWS
gives 2 'there is no command ".shema": did you mean: itemctl .schema' ctl .shema
gives 2 "all items with Song = 'Blue': itemctl scan music --filter \"Song = 'Blue'\"" ctl get music Song=Blue
gives 2 'token: "<EOF>"' ctl scan music --filter "Song = '==' AND"
case $err in *'is written'*) fail "a text is taken for an operator: $err" ;; esac

# ---- endpoints in the syntax of the AWS command line
if [ -z "${SERVED-}" ]; then
	begin_server --port 0
	url=http://$(address log)
	eq '--endpoint-url' "$("$ITEMCTL" --endpoint-url "$url" get music Acme Blue)" "$item"
	eq 'after the command' "$("$ITEMCTL" get music Acme Blue --endpoint-url "$url" --region eu-west-1)" "$item"
	gives 2 'itemctl: give only one of -s and --endpoint-url' ctl get music Acme Blue --endpoint-url "$url"
	port=${url##*:}
	for address in ":$port" "localhost:$port" "127.0.0.1:$port"; do
		eq "-s $address" "$("$ITEMCTL" -s "$address" get music Acme Blue)" "$item"
	done
	eq 'an endpoint of the environment' "$(AWS_ENDPOINT_URL_DYNAMODB=$url "$ITEMCTL" get music Acme Blue)" "$item"
	for option in --server --url; do
		for command in tables list-tables; do
			eq "$command $option" "$("$ITEMCTL" $command $option "$url")" "$("$ITEMCTL" -s "$url" $command)"
		done
		gives 2 "get needs TABLE and PK, for example: itemctl -s $url get music Acme Blue; for all items: itemctl scan music $option $url" "$ITEMCTL" get music $option "$url"
		ok "$ITEMCTL" scan music $option "$url"
	done
	ok "$ITEMCTL" -s "$url" create-table things --key id
	gives 2 "get needs TABLE and PK; for all items: itemctl -s $url scan things" "$ITEMCTL" -s "$url" get things
	ok "$ITEMCTL" -s "$url" put things '{"id":"a"}'
	gives 2 "get needs TABLE and PK, for example: itemctl -s $url get things a; for all items: itemctl -s $url scan things" "$ITEMCTL" -s "$url" get things
	ok "$ITEMCTL" -s "$url" drop things --yes
	gives 2 "itemctl: sweep needs a store directory (-s DIR); $url is an endpoint: a server deletes" "$ITEMCTL" -s "$url" sweep
	gives 2 'is an endpoint: a server does that automatically' env AWS_ENDPOINT_URL_DYNAMODB=$url "$ITEMCTL" compact
	far=http://127.0.0.1:1
	gives 2 "to copy all tables into a store here: itemctl -s $far copy --all --to ./copy" "$ITEMCTL" -s $far backup there
	if script -qec true /dev/null >/dev/null 2>&1; then
		eq 'an endpoint of the environment, on a terminal' "$(AWS_ENDPOINT_URL_DYNAMODB=$url script -qec "'$ITEMCTL' count music" /dev/null </dev/null | tr -d '\r' | head -n 1)" \
			"store: $url (AWS_ENDPOINT_URL_DYNAMODB)"
	fi
	end_server
	gives 2 'there is no store at :' "$ITEMCTL" -s : tables
	gives 70 'ServiceUnavailable' env AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:1 AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b "$ITEMCTL" tables --region eu-west-1
fi

# ---- tables and indexes
gives 3 "did you mean: itemctl scan music --limit 1" ctl scan musci --limit 1
gives 3 'to list the tables: itemctl tables' ctl scan orders
gives 3 "index: ByYeer: did you mean: itemctl query music 1999 --index ByYear" ctl query music 1999 --index ByYeer
long="a$(printf '%.0sx' $(seq 1000))"
gives 3 'itemctl query music --index ByYear' ctl query music.ByYear 1999 --filter "attribute_exists($long)" # too long to be repeated
gives 3 'index: Other; there are ByYear, BySong' ctl query music 1999 --index Other
ok ctl create-table bare --key Id
gives 3 'it has none: itemctl alter bare --add-gsi ByYear=PK,SK' ctl query bare 1999 --index ByYear
ok ctl drop bare --force
ok ctl drop music --force
ok ctl tables
eq 'a store without tables' "$out|$err" '|the store has no tables; to create one: itemctl create-table NAME --key PK,SK'
gives 3 'the store has no tables; to create one: itemctl create-table NAME --key PK,SK' ctl scan music

# ---- words for servers and mounts
gives 2 'no store: name one with -s STORE' "$ITEMCTL" import music none.json
gives 2 'itemctl tail music' "$ITEMCTL" streams music
gives 2 'itemctl shards heat music' "$ITEMCTL" heat music
gives 2 'there is no command "umount": to unmount a store: fusermount3 -u /mnt' "$ITEMCTL" umount /mnt
gives 2 'changes of a table: itemctl -s 8000 tail TABLE' "$ITEMCTL" logs --port 8000
gives 2 'itemctl import TABLE items.json --key auto' ctl seed items.json
gives 2 'a key has at most two attributes; did you mean: itemctl create-table abc --key A,B' ctl create-table abc --key A,B,C
gives 2 'a key must have type S, N or B, not "date"; did you mean: itemctl create-table abc --key Id:S,Ts:N' ctl create-table abc --key Id:date,Ts:N
ok ctl create-table abc --key Id:uuid,Ts:float
done_testing
