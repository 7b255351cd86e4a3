#!/bin/bash
# Mounts of one store, and the users of a mount, do not see each other's refusals and rejected texts.
private=yes
. "$(dirname "$0")/lib.sh"

users
nobody=65534
other=1007
store --key PK,SK
ctl put tab '{"PK":"p","SK":"a","v":1}' >/dev/null
mnt m -o table=tab,allow_other,umask=0
mnt n -o table=tab,allow_other,umask=0

# texts USER MOUNT - the names of the rejected texts that USER sees in MOUNT, without time and number
texts()
{
	as "$1" ls "$2/.itemfs/rejected" | sed -E 's/^[^Z]*Z-[0-9]{6}-//' | tr '\n' ' '
}

# paths USER MOUNT - the paths of the refusals that USER sees in MOUNT
paths()
{
	as "$1" cut -f 3 "$2/.itemfs/errors" | sed "s|$W/||" | tr '\n' ' '
}

# spoil USER PATH - write, as USER, a text that is not an item
spoil()
{
	as "$1" bash -c "echo '{\"by\":$1]' >$2" 2>/dev/null
}

# ---- refusals and rejected texts

spoil $nobody m/p/one.json
spoil $other m/p/two.json
spoil $nobody n/p/three.json
settle m
settle n
eq 'errors shows each user their own lines of this mount' "$(paths $nobody m)$(paths $other m)" 'm/p/one.json m/p/two.json '
eq 'and those of the other mount in that one' "$(paths $nobody n)$(paths $other n)" 'n/p/three.json '
eq 'errors shows root the lines of all users' "$(paths 0 m)- $(paths 0 n)" 'm/p/one.json m/p/two.json - n/p/three.json '
eq 'why shows the refusals of all mounts' "$(ctl why | wc -l)" 3
python3 -c 'import os, sys; open("probe", "w"); os.setxattr("probe", "user.itemfs", b"x")' 2>/dev/null || {
	echo 'the filesystem below keeps no extended attributes: only root sees rejected texts'
	eq 'other users see no texts' "$(texts $nobody m)$(texts $other n)" ''
	done_testing
}
eq 'rejected shows each user their own texts of this mount' "$(texts $nobody m)$(texts $other m)" 'one.json two.json '
eq 'and those of the other mount in that one' "$(texts $nobody n)$(texts $other n)" 'three.json '
eq 'rejected shows root the texts of all users' "$(texts 0 m)- $(texts 0 n)" 'one.json two.json - three.json '
eq 'the owner reads a rejected text' "$(as $nobody bash -c 'cat m/.itemfs/rejected/*')" "{\"by\":$nobody]"
one=$(basename m/.itemfs/rejected/*-one.json)
three=$(basename n/.itemfs/rejected/*-three.json)
eq 'a rejected text belongs to its writer' "$(stat -c '%u %a' "m/.itemfs/rejected/$one")" "$nobody 444"
ok cat "m/.itemfs/rejected/$one"
refused 'No such file' as $other cat "m/.itemfs/rejected/$one"
refused 'No such file' cat "m/.itemfs/rejected/$three"
refused 'No such file' as $nobody cat "m/.itemfs/rejected/$three"
ok as $nobody cat "m/.itemfs/rejected/$one"
exec 5<"m/.itemfs/rejected/$one"
eq 'another user can read an open file that is passed on' "$(as $other perl -e 'sysread STDIN, $_, 100; print' <&5)" "{\"by\":$nobody]"
exec 5<&-

# ---- scratch files that nobody else may read

as $nobody bash -c 'umask 077; echo secret >m/p/.key; echo {oops >m/p/.key2; ! mv m/p/.key2 m/p/key.json' 2>/dev/null || fail 'no scratch files'
refused 'Permission denied' as $other cat m/p/.key
eq 'others do not see the text of a refused mv' "$(texts $other m)" 'two.json '
eq 'which only its owner may read' "$(stat -c '%u %a' m/.itemfs/rejected/*-.key2)" "$nobody 400"
unmnt m
mnt m -o table=tab,allow_other,umask=0
eq 'others do not see what was left at unmount' "$(texts $other m)" 'two.json '
eq 'its owner does' "$(texts $nobody m | tr ' ' '\n' | sort | tr '\n' ' ')" '.key .key2 .key2 one.json '
eq 'with its contents and mode' "$(as $nobody bash -c 'cat m/.itemfs/rejected/*-.key') $(stat -c '%u %a' m/.itemfs/rejected/*-.key)" "secret $nobody 400"
eq 'and only the owner sees the line about it' "$(as $other grep -c key m/.itemfs/errors) $(as $nobody grep -c 'key.*left at unmount' m/.itemfs/errors)" '0 2'

# ---- no user pushes out the texts and lines of another

for n in $(seq 150); do echo "echo ] >m/p/$n.json"; done >many
as $nobody bash many 2>/dev/null
settle m
eq 'the texts of the other user stay' "$(texts $other m) $(as $nobody ls m/.itemfs/rejected | wc -l)" 'two.json  100'
as $nobody bash -c 'for n in {1..1200}; do echo "]" >m/p/x$n.json; done' 2>/dev/null
settle m
eq 'the lines of the other user stay' "$(paths $other m) $(ctl why | wc -l)" 'm/p/two.json  1000'

# ---- texts kept by older versions, without an owner

echo old >"$S/rejected/2020-01-01T00:00:00.000Z-000001-old.json"
eq 'only users who may read the store see them' "$(texts 0 m | grep -c old) $(texts $nobody m | grep -c old)" '1 0'

done_testing
