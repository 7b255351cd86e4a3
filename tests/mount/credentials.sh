#!/bin/bash
# A mount that outlives its keys: they are renewed before they expire, and when the server refuses them.
. "$(dirname "$0")/lib.sh"

begin_made_up keysmith
export AWS_CONTAINER_CREDENTIALS_FULL_URI=http://$made_up/container AWS_REGION=eu-west-1
export AWS_ENDPOINT_URL_DYNAMODB=http://$made_up
S=dynamodb:
mnt m -o timeout=0
# The endpoint names its table after the key of the request.
shows()
{
	[ "$(ls -U m)" = "$1" ]
}

first=$(ls -U m)
eq 'the key comes from the container endpoint' "${first%%[0-9]*}" KEY
eq 'a valid key is used again' "$(ls -U m)" "$first"
echo "$first" >expired
second=KEY$((${first#KEY} + 1))
eq 'a key with an expired token is renewed within the request' "$(ls -U m)" "$second"
rm expired

# While no keys can be obtained, requests fail and the mount stays.
echo text >answer
echo "$second" >expired
checks=$((checks + 1))
ls m >/dev/null 2>&1 && fail 'a listing succeeds without a key'
rm answer
checks=$((checks + 1))
case $(ls -U m) in
KEY*) ;;
*) fail 'the mount does not recover' ;;
esac
rm expired
! grep -rq hidden-token ./*.log ./*.err 2>/dev/null || fail 'a secret is in a log'
end_made_up
done_testing
