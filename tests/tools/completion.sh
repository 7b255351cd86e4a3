#!/bin/bash
# What TAB completes in a command line, in a real bash: commands, options, their values, tables, indexes, patterns,
# files.
. "$(dirname "$0")/lib.sh"

here python3 || exit 77
begin
ctl -q create-table music --key Artist,Song --gsi ByYear=Year:N --gsi ByTitle=Title --lsi Best=Score:N
ctl -q create-table movies --key Id
ctl -q create-table alone --key Id
ctl -q create-table things --key PK,SK --gsi ByYear=Year:N
printf '%s\n' '{"PK":"C#1","SK":"a","Title":"x"}' '{"PK":"C#1","SK":"b"}' '{"PK":"C#2","SK":"a","Year":1999}' '{"PK":"D:3","SK":"$(touch run)"}' \
	'{"PK":"$(touch run)","SK":"`touch run`","$(touch run)":1}' | ctl -q import things
ctl -q create-table numbers --key Id:N
ctl -q put numbers '{"Id":7}'
"$ITEMCTL" -q -s 'my store' create-table quoted --key Id
mkdir dir home
mkdir home/here
touch 'an item.jsonl' plain.csv 'a:b.jsonl' 'key=value.json'
printf 'pattern open-orders  Some\n    scan music\npattern one\n    scan movies\n' >patterns
printf 'pattern orders\n    param who="Jo Smith"\n    param least:N=1\n    param at\n    scan music\n' >asked
"$ITEMCTL" help >help

# tab LINE EXPECTED [OFFERED] - the expected line after TAB, and the offered words; all lines are tried together at
# the end
: >lines
: >wanted
tab()
{
	printf '%s\n' "$1" >>lines
	printf '%s|%s\n' "$2" "${3-*}" >>wanted
}

# ---- commands: each one, and each unique prefix
commands=$(sed -n '/^Help$/q; s/^  \([a-z][a-z-]*\) .*/\1/p' help; echo help)
tab 'itemctl ' 'itemctl ' "$(echo $commands)"
for c in $commands; do
	tab "itemctl -q $c" "itemctl -q $c " "$c"
done
tab 'itemctl cr' 'itemctl create-table '
tab 'itemctl help ba' 'itemctl help backup '
tab 'itemctl help exp' 'itemctl help exp' 'export expressions'
tab 'itemctl frob' 'itemctl frob' ''

# ---- every option of every command, whatever precedes it
for c in $commands; do
	[ "$c" != help ] || continue
	for option in $("$ITEMCTL" help "$c" | sed '/^Examples:/,$d' | awk -v RS= 'END { print }' | sed -nE 's/^  (-[a-z], )?(--[a-z-]+).*/\2/p') --store --format --quiet --stats --capacity --rate --help --version; do
		tab "itemctl $c $option" "itemctl $c $option*" "*$option*"
	done
done
tab 'itemctl query music x --beg' 'itemctl query music x --begins-with '
tab 'itemctl --for' 'itemctl --format '
tab 'itemctl tables --key' 'itemctl tables --key' ''

# ---- tables
for c in describe alter drop put get update delete query scan import export copy sweep tail size stats compact draw shapes; do
	tab "itemctl -s $S $c mus" "itemctl -s $S $c music " music
done
tab "itemctl -s $S query " "itemctl -s $S query " 'alone movies music numbers things'
tab "itemctl --store=$S query mo" "itemctl --store=$S query movies "
tab "itemctl query -s $S mo" "itemctl query -s $S movies "
tab "itemctl -s $S query --reverse --limit 3 mo" "itemctl -s $S query --reverse --limit 3 movies "
tab "itemctl -s $S query --between 1 2 mo" "itemctl -s $S query --between 1 2 movies "
tab "itemctl -s $S alter --throttle on mo" "itemctl -s $S alter --throttle on movies "
tab "itemctl -s $S shards assign mo" "itemctl -s $S shards assign movies "
tab "itemctl -s $S create-table mu" "itemctl -s $S create-table mu" ''
tab "itemctl -s $S query music mo" "itemctl -s $S query music mo" ''
tab "itemctl -s 'my store' query q" "itemctl -s 'my store' query quoted "
tab 'itemctl -s "my store" query q' 'itemctl -s "my store" query quoted '
tab 'itemctl -s my\ store query q' 'itemctl -s my\ store query quoted '
ln -s "$S" home/linked
tab 'itemctl -s ~/linked query mo' 'itemctl -s ~/linked query movies '
tab 'itemctl -s none query q' 'itemctl -s none query q' ''
tab 'itemctl -s http://127.0.0.1:1 query ' 'itemctl -s http://127.0.0.1:1 query ' ''
# Words of the line, and names of an endpoint, are not executed.
begin_made_up hostile '$(touch${IFS}run)'
tab "itemctl -s http://$made_up query " "itemctl -s http://$made_up query sound " sound
tab "itemctl -s http://$made_up query sound --index " "itemctl -s http://$made_up query sound --index Sound " Sound
tab 'itemctl import x $(touch\ run) ' 'itemctl import x $(touch\ run) *'
tab 'itemctl -s $(touch run) query ' 'itemctl -s $(touch run) query ' ''
tab 'itemctl -s "`touch run`" query ' 'itemctl -s "`touch run`" query ' ''
tab 'itemctl -s $(touch\ run\ too) query ' 'itemctl -s $(touch\ run\ too) query ' ''

# ---- indexes, patterns, operations, words
tab "itemctl -s $S query music --index " "itemctl -s $S query music --index B" 'Best ByYear ByTitle'
tab "itemctl -s $S scan music --index=ByY" "itemctl -s $S scan music --index=ByYear "
tab "itemctl -s $S alter music --drop-gsi ByT" "itemctl -s $S alter music --drop-gsi ByTitle "
tab "itemctl -s $S alter music --drop-gsi " "itemctl -s $S alter music --drop-gsi By" 'ByYear ByTitle'
tab "itemctl -s $S alter music --drop-gsi ByYear --drop-gsi=ByT" "itemctl -s $S alter music --drop-gsi ByYear --drop-gsi=ByTitle "
tab "itemctl -s $S alter movies --drop-gsi " "itemctl -s $S alter movies --drop-gsi " ''
tab "itemctl -s $S query movies --index " "itemctl -s $S query movies --index " ''
tab 'itemctl run patterns ' 'itemctl run patterns o' 'open-orders one'
tab 'itemctl run patterns op' 'itemctl run patterns open-orders '
tab 'itemctl run asked orders ' 'itemctl run asked orders ' 'who= least= at='
tab 'itemctl run asked orders wh' 'itemctl run asked orders who='
tab 'itemctl run asked orders who=me l' 'itemctl run asked orders who=me least='
tab 'itemctl run asked orders who=' 'itemctl run asked orders who=' ''
tab 'itemctl run patterns one ' 'itemctl run patterns one ' ''
tab 'itemctl call ExecuteS' 'itemctl call ExecuteStatement '
tab 'itemctl shards ' 'itemctl shards ' "$("$ITEMCTL" help shards | sed -n '/^$/q; s/^.*itemctl shards \([a-z]*\).*/\1/p' | tr '\n' ' ' | sed 's/ $//')"
tab "itemctl -s $S query things " "itemctl -s $S query things " 'C#1 C#2 D:3'
tab "itemctl -s $S query things C" "itemctl -s $S query things C#" 'C#1 C#2'
tab "itemctl -s $S get things D:" "itemctl -s $S get things D:3 " 3
tab "itemctl -s $S query numbers " "itemctl -s $S query numbers 7 " 7
tab "itemctl -s $S query things --index ByYear " "itemctl -s $S query things --index ByYear 1999 " 1999
tab "itemctl -s $S query none " "itemctl -s $S query none " ''
tab "itemctl -s $S scan things --project " "itemctl -s $S scan things --project " 'PK SK Title Year'
tab "itemctl -s $S scan things --project Year,T" "itemctl -s $S scan things --project Year,Title " Year,Title
tab "itemctl -s $S query things --filter Ti" "itemctl -s $S query things --filter Title " Title
tab "itemctl -s $S shards assign things --attr Ye" "itemctl -s $S shards assign things --attr Year " Year
tab 'itemctl --format ' 'itemctl --format ' 'jsonl json typed csv tsv yaml md text table'
tab 'itemctl --format=ty' 'itemctl --format=typed '
tab 'itemctl import x --from ' 'itemctl import x --from ' 'jsonl json csv yaml dynamodb-export'
tab 'itemctl tail x --from ' 'itemctl tail x --from ' 'now start'
tab 'itemctl export x --to dyn' 'itemctl export x --to dynamodb-export '
tab 'itemctl create-table x --stream ' 'itemctl create-table x --stream ' 'KEYS_ONLY NEW_IMAGE OLD_IMAGE NEW_AND_OLD_IMAGES'
tab 'itemctl alter x --stream o' 'itemctl alter x --stream off '
tab 'itemctl alter x --throttle ' 'itemctl alter x --throttle o' 'on off'
tab 'itemctl update x --return updated-n' 'itemctl update x --return updated-new '
tab 'itemctl put x --return ' 'itemctl put x --return old '
tab 'itemctl import x --on-error sk' 'itemctl import x --on-error skip '

# ---- paths: one directory at a time, names that need no quotes; the name $(touch run) is also there
tab "itemctl -s $S ls mus" "itemctl -s $S ls music/" music/
tab "itemctl -s $S tree -L 2 mo" "itemctl -s $S tree -L 2 movies/" movies/
tab "itemctl -s $S cat things/" "itemctl -s $S cat things/" 'things/C#1/ things/C#2/ things/D:3/'
tab "itemctl -s $S cat things/C#1/" "itemctl -s $S cat things/C#1/" 'things/C#1/a.json things/C#1/b.json'
tab "itemctl -s $S cat things/C#1/a.json /things/D" "itemctl -s $S cat things/C#1/a.json /things/D:3/" /things/D:3/
tab "itemctl -s $S find ./things/C#2/" "itemctl -s $S find ./things/C#2/a.json " ./things/C#2/a.json
tab "itemctl ls $S/things/D" "itemctl ls $S/things/D:3/" "$S/things/D:3/"
tab "itemctl -s $S cat none/" "itemctl -s $S cat none/" ''
tab 'itemctl -s http://192.0.2.1:8000 ls ' 'itemctl -s http://192.0.2.1:8000 ls ' ''

# ---- files, and none where something else is expected
tab 'itemctl import x pl' 'itemctl import x plain.csv '
tab 'itemctl import x plain.csv an' 'itemctl import x plain.csv an\ item.jsonl '
tab "itemctl import x 'an i" "itemctl import x 'an item.jsonl' "
tab 'itemctl import x a:' 'itemctl import x a:b.jsonl '
tab 'itemctl import x key=' 'itemctl import x key=value.json '
tab 'itemctl import x di' 'itemctl import x dir/'
tab 'itemctl export x pl' 'itemctl export x plain.csv '
tab 'itemctl transact pl' 'itemctl transact plain.csv '
tab 'itemctl run pat' 'itemctl run patterns '
tab 'itemctl why pl' 'itemctl why plain.csv '
tab 'itemctl draw x -o pl' 'itemctl draw x -o plain.csv '
tab 'itemctl create-table --from pl' 'itemctl create-table --from plain.csv '
tab 'itemctl serve --credentials pl' 'itemctl serve --credentials plain.csv '
tab 'itemctl backup di' 'itemctl backup dir/'
tab 'itemctl restore pl' 'itemctl restore pl' ''
tab 'itemctl -s di' 'itemctl -s dir/'
tab 'itemctl -s my' 'itemctl -s my\ store/'
tab 'itemctl -s ~/he' 'itemctl -s ~/here/'
tab 'itemctl query x p --filter ' 'itemctl query x p --filter ' ''
tab 'itemctl get x pl' 'itemctl get x pl' ''
tab 'itemctl tables pl' 'itemctl tables pl' ''

ITEMFS_COMPLETION_SECONDS=50 HOME=$W/home PATH=${ITEMCTL%/*}:$PATH python3 "$SOURCE/tests/tools/completion.py" "$SOURCE/tools/itemctl.bash" <lines >is || fail 'bash does not answer'
eq 'each line has a result' "$(wc -l <is)" "$(wc -l <lines)"
while IFS= read -r line <&3 && IFS='|' read -r want offer <&4 && IFS='|' read -r is offered <&5; do
	checks=$((checks + 1))
	# The options end with a *: other options may have this prefix, and then no blank follows.
	case $want in *\*) [[ $is == "${want%\*}"* ]] ;; *) [[ $is == "$want" ]] ;; esac &&
		case $offer in \*--*) [[ " $offered " == *" ${offer//\*/} "* ]] ;; \*) ;; *) [[ $offered == "$offer" ]] ;; esac ||
		fail "\"$line\" becomes \"$is\", offered: $offered"$'\n'"  expected: \"$want\", $offer"
done 3<lines 4<wanted 5<is

# ---- a path costs one run, which lists at most 200 entries
seq 300 | jq -c '{Id: ., Text: "x"}' | ctl -q import numbers -
printf '#!/bin/sh\necho "$*" >>asked_for\nexec %q "$@"\n' "$ITEMCTL" >counted
chmod +x counted
offered=$(. "$SOURCE/tools/itemctl.bash" && ITEMFS_COMPLETION_SECONDS=50 _itemctl_for "./counted -s $S cat numbers/")
eq 'offered entries' "$(wc -l <<<"$offered") $(grep -cx 'numbers/[0-9]*.json' <<<"$offered")" '200 200'
eq 'runs' "$(cat asked_for)" "-s $S tree --near -L 1 -n 200 -- numbers/"

# ---- zsh and fish use the completion of bash
export ITEMFS_COMPLETION_SECONDS=50 PATH=${ITEMCTL%/*}:$PATH HOME=$W/home
mkdir -p functions
for shell in zsh fish; do
	sed "s|@script@|$SOURCE/tools/itemctl.bash|" "$SOURCE/tools/itemctl.$shell.in" >functions/$shell
done
cp functions/zsh functions/_itemctl
if here fish; then
	fish_offers()
	{
		fish --no-config -c "source functions/fish; complete -C '$1'" 2>&1 | cut -f1 | sort | tr '\n' ' '
	}
	eq 'fish: commands' "$(fish_offers 'itemctl de')" 'delete describe '
	eq 'fish: tables' "$(fish_offers "itemctl -s $S query mo")" 'movies '
	eq 'fish: partition keys' "$(fish_offers "itemctl -s $S query things C")" 'C#1 C#2 '
	eq 'fish: options' "$(fish_offers "itemctl query things --beg")" '--begins-with '
	eq 'fish: paths' "$(fish_offers "itemctl -s $S ls mus")" 'music/ '
	eq 'fish: files' "$(fish_offers 'itemctl import x pl')" 'plain.csv '
fi
if here zsh; then
	eq 'zsh' "$(python3 "$SOURCE/tests/tools/zsh.py" functions 'itemctl desc' "itemctl -s $S query mov" "itemctl -s $S query things D" 'itemctl query x --begi' 'itemctl import x pla' "itemctl -s $S ls mus")" \
		"itemctl describe 
itemctl -s $S query movies 
itemctl -s $S query things D:3 
itemctl query x --begins-with 
itemctl import x plain.csv 
itemctl -s $S ls music/"
fi
eq 'no word was executed' "$(ls | grep -c run)" 0
end_made_up
done_testing
