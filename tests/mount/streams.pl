# streams.pl - tests of directory streams with direct system calls: each step is one getdents64 with a small buffer
#
#   perl streams.pl TEST DIRECTORY OTHER    OTHER: the same directory in another mount; items k00001.json ...
#
# Prints each error, and nothing if there is none.
use strict;
use warnings;

my ($test, $dir, $other) = @ARGV;
my ($GETDENTS, $LSEEK) = (217, 8);    # x86-64
my $bad = 0;

sub wrong { print "$test: @_\n"; exit 1 if ++$bad > 10; }

sub begin { my $d = shift; open(my $h, '<', $d) or die "$d: $!"; return $h; }

sub seek_to
{
	my ($h, $at) = @_;
	syscall($LSEEK, fileno($h), $at + 0, 0) == $at or wrong("lseek to $at: $!");
}

# The next few entries: [name, the position after it]; none at the end.
sub step
{
	my ($h, $size) = @_;
	my $buffer = "\0" x ($size // 256);
	my $n = syscall($GETDENTS, fileno($h), $buffer, length $buffer);
	die "getdents: $!" if $n < 0;
	my @out;
	for (my $at = 0; $at < $n;) {
		my (undef, $next, $len) = unpack 'QQS', substr $buffer, $at, 18;
		push @out, [unpack('Z*', substr $buffer, $at + 19, $len - 19), $next];
		$at += $len;
	}
	return @out;
}

sub rest { my ($h, $size) = @_; my @all; while (my @some = step($h, $size)) { push @all, @some; } return @all; }
sub data { return grep { $_->[0] !~ /^\.\.?$/ } @_; }
# With a text: an empty item is saved only some time after close().
sub make { my ($d, @names) = @_; for (@names) { open(my $h, '>', "$d/$_") or die "$d/$_: $!"; print $h "{}\n"; close $h or die; } }
sub drop { my ($d, @names) = @_; for (@names) { unlink "$d/$_" or die "$d/$_: $!"; } }

# Check that each of these, which existed all the time, is there once. @all: entries or names
sub check_once
{
	my ($what, $must, @all) = @_;
	my %seen;
	$seen{ref $_ ? $_->[0] : $_}++ for @all;
	for (@$must) { my $n = $seen{$_} // 0; wrong("$what: $_ is seen $n times") if $n != 1; }
	for (keys %seen) { wrong("$what: $_ is seen twice") if $seen{$_} > 1; }
}

opendir(my $listed, $dir) or die;
my @before = sort grep { !/^\.\.?$/ } readdir $listed;
closedir $listed;

my %tests = (
	# Positions: all differ, and each leads to the entries that were read after it.
	positions => sub {
		my $h = begin($dir);
		my @all = rest($h, 1000);
		my %at;
		$at{$_->[1]}++ for @all;
		wrong('two entries have one position') if keys %at != @all;
		for (1 .. 300) {
			my $i = int rand(@all - 1);
			seek_to($h, $all[$i][1]);
			my ($next) = step($h, 100);
			wrong("behind $all[$i][0] comes $next->[0], not $all[$i + 1][0]") if $next->[0] ne $all[$i + 1][0];
		}
		seek_to($h, $all[-1][1]);
		wrong('there is something behind the last one') if step($h);
	},
	# While others remove and create names, before and after the reader's position.
	changes => sub {
		my $h = begin($dir);
		my (@seen, %gone, $n);
		while (my @some = step($h, 8000)) {
			push @seen, @some;
			my @here = grep { /^k/ && !$gone{$_} } map { $_->[0] } @some;
			my @behind = @here[0, $#here / 2];
			my @ahead = grep { !$gone{$_} && $_ gt ($here[-1] // '') } @before[map { int rand @before } 1 .. 3];
			my %names = map { $_ => 1 } @behind, @ahead;
			drop($n++ % 2 ? $dir : $other, grep { !$gone{$_}++ } grep { defined } keys %names);
			make($n % 2 ? $dir : $other, "a$n.json", "z$n.json", map { "k00500-$n-$_.json" } 1 .. 3);
		}
		check_once('read under changes', [grep { !$gone{$_} } @before], data(@seen));
		my @old = @seen;

		# Back to earlier positions: what still exists comes in the same order, once.
		for my $i (0, 7, int(@old / 3), int(@old / 2), $#old - 5) {
			seek_to($h, $old[$i][1]);
			my @again = rest($h, 30000);
			check_once("seek to $i", [grep { $_ =~ /^k/ && !$gone{$_} } map { $_->[0] } @old[$i + 1 .. $#old]], data(@again));
		}
		seek_to($h, 0);
		opendir my $now, $dir or die;
		check_once('rewound', [grep { !/^\.\.?$/ } readdir $now], data(rest($h, 30000)));
	},
	# Rewinding shows the current names, from the middle and from the end.
	rewind => sub {
		my $h = begin($dir);
		step($h);
		make($other, 'k00000-new.json');
		drop($dir, $before[0]);
		seek_to($h, 0);
		my @all = data(rest($h));
		wrong('the new one is not first') if $all[0][0] ne 'k00000-new.json';
		wrong('the old one is there still') if grep { $_->[0] eq $before[0] } @all;
		drop($other, 'k00000-new.json');
		make($dir, $before[0]);
		seek_to($h, 0);
		check_once('after the end', \@before, data(rest($h)));
	},
	# A position after which everything was removed.
	removed => sub {
		my $h = begin($dir);
		my @some = step($h);
		drop($other, @before);
		seek_to($h, $some[-1][1]);
		my @all = rest($h);
		check_once('removed', [], data(@some, @all));
		seek_to($h, 0);
		wrong('something is there still') if data(rest($h));
	},
	# Two streams are independent.
	two => sub {
		my ($a, $b) = (begin($dir), begin($dir));
		my (@a, @b);
		for (1 .. 20) { push @a, step($a, 500); push @b, step($b, 120); }
		push @a, rest($a);
		push @b, rest($b);
		check_once('the first', \@before, data(@a));
		check_once('the second', \@before, data(@b));
	},
	# Renaming what is read ends: each name is read once, and the new names do not come forever.
	renames => sub {
		my $h = begin($dir);
		my $n = 0;
		while (my @some = step($h, 2000)) {
			for (data(@some)) {
				die 'it does not end' if ++$n > 3 * @before;
				rename "$dir/$_->[0]", "$dir/z$_->[0]" or wrong("$_->[0]: $!") if $_->[0] =~ /^k/;
			}
		}
		seek_to($h, 0);
		check_once('renamed', [map { "z$_" } @before], data(rest($h)));
	},
);
$tests{$test}->();
