#!/bin/bash
# A server that requires signatures: itemctl finds its key where the AWS command line does, or reports the problem.
. "$(dirname "$0")/lib.sh"

umask 077
cat >'my, keys' <<'EOF'
[default]
aws_access_key_id = AKIDONE
aws_secret_access_key = se/cr+et=
[guest]
aws_access_key_id = ASIATWO
aws_secret_access_key = other
aws_session_token = to/ken==
EOF
begin_server --listen 127.0.0.1:0 --credentials 'my, keys'
url=http://$(address log)
export HOME=$W
remote()
{
	"$ITEMCTL" -s "$url" "$@"
}

ok ctl create-table tab --key PK
gives 2 'MissingAuthenticationTokenException' remote tables
gives 2 'not signed: AWS_ACCESS_KEY_ID is not set (it is ignored with --profile), and profile default has no aws_access_key_id in /dev/null' remote tables
export AWS_SHARED_CREDENTIALS_FILE="$W/my, keys"
ok remote put tab '{"PK":"a","x":1}'
eq 'with the default profile of the file' "$(remote get tab a)" '{"PK":"a","x":1}'
# Like the message of ssh about its keys, but these keys are used.
shared="other users can read the keys in $W/my, keys (mode 0640): chmod 600 $W/my, keys"
chmod 640 'my, keys'
ok remote get tab a
eq 'keys that others can read are reported once' "$(sed 's/^[^ ]* //' <<<"$err")" "itemfs: $shared"
ok remote copy tab --to "$url/twin"
eq 'once, also for two endpoints' "$(grep -cF "$shared" <<<"$err")" 1
ok remote drop twin --yes
ok env AWS_ACCESS_KEY_ID=AKIDONE AWS_SECRET_ACCESS_KEY=se/cr+et= "$ITEMCTL" -s "$url" get tab a
eq 'unused keys are not reported' "$err" ''
chmod 600 'my, keys'
ok remote get tab a
eq 'private keys are not reported' "$err" ''
cp 'my, keys' config
chmod 644 config
ok env AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_CONFIG_FILE="$W/config" "$ITEMCTL" -s "$url" get tab a
eq 'the other file is reported, too' "$(sed 's/^[^ ]* //' <<<"$err")" "itemfs: other users can read the keys in $W/config (mode 0644): chmod 600 $W/config"
rm config
seq 1 60 | sed 's/.*/{"PK":"k&"}/' | ok remote import tab
ok env AWS_PROFILE=guest "$ITEMCTL" -s "$url" scan tab --count
eq 'a key with a session token' "$out" 61
gives 2 'profile (absent) could not be found' env AWS_PROFILE=absent "$ITEMCTL" -s "$url" tables
gives 2 'UnrecognizedClientException' env AWS_ACCESS_KEY_ID=AKIDSIX AWS_SECRET_ACCESS_KEY=x "$ITEMCTL" -s "$url" tables
gives 2 'signed with the key AKIDONE of AWS_ACCESS_KEY_ID' \
	env AWS_ACCESS_KEY_ID=AKIDONE AWS_SECRET_ACCESS_KEY=x "$ITEMCTL" -s "$url" tables
case $err in InvalidSignatureException:*) ;; *) fail "$err" ;; esac
gives 2 'missing: AWS_SECRET_ACCESS_KEY' env -u AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID=AKIDONE "$ITEMCTL" -s "$url" tables

# ---- dynamodb:REGION
export AWS_ENDPOINT_URL_DYNAMODB=$url
eq 'the configured endpoint' "$("$ITEMCTL" -s dynamodb:eu-north-1 get tab a)" '{"PK":"a","x":1}'
eq 'other names for it' "$("$ITEMCTL" -s aws:eu-north-1 get tab a)$("$ITEMCTL" -s ddb:eu-north-1 get tab a)" '{"PK":"a","x":1}{"PK":"a","x":1}'
gives 2 'name DynamoDB with its region: -s dynamodb:eu-west-1' "$ITEMCTL" -s aws tables
eq 'the endpoint of a profile' "$(AWS_REGION=eu-north-1 "$ITEMCTL" --profile guest scan tab --count)" 61
eq 'which takes precedence over a store in the environment' "$(ITEMFS_STORE=$S AWS_REGION=eu-north-1 "$ITEMCTL" --profile guest -q scan tab --count)" 61
gives 2 'You must specify a region: --region REGION' "$ITEMCTL" --profile guest tables
gives 2 'itemctl --profile guest tables' env -C / -u AWS_ENDPOINT_URL_DYNAMODB AWS_PROFILE=guest "$ITEMCTL" tables
eq 'the endpoint of all services' "$(env -u AWS_ENDPOINT_URL_DYNAMODB AWS_ENDPOINT_URL="$url" "$ITEMCTL" scan tab --count)" 61
eq 'the configured region' "$(AWS_REGION=eu-north-1 "$ITEMCTL" -s dynamodb: scan tab --count)" 61
gives 2 'itemctl: You must specify a region' "$ITEMCTL" -s dynamodb: tables
gives 2 'supported format' "$ITEMCTL" -s dynamodb:evil.example/ tables
gives 2 'serve needs a store directory' "$ITEMCTL" -s dynamodb:eu-north-1 serve
gives 2 'dynamodb:eu-north-1 is an endpoint: to check access patterns: itemctl -s dynamodb:eu-north-1 run FILE --all; to compare tables: itemctl -s dynamodb:eu-north-1 diff A B' "$ITEMCTL" -s dynamodb:eu-north-1 check
gives 2 'itemctl: Unable to locate credentials' env AWS_SHARED_CREDENTIALS_FILE=/dev/null "$ITEMCTL" -s dynamodb:eu-north-1 tables
end_server
export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:1 # a port that no other server can have
gives 70 'ServiceUnavailable' "$ITEMCTL" -s dynamodb:eu-north-1 tables

# ---- libcurl is loaded for servers, not for stores
loaded()
{
	LD_DEBUG=libs "$ITEMCTL" "$@" 2>&1 >/dev/null | grep -c 'calling init:.*libcurl'
}
eq 'an unserved store needs no libcurl' "$(loaded -s "$S" tables)" 0
eq 'another server does' "$(loaded -s http://127.0.0.1:1 tables)" 1
done_testing
