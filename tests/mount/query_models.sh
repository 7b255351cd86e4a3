# The worked examples of tests/models as paths: each Query that can be written as a path, and sharded ones as .shards.
models=$(readlink -f "$(dirname "$0")/../models")
. "$(dirname "$0")/lib.sh"

# Lines INDEX TAB PATH TAB KEYS: the Query requests of a model as paths below the table or index, and the expected
# keys.
asked()
{
	jq -r --argjson n "$2" '
	def name: gsub("%"; "%25") | gsub("/"; "%2F") | if startswith(".") then "%2E" + .[1:] else . end;
	def value: tostring | gsub("%"; "%25") | gsub("/"; "%2F");
	def plain: if has("N") then .N | tonumber else to_entries[0].value end;
	def words($r): gsub("(?<n>#[a-zA-Z0-9_]+)"; "`" + ($r.ExpressionAttributeNames[.n]) + "`")
		| gsub("(?<v>:[a-zA-Z0-9_]+)"; $r.ExpressionAttributeValues[.v] | plain | tojson);
	# The key condition is "P = :p", or that AND one condition on S.
	def sort($r): capture("^[^ ]+ = :[a-z0-9]+ AND (?<c>.*)$").c
		| if startswith("begins_with") then capture("(?<v>:[a-z0-9]+)\\)").v | "/.begins_with/" + ($r.ExpressionAttributeValues[.] | plain | value)
		  else capture("^[^ ]+ (?<op>[^ ]+) (?<a>:[a-z0-9]+)( AND (?<b>:[a-z0-9]+))?$")
			| "/" + {"=": ".eq", "<": ".lt", "<=": ".le", ">": ".gt", ">=": ".ge", "BETWEEN": ".between"}[.op]
			+ "/" + ($r.ExpressionAttributeValues[.a] | plain | value)
			+ (if .b then "/" + ($r.ExpressionAttributeValues[.b] | plain | value) else "" end)
		  end;
	.models[$n].access_patterns[]
	| if .operation == "ShardedQuery" then .steps[] else . end
	| select(.operation == "Query" and (.expect | type) == "array" and (has("setup") | not))
	| .request as $r
	# Limit of the API counts examined items, .limit counts returned items.
	| select(($r.Limit and $r.FilterExpression) | not)
	| select($r.ExclusiveStartKey | not)
	| ($r.KeyConditionExpression | capture("= (?<p>:[a-z0-9]+)").p) as $p
	| [ $r.IndexName // "-",
	    ($r.ExpressionAttributeValues[$p] | plain | tostring | name)
	    + ($r.KeyConditionExpression | if test(" AND ") then sort($r) else "" end)
	    + (if $r.FilterExpression then "/.filter/" + ($r.FilterExpression | words($r) | value) else "" end)
	    + (if $r.ScanIndexForward == false then "/.reverse" else "" end)
	    + (if $r.Limit then "/.limit/\($r.Limit)" else "" end),
	    (.expect | if length > 0 then map([.PK, .SK]) else . end | tojson) ]
	| join("\t")' "$1"
}

# items DIR - print the files that it lists, in that order, then a line "end"
items()
{
	(cd "$1" 2>/dev/null && ls -U | tr '\n' '\0' | xargs -0 -r cat)
	echo '"end"'
}

# Input: items and ends. Output: PK and SK of each item, and a line for each end.
keys()
{
	jq -cn 'reduce inputs as $v ({lines: [], now: []};
		if $v == "end" then .lines += [.now] | .now = [] else .now += [[$v.PK, $v.SK]] end) | .lines[]'
}

number=0
for file in "$models"/model-hr-oe.json "$models"/models-ch20-22.json; do
	count=$(jq '.models | length' "$file")
	for ((n = 0; n < count; n++)); do
		asked "$file" "$n" >"$W/asked"
		[ -s "$W/asked" ] || continue
		model_store "$file" "$n" "$W/store$n-$count"
		mnt "m$n-$count" -o "table=$table"
		# One jq for a whole model: one process per Query would take most of the time.
		while IFS=$'\t' read -r index path expected; do
			[ "$index" = - ] || path=.index/$index/$path
			items "m$n-$count/$path"
			cat "m$n-$count/$path/.jsonl" 2>/dev/null
			echo '"end"'
		done <"$W/asked" | keys >"$W/keys"
		while IFS=$'\t' read -r index path expected && read -r listed <&4 && read -r streamed <&4; do
			number=$((number + 1))
			eq "$name: $index $path" "$listed" "$expected"
			eq "$name: $index $path as a file" "$streamed" "$expected"
		done <"$W/asked" 4<"$W/keys"
		if [ "$name" = hr-oe ]; then
			july=.index/GSI2/.shards/0..14/.between/OPEN#2018-08-01/OPEN#2018-08-31
			eq 'open orders of a month, from all shards' "$(items "m$n-$count/$july" | keys | jq -c sort)" \
				"$(jq -c '.models[0].access_patterns[] | select(.operation == "ShardedQuery" and .index == "GSI2") | [.steps[].expect[] | [.PK, .SK]] | sort' "$file")"
			eq 'itemctl gives the same items' "$(items "m$n-$count/$july" | keys)" \
				"$(ctl query hroe --index GSI2 --shards 0..14 --between OPEN#2018-08-01 OPEN#2018-08-31 | jq -cs 'map([.PK, .SK])')"
		fi
		unmnt "m$n-$count"
	done
done
eq 'enough requests were tried' "$((number >= 70))" 1
done_testing
