#!/bin/bash
# Help, manual page and completion agree; meaningless words are refused.
. "$(dirname "$0")/lib.sh"

ok "$ITEMCTL" --version
eq 'name and version' "${out%% *}" itemctl
ok "$ITEMCTL" help
commands=$(printf '%s\n' "$out" | sed -n '/^Help$/q; s/^  \([a-z][a-z-]*\) .*/\1/p'; echo help)
topics=$(printf '%s\n' "$out" | sed -n 's/^  help \([a-z]*\) .*/\1/p')
eq 'the list has commands' "$(printf '%s\n' "$commands" | head -1)" create-table

# An option is in the manual as \-\-name (inner dashes may be escaped, too).
manual=$(sed 's/\\-/-/g' "$SOURCE/tools/itemctl.1")
bash -n "$SOURCE/tools/itemctl.bash" || fail 'the completion is not valid bash'
complete=$(. "$SOURCE/tools/itemctl.bash" && for c in $commands; do echo "$c: $(_itemctl_options "$c")"; done)
listed=$(. "$SOURCE/tools/itemctl.bash" && COMP_LINE='itemctl ' COMP_POINT=8 COMP_WORDS=(itemctl '') COMP_CWORD=1 && _itemctl && echo "${COMPREPLY[*]}")
eq 'completion offers the same commands' "$listed" "$(echo $commands)"

# help's options of a command: one line "-s --store" each, "-" where there is no letter
options_of()
{
	sed -n -e 's/^  \(-[a-zA-Z]\), \(--[a-z-]*\).*/\1 \2/p' -e 's/^  \(--[a-z-]*\).*/- \1/p'
}
# entry COMMAND - the entry of the manual, up to the next command's
entry()
{
	printf '%s\n' "$own" | awk -v name="$1" -v all=" $(echo $commands) " '
		previous == ".TP" && match($0, /^\.B[IR]? "?[a-z][a-z-]*/) {
			word = substr($0, RSTART, RLENGTH); sub(/^\.B[IR]? "?/, "", word)
			if (index(all, " " word " ")) here = word == name
		}
		here { print }
		{ previous = $0 }'
}
global=$("$ITEMCTL" help | sed -n '/^Options/,$p' | options_of)
eq 'the global options' "$(echo "$global" | cut -d' ' -f2 | tr '\n' ' ')" '--store --format --quiet --stats --capacity --rate --no-pager --yes --dry-run --help --version '

for option in $(echo "$global" | tr ' ' '\n' | grep -vx -- -); do
	printf '%s\n' "$manual" | sed '/^\.SH TABLES/,$d' | grep -qE -- "(^|[^a-z-])$option([^a-z-]|\$)" || fail "the manual lacks $option"
done

# The manual and the completion name only existing things: each entry is a command, each option belongs to a command.
known=$(for c in $commands; do [ "$c" = help ] || "$ITEMCTL" help "$c"; done; "$ITEMCTL" help)
known=$(printf '%s\n' "$known" | sed -n 's/^  \(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort -u)
own=$(sed -n '/^\.SH TABLES/,/^\.SH PATTERNS/p' "$SOURCE/tools/itemctl.1" | sed 's/\\-/-/g')
for option in $(printf '%s\n' "$own" | grep -oE -- '--[a-z][a-z-]*' | sort -u); do
	printf '%s\n' "$known" | grep -qxe "$option" || fail "the manual has $option, which no command has"
done
for entry in $(printf '%s\n' "$own" | grep -A1 '^\.TP' | sed -n 's/^\.B[IR]\{0,1\} \([a-z][a-z-]*\).*/\1/p' | sort -u); do
	printf '%s\n' "$commands" | grep -qxe "$entry" || fail "the manual has $entry, which is not a command"
done
for c in $commands; do
	case $c in
	help | mount) ;;
	*) printf '%s\n' "$own" | grep -A1 '^\.TP' | grep -qE "^\.B[IR]? \"?$c( |\"|\$|\\\\)" || fail "the manual has no entry for $c" ;;
	esac
done

for c in $commands; do
	[ "$c" != help ] || continue
	ok "$ITEMCTL" help "$c"
	eq "help $c shows the usage" "${out%% $c*}" 'usage: itemctl'
	# Each form has the operands that all forms need.
	case $c in
	alter | describe | drop | put | get | update | delete | query | scan | import | export | copy | tail | size | draw)
		eq "each form of $c has its table" "$(printf '%s\n' "$out" | sed '/^$/,$d' | grep itemctl | grep -cvE "^(usage:|      ) itemctl $c (TABLE|\\[TABLE)")" 0
		;;
	esac
	eq "$c --help is help $c" "$("$ITEMCTL" "$c" --help)" "$out"
	case $manual in *"$c"*) ;; *) fail "the manual page lacks $c" ;; esac
	table=$(printf '%s\n' "$out" | sed '/^Examples:/,$d' | awk -v RS= 'END { print }')
	options=$(printf '%s\n' "$table" | options_of)
	for option in $(printf '%s\n' "$out" | sed '/^$/,$d' | grep -oE -- '--?[a-z][a-z-]*' | grep -E '^-(-|.$)'); do
		[ "$option" = --yes ] || printf '%s\n' "$options" | grep -qwe "$option" || fail "the usage of $c has $option, which is none of its options"
	done
	eq "the completion's options of $c" "$(printf '%s\n' "$complete" | sed -n "s/^$c: //p" | tr ' ' '\n' | sort -u)" \
		"$(printf '%s\n' "$global" $options | grep -oE -- '--[a-z-]+' | sort -u)"
	told=$(entry "$c")
	while read -r letter option; do
		[ -n "$option" ] || continue
		checks=$((checks + 2))
		# The same for each command, so described once.
		case $option in --names | --values) ;; *) printf '%s\n' "$told" | grep -qE -- "(^|[^a-z-])$option([^a-z-]|\$)" ||
			fail "the manual's entry of $c lacks $option" ;; esac
		[ "$letter" = - ] || printf '%s\n' "$told" | grep -qE -- "(^|[^a-z-])$letter[^a-z-]" || fail "the manual's entry of $c lacks $letter"
		# Does a value follow? The completion has to know which words are not operands.
		values=$(printf '%s\n' "$table" | sed -nE "s/^  (-[a-zA-Z], )?$option( ([^ ].*))?\$/\3/p" | sed 's/  .*//')
		eq "values of $c $option" "$(. "$SOURCE/tools/itemctl.bash" && _itemctl_values "$c" "$option")" "$(set -f; set -- $values; echo $#)"
		[ "$letter" = - ] || eq "and of $letter" "$(. "$SOURCE/tools/itemctl.bash" && _itemctl_values "$c" "$letter")" "$(set -f; set -- $values; echo $#)"
	done <<<"$options"
done

eq 'without a command the help is short' "$("$ITEMCTL")" "$("$ITEMCTL" --help)"
short=$("$ITEMCTL")
for c in $commands; do
	[[ $short == *" $c"* ]] || fail "the short help does not name $c"
done
gives 2 'there is no command "frob"' "$ITEMCTL" frob
gives 2 'there is no command "frob"' "$ITEMCTL" help frob
gives 2 'help describes one command at a time: itemctl help put' "$ITEMCTL" help put get
gives 2 'there is no command "typs": did you mean: itemctl help types' "$ITEMCTL" help typs
while IFS=$'\t' read -r page words; do
	# shellcheck disable=SC2086 # words
	eq "help $words" "$("$ITEMCTL" help $words)" "$("$ITEMCTL" help $page)"
done <<'ROWS'
types	dates
types	ttl
types	data types
expressions	reserved-words
expressions	reserved words
expressions	update expressions
keys	gsi
keys	indexes
formats	exit status
cost	capacity
transact	transactions
tail	streams
paths	mount
create-table	create table
import	import csv
ROWS
eq 'a question mark' "$("$ITEMCTL" '?')" "$("$ITEMCTL" help)"
eq '--help before a command is the same as after it' "$("$ITEMCTL" --help put)" "$("$ITEMCTL" put --help)"
for line in 'put --version' 'help --version' 'put tab --version'; do
	eq "$line" "$("$ITEMCTL" $line)" "$("$ITEMCTL" --version)"
done
gives 2 'itemctl: http://127.0.0.1:1/tab: an endpoint is http(s)://HOST:PORT, with nothing after it' "$ITEMCTL" -s http://127.0.0.1:1/tab tables
gives 2 'with nothing after it' "$ITEMCTL" -s http://127.0.0.1:1/?x tables
for name in describe-table DescribeTable describe_table desc show; do
	eq "help $name" "$("$ITEMCTL" help $name)" "$("$ITEMCTL" help describe)"
done
eq 'help of an operation without a command' "$("$ITEMCTL" help describe-time-to-live)" "$("$ITEMCTL" help call)"
gives 2 'there is no command "put-": did you mean: itemctl put' "$ITEMCTL" put-
gives 2 'did you mean: itemctl describe' "$ITEMCTL" desribe
gives 2 'there is no command "change-items"; see' "$ITEMCTL" change-items
gives 2 'itemfs a b' "$ITEMCTL" mount a b
gives 2 'unknown option --frob' "$ITEMCTL" -s x tables --frob
gives 2 '--store is given twice' "$ITEMCTL" -s x tables -s y
gives 2 '--format must be' "$ITEMCTL" -s x --format xml tables
gives 2 'query needs TABLE and PK, for example: itemctl -s x query music Acme' "$ITEMCTL" -s x query
gives 2 'describe needs TABLE, for example: itemctl -s x describe music' "$ITEMCTL" -s x describe
gives 2 'too many words' "$ITEMCTL" -s x describe a b
gives 2 'no store' "$ITEMCTL" tables
gives 2 "itemctl: there is no store at $W/none; to create one: itemctl create-table" "$ITEMCTL" -s "$W/none" tables
eq 'no store was created' "$(ls "$W/none" 2>&1 | grep -c 'No such file')" 1
mkdir other && touch other/file
gives 2 'not a store' "$ITEMCTL" -s other tables
gives 2 'not a store' "$ITEMCTL" -s other create-table tab --key PK
gives 2 'No such file' "$ITEMCTL" -s none/x create-table tab --key PK
gives 2 'not a store' "$ITEMCTL" -s other serve
gives 2 'No such file' "$ITEMCTL" -s none/x serve
eq 'a folder with files is left alone' "$(ls other)" file
mkdir closed
touch closed/FORMAT
chmod 0 closed/FORMAT
if ! cat closed/FORMAT 2>/dev/null; then
	gives 70 'itemctl: closed: Permission denied' "$ITEMCTL" -s closed tables
fi

rm -rf closed
# ---- shards plan needs no store
eq 'the worked example' "$("$ITEMCTL" -q shards plan --items 3M --fraction 0.2 --item-size 250)" \
	'{"ItemsPerRCU":16,"PartitionMaxReadRate":48000,"MaxRequiredIO":600000,"Exact":12.5,"N":13,"Padded":15}'
gives 0 'take at most 10000' "$ITEMCTL" shards plan --items 1G --item-size 250
gives 2 'needs --items and --item-size' "$ITEMCTL" shards plan --items 3M
gives 2 '--items must be 1 or more' "$ITEMCTL" shards plan --items 0 --item-size 250
gives 2 '--item-size must be 1 to 409600 bytes' "$ITEMCTL" shards plan --items 3M --item-size 0
gives 2 '--item-size must be 1 to 409600 bytes' "$ITEMCTL" shards plan --items 3M --item-size 409601
gives 2 '--fraction needs' "$ITEMCTL" shards plan --items 3M --item-size 250 --fraction 2
gives 2 'no store' "$ITEMCTL" shards heat tab
eq 'the plan in words' "$("$ITEMCTL" shards plan --items 3M --fraction 0.2 --item-size 250 2>&1 >plan.out | tail -2)" \
	'3000000 * 0.2 * 1 = 600000 items per second are needed: divided by 48000 = 12.5, so 13 shards;
15 with a fifth more for growth.'
gives 2 'unknown word frob after shards' "$ITEMCTL" shards frob
done_testing
