# bash completion for itemctl: commands, their options, tables of the store

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
	transact) echo "$global --token --dry-run --return $names" ;;
	import) echo "$global --from --infer --jobs --on-error" ;;
	export) echo "$global --to --index --jobs --split-by" ;;
	copy) echo "$global --to --start --jobs" ;;
	shards) echo "$global --items --fraction --item-size --rate --attr --shards --random --hash --prefix" \
		"--overwrite --filter $names" ;;
	sweep) echo "$global --now --any-age" ;;
	serve) echo "$global --listen --credentials --cors --temp --ttl-sweep" ;;
	draw) echo "$global --partition --output" ;;
	tail) echo "$global --from --once" ;;
	check) echo "$global --repair" ;;
	*) echo "$global" ;;
	esac
}

# The names of the store's tables, quickly or not at all.
_itemctl_tables()
{
	itemctl ${1:+-s "$1"} --format csv tables 2>/dev/null | sed -n '2,$s/,.*//p'
}

# The names of a table's indexes.
_itemctl_indexes()
{
	itemctl ${1:+-s "$1"} --format jsonl describe "$2" 2>/dev/null | grep -o '"IndexName":"[^"]*"' | cut -d'"' -f4
}

_itemctl()
{
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
	local commands='create-table tables describe alter drop put get update delete query scan transact run call import export copy backup restore
		shards sweep serve why check tail size stats compact draw help'
	local command='' store='' table='' i

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		-s | --store | -o | --output) store=${COMP_WORDS[++i]} ;;
		--format) i=$((i + 1)) ;;
		-*) ;;
		*)
			command=${COMP_WORDS[i]}
			table=${COMP_WORDS[i + 1]-}
			break
			;;
		esac
	done
	COMPREPLY=()
	case $previous in
	--from)
		if [[ $command == import ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'jsonl json csv dynamodb-export' -- "$current")
		else
			mapfile -t COMPREPLY < <(compgen -f -- "$current")
		fi
		return
		;;
	-s | --store | -o | --output)
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
		return
		;;
	--format)
		mapfile -t COMPREPLY < <(compgen -W 'jsonl json typed csv table' -- "$current")
		return
		;;
	--index | --drop-gsi)
		mapfile -t COMPREPLY < <(compgen -W "$(_itemctl_indexes "$store" "$table")" -- "$current")
		return
		;;
	--stream)
		mapfile -t COMPREPLY < <(compgen -W 'KEYS_ONLY NEW_IMAGE OLD_IMAGE NEW_AND_OLD_IMAGES' -- "$current")
		return
		;;
	--throttle)
		if [[ $command == alter ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'on off' -- "$current")
			return
		fi
		;;
	--return)
		if [[ $command == update ]]; then
			mapfile -t COMPREPLY < <(compgen -W 'old new updated-old updated-new' -- "$current")
		else
			mapfile -t COMPREPLY < <(compgen -W old -- "$current")
		fi
		return
		;;
	--partition | --key | --gsi | --add-gsi | --lsi | --if | --filter | --project | --names | --values | --eq | --lt | --le | --gt | --ge | \
		--between | --begins-with | --limit | -n | --page-size | --start | --shards | --prefix | --hash | --jobs | --split-by | \
		-j | --segments | --token | --items | --attr | --fraction | --item-size | --rate | --listen | --ttl | --collection-limit | --ttl-sweep | --now)
		return
		;;
	--to)
		if [[ $command == copy ]]; then
			mapfile -t COMPREPLY < <(compgen -f -- "$current")
			return
		fi
		mapfile -t COMPREPLY < <(compgen -W 'jsonl json csv typed dynamodb-export' -- "$current")
		return
		;;
	--on-error)
		mapfile -t COMPREPLY < <(compgen -W 'stop skip' -- "$current")
		return
		;;
	esac
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_itemctl_options "$command")" -- "$current")
	elif [[ -z $command || $command == help ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$current")
	elif [[ $command == shards && $previous == shards ]]; then
		mapfile -t COMPREPLY < <(compgen -W 'plan assign' -- "$current")
	elif [[ $command == call && $previous == call ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(itemctl call 2>/dev/null)" -- "$current")
	elif [[ $previous == "$command" && $command != @(transact|run|backup|restore|why|serve|check|tables|create-table) ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(_itemctl_tables "$store")" -- "$current")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$current")
	fi
}

complete -F _itemctl itemctl
