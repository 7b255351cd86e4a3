# bash completion for itemctl: commands, options and their values, tables and indexes of the store, patterns, files

_itemctl_options()
{
	local global='--store --format --quiet --stats --capacity --help --version'
	local names='--names --values'

	case $1 in
	create-table) echo "$global --key --gsi --lsi --from --data --if-not-exists --update --ttl --throttle --collection-limit --stream" ;;
	alter) echo "$global --add-gsi --drop-gsi --ttl --stream --throttle --collection-limit" ;;
	drop) echo "$global --yes" ;;
	put | update | delete) echo "$global --if --return $names" ;;
	get) echo "$global --project --consistent $names" ;;
	query) echo "$global --index --eq --lt --le --gt --ge --between --begins-with --reverse --limit" \
		"--filter --project --count --consistent --page-size --start --one-page" \
		"--shards --prefix --hash --jobs $names" ;;
	scan) echo "$global --index --filter --project --limit --count --consistent --page-size" \
		"--start --one-page --segments --jobs $names" ;;
	sql) echo "$global --file --limit --consistent --explain" ;;
	transact) echo "$global --token --dry-run --return $names" ;;
	import) echo "$global --from --infer --jobs --on-error" ;;
	export) echo "$global --to --index --jobs --split-by --safe" ;;
	copy) echo "$global --to --start --jobs" ;;
	shards) echo "$global --items --fraction --item-size --rate --attr --shards --random --hash --prefix" \
		"--overwrite --filter --index --since $names --limit" ;;
	sweep) echo "$global --now --any-age" ;;
	serve) echo "$global --listen --port --credentials --cors --temp --ttl-sweep" ;;
	draw) echo "$global --partition --output" ;;
	tail) echo "$global --from --once" ;;
	check) echo "$global --repair" ;;
	restore) echo "$global --without-broken" ;;
	*) echo "$global" ;;
	esac
}

# How many words behind this option are its values.
_itemctl_values()
{
	case $2 in
	--between) echo 2 ;;
	--throttle) [[ $1 == alter ]] && echo 1 || echo 0 ;;
	-s | -n | -j | -o | -p | -f | --file | --store | --format | --key | --gsi | --lsi | --add-gsi | --drop-gsi | --from | --to | --ttl | --stream | \
		--collection-limit | --if | --return | --names | --values | --project | --index | --eq | --lt | --le | --gt | --ge | \
		--begins-with | --limit | --filter | --page-size | --start | --shards | --prefix | --hash | --jobs | --segments | --token | \
		--on-error | --split-by | --items | --fraction | --item-size | --rate | --attr | --since | --now | --listen | --port | --credentials | --cors | \
		--ttl-sweep | --partition | --output) echo 1 ;;
	*) echo 0 ;;
	esac
}

# The program that is being typed, about the store that was named; quickly or not at all.  What others have
# made is opened by nobody who only presses a key, also where ITEMFS_TRUST_STORE allows it.
_itemctl_ask()
{
	ITEMFS_TRUST_STORE='' timeout "${ITEMFS_COMPLETION_SECONDS-3}" "$(_itemctl_unquoted "${words[0]}")" ${store:+-s "$store"} --format jsonl "$@" 2>/dev/null </dev/null
}

_itemctl_tables()
{
	_itemctl_ask call ListTables | sed -n 's/.*"TableNames":\[\([^]]*\)\].*/\1/p' | tr -d '"' | tr ',' '\n'
}

_itemctl_indexes()
{
	_itemctl_ask describe "$1" | grep -o '"IndexName":"[^"]*"' | cut -d'"' -f4
}

# Those that can be dropped.
_itemctl_global_indexes()
{
	_itemctl_ask describe "$1" | sed -n 's/.*"GlobalSecondaryIndexes"://p' | grep -o '"IndexName":"[^"]*"' | cut -d'"' -f4
}

_itemctl_patterns()
{
	_itemctl_ask run "$1" | sed -n 's/^{"Pattern":"\([^"]*\)".*/\1/p'
}

# PARAMETER= of a pattern; values of its own are in quotes.
_itemctl_parameters()
{
	_itemctl_ask run "$1" | grep -F "{\"Pattern\":\"$2\"," | sed -e 's/.*"Parameters":"\([^"]*\)".*/\1/' -e "s/'[^']*'//g" | tr ' ' '\n' | sed -n 's/^\([A-Za-z0-9_-][A-Za-z0-9_-]*\).*/\1=/p'
}

# As the shell would read it, without quotes and backslashes; nothing in it is run.
_itemctl_unquoted()
{
	local text=$1
	[[ $text != *[\'\"\\]* ]] || text=$({ xargs printf '%s' <<<"$text" || xargs printf '%s' <<<"$text'" || xargs printf '%s' <<<"$text\""; } 2>/dev/null)
	printf '%s' "$text"
}

# words: those up to the cursor, put together where readline cut them at : and =; cut: what it left of the last one.
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

# Those of the words that may be offered.  An endpoint may name anything, and
# compgen -W expands what it is given as a shell does: it would run a name like $(reboot).
_itemctl_plain()
{
	tr -s ' \t' '\n' <<<"$*" | LC_ALL=C grep -Ex '[A-Za-z0-9_.=-]+'
}

# What is offered: words, or a kind of files.
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
	*:-s | *:--store | copy:--to) _itemctl_offer -d ;;
	*:-o | *:--output | *:--credentials | create-table:--from) _itemctl_offer -f ;;
	*:--format) _itemctl_offer jsonl json typed csv table ;;
	import:--from) _itemctl_offer jsonl json csv dynamodb-export ;;
	tail:--from) _itemctl_offer now start ;;
	export:--to) _itemctl_offer jsonl json csv typed dynamodb-export ;;
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
	esac
}

# The next word that is no option, behind those that are given.
_itemctl_word()
{
	case $command:${#given[@]} in
	help:0) _itemctl_offer "$commands" ;;
	call:0) _itemctl_offer "$(_itemctl_ask call)" ;;
	shards:0) _itemctl_offer plan assign heat ;;
	transact:0 | run:0 | why:0 | export:1) _itemctl_offer -f ;;
	run:1) _itemctl_offer "$(_itemctl_patterns "$(_itemctl_unquoted "${given[0]}")")" ;;
	run:*)
		_itemctl_offer "$(_itemctl_parameters "$(_itemctl_unquoted "${given[0]}")" "${given[1]}")"
		compopt -o nospace 2>/dev/null
		;;
	backup:0 | restore:0) _itemctl_offer -d ;;
	create-table:* | tables:* | serve:* | check:*) ;;
	shards:1) [[ ${given[0]} == plan ]] || _itemctl_offer "$(_itemctl_tables)" ;;
	*:0) _itemctl_offer "$(_itemctl_tables)" ;;
	import:*) _itemctl_offer -f ;;
	esac
}

_itemctl()
{
	local commands='create-table tables describe alter drop put get update delete query scan sql transact run call import export copy backup restore
		shards sweep serve why check tail size stats compact draw help'
	local -a words given=()
	local command='' store='' option='' current cut last i word n

	_itemctl_words
	COMPREPLY=()
	last=$((${#words[@]} - 1))
	for ((i = 1; i < last; i++)); do
		word=${words[i]}
		option=
		case $word in
		-[0-9]* | [!-]* | - | '') [[ -n $command ]] && given+=("$word") || command=$word ;;
		--*=*) [[ $word != --store=* ]] || store=${word#*=} ;;
		-*)
			n=$(_itemctl_values "$command" "$word")
			((i + n < last)) || option=$word
			[[ $word != @(-s|--store) ]] || store=${words[i + 1]}
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

complete -F _itemctl itemctl
