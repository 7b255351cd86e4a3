#!/bin/bash
# Help, manual page and completion name the same; words that mean nothing are refused.
. "$(dirname "$0")/lib.sh"

ok "$ITEMCTL" --version
eq 'name and version' "${out%% *}" itemctl
ok "$ITEMCTL" help
commands=$(printf '%s\n' "$out" | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\).*/\1/p')
eq 'the list has commands' "$(printf '%s\n' "$commands" | head -1)" create-table

# An option is in the manual as \-\-name (dashes within may be escaped too).
manual=$(sed 's/\\-/-/g' "$SOURCE/tools/itemctl.1")
bash -n "$SOURCE/tools/itemctl.bash" || fail 'the completion is no bash'
complete=$(. "$SOURCE/tools/itemctl.bash" && for c in $commands; do echo "$c: $(_itemctl_options "$c")"; done)
listed=$(. "$SOURCE/tools/itemctl.bash" && COMP_WORDS=(itemctl '') COMP_CWORD=1 && _itemctl && echo "${COMPREPLY[*]}")
eq 'completion offers the same commands' "$listed" "$(echo $commands)"

# What the manual and the completion name exists: each entry is a command, each option one of somebody's.
known=$(for c in $commands; do [ "$c" = help ] || "$ITEMCTL" help "$c"; done; "$ITEMCTL" help)
known=$(printf '%s\n' "$known" | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p' | sort -u)
own=$(sed -n '/^\.SH TABLES/,/^\.SH PATTERNS/p' "$SOURCE/tools/itemctl.1" | sed 's/\\-/-/g')
for option in $(printf '%s\n' "$own" | grep -oE -- '--[a-z][a-z-]*' | sort -u); do
	printf '%s\n' "$known" | grep -qxe "$option" || fail "the manual has $option, which no command has"
done
for entry in $(printf '%s\n' "$own" | grep -A1 '^\.TP' | sed -n 's/^\.B[IR]\{0,1\} \([a-z][a-z-]*\).*/\1/p' | sort -u); do
	printf '%s\n' "$commands" | grep -qxe "$entry" || fail "the manual has $entry, which is no command"
done
for c in $commands; do
	case $c in
	help | mount) ;;
	*) printf '%s\n' "$own" | grep -A1 '^\.TP' | grep -qE "^\.B[IR]? \"?$c( |\"|\$|\\\\)" || fail "the manual has no entry for $c" ;;
	esac
	for option in $(printf '%s\n' "$complete" | sed -n "s/^$c: //p" | grep -oE -- '--[a-z][a-z-]*'); do
		printf '%s\n' "$known" | grep -qxe "$option" || fail "the completion has $option of $c"
	done
done

for c in $commands; do
	[ "$c" != help ] || continue
	ok "$ITEMCTL" help "$c"
	eq "help $c shows how it is written" "${out%% $c*}" 'usage: itemctl'
	eq "$c --help is help $c" "$("$ITEMCTL" "$c" --help)" "$out"
	case $manual in *"$c"*) ;; *) fail "the manual page lacks $c" ;; esac
	for option in $(printf '%s\n' "$out" | sed -n 's/^  \(-[a-z], \)\{0,1\}\(--[a-z-]*\).*/\2/p'); do
		checks=$((checks + 2))
		case $manual in *"$option"*) ;; *) fail "the manual page lacks $option of $c" ;; esac
		printf '%s\n' "$complete" | grep -E "^$c: " | grep -qE -- "$option( |$)" ||
			fail "the completion lacks $option of $c"
	done
done

gives 2 'ValidationException: no command' "$ITEMCTL"
gives 2 'there is no command "frob"' "$ITEMCTL" frob
gives 2 'there is no command "frob"' "$ITEMCTL" help frob
gives 2 'itemfs STORE DIR' "$ITEMCTL" mount a b
gives 2 'unknown option --frob' "$ITEMCTL" -s x tables --frob
gives 2 '--store is given twice' "$ITEMCTL" -s x tables -s y
gives 2 '--format is' "$ITEMCTL" -s x --format xml tables
gives 2 'something is missing' "$ITEMCTL" -s x describe
gives 2 'too many words' "$ITEMCTL" -s x describe a b
gives 2 'no store' "$ITEMCTL" tables
gives 2 'itemctl: no store' "$ITEMCTL" serve
gives 2 "itemctl: there is no store at $W/none: itemctl create-table" "$ITEMCTL" -s "$W/none" tables
eq 'nothing was made' "$(ls "$W/none" 2>&1 | grep -c 'No such file')" 1
mkdir other && touch other/file
gives 2 'not a store' "$ITEMCTL" -s other tables
gives 70 '' "$ITEMCTL" -s other create-table tab --key PK
eq 'a folder with files is left alone' "$(ls other)" file
mkdir closed
touch closed/FORMAT
chmod 0 closed/FORMAT
if ! cat closed/FORMAT 2>/dev/null; then
	gives 70 'itemctl: closed: Permission denied' "$ITEMCTL" -s closed tables
fi

# ---- shards plan needs no store
eq 'the worked example' "$("$ITEMCTL" -q shards plan --items 3M --fraction 0.2 --item-size 250)" \
	'{"ItemsPerRCU":16,"PartitionMaxReadRate":48000,"MaxRequiredIO":600000,"Exact":12.5,"N":13,"Padded":15}'
gives 2 'wants --items and --item-size' "$ITEMCTL" shards plan --items 3M
gives 2 '--fraction wants' "$ITEMCTL" shards plan --items 3M --item-size 250 --fraction 2
gives 2 'not yet supported' "$ITEMCTL" shards heat
eq 'told in words' "$("$ITEMCTL" shards plan --items 3M --fraction 0.2 --item-size 250 2>&1 >plan.out | tail -2)" \
	'3000000 * 0.2 * 1 = 600000 items a second are wanted: / 48000 = 12.5, so 13 shards;
15 with a fifth more, so that data may grow.'
gives 2 'no shards frob' "$ITEMCTL" shards frob
done_testing
