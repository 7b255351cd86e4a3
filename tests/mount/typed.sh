#!/bin/bash
# Random items of all ten types through real mounts of every form: nothing is lost, each size is exact (NAMESPACE 3).
# Longer, with another seed: ITEMFS_TYPED_SEED=7 ITEMFS_TYPED_N=1000 bash tests/mount/typed.sh
. "$(dirname "$0")/lib.sh"

N=${ITEMFS_TYPED_N:-120}
SEED=${ITEMFS_TYPED_SEED:-20261121}
echo "seed $SEED"
"$BUILD/tests/mount/random_items" "$SEED" "$N" >typed.jsonl
eq 'the random items have values of all types' "$(for type in S N B BOOL NULL L M SS NS BS; do grep -qF "\":{\"$type\":" typed.jsonl && echo $type; done | wc -l)" 10
eq 'and maps that look like a typed value' "$(grep -cE '\{"M":\{"(S|N|B|BOOL|NULL|L|M|SS|NS|BS)":\{"' typed.jsonl | awk '{print ($1 > 0)}')" 1

store --key PK,SK:N
ctl put tab - <typed.jsonl >/dev/null
eq 'all are stored' "$(ctl query tab p --count)" "$N"
forms='plain pretty typed both'
mount_all()
{
	mnt plain -o table=tab
	mnt pretty -o table=tab,pretty
	mnt typed -o table=tab,typed
	mnt both -o table=tab,typed,pretty
}
mount_all

# show FORM PARTITION - print its items in key order, each on one line, as if they were in the partition p
show()
{
	local dir=$1/$2
	(cd "$dir" && for k in $(seq "$N"); do cat "$k.json"; done) | case $1 in
	plain | typed) cat ;;
	*) perl -0777 -pe '
		# Remove blanks outside of strings: what remains is the line that the form without "pretty" has.
		s/("(?:[^"\\]|\\.)*")|\s+/defined $1 ? $1 : ""/ge; s/\}\{"PK"/}\n{"PK"/g; s/$/\n/' ;;
	esac | sed "s/^{\"PK\":\"$2\"/{\"PK\":\"p\"/; s/^{\"PK\":{\"S\":\"$2\"}/{\"PK\":{\"S\":\"p\"}/"
}

# sizes FORM PARTITION - count its files whose size, from stat or the listing, is not their number of bytes
sizes()
{
	find "$1/$2" -type f -printf '%s %p\n' | perl -ne '
		my ($listed, $path) = /^(\d+) (.*)$/ or die;
		my $stat = -s $path;
		open F, "<", $path or die "$path: $!";
		my ($text, $n) = ("", 0);
		$n += length $text while sysread F, $text, 5000;
		$wrong++ if $n != $listed || $n != $stat;
		END { print $wrong + 0, "\n" }'
}

# ---- the shown text is what was put, byte for byte

eq 'sizes in a listing before anything was read' "$(for form in $forms; do sizes $form p; done | tr '\n' ' ')" '0 0 0 0 '
show typed p >shown.typed
show plain p >shown.plain
ok cmp shown.typed typed.jsonl
ok cmp <(show both p) shown.typed
ok cmp <(show pretty p) shown.plain
eq 'the partition has the size of its items' "$(stat -c %s plain/p)" "$(wc -c <shown.plain)"
eq 'the command line agrees with the mount' "$(ctl query tab p | cmp - shown.plain && echo same)" same
if here jq; then
	eq 'every file is JSON' "$(for form in $forms; do cat $form/p/*.json | jq -c . | wc -l; done | sort -u)" "$N"
fi

# ---- each form, copied to each mount

for from in $forms; do
	for to in $forms; do
		ok cp -r $from/p $to/$from-$to
		ok cmp <(show plain $from-$to) shown.plain
		eq "sizes of items copied from $from to $to" "$(sizes $to $from-$to)" 0
	done
done
eq 'nothing was refused' "$(wc -l <plain/.itemfs/errors)$(ls plain/.itemfs/rejected)" 0

# ---- read, and written back as shown, in pieces of any size

for form in $forms; do
	bytes=1
	for k in $(seq 1 23 "$N"); do
		cat $form/p/$k.json >copy
		ok dd if=copy of=$form/p/$k.json bs=$((bytes + $(stat -c %s copy) / 500)) status=none
		bytes=$((bytes * 3 % 1000 + 1))
	done
done
show plain p >again.plain
ok cmp again.plain shown.plain
for k in $(seq 1 17 "$N"); do cp plain/p/$k.json copy && cp copy typed/p/$k.json; done
eq 'writing it back changes nothing' "$(show typed p | cmp - shown.typed && echo same)" same
ok mv plain/p plain/moved
eq 'items that were moved' "$(show typed moved | cmp - shown.typed && echo same)" same

# ---- another mount of the same store, later

unmnt $forms
mount_all
eq 'sizes in a new mount' "$(for form in $forms; do sizes $form moved; done | tr '\n' ' ')" '0 0 0 0 '
ok cmp <(show typed moved) shown.typed
ok cmp <(show typed both-plain) shown.typed
ok ctl check
done_testing
