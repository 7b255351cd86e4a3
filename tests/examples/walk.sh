#!/bin/bash
# walk.sh EXAMPLE - its walk-through prints what its transcript.txt says, its patterns work as they are, and answer and write as the models do.
# ITEMFS_WRITE=1 writes the transcript instead of comparing it: read what git shows then.
. "$(dirname "$0")/../mount/lib.sh"
example=$(readlink -f "$HERE/../../tools/examples/$1")
PATH=$BUILD/tools:$BUILD/fs:$PATH

TMPDIR=$W ITEMFS_BUILD=$BUILD sh "$example/walkthrough.sh" >is.txt 2>&1
eq 'the walk-through ends well' $? 0
eq 'and leaves nothing' "$(our_mounts; ls)" is.txt
[ -z "${ITEMFS_WRITE-}" ] || cp is.txt "$example/transcript.txt"
eq 'it says what is written' "$(diff -U1 "$example/transcript.txt" is.txt)" ''

{ TMPDIR=$W ITEMFS_BUILD=$BUILD sh "$example/walkthrough.sh" 2>gone.err; } | :
eq 'it ends quietly when its reader does' "$(cat gone.err; our_mounts; ls -d itemfs-walk-* 2>/dev/null)" ''

export ITEMFS_STORE=$S
schema=$example/table.json items=$example/items.jsonl
[ ! -f "$example/after.json" ] || { schema=$example/after.json items=$example/after.jsonl; }
table=$(jq -r .TableName "$schema")
# fresh STORE - one with the example's table in it
fresh()
{
	itemctl -s "$1" -q create-table --from "$schema" && itemctl -s "$1" -q import "$table" "$items"
}
ok fresh "$S"

# Patterns that only read find what the models expect (answers.txt).
while IFS='|' read -r name pattern model access <&3; do
	[ "$name" = "$1" ] || continue
	eq "$pattern: $access" "$(itemctl run "$example/patterns" "$pattern" 2>/dev/null | jq -c '[.PK // .SessionToken, .SK]')" \
		"$(jq -c --arg model "$model" --arg access "$access" '.models[] | select(.name == $model) | .access_patterns[] | select(.name == $access)
			| .expect | if type == "array" then . else .items end | .[] | [.PK // .SessionToken, .SK]' "$HERE"/../models/*.json)"
done 3<"$HERE/answers.txt"

# Patterns that write leave behind what the models expect (writes.txt): these items, whole, each on a new store.
run()
{
	itemctl -s new -q run "$example/patterns" "$@"
}
key='def key: [.PK // .SessionToken, .SK];'
while IFS='|' read -r name commands model access <&3; do
	[ "$name" = "$1" ] || continue
	rm -rf new
	fresh new
	eval "$commands" >said.txt 2>&1 || fail "$access: $(cat said.txt)"
	jq -S --arg model "$model" --arg access "$access" "$key"'.models[] | select(.name == $model) | .items as $items
		| .access_patterns[] | select(.name == $access)
		| .expect_after // [.expect.after[] | .item // ((.key | key) as $key | ($items[] | select(key == $key)) + .has)]
		| walk(if type == "object" and has("$ss") then {SS: .["$ss"]} else . end)' "$HERE"/../models/*.json >wanted.json
	itemctl -s new -q export "$table" | jq -sS --slurpfile wanted wanted.json "$key"'. as $all | $wanted[0] | map(key as $key | $all[] | select(key == $key))' >found.json
	eq "$commands: $access" "$(diff -U2 wanted.json found.json)" ''
	eq "$access is in the models" "$(jq 'length > 0' wanted.json)" true
done 3<"$HERE/writes.txt"

# Each pattern of the file, in its order, finds and costs what its expect line says.
patterns=$(grep -c '^pattern ' "$example/patterns")
eq 'the patterns' "$(itemctl run "$example/patterns" --all 2>&1 | grep -v '^ok ')" "$patterns patterns: $patterns ok, 0 FAILED"
eq 'each expects something' "$(grep -c '^    expect ' "$example/patterns")" "$patterns"
ok itemctl check

# An entity chart has every key of the data: `REPO#<owner>#<repo>` is one, and so is what comes by migrating.
chart=$example/README.md
if [ -f "$chart" ] && grep -q '`[A-Z#]*<' "$chart"; then
	cat "$chart" "${example%-migrations}/README.md" | grep -o '`[^`]*`' | tr -d '`' | sed '/^<[^>]*>$/d; s/<[^>]*>/.+/g; s/\.\.\./.*/' >keys.txt
	eq 'the chart has every key' "$(jq -r 'to_entries[] | select(.key | test("^(GSI[0-9])?[PS]K$")).value' "$items" | grep -vxEf keys.txt)" ''
fi
eq 'the list of examples has it' "$(grep -cF "[$1]($1)" "$HERE/../../tools/examples/README.md")" 1

done_testing
