# lib.sh - fixture of the scripts in tests/packaging: that of tests/tools, and a folder like an unpacked archive
#
#   archive FOLDER      make it, with the programs of this build, without their symbols, to be faster
#   in_folder DIR FOLDER
#                       move the folder to an archive of this version in DIR, beside one of another version
#   same WORD DIR DIR   check that both folders have the same files, byte for byte
#   shown NAME README   print the example of the README that follows <!-- example: NAME -->
#   closed PORT         has the server on the port ended?
#   table_and_item      make table.json, the definition of the table tab, and tab.jsonl, an item
. "${BASH_SOURCE[0]%/*}/../tools/lib.sh"
export HOME=$W

archive()
{
	mkdir -p "$1/bin" "$1/share/doc/itemfs/licences"
	strip -o "$1/bin/itemctl" "$ITEMCTL"
	strip -o "$1/bin/itemfs" "$ITEMFS"
	echo 'of a library' >"$1/share/doc/itemfs/licences/libname1"
}

in_folder()
{
	local name
	name=itemfs-$("$ITEMCTL" --version | awk '{ print $2 }')-linux-machine
	mv "$2" "$name"
	tar -czf "$1/$name.tar.gz" "$name"
	mkdir -p itemfs-0.0.0-linux-machine/bin
	echo '#!/bin/sh' >itemfs-0.0.0-linux-machine/bin/itemctl
	tar -czf "$1/itemfs-0.0.0-linux-machine.tar.gz" itemfs-0.0.0-linux-machine
}

same()
{
	checks=$((checks + 1))
	diff -r "$2" "$3" || fail "$1"
}

shown()
{
	awk -v mark="<!-- example: $1 -->" '$0 == mark { on = 1 } on && /^```$/ { exit } on && code { print } on && /^```./ { code = 1 }' "$2"
}

closed()
{
	! (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

table_and_item()
{
	cat >table.json <<'END'
{"TableName":"tab","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"PK","KeyType":"HASH"}],
 "AttributeDefinitions":[{"AttributeName":"PK","AttributeType":"S"}]}
END
	echo '{"PK":"of a file"}' >tab.jsonl
}
