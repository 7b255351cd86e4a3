#!/bin/sh
# layering.sh ROOT - fail when a file includes what tests/layers.txt does not allow its folder
set -eu
cd "$1"
bad=0

complain()
{
	echo "$1"
	bad=1
}

# Includes of the project: written from the root, allowed by the folder's row.
while read -r folder allowed; do
	case $folder in '' | '#'* | external) continue ;; esac
	for file in "$folder"/*.[ch]; do
		[ -e "$file" ] || continue
		for header in $(sed -n 's/^#include "\(.*\)".*/\1/p' "$file"); do
			case $header in
			*/*) ;;
			*) complain "$file: write \"$header\" from the root of the project" ;;
			esac
			case " $allowed " in
			*" ${header%/*} "* | *" $header "*) ;;
			*) complain "$file may not include $header" ;;
			esac
		done
	done
done <tests/layers.txt

# Includes of libraries: they have owners.
while read -r word header owner; do
	[ "$word" = external ] || continue
	for file in $(grep -l "^#include <$header" store/*/*.[ch] store/*.[ch] fs/*.[ch] tools/*.[ch] 2>/dev/null); do
		case " $owner " in
		*" $file "* | *" ${file%/*} "*) ;;
		*) complain "$file may not include <$header...>: only $owner does" ;;
		esac
	done
done <tests/layers.txt

# Every folder with sources has a row.
for folder in $(find store fs tools -name '*.[ch]' -exec dirname {} + | sort -u); do
	case $folder in tools/examples/*) continue ;; esac
	grep -q "^$folder[[:space:]]" tests/layers.txt || complain "$folder has no row in tests/layers.txt"
done
exit $bad
