# The worked examples of tests/models as paths: every Query that has an answer there, and sharded ones as .shards.
models=$(readlink -f "$(dirname "$0")/../models")
. "$(dirname "$0")/lib.sh"

# Lines INDEX TAB PATH TAB KEYS: the Querys of a model as paths below the table or index, and the keys they answer.
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
	# The API counts what it examines, .limit what it answers.
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

# keys DIR - PK and SK of the files that it lists, in that order
keys()
{
	local name
	ls -U "$1" 2>/dev/null | while IFS= read -r name; do
		cat "$1/$name"
	done | jq -cs 'map([.PK, .SK])'
}

number=0
for file in "$models"/model-hr-oe.json "$models"/models-ch20-22.json; do
	count=$(jq '.models | length' "$file")
	for ((n = 0; n < count; n++)); do
		asked "$file" "$n" >"$W/asked"
		[ -s "$W/asked" ] || continue
		model_store "$file" "$n" "$W/store$n-$count"
		mnt "m$n-$count" -o "table=$table"
		while IFS=$'\t' read -r index path expected; do
			number=$((number + 1))
			[ "$index" = - ] || path=.index/$index/$path
			eq "$name: $path" "$(keys "m$n-$count/$path")" "$expected"
			[ "$expected" = '[]' ] || eq "$name: $path as a file" "$(jq -cs 'map([.PK, .SK])' "m$n-$count/$path/.jsonl")" "$expected"
		done <"$W/asked"
		if [ "$name" = hr-oe ]; then
			july=.index/GSI2/.shards/0..14/.between/OPEN#2018-08-01/OPEN#2018-08-31
			eq 'open orders of a month, from all shards' "$(keys "m$n-$count/$july" | jq -c sort)" \
				"$(jq -c '.models[0].access_patterns[] | select(.operation == "ShardedQuery" and .index == "GSI2") | [.steps[].expect[] | [.PK, .SK]] | sort' "$file")"
			eq 'as itemctl says' "$(keys "m$n-$count/$july")" \
				"$(ctl query hroe --index GSI2 --shards 0..14 --between OPEN#2018-08-01 OPEN#2018-08-31 | jq -cs 'map([.PK, .SK])')"
		fi
		unmnt "m$n-$count"
	done
done
eq 'so many are Querys' "$((number >= 70))" 1
done_testing
