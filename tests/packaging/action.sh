#!/bin/bash
# The GitHub action: its steps run as the runner runs them, with the files for variables, the search path and outputs.
. "$(dirname "$0")/../tools/lib.sh"
export HOME=$W npm_config_offline=true npm_config_audit=false npm_config_update_notifier=false
port=
at_end stop_server
stop_server()
{
	[ -z "$port" ] || "$ITEMCTL" -q stop "$port"
	clean_up
}

# ---- the npm package; without npm, a program that makes the folder of an installed one
mkdir -p temp with\ space
package=itemfs
if [ -f "$SOURCE/packaging/npm/build.sh" ] && command -v npm >/dev/null; then
	mkdir -p archive/bin
	cp "$ITEMCTL" "$ITEMFS" archive/bin
	ok sh "$SOURCE/packaging/npm/build.sh" "$W/packages" archive
	package=$(echo "$W"/packages/*.tgz)
else
	mkdir -p programs
	cat >programs/npm <<END
#!/bin/sh
echo "\$@" >"$W/npm.words"
mkdir -p "\$3/node_modules/.bin"
ln -sf "$ITEMCTL" "$ITEMFS" "\$3/node_modules/.bin"
END
	chmod 755 programs/npm
	PATH=$W/programs:$PATH
fi

# act INPUT=VALUE... - run the steps; $out has the outputs
act()
{
	local step variables
	rm -rf steps && mkdir steps && : >path && : >variables && : >outputs
	python3 "$SOURCE/tests/packaging/steps.py" "$SOURCE/packaging/action/action.yml" steps "$@" >names || return
	for step in 0 1; do
		mapfile -t -d '' variables <steps/$step.env
		env RUNNER_TEMP="$W/temp" GITHUB_PATH="$W/path" GITHUB_ENV="$W/variables" GITHUB_OUTPUT="$W/outputs" "${variables[@]}" \
			PATH="$(cat path | tr '\n' ':')$PATH" bash --noprofile --norc -eo pipefail "$W/steps/$step.sh" || return
	done
}

echo '{"PK":"of a file"}' >'with space/tab.jsonl'
ok act package="$package" arguments="--seed 'with space/tab.jsonl'"
port=$(sed -n 's/^port=//p' outputs)
eq 'all outputs are set' "$(cut -d= -f1 outputs | sort)" "$(sort names)"
eq 'the address' "$(sed -n 's/^endpoint=//p' outputs)" "http://127.0.0.1:$port"
[ ! -f npm.words ] || eq 'what npm installs' "$(cat npm.words)" "install --prefix $W/temp/itemfs --no-save --no-audit --no-fund itemfs"
eq 'variables for the following steps' "$(cat variables)" "AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:$port
AWS_ENDPOINT_URL_DYNAMODB_STREAMS=http://127.0.0.1:$port
AWS_ACCESS_KEY_ID=local
AWS_SECRET_ACCESS_KEY=local
AWS_REGION=us-east-1
AWS_DEFAULT_REGION=us-east-1"
eq 'a following step reads the items with the program in its path' "$(env $(cat variables) PATH="$(cat path):$PATH" itemctl scan tab)" '{"PK":"of a file"}'
ok "$ITEMCTL" -q stop "$port"
port=

AWS_REGION=eu-central-1 AWS_ACCESS_KEY_ID=own ok act package="$package"
port=$(sed -n 's/^port=//p' outputs)
eq 'keys and a region that are set stay' "$(grep -E 'KEY_ID|AWS_REGION' variables)" $'AWS_ACCESS_KEY_ID=own\nAWS_REGION=eu-central-1'
eq 'without arguments it has no tables' "$("$ITEMCTL" -s "http://127.0.0.1:$port" tables)" ''
ok "$ITEMCTL" -q stop "$port"
port=
gives 2 'absent.jsonl' act package="$package" arguments='--seed absent.jsonl'
eq 'a server that does not start has no address' "$(cat outputs variables)" ''
gives 1 'unmatched single quote' act package="$package" arguments="--seed it's"
eq 'nor does one whose words are wrong' "$(cat outputs variables)" ''
done_testing
