#!/bin/sh
# named.sh LIST - which numbers of the behaviour list does no test name?
#
# LIST is the behaviour list ("- 2.5 ..." or "- EX-07 ..." begins a line of it). By hand; nothing is run.
[ $# -eq 1 ] || { echo "usage: tests/named.sh LIST" >&2; exit 2; }
here=$(dirname "$0")
number='(EX-[0-9]+|([0-9]{1,2}|[A-E])\.[0-9]{1,2})[a-z]?'
names=$(mktemp)
grep -rhE '^== |[Bb]ehaviour|EX-' "$here" --include='*.test' --include='*.c' --include='*.sh' --include='*.py' --include='*.json' |
	grep -oE "(^|[^0-9.A-Z-])$number" | grep -oE "$number" | sort -u >"$names"
grep -oE "^(- |\*\*)$number \[?[a-z]*\]?" "$1" | sed -E 's/^(- |\*\*)//' | grep -vwFf "$names"
rm -f "$names"
