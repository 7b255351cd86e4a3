#!/bin/sh
# format_page.sh FORMAT.md - FORMAT.md as the manual page itemfs-format(5), on standard output
set -e
printf '%s\n' "'\\\" t" # for man: it has tables
{
	printf '# NAME\n\nitemfs-format - on-disk format of a store, byte by byte\n\n'
	sed '1s/.*/# DESCRIPTION/' "$1"
} | lowdown -s -tman -Mtitle=ITEMFS-FORMAT -Msection=5 -Mdate= -Msource=itemfs
