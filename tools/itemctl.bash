# bash completion for itemctl: commands, options and their values, tables, indexes, partition keys and attributes of the store,
# patterns, files; those for zsh and fish ask _itemctl_for

_itemctl_options()
{
	local global='--store --format --quiet --stats --capacity --rate --no-pager --yes --dry-run --help --version'
	local names='--names --values'

	case $1 in
	create-table) echo "$global --key --gsi --lsi --from --data --if-not-exists --update --no-wait --ttl --throttle --collection-limit --stream" ;;
	alter) echo "$global --add-gsi --drop-gsi --ttl --stream --throttle --read-units --write-units --collection-limit" ;;
	drop) echo "$global --if-exists --no-wait" ;;
	put) echo "$global --if --return $names" ;;
	update) echo "$global --if --filter --all --index --return --set --add --remove --append $names" ;;
	delete) echo "$global --if --filter --all --index --return $names" ;;
	get) echo "$global --project --consistent --explain --run --no-scan --max-units $names" ;;
	query) echo "$global --index --eq --lt --le --gt --ge --between --begins-with --reverse --limit" \
		"--filter --project --count --consistent --page-size --start --one-page" \
		"--shards --prefix --hash --jobs --explain --run --no-scan --max-units $names" ;;
	scan) echo "$global --index --filter --project --limit --count --consistent --page-size" \
		"--start --one-page --segments --jobs --explain --run --no-scan --max-units $names" ;;
	sql) echo "$global --file --limit --consistent --explain --run --no-scan --max-units" ;;
	transact) echo "$global --token --return $names" ;;
	import) echo "$global --key --from --infer --set --delimiter --no-header --columns --apply --jobs --on-error" ;;
	export) echo "$global --to --index --output --jobs --split-by --safe --consistent" ;;
	cost) echo "$global" ;;
	copy) echo "$global --to --all --start --consistent --jobs --sample --filter $names --partitions --mask --mask-key" ;;
	mask) echo "$global --check --mask-key --limit" ;;
	diff) echo "$global --ignore --limit --summary --consistent" ;;
	shards) echo "$global --items --fraction --item-size --rate --attr --shards --random --hash --prefix" \
		"--overwrite --filter --index --since $names --limit" ;;
	sweep) echo "$global --now --any-age" ;;
	serve) echo "$global --listen --port --port-file --log --credentials --trust-network --cors --host --patterns --web --temp --seed --from --infer --ttl-sweep --background --print-port --ends-with" ;;
	status) echo "$global --port --env" ;;
	stop) echo "$global --port" ;;
	wait) echo "$global --port --timeout" ;;
	run) echo "$global --all --explain --run --no-scan --max-units" ;;
	call) echo "$global --explain --run --no-scan --max-units" ;;
	edit) echo "$global --typed" ;;
	ls) echo "$global --all --long" ;;
	find) echo "$global --name --type --maxdepth" ;;
	tree) echo "$global --level --limit" ;;
	draw) echo "$global --partition --output" ;;
	shapes) echo "$global --index --sample" ;;
	tail) echo "$global --from --once --lines --follow" ;;
	check) echo "$global --repair" ;;
	restore) echo "$global --without-broken" ;;
	*) echo "$global" ;;
	esac
}

# Print how many of the words after this option are its values.
_itemctl_values()
{
	case $2 in
	--between) echo 2 ;;
	--throttle) [[ $1 == alter ]] && echo 1 || echo 0 ;;
	-f) [[ $1 == tail ]] && echo 0 || echo 1 ;;
	-L | --level | --name | --type | --maxdepth) echo 1 ;;
	-s | -n | -j | -o | -p | --file | --store | --format | --key | --gsi | --lsi | --add-gsi | --drop-gsi | --from | --set | --add | --remove | --append | --delimiter | --columns | --to | --ttl | --stream | \
		--collection-limit | --read-units | --write-units | --if | --return | --names | --values | --project | --index | --eq | --lt | --le | --gt | --ge | \
		--begins-with | --limit | --lines | --filter | --page-size | --start | --shards | --prefix | --hash | --jobs | --segments | --token | \
		--on-error | --split-by | --items | --fraction | --item-size | --rate | --attr | --since | --now | --listen | --port | --port-file | --log | --timeout | --credentials | --cors | --host | --patterns | \
		--ttl-sweep | --seed | --partition | --output | --ignore | --sample | --partitions | --mask | --mask-key | --check | --max-units | --ends-with) echo 1 ;;
	*) echo 0 ;;
	esac
}

# Run the program that is being typed on the store that was named, and give up after a few seconds.  A store that
# another user made is not opened for a mere key press, even if ITEMFS_TRUST_STORE allows it.
_itemctl_run()
{
	ITEMFS_TRUST_STORE='' timeout "${ITEMFS_COMPLETION_SECONDS-3}" "$(_itemctl_unquoted "${words[0]}")" ${store:+-s "$store"} "$@" 2>/dev/null </dev/null
}

_itemctl_ask()
{
	_itemctl_run --format jsonl "$@"
}

_itemctl_tables()
{
	_itemctl_ask call ListTables | tr -d ' "\n' | sed -n 's/.*TableNames:\[\([^]]*\)\].*/\1/p' | tr ',' '\n'
}

_itemctl_indexes()
{
	_itemctl_ask describe "$1" | grep -o '"IndexName":"[^"]*"' | cut -d'"' -f4
}

# Print the global indexes of the table, which can be dropped.
_itemctl_global_indexes()
{
	_itemctl_ask describe "$1" | sed -n 's/.*"GlobalSecondaryIndexes"://p' | grep -o '"IndexName":"[^"]*"' | cut -d'"' -f4
}

# Print some partition keys of a table or index, from one page; none if the key has several attributes.
_itemctl_partitions()
{
	local keys key type
	keys=$(_itemctl_ask describe "$1")
	[[ -z $2 ]] || keys=$(grep -o "{\"IndexName\":\"$2\",[^]]*]" <<<"$keys")
	keys=$(grep -o '"KeySchema":\[[^]]*\]' <<<"$keys" | head -n 1)
	[[ $(grep -o '"HASH"' <<<"$keys" | wc -l) == 1 ]] || return
	key=$(sed -n 's/.*{"AttributeName":"\([A-Za-z0-9_.-]*\)","KeyType":"HASH"}.*/\1/p' <<<"$keys")
	[[ -z $key ]] || _itemctl_ask scan "$1" ${2:+--index "$2"} --one-page --page-size 1000 --project "\`$key\`" |
		sed -nE 's/^\{"[^"]*":"?([^"\\{}]*)"?\}$/\1/p' | sort -u | head -n 200
}

# Print the attributes of some items, each after the part of the word up to its last comma.
_itemctl_attributes()
{
	local before=
	[[ $current != *,* ]] || before=${current%,*},
	_itemctl_ask scan "$1" --one-page --page-size 100 | grep -oE '"[A-Za-z0-9_.-]+":' | tr -d '":' | sort -u | head -n 200 | sed "s/^/$before/"
}

# Print the paths in the directory of the path that is being typed, those of directories with a slash at the end: the
# first ones, from one listing; nothing is sent to an endpoint on another machine.
_itemctl_paths()
{
	local dir= name
	[[ $1 != */* ]] || dir=${1%/*}/
	_itemctl_run tree --near -L 1 -n 200 -- "${dir:-/}" | sed -n 's/^├── //p; s/^└── //p' | while IFS= read -r name; do
		[[ $name == *[!A-Za-z0-9_.=:#@,+/%-]* ]] || printf '%s\n' "$dir$name"
	done
}

_itemctl_patterns()
{
	_itemctl_ask run "$1" | sed -n 's/^{"Pattern":"\([^"]*\)".*/\1/p'
}

# Print PARAMETER= for each parameter of a pattern; the pattern's own values are in quotes.
_itemctl_parameters()
{
	_itemctl_ask run "$1" | grep -F "{\"Pattern\":\"$2\"," | sed -e 's/.*"Parameters":"\([^"]*\)".*/\1/' -e "s/'[^']*'//g" | tr ' ' '\n' | sed -n 's/^\([A-Za-z0-9_-][A-Za-z0-9_-]*\).*/\1=/p'
}

# Print the word as the shell would read it, without quotes and backslashes; nothing in it is run.
_itemctl_unquoted()
{
	local text=$1
	[[ $text != *[\'\"\\]* ]] || text=$({ xargs printf '%s' <<<"$text" || xargs printf '%s' <<<"$text'" || xargs printf '%s' <<<"$text\""; } 2>/dev/null)
	printf '%s' "$text"
}

# Set words to the words up to the cursor, rejoined where readline cut them at : and =, and cut to the part of the
# last word that readline left.
_itemctl_words()
{
	local line=${COMP_LINE:0:COMP_POINT} word rest i
	words=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		rest=${line#"${line%%[! 	]*}"}
		word=${COMP_WORDS[i]}
		((i < COMP_CWORD)) || word=$rest
		if ((i > 0)) && [[ $rest == "$line" ]]; then
			words[${#words[@]} - 1]+=$word
		else
			words+=("$word")
		fi
		cut=$word
		line=${rest#"$word"}
	done
	[[ $cut != [:=]* ]] || cut=
}

# Print the words that may be offered.  An endpoint may name anything, and
# compgen -W expands what it is given as a shell does: it would run a name like $(reboot).
_itemctl_plain()
{
	tr -s ' \t' '\n' <<<"$*" | LC_ALL=C grep -Ex '[A-Za-z0-9_.=:#@,+/%-]+'
}

# Print what is offered: words, or a kind of file.
_itemctl_offer()
{
	local unwanted=${current%"$cut"}
	case $1 in
	-f | -d)
		mapfile -t COMPREPLY < <(compgen "$1" -- "$(_itemctl_unquoted "$current")")
		compopt -o filenames 2>/dev/null
		;;
	*) mapfile -t COMPREPLY < <(compgen -W "$(_itemctl_plain "$*")" -- "$current") ;;
	esac
	[[ -z $unwanted ]] || COMPREPLY=("${COMPREPLY[@]#"$unwanted"}")
}

_itemctl_value()
{
	case $command:$1 in
	*:-s | *:--store | copy:--to | serve:--from) _itemctl_offer -d ;;
	mask:--check | copy:--partitions | *:--mask | *:--mask-key | *:-o | *:--output | *:--credentials | create-table:--from | serve:--seed | serve:--patterns | serve:--port-file | serve:--log) _itemctl_offer -f ;;
	*:--format) _itemctl_offer jsonl json typed csv tsv yaml md text table ;;
	import:--from) _itemctl_offer jsonl json csv yaml dynamodb-export ;;
	tail:--from) _itemctl_offer now start ;;
	export:--to) _itemctl_offer jsonl json csv tsv yaml md typed dynamodb-export ;;
	shards:--index) _itemctl_offer "$(_itemctl_indexes "$(_itemctl_unquoted "${given[1]-}")")" ;;
	alter:--drop-gsi) _itemctl_offer "$(_itemctl_global_indexes "$(_itemctl_unquoted "${given[0]-}")")" ;;
	*:--index) _itemctl_offer "$(_itemctl_indexes "$(_itemctl_unquoted "${given[0]-}")")" ;;
	alter:--stream) _itemctl_offer KEYS_ONLY NEW_IMAGE OLD_IMAGE NEW_AND_OLD_IMAGES off ;;
	*:--stream) _itemctl_offer KEYS_ONLY NEW_IMAGE OLD_IMAGE NEW_AND_OLD_IMAGES ;;
	alter:--throttle) _itemctl_offer on off ;;
	alter:--ttl | alter:--collection-limit) _itemctl_offer off ;;
	update:--return) _itemctl_offer old new updated-old updated-new ;;
	*:--return) _itemctl_offer old ;;
	*:--on-error) _itemctl_offer stop skip ;;
	shards:--attr | shards:--hash | shards:--filter) _itemctl_offer "$(_itemctl_attributes "$(_itemctl_unquoted "${given[1]-}")")" ;;
	diff:--ignore | *:--project | *:--filter | *:--if | export:--split-by) _itemctl_offer "$(_itemctl_attributes "$(_itemctl_unquoted "${given[0]-}")")" ;;
	esac
}

# Offer the next word that is not an option, after those that are given.
_itemctl_word()
{
	case $command:${#given[@]} in
	help:0) _itemctl_offer "$commands $topics" ;;
	call:0) _itemctl_offer "$(_itemctl_ask call)" ;;
	shards:0) _itemctl_offer plan assign heat ;;
	transact:0 | run:0 | why:0 | export:1) _itemctl_offer -f ;;
	run:1) _itemctl_offer "$(_itemctl_patterns "$(_itemctl_unquoted "${given[0]}")")" ;;
	run:*)
		_itemctl_offer "$(_itemctl_parameters "$(_itemctl_unquoted "${given[0]}")" "${given[1]}")"
		compopt -o nospace 2>/dev/null
		;;
	backup:0 | restore:0) _itemctl_offer -d ;;
	diff:1) _itemctl_offer -d "$(_itemctl_tables)" ;;
	ls:* | cat:* | tree:* | find:*)
		_itemctl_offer "$(_itemctl_paths "$(_itemctl_unquoted "$current")")"
		[[ ${COMPREPLY[0]-} != */ ]] || compopt -o nospace 2>/dev/null
		;;
	create-table:* | tables:* | serve:* | status:* | wait:* | stop:* | check:*) ;;
	shards:1) [[ ${given[0]} == plan ]] || _itemctl_offer "$(_itemctl_tables)" ;;
	*:0) _itemctl_offer "$(_itemctl_tables)" ;;
	import:*) _itemctl_offer -f ;;
	query:1 | get:1 | update:1 | edit:1 | delete:1 | size:1) _itemctl_offer "$(_itemctl_partitions "$(_itemctl_unquoted "${given[0]}")" "$index")" ;;
	esac
}

_itemctl()
{
	local commands='create-table tables describe alter drop reset stats put get update edit delete transact size query scan sql run tail cost why shapes draw shards serve status wait stop call shell ls cat tree find
		import export copy mask diff backup restore check sweep compact help'
	local topics='aliases endpoints expressions formats keys paths patterns store types'
	local -a words given=()
	local command='' store='' option='' index='' current cut last i word n

	_itemctl_words
	COMPREPLY=()
	last=$((${#words[@]} - 1))
	for ((i = 1; i < last; i++)); do
		word=${words[i]}
		option=
		case $word in
		-[0-9]* | [!-]* | - | '') [[ -n $command ]] && given+=("$word") || command=$word ;;
		--*=*)
			[[ $word != --store=* ]] || store=${word#*=}
			[[ $word != --index=* ]] || index=${word#*=}
			;;
		-*)
			n=$(_itemctl_values "$command" "$word")
			((i + n < last)) || option=$word
			[[ $word != @(-s|--store) ]] || store=${words[i + 1]}
			[[ $word != --index ]] || index=${words[i + 1]}
			i=$((i + n))
			;;
		esac
	done
	store=$(_itemctl_unquoted "$store")
	[[ $store != '~/'* ]] || store=$HOME/${store:2}
	current=${words[last]}
	if [[ -z $option && $current == --*=* ]]; then
		option=${current%%=*}
		cut=${current#*=}
		current=$cut
	fi
	if [[ -n $option ]]; then
		_itemctl_value "$option"
	elif [[ $current == -* ]]; then
		_itemctl_offer "$(_itemctl_options "$command")"
	elif [[ -z $command ]]; then
		_itemctl_offer "$commands"
	else
		_itemctl_word
	fi
}

# _itemctl_for LINE - for other shells: print what may complete a line that ends at the cursor, one per line. Their words are
# not cut at : and =.
_itemctl_for()
{
	local COMP_LINE=$1 COMP_POINT=${#1} COMP_CWORD
	local -a COMP_WORDS COMPREPLY
	read -r -a COMP_WORDS <<<"$1"
	[[ $1 != *[[:blank:]] ]] || COMP_WORDS+=('')
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	compopt() { :; }
	_itemctl
	((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
}

complete -F _itemctl itemctl
