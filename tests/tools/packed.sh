#!/bin/bash
# Files compressed by zstd, bzip2, xz and zip are imported to their last byte, or refused.
. "$(dirname "$0")/lib.sh"
begin
count()
{
	ctl scan tab --count
}
# zip_of FILE NAME=TEXT... - make an archive
zip_of()
{
	python3 - "$@" <<'PY'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
    for member in sys.argv[2:]:
        name, text = member.split('=', 1)
        z.writestr(name, open(text[1:]).read() if text.startswith('@') else text)
PY
}
seq 1 30000 | awk '{ printf "{\"PK\":\"k%d\",\"SK\":%d,\"v\":\"%d\"}\n", $1 % 7, $1, $1 * $1 }' >all.jsonl
ctl -q create-table tab --key PK,SK:N
ok ctl import tab all.jsonl
want=$(ctl scan tab | sha256sum)

# ---- with a file name and in a pipe, in one part and in several, whatever the name
for program in zstd bzip2 xz; do
	$program -c all.jsonl >all.jsonl.$program
	head -n 10000 all.jsonl | $program -c >parts.jsonl
	tail -n +10001 all.jsonl | $program -c >>parts.jsonl
	for how in "all.jsonl.$program" parts.jsonl '- <' ; do
		fresh
		case $how in *'<') ok ctl import tab - < <(cat all.jsonl.$program) ;; *) ok ctl import tab $how ;; esac
		eq "$program: $how" "${err%% in *} $(ctl scan tab | sha256sum)" "imported 30,000 items $want"
	done
	# ---- incomplete files: an error, and nothing after the damage is imported
	for n in 12 3000 $(($(stat -c %s all.jsonl.$program) - 1)); do
		fresh
		head -c $n all.jsonl.$program >cut.jsonl
		gives 2 'the compressed data is damaged or cut short' ctl import tab cut.jsonl
		case $err in *"; $program says: "[!.]*) ;; *) fail "there is no message of $program: $err" ;; esac
		eq 'the reported items are imported' "$(sed -n 's/,//g; s/^imported \([0-9]*\) items\{0,1\}\( in .*\)\{0,1\}$/\1/p' <<<"$err")" "$(count)"
	done
	fresh
	{ cat all.jsonl.$program; echo '{"PK":"x","SK":1}'; } >behind.jsonl
	gives 2 'behind.jsonl:30001: the compressed data is damaged or cut short' ctl import tab behind.jsonl
	printf 'PK;SK\nä;1\n' | iconv -t UTF-16 | $program -c | ok ctl import tab
	eq 'cells in UTF-16' "${err%% in *}" 'imported 1 item'
	: | $program -c | ok ctl import tab
	eq 'a compressed empty file' "${err%% in *}" 'imported 0 items'
	# ---- without the program
	mkdir -p empty
	gives 2 "all.jsonl.$program: unpacking this needs the program $program, which is not installed" env PATH="$PWD/empty" "$ITEMCTL" -s "$S" import tab all.jsonl.$program
	# ---- a record without end is refused, however small it is compressed
	head -c 40000000 /dev/zero | tr '\0' x | $program -c >bomb
	gives 2 'bomb:1: an item of over 16 MiB' ctl import tab bomb
	gives 2 '1 line rejected' ctl import tab bomb --on-error skip
done
printf 'PK,SK\na,1\n' | zstd -c >cells.csv.zst
printf -- '- PK: b\n  SK: 2\n' | xz -c >list.YAML.XZ
printf '[{"PK":"c",\n"SK":3}]' | bzip2 -c >array.json.bz2
printf '\x50\x2a\x4d\x18\x04\0\0\0skip' >skipped
echo '{"PK":"d","SK":4}' | zstd -c >>skipped
fresh
ok ctl import tab cells.csv.zst list.YAML.XZ array.json.bz2 skipped --on-error skip
eq 'the format of each file depends on its name' "$(ctl scan tab | sort | tr '\n' ' ')" '{"PK":"a","SK":1} {"PK":"b","SK":2} {"PK":"c","SK":3} {"PK":"d","SK":4} '
ok ctl import tab --infer cells.csv.zst
# A file that only begins like a compressed one is text.
printf 'BZh9PK,SK,PK\nx,5,e\n' >text.csv
ok ctl import tab text.csv
printf 'BZh' >short.csv
gives 2 "no column has the key attribute PK" ctl import tab short.csv

# ---- programs that misbehave
program()
{
	mkdir -p "$1"
	printf '#!/bin/bash\n%s\n' "$3" >"$1/$2"
	chmod +x "$1/$2"
}
line='{"PK":"z","SK":9}'
program silent zstd "echo '$line'; exit 3"
program hasty zstd "head -c 5 >/dev/null; echo '$line'"
program killed zstd "echo '$line'; kill -9 \$\$"
program warns zstd "echo '$line'; cat >/dev/null; echo 'this is odd' >&2"
program chatty zstd "cat >/dev/null; yes odd | head -c 1000000 >&2; exit 1"
# vm.memfd_noexec may forbid files in memory that can be executed; Linux 6.3 and newer can make others.
if [ "$(printf '6.3\n%s\n' "$(uname -r)" | sort -V | head -n 1)" = 6.3 ]; then
	program looks zstd 'cat >/dev/null; case $(stat -L -c %A /proc/self/fd/2) in *x*) echo executable >&2 ;; esac'
	fresh
	ok env PATH="$PWD/looks:$PATH" "$ITEMCTL" -s "$S" import tab all.jsonl.zstd
fi
while read -r name says; do
	fresh
	gives 2 "the compressed data is damaged or cut short; zstd says: $says" env PATH="$PWD/$name:$PATH" "$ITEMCTL" -s "$S" import tab all.jsonl.zstd
done <<'END'
silent it did not read to the end
hasty it did not read to the end
killed it was killed by a signal
warns this is odd
chatty odd
END

# ---- archives: with one file, whose name determines the format; otherwise their files are named
zip_of one.zip items.csv=$'n,SK,PK\n1,1,a\n'
zip_of mac.zip data/= data/items.jsonl=@all.jsonl __MACOSX/data/._items.jsonl=junk
zip_of two.zip a.jsonl='{"PK":"a","SK":1}' b.jsonl='{"PK":"b","SK":1}'
zip_of many.zip a=1 b=2 c=3 d=4 e=5 $'f\ng=6'
zip_of none.zip
zip_of folder.zip folder/=
zip_of odd.zip '-o[a*?].jsonl={"PK":"a","SK":1}'
fresh
ok ctl import tab one.zip --infer --from csv
eq 'a CSV file in an archive' "$(ctl scan tab)" '{"n":1,"SK":1,"PK":"a"}'
fresh
ok ctl import tab mac.zip
eq 'an archive made by macOS' "$(ctl scan tab | sha256sum)" "$want"
fresh
cp odd.zip './-p[x].zip'
ok ctl import tab -- '-p[x].zip'
ok ctl import tab - <odd.zip
gives 2 'two.zip: the archive has 2 files (a.jsonl, b.jsonl): unpack it with unzip' ctl import tab two.zip
gives 2 'many.zip: the archive has 6 files (a, b, c, d, e, ...)' ctl import tab many.zip
gives 2 'none.zip: the archive has no files' ctl import tab none.zip
gives 2 'folder.zip: the archive has no files' ctl import tab folder.zip
gives 2 'standard input: a zip archive cannot be read from a pipe' ctl import tab - < <(cat one.zip)
gives 2 'one.zip: unpacking this needs the program unzip, which is not installed' env PATH="$PWD/empty" "$ITEMCTL" -s "$S" import tab one.zip
eq 'only one item of all these' "$(count)" 1
size=$(stat -c %s mac.zip)
head -c $((size / 2)) mac.zip >half.zip
gives 2 'half.zip: the compressed data is damaged or cut short; unzip says: End-of-central' ctl import tab half.zip
head -c $((size / 2)) mac.zip >damaged.zip
printf 'damage' >>damaged.zip
tail -c +$((size / 2 + 7)) mac.zip >>damaged.zip
gives 2 'damaged.zip:' ctl import tab damaged.zip
python3 - <<'PY'
data = bytearray(open('one.zip', 'rb').read())
data[6] |= 1                                  # encrypted, in the header of the file
data[data.rindex(b'PK\1\2') + 8] |= 1         # and in the directory of the archive
open('secret.zip', 'wb').write(data)
PY
gives 2 'secret.zip:1: the archive is encrypted: unpack it with its password' ctl import tab secret.zip </dev/null
python3 - <<'PY'
data = bytearray(open('secret.zip', 'rb').read())
data[8] = data[data.rindex(b'PK\1\2') + 10] = 99 # AES, as WinZip writes it
open('aes.zip', 'wb').write(data)
PY
gives 2 'aes.zip:1: the archive is encrypted or compressed in a way that unzip does not know' ctl import tab aes.zip </dev/null

# ---- options of these programs in the environment have no effect
while read -r file options; do
	fresh
	ok env $options "$ITEMCTL" -s "$S" import tab $file
	eq "$options" "${err%% in *} $(ctl scan tab | sha256sum)" "imported 30,000 items $want"
done <<'END'
all.jsonl.xz XZ_OPT=-v XZ_DEFAULTS=-vv
all.jsonl.bzip2 BZIP2=-v BZIP=-vv
all.jsonl.zstd ZSTD_CLEVEL=x ZSTD_NBTHREADS=x
mac.zip UNZIP=-v UNZIPOPT=-v
mac.zip ZIPINFO=-v ZIPINFOOPT=-v ZIPOPT=-v
END

# ---- export does not write an uncompressed file under such a name
gives 2 'out.csv.zst: a file of items ends in' ctl export tab out.csv.zst
[ ! -e out.csv.zst ] || fail "export writes the file"

# ---- Ctrl-C while the program waits: the program ends, too
fresh
interrupted all.jsonl.bzip2 import tab
grep -q ': interrupted$' stopped.err || fail "the interruption is not reported: $(cat stopped.err)"
ok ctl check
done_testing
