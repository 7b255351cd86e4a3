#!/bin/sh
# named.sh - print the entries of store/BEHAVIOUR.md that no test cites.  Not a test: run it by hand.
cd "$(dirname "$0")/.." || exit
number='(EX-[0-9]+|[0-9]{1,2}|[A-E])(\.[0-9]{1,2})?[a-z]?'
cited=$(mktemp)
grep -rhoE "BEHAVIOUR ($number(, | to |-)?)+" tests --include='*.test' --include='*.c' --include='*.sh' --include='*.py' |
	sed 's/^BEHAVIOUR//' | grep -oE "$number" | sort -u >"$cited"
sed -nE 's/^\* \*\*([^*]*)\*\* /\1 /p' store/BEHAVIOUR.md | awk 'NR == FNR { cited[$1]; next } !($1 in cited)' "$cited" -
rm -f "$cited"
