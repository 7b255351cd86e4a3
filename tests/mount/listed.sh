#!/bin/bash
# A listing that begins after an item was renamed to a scratch name does not list the old name, however long it takes.
. "$(dirname "$0")/lib.sh"

store --key PK,SK
seq 1001 1999 | jq -c '{PK:"p",SK:(.|tostring)}' | ctl import tab /dev/stdin >/dev/null
mnt m -o table=tab

# small_ls DIR - print names, one a line, read with a small buffer; after the first of them, wait for a line of input
small_ls()
{
	perl -e '
		my $buffer = "\0" x 256;
		opendir my $d, $ARGV[0] or die "$ARGV[0]: $!";
		my @names;
		sub step {
			my $n = syscall(217, fileno($d), $buffer, length $buffer);
			die "getdents: $!" if $n < 0;
			for (my $at = 0; $at < $n;) {
				my (undef, undef, $len) = unpack "QQS", substr $buffer, $at, 18;
				push @names, unpack "Z*", substr $buffer, $at + 19, $len - 19;
				$at += $len;
			}
			return $n;
		}
		step;
		$| = 1;
		print "begun\n";
		<STDIN>;
		1 while step;
		print "$_\n" for @names;' "$1"
}

not_stored()
{
	[ -z "$(item tab p "$1")" ]
}

[ "$(uname -m)" = x86_64 ] || { echo 'skipped: getdents64 has another number here'; exit 77; }

mv m/p/1990.json m/p/1990.old
mv m/p/1991.json m/p/1991.old
mkfifo go
small_ls m/p <go >names &
exec 7>go
wait_until 10 grep -q begun names || fail 'nothing is listed'
mv m/p/1991.old m/p/1991.json
wait_until 10 not_stored 1990 || fail 'the renamed item is not deleted'
mv m/p/1992.json m/p/1992.old
echo >&7
exec 7>&-
wait
eq 'no old name of an item that was renamed before the listing began' "$(grep -c '^1990.json$' names)" 0
gone m/p/1990.json
eq 'but its new name' "$(grep -c '^1990.old$' names)" 1
eq 'an item that got its name back is listed once' "$(grep -c '^1991.json$' names)" 1
eq 'all others are listed once' "$(grep -c '^1[0-9]*.json$' names) $(sort names | uniq -d)" '998 '
eq 'the next listing has the new names only' "$(ls m/p | grep -c '^1[0-9]*.json$') $(ls m/p | grep '^199[0-2]' | tr '\n' ' ')" '997 1990.old 1991.json 1992.old '

done_testing
