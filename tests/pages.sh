#!/bin/sh
# pages.sh ROOT - check the manual pages: no warnings of groff, and no line longer than 80 columns; and the pages DESIGN.md: no line
# longer than 120 columns, except rows of tables
set -eu
cd "$1"
export LC_ALL=C.UTF-8
bad=0
if find fs packaging store tests tools -name DESIGN.md -exec grep -HnE '^.{121}' {} + | grep -vE ':[0-9]+: *\|'; then
	echo 'a line of a DESIGN.md is longer than 120 columns'
	bad=1
fi
command -v groff >/dev/null || {
	[ $bad = 0 ] || exit 1
	echo 'skipped: groff is not here'
	exit 77
}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

cp fs/*.[18] tools/*.1 "$out"
! command -v lowdown >/dev/null || sh store/format_page.sh store/FORMAT.md >"$out/itemfs-format.5"
for page in "$out"/*.[158]; do
	groff -man -t -ww -Tutf8 -Kutf8 -P-cbou -rLL=78n "$page" >"$out/text" 2>"$out/warnings"
	groff -man -t -ww -z -Kutf8 "$page" 2>>"$out/warnings" # as printed
	[ ! -s "$out/warnings" ] || {
		cat "$out/warnings"
		bad=1
	}
	if grep -E '^.{81,}' "$out/text"; then
		echo "${page##*/}: wider than 80 columns"
		bad=1
	fi
done
exit $bad
