# hold.pl HOW N PATTERN [BYTES] - open files or directories, print "N ok, M no: ERROR", and keep them open until the input ends
#
#   truncate   create the files PATTERN with %d as 1 ... N, and truncate them to BYTES
#   fill       the same; halve BYTES whenever there is no room
#   write      the same as truncate, then write BYTES blanks
#   item       the same, but write an item with a list of BYTES numbers
#   read       open PATTERN N times, and read its first BYTES
#   list       open the directory PATTERN N times, and read its first entries
#   hide       rename the items to PATTERN~
use strict;
use warnings;
use Fcntl;
use POSIX ();

my ($how, $n, $pattern, $bytes) = @ARGV;
my (@held, %why);

sub one
{
	my $path = index($pattern, '%d') < 0 ? $pattern : sprintf $pattern, $_[0];
	return rename $path, "$path~" if $how eq 'hide';
	if ($how eq 'list') {
		opendir(my $d, $path) or return 0;
		push @held, $d;
		$! = 0;
		return defined readdir($d) && !$!;
	}
	sysopen(my $f, $path, $how eq 'read' ? O_RDONLY : O_RDWR | O_CREAT) or return 0;
	push @held, $f;
	return truncate($f, $bytes) if $how eq 'truncate';
	if ($how eq 'fill') {
		until (truncate($f, $bytes)) { return if ($bytes = int($bytes / 2)) == 0 }
		return 1;
	}
	return defined syswrite($f, ' ' x $bytes) if $how eq 'write';
	return defined syswrite($f, '{"l":[0' . ',1' x ($bytes - 1) . ']}') if $how eq 'item';
	return defined sysread($f, my $text, $bytes);
}

my $ok = 0;
for my $i (1 .. $n) {
	one($i) ? $ok++ : $why{$!}++;
}
$| = 1;
print "$ok ok", (map { ", $why{$_} no: $_" } sort keys %why), "\n";
my $end = <STDIN>;
POSIX::_exit(0); # perl would report refused closes
