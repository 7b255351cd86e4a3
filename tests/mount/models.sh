#!/bin/bash
# Every worked example of tests/models, mounted: the directories of the table and of each index match the model's own
# views.
models=$(readlink -f "$(dirname "$0")/../models")
. "$(dirname "$0")/lib.sh"

# The listing that a model expects of a mount: lines TABLE/PARTITION/ENTRY, in order; $view is "base" or an index's
# name.
expected()
{
	jq -r --argjson n "$2" --arg view "$3" '
	def escape:
	  gsub("%"; "%25") | gsub("/"; "%2F") | if startswith(".") then "%2E" + .[1:] else . end;
	# In entries of an index, a colon that is next to another colon or at an end is escaped, too.
	def part: escape | gsub("(?<=:):"; "%3A") | gsub(":(?=:|%3A)"; "%3A") | sub("^:"; "%3A") | sub(":$"; "%3A");
	.models[$n]
	| (.table.key.partition.name) as $pk | (.table.key.sort.name // null) as $sk
	| (.table.key.partition.type) as $pk_type | .items as $items
	| def text: tostring;
	  def ordered(type): if type == "N" then sort_by(tonumber) else sort end;
	  if $view == "base" then
	    ($items | map(.[$pk] | text) | unique | ordered($pk_type))[] as $p
	    | if $sk then
	        ($items | map(select((.[$pk] | text) == $p) | .[$sk]) | sort | .[])
	        | "\($p | escape)/\(text | escape).json"
	      else "\($p | escape).json" end
	  else
	    (.table.gsis[] | select(.name == $view)) as $ix
	    | $ix.key.partition.name as $ipk | ($ix.key.sort.name // null) as $isk
	    | ($items | map(select(has($ipk) and ($isk == null or has($isk))))) as $in
	    | ($in | map(.[$ipk]) | unique | .[]) as $p
	    | $in | map(select(.[$ipk] == $p)) | sort_by((if $isk then .[$isk] else null end), .[$pk], (if $sk then .[$sk] else null end)) | .[]
	    | ([if $isk then .[$isk] else empty end, .[$pk], if $sk then .[$sk] else empty end] | map(text | part) | join("::")) as $entry
	    | "\($p | text | escape)/\($entry).json"
	  end' "$1"
}

# The model's own view, where it has one: it must agree with its items.
stated()
{
	jq -r --argjson n "$2" --arg view "$3" '
	.models[$n]
	| if $view == "base" then (.base_view // {} | to_entries[] | "\(.key) \(.value | length)")
	  else (.index_views[]? | select(.IndexName == $view) | .partitions | to_entries[] | "\(.key) \(.value | length)") end' "$1" | sort
}

counted()
{
	sed -n 's|/[^/]*$||p' | sed 's/%2F/\//g; s/%25/%/g' | sort | uniq -c | sed 's/^ *\([0-9]*\) \(.*\)/\2 \1/' | sort
}

shown()
{
	local partition
	ls -U "$1" | while IFS= read -r partition; do
		if [ -d "$1/$partition" ]; then
			ls -U "$1/$partition" | sed "s|^|$(printf '%s' "$partition" | sed 's/[&|\\]/\\&/g')/|"
		else
			printf '%s\n' "$partition"
		fi
	done
}

number=0
for file in "$models"/*.json; do
	count=$(jq '.models | length' "$file")
	for ((n = 0; n < count; n++)); do
		number=$((number + 1))
		model_store "$file" "$n" "$W/store$number"
		mnt "m$number" -o "table=$table"
		expected "$file" "$n" base >"$W/expected"
		eq "$name: the table" "$(shown "$W/m$number")" "$(cat "$W/expected")"
		if [ -n "$(stated "$file" "$n" base)" ]; then
			eq "$name: the base view of the model" "$(counted <"$W/expected")" "$(stated "$file" "$n" base)"
		fi
		for ((i = 1; i < ${#indexes[@]}; i += 2)); do
			index=${indexes[i]%%=*}
			expected "$file" "$n" "$index" >"$W/expected"
			eq "$name: $index" "$(shown "$W/m$number/.index/$index")" "$(cat "$W/expected")"
			if [ -n "$(stated "$file" "$n" "$index")" ]; then
				eq "$name: the view of $index in the model" "$(counted <"$W/expected")" "$(stated "$file" "$n" "$index")"
			fi
		done
		unmnt "m$number"
	done
done
eq 'enough models were read' "$((number > 10))" 1
done_testing
