#!/bin/bash
# Many items: large listings, and listings during changes (NAMESPACE 2).
# BEHAVIOUR 3.7, 13.6, 23.6
. "$(dirname "$0")/lib.sh"

store --key PK,SK:N --gsi gsi=G
seq 10000 | jq -c '{PK:"big",SK:.,G:"g\(. % 7)"}' >items.jsonl
seq 3000 | jq -c '{PK:"p\(.)",SK:1}' >>items.jsonl
ok ctl import tab items.jsonl
mnt m -o table=tab
mnt g -o table=tab,index=gsi

eq 'ls -U in key order' "$(ls -U m/big | md5sum)" "$(seq -f '%.0f.json' 10000 | md5sum)"
eq 'find lists all items' "$(find m -type f | wc -l)" 13000
eq 'ls -U lists all partitions' "$(ls -U m | wc -l)" 3001
eq 'in key order' "$(ls -U m | LC_ALL=C sort -c && echo sorted)" sorted
eq 'ls -l has the same sizes as find' "$(ls -lU m/big | awk 'NR>1 {n += $5} END {print n}')" "$(find m/big -type f -printf '%s\n' | awk '{n += $1} END {print n}')"
eq 'sizes are exact' "$(find m/big -type f -printf '%s\n' | awk '{n += $1} END {print n}')" "$(find m/big -type f -exec cat {} + | wc -c)"
eq 'the size of the partition is their sum' "$(stat -c %s m/big)" "$(find m/big -type f -exec cat {} + | wc -c)"
eq 'a second listing is complete, too' "$(ls -U m/big | wc -l)" 10000
eq 'an index view' "$(find g -type f | wc -l) $(ls g | tr '\n' ' ')" '10000 g0 g1 g2 g3 g4 g5 g6 '
eq 'each name is listed once' "$(find m -type f | sort | uniq -d | wc -l)" 0

# ---- seekdir and telldir

eq 'telldir and seekdir' "$(perl -e '
	opendir D, "m/big" or die; my (@name, @at);
	while (1) { push @at, telldir D; my $n = readdir D; last unless defined $n; push @name, $n; }
	my $bad = 0;
	for my $i (9999, 5000, 3, 0, 7777, 1) { seekdir D, $at[$i]; my $n = readdir D; $bad++ if $n ne $name[$i]; }
	rewinddir D; $bad++ if readdir(D) ne $name[0];
	my %seen; $seen{$_}++ for @at; $bad++ if grep { $_ > 1 } values %seen;
	print "$bad bad of ", scalar @name')" '0 bad of 10002'

# ---- deletion during a listing

eq 'removing names as they are read misses none' "$(perl -e '
	opendir D, "m/big" or die; my $n = 0;
	while (defined(my $f = readdir D)) { next if $f =~ /^\.\.?$/; unlink "m/big/$f" or die "$f: $!"; $n++; }
	print $n')" 10000
eq 'no item is left' "$(ls m/big | wc -l) $(ls g | wc -l)" '0 0'
rmdir m/big
ok ctl import tab items.jsonl
ok rm -r m/big
gone m/big
eq 'rm -r of ten thousand' "$(ctl query tab big --count)" 0

# ---- a listing that begins before a change

ok ctl import tab items.jsonl
eq 'a listing during changes has each old name once' "$(perl -e '
	opendir D, "m/big" or die; my %seen; my $n = 0;
	while (defined(my $f = readdir D)) {
		next if $f =~ /^\.\.?$/; $seen{$f}++;
		if (++$n == 100) { for my $i (1 .. 50) { open F, ">", "m/big/-$i.json"; close F; rename "m/big/" . (9000 + $i) . ".json", "m/big/" . (20000 + $i) . ".json"; } }
		die if $n > 20000;
	}
	print scalar(grep { $_ > 1 } values %seen), " ", scalar(grep { exists $seen{"$_.json"} } 1 .. 9000)')" '0 9000'
eq 'a new listing has the new names' "$(ls m/big | wc -l)" 10050

done_testing
