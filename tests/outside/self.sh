#!/bin/bash
# self.sh - test run.sh with a fake suite instead of libfuse's: listed differences pass; unlisted and missing ones fail.
. "$(dirname "$0")/../mount/lib.sh"

export ITEMFS_BUILD=$BUILD NAMED=$HERE/test_syscalls.expected
mkdir suite
cat >suite/test_syscalls <<'FAKE'
#!/bin/bash
# Prints the expected results of this kind of names, changed by $CHANGE, in the format of the real program.
kind=$(basename "$(dirname "$1")")
[ "$kind" = item ] || [ "$kind" = scratch ] || exit 1
[ "${CHANGE-}" != nothing ] || exit 1
echo '  0 [first] OK'
grep -v '^#' "$NAMED" | awk -F '\t' -v kind="$kind" '$2 == kind {n = $1; sub(/ .*/, "", n); t = $1; sub(/^[^ ]* /, "", t);
	printf "%3d [%s] %s\n", n, t, $3; printf "%3d [%s] and more\n", n, t}' | eval "${CHANGE-cat}" >&2
FAKE
chmod +x suite/test_syscalls
# outcome STATUS TEXT [CHANGE] - check the exit status of run.sh, and how many lines contain TEXT, with changed results
outcome()
{
	CHANGE=${3-cat} bash "$HERE/run.sh" test_syscalls suite >said 2>&1
	eq "status with ${3-no change}" "$? $(grep -cF -e "$2" said)" "$1"
	[ $failures -eq 0 ] || cat said
}
outcome '0 1' ' 0 failed'
outcome '1 2' 'not named: 99 new' "cat; echo ' 99 [new] f() - open: No such file or directory'"
outcome '1 1' 'named, and not so any more: 1 create' "grep -v '1 \\[create\\]'"
outcome '1 1' 'not named: 1 create' "sed 's/\\[create\\] test_create() - write: .*/[create] test_create() - write: File exists/'"
outcome '1 2' 'tells no results' nothing

# ---- output formats of the other suites, from fake programs

mkdir -p others/tests/open others/runtest others/testcases/bin others/src
touch others/pjdfstest
printf 'echo 1..3; echo ok 1; echo "not ok 2 - why"; cd . && touch here && echo ok 3' >others/tests/open/00.t
printf '# comment\nopen01 open01 -x\nskipped01 exit 32\nrename01 exit 5\n' >others/runtest/syscalls
printf '#!/bin/sh\n[ "$1" = -x ] && touch "$TMPDIR/here"\n' >others/testcases/bin/open01
printf '#!/bin/sh\necho; echo "LOG DUMP" >&2; exit 1\n' >others/fsx
printf '#!/bin/sh\n[ "${1%%/p}" != "$1" ] && exit 3\n' >others/src/t_dir_offset
chmod +x others/fsx others/src/t_dir_offset others/testcases/bin/open01
listed() { bash "$HERE/run.sh" --list "$1" others | sed 's/\t$//'; }
eq 'pjdfstest' "$(listed pjdfstest)" $'open/00.t:2\titem\tnot ok\nopen/00.t:2\tscratch\tnot ok'
eq 'ltp' "$(listed ltp)" $'rename01\titem\tstatus 5\nrename01\tscratch\tstatus 5'
eq 'fsx' "$(listed fsx)" $'fsx\titem\tLOG DUMP\nfsx\tscratch\tLOG DUMP'
eq 'xfstests' "$(listed xfstests)" $'t_dir_offset\titem\tstatus 3\nt_dir_offset\tscratch\tstatus 3'

# ---- wrong arguments

fails_with() { "$@" >said 2>&1; echo $?; }
eq 'a missing suite is skipped' "$(fails_with bash "$HERE/run.sh" pjdfstest suite) $(grep -c skipped said)" '77 1'
eq 'an unknown suite is refused' "$(fails_with bash "$HERE/run.sh" others suite) $(grep -c 'no suite' said)" '2 1'
eq 'missing arguments print the usage' "$(fails_with bash "$HERE/run.sh" fsx) $(grep -c 'run.sh' said)" '2 1'

done_testing
