# bash completion for itemfs: folders, options, and the words behind -o as --help has them, tables and indexes of the store

_itemfs_words()
{
	"$1" --help 2>/dev/null | sed -n 's/^  -o \([^ ]*\).*/\1/p' | tr ',' '\n' | sed 's/=.*/=/; /\.\.\./d'
}

# The tables of a store, or the indexes of one; quickly or not at all.  An endpoint may name anything, and
# compgen -W expands what it is given as a shell does: it would run a name like $(reboot).
_itemfs_names()
{
	_itemfs_ask "$@" | LC_ALL=C grep -Ex '[A-Za-z0-9_.-]+'
}

# What others have made is opened by nobody who only presses a key, also where ITEMFS_TRUST_STORE allows it.
_itemfs_ask()
{
	if [[ -z $2 ]]; then
		ITEMFS_TRUST_STORE='' timeout "${ITEMFS_COMPLETION_SECONDS-3}" itemctl -s "$1" call ListTables 2>/dev/null </dev/null | tr -d ' "\n' | sed -n 's/.*TableNames:\[\([^]]*\)\].*/\1/p' | tr ',' '\n'
	else
		ITEMFS_TRUST_STORE='' timeout "${ITEMFS_COMPLETION_SECONDS-3}" itemctl -s "$1" --format jsonl describe "$2" 2>/dev/null </dev/null | grep -o '"IndexName":"[^"]*"' | cut -d'"' -f4
	fi
}

# The last of the words behind -o, which are @1, for the store @2; readline cuts them at = but not at the comma.
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
