#!/bin/bash
# Keys from every provider: obtained, renewed, refused and never shown; with a made-up STS, container and instance.
. "$(dirname "$0")/lib.sh"

begin_made_up keysmith
export AWS_REGION=eu-west-1 AWS_METADATA_SERVICE_TIMEOUT=600 ITEMFS_TIMING=container=600000,sts=600000
unset AWS_EC2_METADATA_DISABLED CURL_CA_BUNDLE SSL_CERT_FILE SSL_CERT_DIR no_proxy NO_PROXY

# key - print whose tables the endpoint shows: the id of the key that signed the request
key()
{
	AWS_ENDPOINT_URL_DYNAMODB=http://$made_up "$ITEMCTL" -s dynamodb: "$@" call ListTables 2>key.err | tr -d ' \n' |
		sed 's/.*"TableNames":\["\([^"]*\)".*/\1/'
}

# says TEXT WORD... - check that it fails with that text, and shows no secret
says()
{
	checks=$((checks + 1))
	AWS_ENDPOINT_URL_DYNAMODB=http://$made_up timeout 250 "$ITEMCTL" -s dynamodb: "${@:2}" call ListTables >says.out 2>says.err &&
		fail "it succeeds: $(cat says.out)"
	grep -qF -- "$1" says.err || fail "it says: $(cat says.err)"
	! grep -q hidden says.out says.err || fail "it shows a secret: $(cat says.err)"
}

# ---------------------------------------------------------------- keys of the machine

eq 'no key without an instance' "$(AWS_EC2_METADATA_DISABLED=true key)" ''
export AWS_EC2_METADATA_SERVICE_ENDPOINT=http://$made_up/
eq 'a key of an instance' "$(key)" KEY1
eq 'requests for a token, a role, a key' "$(cut -d' ' -f1,2 asked | tr '\n' ' ')" \
	'PUT /latest/api/token GET /latest/meta-data/iam/security-credentials/ GET /latest/meta-data/iam/security-credentials/my-role '
echo ended >answer
eq 'an expired key of an instance is renewed' "$(key)" KEY2
rm answer
unset AWS_EC2_METADATA_SERVICE_ENDPOINT
export AWS_EC2_METADATA_DISABLED=true

export AWS_CONTAINER_CREDENTIALS_FULL_URI=http://$made_up/container
echo 'Bearer file' >token
: >asked
eq 'a key of a container' "$(AWS_CONTAINER_AUTHORIZATION_TOKEN=plain key)" KEY3
eq 'a key of a container with a token file' "$(AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=$W/token key)" KEY4
eq 'the token is sent' "$(cat asked)" $'GET /container plain\nGET /container Bearer file'
echo huge >answer
says 'its answer is too long'
echo text >answer
says 'is not JSON'
echo ended >answer
says 'returned a key that has already expired'
echo status >answer
says 'HTTP status 403'
rm answer
AWS_CONTAINER_AUTHORIZATION_TOKEN=$'a\nb' says 'more than one line'
for url in http://example.org/x http://127.0.0.1.example.org/ http://127.0.0.1:1@example.org/ ftp://127.0.0.1/ http://1270.0.0.1/; do
	AWS_CONTAINER_CREDENTIALS_FULL_URI=$url says 'is not allowed as a source of keys'
done
unset AWS_CONTAINER_CREDENTIALS_FULL_URI

# ---------------------------------------------------------------- web identity

export AWS_ENDPOINT_URL_STS=http://$made_up AWS_ROLE_ARN=arn:aws:iam::1:role/x AWS_ROLE_SESSION_NAME=me
echo 'web.token/+' >web
: >asked
served=$(AWS_WEB_IDENTITY_TOKEN_FILE=$W/web key)
eq 'a key of STS' "${served%%[0-9]*}" KEY
eq 'the request has the token' "$(cat asked)" 'POST AssumeRoleWithWebIdentity arn:aws:iam::1:role/x me web.token/+'
export AWS_WEB_IDENTITY_TOKEN_FILE=$W/web
echo text >answer
says 'has no key'
echo huge >answer
says 'its answer is too long'
echo status >answer
says 'HTTP status 403'
echo ended >answer
says 'returned a key that has already expired'
rm answer
AWS_ROLE_ARN= says 'AWS_ROLE_ARN is not'
AWS_WEB_IDENTITY_TOKEN_FILE=/nowhere says '/nowhere: No such file'
AWS_WEB_IDENTITY_TOKEN_FILE=/dev/null says 'is not a regular file'
unset AWS_ENDPOINT_URL_STS AWS_ROLE_ARN AWS_ROLE_SESSION_NAME AWS_WEB_IDENTITY_TOKEN_FILE

# ---------------------------------------------------------------- programs

export AWS_CONFIG_FILE=$W/aws.config
printed='{"Version":1,"AccessKeyId":"PRINTED","SecretAccessKey":"hidden","SessionToken":"hidden"'
printf '[profile %s]\ncredential_process = %s\n' \
	good "echo '$printed}'" later "echo '$printed,\"Expiration\":\"2999-01-01T00:00:00+01:00\"}'" \
	old "echo '$printed,\"Expiration\":\"2001-01-01T00:00:00Z\"}'" two "echo '{\"Version\":2,\"AccessKeyId\":\"hidden\",\"SecretAccessKey\":\"hidden\"}'" \
	text 'echo hidden' none true much 'yes hidden' fails 'echo hidden; echo "no luck" >&2; exit 3' missing nothing-of-this-name \
	line "printf '%s' '{\"Version\":1,\"AccessKeyId\":\"a\\nb\",\"SecretAccessKey\":\"hidden\"}'" >"$AWS_CONFIG_FILE"
printf '[profile role]\nrole_arn = arn:x\nsource_profile = good\n[profile sso]\nsso_session = x\n' >>"$AWS_CONFIG_FILE"
eq 'a key of a program' "$(key --profile good)" PRINTED
eq 'a key with an expiry time' "$(key --profile later)" PRINTED
eq '--profile takes precedence over variables' "$(AWS_ACCESS_KEY_ID=ENV AWS_SECRET_ACCESS_KEY=x key --profile good)" PRINTED
eq 'AWS_PROFILE does not' "$(AWS_PROFILE=good AWS_ACCESS_KEY_ID=ENV AWS_SECRET_ACCESS_KEY=x key)" ENV
says 'returned a key that has already expired' --profile old
says 'does not have Version 1' --profile two
says 'is not JSON' --profile text
says 'is not JSON' --profile none
says 'printed more than 65536 bytes' --profile much
says 'failed with status 3: no luck' --profile fails
says 'failed with status 127' --profile missing
says 'or another byte that is not allowed in a key' --profile line
mkdir bin
printf '#!/bin/sh\necho "$*" >>"%s/aws.asked"\ncat "%s/aws.says"\n' "$W" "$W" >bin/aws
chmod +x bin/aws
echo "$printed}" >aws.says
eq 'a role uses the aws command line' "$(PATH=$W/bin:$PATH key --profile role)" PRINTED
eq 'and so does single sign-on' "$(PATH=$W/bin:$PATH key --profile sso)" PRINTED
eq 'which is called with the profile' "$(cat aws.asked)" \
	$'configure export-credentials --format process --profile role\nconfigure export-credentials --format process --profile sso'
mkdir empty
for tool in grep timeout; do ln -s "$(command -v $tool)" empty/; done
PATH=$W/empty says 'profile sso has sso_session, which needs the AWS command line' --profile sso

# ---------------------------------------------------------------- renewal

cat >next <<'N'
n=$(cat counted 2>/dev/null || echo 0)
n=$((n + 1))
echo $n >counted
echo "{\"Version\":1,\"AccessKeyId\":\"NEXT$n\",\"SecretAccessKey\":\"hidden\",\"SessionToken\":\"hidden\"}"
N
printf '[profile next]\ncredential_process = sh %s/next\n' "$W" >"$AWS_CONFIG_FILE"
echo NEXT1 >expired
eq 'an expired token is renewed within the request' "$(key --profile next)" NEXT2
echo 'NEXT3 NEXT4' >expired
says 'token included in the request is expired (signed with the key NEXT4 of credential_process of profile next)' --profile next
rm expired

# ---------------------------------------------------------------- clocks

export AWS_ACCESS_KEY_ID=ENV AWS_SECRET_ACCESS_KEY=hidden
echo 7200 >clock
eq 'the clock is corrected' "$(key)" ENV
grep -q "this machine's clock is [0-9]* s behind that of" key.err || fail "not reported: $(cat key.err)"
rm clock

# ---------------------------------------------------------------- proxies, IPv6, certificates

ok env http_proxy="http://$made_up" "$ITEMCTL" -s http://dynamodb.invalid call ListTables
end_made_up

if grep -q '^0*1 ' /proc/net/if_inet6 2>/dev/null; then
	begin_made_up keysmith ipv6
	eq 'IPv6' "$(key)" ENV
	end_made_up
fi

listed()
{
	env "$@" "$ITEMCTL" -s "https://$made_up" call ListTables
}

gives 70 'AWS_CA_BUNDLE: /nowhere: No such file' listed AWS_CA_BUNDLE=/nowhere
if here openssl; then
	openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1 \
		-keyout private.pem -out cert.pem 2>openssl.log || fail "openssl: $(cat openssl.log)"
	cat private.pem cert.pem >both.pem
	printf '[profile trusts]\nca_bundle = %s/cert.pem\n' "$W" >"$AWS_CONFIG_FILE"
	begin_made_up keysmith both.pem
	gives 70 certificate listed AWS_PROFILE=
	for variable in AWS_CA_BUNDLE CURL_CA_BUNDLE SSL_CERT_FILE; do
		ok listed $variable="$W/cert.pem"
	done
	ok listed AWS_PROFILE=trusts
	end_made_up
fi
done_testing
