#!/bin/bash
# Stores that a settings file marks as read-only: under their name and any other name, whatever the options.
. "$(dirname "$0")/lib.sh"

ctl -q create-table tab --key PK,SK
ctl put tab '{"PK":"p","SK":"a"}' >/dev/null
begin_server --listen 127.0.0.1:0
server_at=$(address log)
port=${server_at##*:}
export AWS_ACCESS_KEY_ID=A AWS_SECRET_ACCESS_KEY=B

mkdir -p config/itemfs
file=$W/config/itemfs/config
settings()
{
	printf '%s\n' "$@" >"$file"
}

# marked LINE STORE - check that it can be read, and that writes are refused because LINE marks it
marked()
{
	gives 2 "is read-only: $file:$1 ([prod]) marks it, and options cannot override this" itemctl_of "$2" put tab '{"PK":"p","SK":"x"}'
	eq "$2 can be read" "$(itemctl_of "$2" get tab p a)" '{"PK":"p","SK":"a"}'
}

# free STORE - check that it is not marked
free()
{
	ok itemctl_of "$1" put tab '{"PK":"p","SK":"a"}'
}

# ---- a server

settings '# by name' '[prod]' "endpoint = http://127.0.0.1:$port" 'read-only = yes'
for store in prod "http://127.0.0.1:$port" "http://LOCALHOST:$port/" "127.0.0.1:$port" ":$port" "http://me:secret@127.1:$port"; do
	marked 4 "$store"
done
[[ $err != *secret* ]] || fail 'the password is shown'
export AWS_ENDPOINT_URL_DYNAMODB=http://localhost:$port
marked 4 dynamodb:eu-west-1
gives 2 'marks it, and options' "$ITEMCTL" put tab '{"PK":"p","SK":"x"}'
gives 2 'marks it, and options' "$ITEMCTL" --endpoint-url "http://localhost:$port" put tab '{"PK":"p","SK":"x"}'
gives 2 'marks it, and options' "$ITEMCTL" --region eu-west-1 put tab '{"PK":"p","SK":"x"}'
free "$S"

# ---- a region, wherever a configuration leads it

settings '[prod]' 'region = eu-west-1' 'profile = work' '[dev]' 'region = us-east-1' '[prod]' 'READ-ONLY = no' 'read_only = True'
marked 8 dynamodb:eu-west-1
AWS_REGION=eu-west-1 marked 8 dynamodb:
free dynamodb:us-east-1
free "http://localhost:$port"
unset AWS_ENDPOINT_URL_DYNAMODB
for host in dynamodb.eu-west-1.amazonaws.com dynamodb-fips.eu-west-1.amazonaws.com dynamodb.eu-west-1.api.aws 1.ddb.eu-west-1.amazonaws.com; do
	gives 2 'marks it, and options' itemctl_of "https://$host" put tab '{"PK":"p","SK":"x"}'
done
export AWS_ENDPOINT_URL_DYNAMODB=http://localhost:$port
printf '[profile other]\nregion = eu-west-1\n' >aws.config
export AWS_CONFIG_FILE=$W/aws.config
AWS_PROFILE=other marked 8 dynamodb:eu-west-1
printf '[other]\naws_access_key_id = A\naws_secret_access_key = B\n' >aws.keys
(
	unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
	export AWS_SHARED_CREDENTIALS_FILE=$W/aws.keys AWS_PROFILE=other
	free dynamodb:eu-west-1
	[ "$failures" -eq 0 ]
) || fail 'the account of another profile is not marked'
settings '[prod]' 'store = dynamodb:eu-west-1' 'read-only = on'
marked 3 prod
settings '[prod]' 'store = dynamodb:' 'read-only = on'
AWS_REGION=eu-west-1 marked 3 dynamodb:eu-west-1
AWS_REGION=eu-north-1 free dynamodb:eu-west-1
free "http://localhost:$port"
settings '[prod]' 'store = dynamodb:eu-west-1' 'read-only = yes' '[prod]' 'read-only = off'
free prod

# ---- each command that writes

settings '[prod]' "store = http://localhost:$port" 'read-only = yes'
printf '{"PK":"p","SK":"new"}\n' >items
printf 'put tab {"PK":"p","SK":"new"}\n' >script
before=$(ctl scan tab; ctl describe tab)
while read -r words; do
	eval "refuses() { itemctl_of prod $words; }"
	gives 2 'marks it, and options' refuses <items
	eval "refuses() { itemctl_of prod --dry-run $words; }"
	gives 2 'marks it, and options' refuses <items
done <<'END'
put tab '{"PK":"p","SK":"x"}'
update tab p a 'SET v = 1'
update tab - 'SET v = 1'
delete tab p a
delete tab -
transact script
import tab items
copy tab --to http://localhost:$port/uuu
drop tab --yes
create-table uuu --key PK
alter tab --ttl E
alter tab --add-gsi 'Ggg=H'
sql "DELETE FROM tab WHERE PK = 'p' AND SK = 'a'"
sql "INSERT INTO tab VALUE {'PK': 'p', 'SK': 'x'}"
call PutItem '{"TableName":"tab","Item":{"PK":{"S":"p"},"SK":{"S":"x"}}}'
call BatchWriteItem '{"RequestItems":{"tab":[{"DeleteRequest":{"Key":{"PK":{"S":"p"},"SK":{"S":"a"}}}}]}}'
call BatchExecuteStatement '{"Statements":[{"Statement":"DELETE FROM tab WHERE PK = '"'p'"' AND SK = '"'a'"'"}]}'
call ExecuteTransaction '{"TransactStatements":[{"Statement":"DELETE FROM tab WHERE PK = '"'p'"' AND SK = '"'a'"'"}]}'
call CreateBackup '{"TableName":"tab","BackupName":"abc"}'
call FrobItem
END
gives 2 'marks it, and options' ctl copy tab --to prod/uuu
gives 2 'marks it, and options' ctl copy tab --to prod/tab
eq 'nothing was changed' "$(ctl scan tab; ctl describe tab)" "$before"
ok itemctl_of prod scan tab
ok itemctl_of prod tables
ok itemctl_of prod sql 'SELECT * FROM tab'
ok itemctl_of prod export tab out.jsonl
ok itemctl_of prod copy tab --to "$S/uuu"
end_server

# ---- a store in a directory, by any path

ln -s store link
settings '[prod]' "store = $W/link" 'read-only = yes' '[new]' "store = $W/new" 'read-only = yes'
for store in prod "$S" link ./store "$W/x/../link"; do
	mkdir -p x
	marked 3 "$store"
done
for words in 'compact' 'check --repair' 'sweep'; do
	gives 2 'marks it, and options' ctl $words
done
ok ctl check
ok ctl backup copied
gives 2 "$file:6 ([new]) marks it, and options" itemctl_of new create-table tabab --key PK
gives 2 "$file:6 ([new]) marks it, and options" itemctl_of "$W/new" restore copied
gone new
rm -r copied
# In the home directory. A relative path would mean different directories in different places: it marks all stores.
settings '[prod]' 'store = ~/store' 'read-only = yes'
HOME=$W marked 3 prod
HOME=$W marked 3 "$S"
settings '[prod]' 'store = ./store' 'read-only = yes'
gives 2 "$file:3 ([prod]) marks a store whose path is relative; begin it with / or ~/" ctl put tab '{"PK":"p","SK":"x"}'

# ---- settings whose marks cannot be read, or are invalid: they mark no local store, but all others

here=http://localhost:1
settings '[prod]' "endpoint = $here" 'read-only = maybe'
gives 2 "$file:3 ([prod]) must have read-only = yes or no, not \"maybe\"" itemctl_of "$here" put tab '{"PK":"p"}'
settings 'read-only = yes'
gives 2 "$file:1 marks a store, but its section has no store, endpoint or region" itemctl_of "$here" put tab '{"PK":"p"}'
free "$S"
chmod 666 "$file"
settings '[prod]' "endpoint = $here" 'read-only = yes'
gives 2 'marks it, and options' itemctl_of "$here" put tab '{"PK":"p"}'
rm "$file"
mkdir "$file"
gives 2 "$here is read-only, since $file may mark it: it is not a regular file" itemctl_of "$here" put tab '{"PK":"p"}'
free "$S"
rmdir "$file"
mkfifo "$file"
gives 2 "$here is read-only, since $file may mark it: it is not a regular file" itemctl_of "$here" put t '{"PK":"p"}'
rm "$file"
ln -s nowhere "$file"
gives 2 "$here is read-only, since $file may mark it: No such file" itemctl_of "$here" put t '{"PK":"p"}'
free "$S"
rm "$file"
head -c 2000000 /dev/zero >"$file"
gives 2 "$here is read-only, since $file may mark it: cannot read $file: it is too large" itemctl_of "$here" put t '{"PK":"p"}'
free "$S"
rm "$file"
free "$S"

done_testing
