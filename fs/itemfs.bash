# bash completion for itemfs: directories, options, the words of -o that --help lists, tables and indexes of the store

_itemfs_words()
{
	"$1" --help 2>/dev/null | sed -n 's/^  -o \([^ ]*\).*/\1/p' | tr ',' '\n' | sed 's/=.*/=/; /\.\.\./d'
}

# Lists the tables of a store, or the indexes of a table.  Only plain names pass: compgen -W expands words as a shell does,
# so it would run a name like $(reboot) from an endpoint.
_itemfs_names()
{
	_itemfs_ask "$@" | LC_ALL=C grep -Ex '[A-Za-z0-9_.-]+'
}

# Asks the store, with a time limit.  Completion never opens a store of another user, even if ITEMFS_TRUST_STORE allows it.
_itemfs_ask()
{
	if [[ -z $2 ]]; then
		ITEMFS_TRUST_STORE='' timeout "${ITEMFS_COMPLETION_SECONDS-3}" itemctl -s "$1" call ListTables 2>/dev/null </dev/null | tr -d ' "\n' | sed -n 's/.*TableNames:\[\([^]]*\)\].*/\1/p' | tr ',' '\n'
	else
		ITEMFS_TRUST_STORE='' timeout "${ITEMFS_COMPLETION_SECONDS-3}" itemctl -s "$1" --format jsonl describe "$2" 2>/dev/null </dev/null | grep -o '"IndexName":"[^"]*"' | cut -d'"' -f4
	fi
}

# Completes the last word in $1, the argument of -o, for the store $2.  readline splits it at = but not at commas.
_itemfs_word()
{
	local last=${1##*,} table
	local value=${last#*=} before=${1%"$last"}
	compopt +o dirnames
	case $last in
	credentials=*) compopt -o default ;;
	table=*) mapfile -t COMPREPLY < <(compgen -W "$(_itemfs_names "$2" '')" -- "$value") ;;
	index=*)
		table=${1##*table=}
		[[ $1 == *table=* ]] && mapfile -t COMPREPLY < <(compgen -W "$(_itemfs_names "$2" "${table%%,*}")" -- "$value")
		;;
	*=*) ;;
	*)
		mapfile -t COMPREPLY < <(compgen -P "${before##*[=:]}" -W "$(_itemfs_words "${COMP_WORDS[0]}")" -- "$last")
		compopt -o nospace
		;;
	esac
}

_itemfs()
{
	local line=${COMP_LINE:0:COMP_POINT} store='' previous='' word i
	local -a words
	read -ra words <<<"$line"
	[[ $line != *[[:blank:]] ]] || words+=('')
	for ((i = 1; i < ${#words[@]} - 1; i++)); do
		word=${words[i]}
		[[ $word == -* || $previous == -o || -n $store ]] || store=${word/#\~\//$HOME/}
		previous=$word
	done
	word=${words[-1]}
	COMPREPLY=()
	if [[ $previous == -o ]]; then
		_itemfs_word "$word" "$store"
	elif [[ $word == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W '-o -f --foreground -d -s --create --no-mount --help --version' -- "$word")
	fi
}

complete -o dirnames -F _itemfs itemfs
