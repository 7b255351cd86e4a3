#!/bin/bash
# Writing: the commit rule, with the system calls that real programs use (NAMESPACE 4).
# BEHAVIOUR 9.8, 23.8
. "$(dirname "$0")/lib.sh"

store --key PK,SK
mnt m -o table=tab
mkdir m/p
cd m/p || exit 1

# v SK - the attribute v of the stored item, or "no item"
v()
{
	local got
	got=$(item tab p "$1")
	if [ -n "$got" ]; then jq -c .v <<<"$got"; else echo 'no item'; fi
}

# ---- redirects

echo '{"v":1}' >a.json
eq 'a redirection creates an item' "$(v a)" 1
echo '{"v":2}' >a.json
eq 'a redirection replaces an item' "$(v a)" 2
dash -c 'echo "{\"v\":3}" >a.json'
eq 'and so does one of dash' "$(v a)" 3
echo '{}' >a.json
eq 'the whole item is replaced' "$(item tab p a)" '{"PK":"p","SK":"a"}'
settle m # until RELEASE the file shows the bytes that were written
eq 'a read gives the item, not what was written' "$(cat a.json)" '{"PK":"p","SK":"a"}'
cat >a.json <<'END'
{
  "v": 4
}
END
eq 'a heredoc' "$(v a)" 4
printf '{"v":' >b.json 2>/dev/null || true
eq 'half a text is not an item' "$(v b)" 'no item'
printf '%s' '{"v":5}' >b.json
eq 'a text without a newline' "$(v b)" 5
printf ' \n\t{"v":6} \n\n' >b.json
eq 'a text with blanks around it' "$(v b)" 6
echo '{"v":7}' | tee b.json >/dev/null
eq 'tee' "$(v b)" 7
jq -c '.v = 8' <<<'{}' >b.json
eq 'output of jq' "$(v b)" 8
dd if=<(echo '{"v":9}') of=b.json bs=3 2>/dev/null
eq 'dd in small pieces' "$(v b)" 9
perl -e 'open F, ">", "b.json"; print F "{\"v\":10}"; close F or die'
eq 'output of perl' "$(v b)" 10

# ---- two processes, one descriptor: each sends a FLUSH

echo '{"v":' >/tmp/itemfs-$$-1
echo '11}' >/tmp/itemfs-$$-2
{ cat /tmp/itemfs-$$-1; cat /tmp/itemfs-$$-2; } >c.json 2>/dev/null
eq 'an item written by two processes' "$(v c)" 11
rm /tmp/itemfs-$$-1 /tmp/itemfs-$$-2
( echo '{'; (echo '"v":12'); echo '}' ) >c.json
eq 'an item written by subshells' "$(v c)" 12
exec 4>c.json
eq 'an open writer has stored nothing yet' "$(v c)" 12
echo '{"v":13}' >&4
exec 4>&-
eq 'it commits when it is closed' "$(v c)" 13
exec 4>d.json 5>d.json
echo '{"v":14}' >&4
echo '{"v":15}' >&5
exec 4>&- 5>&-
eq 'two descriptors, one buffer: the later bytes win' "$(v d)" 15

# ---- empty files

: >e.json
settle m
eq ': > f creates an item with only its key' "$(item tab p e)" '{"PK":"p","SK":"e"}'
echo '{"v":1}' >e.json
: >e.json
settle m
eq ': > f reduces an item to its key' "$(item tab p e)" '{"PK":"p","SK":"e"}'
touch f.json
eq 'touch has committed when it returns' "$(item tab p f)" '{"PK":"p","SK":"f"}'
echo '{"v":2}' >f.json
touch f.json
eq 'touch does not change an existing item' "$(v f)" 2
cp /dev/null f.json
settle m
eq 'cp /dev/null reduces an item to its key' "$(item tab p f)" '{"PK":"p","SK":"f"}'
printf '\xef\xbb\xbf{"v":5}\n' >marked.json
eq 'a text saved with a byte order mark' "$(item tab p marked)" '{"PK":"p","SK":"marked","v":5}'
rm marked.json

# ---- append

echo '{"v":1}' >>g.json
eq '>> creates a new item' "$(v g)" 1
: >h.json
settle m
refused 'Bad message' bash -c "echo '{\"v\":2}' >>h.json"
eq '>> to a complete item is refused' "$(item tab p h)" '{"PK":"p","SK":"h"}'
refused 'Bad message' bash -c "echo x >>g.json"
eq 'and the item is unchanged' "$(v g) $(cat g.json)" '1 {"PK":"p","SK":"g","v":1}'
ok bash -c "echo >>g.json; printf '  \n' >>g.json"
eq '>> of blanks is accepted' "$(v g)" 1

# ---- in place

echo '{"v":"abc"}' >i.json
settle m
offset=$(($(grep -bo abc i.json | cut -d: -f1)))
printf X | dd of=i.json bs=1 seek=$((offset + 1)) conv=notrunc 2>/dev/null
eq 'dd conv=notrunc changes an item in place' "$(v i)" '"aXc"'
printf Y | dd of=i.json bs=1 seek=$offset conv=notrunc,fsync 2>/dev/null
eq 'and so does dd with fsync' "$(v i)" '"YXc"'
exec 4<>i.json
eq 'a descriptor for reading and writing can read' "$(head -c 1 <&4)" '{'
exec 4>&-
eq 'reading through it changes nothing' "$(v i)" '"YXc"'
perl -e 'open F, "+<", "i.json"; seek F, '$offset', 0; print F "Q"; close F or die'
eq 'perl in place' "$(v i)" '"QXc"'

# ---- truncate

truncate -s 0 i.json
eq 'truncate to 0 bytes' "$(item tab p i)" '{"PK":"p","SK":"i"}'
echo '{"v":1}' >i.json
refused 'Bad message' truncate -s 3 i.json
eq 'truncate to half a text is refused' "$(v i)" 1
settle m
eq 'and the file shows the item' "$(cat i.json)" '{"PK":"p","SK":"i","v":1}'
size=$(stat -c %s i.json)
ok truncate -s $((size - 1)) i.json
eq 'truncate of the newline' "$(v i)" 1
perl -e 'open F, "+<", "i.json"; truncate F, 0; print F "{\"v\":2}"; close F or die'
eq 'ftruncate and write' "$(v i)" 2

# ---- readers of the same mount see the text of an open writer

echo '{"v":1}' >j.json
exec 4>j.json
printf '{"v":' >&4
eq 'the text of an open writer' "$(cat j.json)" '{"v":'
eq 'and its size' "$(stat -c %s j.json)" 5
eq 'the stored item is the old one' "$(v j)" 1
printf '2}' >&4
exec 4>&-
settle m
eq 'until the text is committed' "$(v j) $(cat j.json)" '2 {"PK":"p","SK":"j","v":2}'

# ---- key attributes in the text

echo '{"PK":"other","SK":"other","v":1}' >k.json
eq 'the path wins' "$(item tab p k)" '{"PK":"p","SK":"k","v":1}'
cp k.json l.json
eq 'so cp copies to the named key' "$(item tab p l)" '{"PK":"p","SK":"l","v":1}'
refused 'Bad message' bash -c "echo '{\"PK\":5}' >k.json"
eq 'a key of the wrong type is refused' "$(v k)" 1

# ---- mmap

perl -e '
	open F, "+>", "m.json" or die; print F "{\"v\":1}"; close F or die;
' && eq 'perl +>' "$(v m)" 1

# ---- changes through other front ends

exec 4>n.json
ctl put tab '{"PK":"p","SK":"n","v":"other"}' >/dev/null
echo '{"v":"mine"}' >&4
exec 4>&-
eq 'the last close wins' "$(v n)" '"mine"'

settle m
eq 'the mount shows all rejected texts and no others' "$(ls ../.itemfs/rejected | grep -c .)" "$(ls "$S/rejected" | grep -c .)"

done_testing
