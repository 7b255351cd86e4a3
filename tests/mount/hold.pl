# hold.pl HOW N PATTERN [BYTES] - opens files or directories, says "N ok, M no: ERROR", and holds them until its input ends
#
#   truncate   PATTERN with %d as 1 ... N are made and truncated to BYTES
#   fill       the same; whenever there is no room, to half as many from then on
#   write      the same as truncate, and BYTES blanks are written
#   read       PATTERN is opened N times, and its first BYTES are read
#   list       the directory PATTERN is opened N times, and its first entries are read
#   hide       items are renamed to PATTERN~
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
	return defined sysread($f, my $text, $bytes);
}

my $ok = 0;
for my $i (1 .. $n) {
	one($i) ? $ok++ : $why{$!}++;
}
$| = 1;
print "$ok ok", (map { ", $why{$_} no: $_" } sort keys %why), "\n";
my $end = <STDIN>;
POSIX::_exit(0); # perl would complain of what is refused when it closes
