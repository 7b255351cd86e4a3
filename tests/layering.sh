#!/bin/sh
# layering.sh ROOT - fail if a file includes a header that tests/layers.txt does not allow for its layer
set -eu
cd "$1"
grep -rH '^#include [<"]' --include='*.[ch]' store fs tools | grep -v '^tools/examples/' | awk '
# layer - the longest folder of layers.txt that contains the path; "" if there is none
function layer(path) {
	while (sub("/[^/]*$", "", path)) {
		if (path in allowed) {
			return path
		}
	}
	return ""
}

function complain(text) {
	print text
	bad = 1
}

FNR == NR && $1 == "external" {
	header = $2
	$1 = $2 = ""
	owners[header] = $0 " "
	next
}
FNR == NR && $1 !~ /^(#|$)/ {
	folder = $1
	$1 = ""
	allowed[folder] = $0 " "
	next
}
FNR == NR { next }

{
	file = substr($0, 1, index($0, ":") - 1)
	header = $2
	gsub(/[<">]/, "", header)
	mine = layer(file)
}
mine == "" { complain(file " is in no layer of tests/layers.txt") }
$2 ~ /^"/ && header !~ "/" { complain(file ": write \"" header "\" from the root of the project") }
$2 ~ /^"/ && !index(allowed[mine], " " layer(header) " ") && !index(allowed[mine], " " header " ") {
	complain(file " may not include " header)
}
$2 ~ /^</ {
	for (library in owners) {
		if (index(header, library) == 1 && !index(owners[library], " " file " ") && !index(owners[library], " " mine " ")) {
			complain(file " may not include <" header ">: only" owners[library] "does")
		}
	}
}
END { exit bad }' tests/layers.txt -
