#!/bin/bash
# run.sh [--list] SUITE DIR - run a third-party filesystem test suite on a new mount, and compare with its expected results
#
#   SUITE            DIR, a build of the suite
#   test_syscalls    libfuse: DIR contains the program test_syscalls
#   pjdfstest        DIR/pjdfstest and DIR/tests/**/*.t; as root
#   fsx              DIR/fsx (LTP, xfstests): ITEMFS_FSX_OPS operations (10000), seed ITEMFS_FSX_SEED (1)
#   ltp              an installed LTP: DIR/runtest/syscalls, DIR/testcases/bin; as root
#   xfstests         those programs of xfstests in DIR/src that need only a directory
#
# Each suite runs twice: on item names (a mount with an empty suffix, where nearly every name is an item) and on scratch
# names (the default suffix, which no suite uses).  SUITE.expected, beside this script, lists each result other than "ok":
#
#   test TAB item|scratch TAB result TAB reason
#
# A difference that is not listed there is a failure, and so is a listed one that did not occur.  --list prints the differences in
# that form, with an empty reason, and compares nothing.  Exit status: 0, 1, or 77 if the suite is not in DIR.
list=
given=("$@") # lib.sh may restart the script with all arguments
[ "${1-}" != --list ] || { list=yes; given=("${@:2}"); }
if [ ${#given[@]} -ne 2 ]; then
	sed -n '2,18s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
suite=${given[0]}
dir=$(readlink -f "${given[1]}")
. "$(dirname "$0")/../mount/lib.sh"

# ---- one function for each suite: runs it in the directory $1 of the mount, and prints "test TAB result" for each test

# The program prints "  3 [symlink] OK" for each test, after lines "  3 [symlink] function() - what: why" for its failures.
run_test_syscalls()
{
	"$dir/test_syscalls" "$1" 2>&1 | perl -ne '
		next unless /^\s*(\d+) \[(.*?)\] (.*)$/;
		my ($id, $said) = ("$1 $2", $3);
		$order{$id} //= $n++;
		$result{$id} = $said eq "OK" ? $result{$id} // "ok" : $result{$id} && $result{$id} ne "ok" ? $result{$id} : $said;
		END { print "$_\t$result{$_}\n" for sort { $order{$a} <=> $order{$b} } keys %order }'
}

run_pjdfstest()
{
	local test
	(cd "$dir/tests" && find . -name '*.t' | sort) | while read -r test; do
		test=${test#./}
		(cd "$1" && timeout 600 sh "$dir/tests/$test" 2>/dev/null </dev/null) | perl -ne '
			BEGIN { $test = shift } print "$test:$2\t", ($1 ? "not ok" : "ok"), "\n" if /^(not )?ok (\d+)/' "$test"
	done
}

run_fsx()
{
	local said
	if said=$(cd "$1" && "$dir/fsx" -q -N "${ITEMFS_FSX_OPS-10000}" -S "${ITEMFS_FSX_SEED-1}" fsx-file 2>&1); then
		printf 'fsx\tok\n'
	else
		printf 'fsx\t%s\n' "$(grep -v '^$' <<<"$said" | head -n 1)"
	fi
}

# The exit status of an LTP test: 0 passed, 32 not for this system, otherwise a sum of 1, 2 and 4.
run_ltp()
{
	local name command status
	grep -v '^#' "$dir/runtest/syscalls" | while read -r name command; do
		[ -n "$name" ] || continue
		PATH=$dir/testcases/bin:$PATH TMPDIR=$1 LTPROOT=$dir timeout 300 sh -c "cd '$1' && $command" >/dev/null 2>&1 </dev/null
		status=$?
		case $status in
		0) printf '%s\tok\n' "$name" ;;
		32) ;;
		*) printf '%s\tstatus %s\n' "$name" $status ;;
		esac
	done
}

run_xfstests()
{
	local words status
	while read -r words; do
		[ -x "$dir/src/${words%% *}" ] || continue
		eval "(cd '$1' && timeout 600 '$dir/src/'${words//DIR/"'$1'"})" >/dev/null 2>&1 </dev/null
		status=$?
		printf '%s\t%s\n' "${words%% *}" "$([ $status -eq 0 ] && echo ok || echo "status $status")"
	done <<-'LIST'
		t_dir_offset DIR
		t_dir_offset2 DIR
		t_readdir_1 DIR
		t_readdir_2 DIR
		seek_sanity_test DIR/seek
		t_truncate_cmtime DIR/cmtime
		t_create_long_dirs DIR 2
		holetest -f DIR/hole 1048576
	LIST
}

case $suite in
test_syscalls | fsx) needs=$dir/$suite ;;
pjdfstest) needs=$dir/pjdfstest ;;
ltp) needs=$dir/runtest/syscalls ;;
xfstests) needs=$dir/src ;;
*)
	echo "FAILED: no suite $suite: test_syscalls, pjdfstest, fsx, ltp, xfstests"
	exit 2
	;;
esac
[ -e "$needs" ] || {
	echo "skipped: there is no $needs"
	exit 77
}

# ---- both kinds of names, and the differences

# runs KIND MOUNT-OPTIONS - write the suite's results on names of that kind to KIND.results
runs()
{
	mnt "$1" -o "$2"
	mkdir "$1/p"
	"run_$suite" "$W/$1/p" >"$1.results"
	# Remove the files that the programs left.
	find "$1/p" -mindepth 1 -delete 2>/dev/null
	leave "$1"
	[ -s "$1.results" ] || fail "$suite tells no results on $1 names"
	awk -F '\t' -v kind="$1" -v OFS='\t' '$2 != "ok" {print $1, kind, $2}' "$1.results" >>all
}

store --key PK,SK
runs item table=tab,suffix=
runs scratch table=tab
sed "s|$W/||g" all | sort >differences

if [ -n "$list" ]; then
	sed 's/$/\t/' differences
	exit 0
fi
expected=$HERE/$suite.expected
[ -e "$expected" ] || expected=/dev/null
grep -v '^#' "$expected" | grep . | cut -f 1-3 | sort >named
while IFS= read -r line; do fail "not named: $line"; done < <(comm -23 differences named)
while IFS= read -r line; do fail "named, and not so any more: $line"; done < <(comm -13 differences named)
checks=$(cat ./*.results | wc -l)
while IFS= read -r line; do fail "without a reason: $line"; done < <(grep -v '^#' "$expected" | awk -F '\t' 'NF && $4 == ""')

done_testing
