#!/bin/bash
# Changes through other front ends are visible at once, whatever the kernel caches: names, attributes, contents of
# open files.
. "$(dirname "$0")/lib.sh"

store --key PK,SK
mnt m -o table=tab
mnt n -o table=tab

put()
{
	ctl put tab "$1" >/dev/null
}

delete()
{
	ctl delete tab "$@" >/dev/null
}

# ---- names that did not exist

for n in 1 2 3; do
	gone m/p m/p/a.json n/p/a.json
	put '{"PK":"p","SK":"a"}'
	eq "created, time $n: partition and item" "$(stat -c %F m/p m/p/a.json n/p/a.json | sort | uniq -c | tr -s ' \n' ' ')" ' 1 directory 2 regular file '
	gone m/p/b.json n/p/b.json
	echo '{"v":1}' >m/p/b.json
	eq "created by another mount, time $n" "$(jq .v n/p/b.json)" 1
	delete p b
	gone m/p/b.json n/p/b.json
	delete p a
	gone m/p/a.json n/p/a.json m/p n/p
done

# ---- names that are deleted, also of open files

put '{"PK":"p","SK":"a","v":1}'
exec 5<m/p/a.json
eq 'the item can be read before' "$(jq .v m/p/a.json)" 1
delete p a
gone m/p/a.json
refused 'No such file' cat m/p/a.json
refused 'No such file' rm m/p/a.json
refused 'No such file' mv m/p/a.json m/p/b.json
put '{"PK":"p","SK":"z"}'
ok bash -c 'echo "{\"v\":2}" >m/p/a.json'
eq 'a redirection creates it again' "$(item tab p a)" '{"PK":"p","SK":"a","v":2}'
delete p a
ok bash -c 'set -o noclobber; echo "{\"v\":3}" >m/p/a.json'
eq 'and so does an exclusive one' "$(item tab p a)" '{"PK":"p","SK":"a","v":3}'
exec 5<&-

# ---- contents, times and sizes

perl -e '
	use Fcntl qw(SEEK_SET);
	my ($path, @ctl) = @ARGV;
	open my $f, "<", $path or die "$path: $!";
	my $text;
	for my $v (10 .. 29) {
		system(@ctl, "put", "tab", qq({"PK":"p","SK":"a","v":$v})) == 0 or die "put";
		sysseek $f, 0, SEEK_SET;
		defined sysread $f, $text, 1000 or die "read: $!";
		$text =~ /"v":$v}/ or print "of version $v: $text";
		my $size = (stat $path)[7];
		$size == length $text or print "of version $v: size $size\n";
	}
	system(@ctl, "put", "tab", qq({"PK":"p","SK":"a","long":") . "x" x 9000 . qq("}));
	sysseek $f, 0, SEEK_SET;
	sysread $f, $text, 10000;
	length $text > 9000 or print "not long: ", length $text, "\n";
' m/p/a.json "$ITEMCTL" -s "$S" --quiet >said 2>&1
eq 'a reader that has it open reads each version' "$(cat said)" ''

# ---- a working directory that is deleted and created again

put '{"PK":"w","SK":"a"}'
cd m/w || exit 1
delete w a
gone "$W/m/w" a.json
put '{"PK":"w","SK":"b"}'
eq 'the new directory can be used' "$(cat "$W/m/w/b.json")" '{"PK":"w","SK":"b"}'
cd "$W" || exit 1

# ---- tables and indexes

gone m/.index/ByV
ok ctl alter tab --add-gsi ByV=V:N
put '{"PK":"p","SK":"v","V":7}'
eq 'a new index has a view' "$(ls m/.index/ByV n/.index/ByV)" 'm/.index/ByV:
7

n/.index/ByV:
7'
gone m/.index/ByV/8
echo '{"V":8}' >m/p/v.json
eq 'an entry moves' "$(ls m/.index/ByV m/.index/ByV/8 n/.index/ByV | tr '\n' ' ')" 'm/.index/ByV: 8  m/.index/ByV/8: p::v.json  n/.index/ByV: 8 '
gone m/.index/ByV/7 n/.index/ByV/7
unmnt m n

done_testing
