#!/bin/bash
# why explains paths that were not refused: misspelt clauses and indexes, texts without quotes, names without the
# suffix.
. "$(dirname "$0")/lib.sh"
store --key PK,SK --gsi 'ByYear=Year:N' --gsi 'ByTitle=Title'
echo '{"PK":"p","SK":"a","Title":"x","Year":1}' | ctl put tab - >/dev/null
mnt m -o table=tab
echo bytes >m/p/plain

# told PATH SENTENCE STATUS [INSTEAD] - check what why prints for PATH, from everywhere; INSTEAD is the suggested path
# below $W, which must exist
told()
{
	local said
	checks=$((checks + 1))
	ls "$1" >/dev/null 2>&1
	said=$(ITEMFS_STORE=$S ctl why "$1"; echo "$?")
	eq "$1" "$(jq -r 'if type == "object" then .Message else . end' <<<"$said")" "${2:+$2$'\n'}$3"
	eq "$1 by its whole path" "$(cd / && ITEMFS_STORE=$S ctl why "$W/$1" | jq -r .Message)" "$2"
	if [ -n "${4-}" ]; then
		said=$(jq -r '.Instead? // empty' <<<"$said")
		eq "$1 instead" "$(eval "printf '%s\n' $said")" "$W/$4"
		ok eval "ls -d $said"
	fi
}
told m/p/.filtre/x 'there is no clause .filtre: did you mean .filter?' 0
told 'm/.fliter/Year = 1' 'there is no clause .fliter: did you mean .filter?' 0
told m/p/.begins_width/x 'there is no clause .begins_width: did you mean .begins_with?' 0
told m/p/.reverse/.limt/1 'there is no clause .limt: did you mean .limit?' 0
told m/p/.nonsense 'there is no clause .nonsense; itemctl help paths lists them' 0
told m/.index/ByYaer 'there is no index ByYaer: did you mean ByYear?' 0
told m/.index/byyear/1 'there is no index byyear: did you mean ByYear?' 0
told m/.index/Other 'there is no index Other' 0
told 'm/p/.filter/Title = x' "x was taken for an attribute name. Quote text: Title = 'x'" 0
told "m/p/.filter/Year > '1990'" "Year is a number in the items, and '1990' is a text: Year > 1990" 0
told 'm/p/.filter/Year = 1/.filtre' 'there is no clause .filtre: did you mean .filter?' 0
told m/p/plain 'plain is a scratch file, not an item: its text is in memory, and is moved to STORE/rejected at unmount; an item is a JSON object in a file NAME.json' 0
told m/.stream 'each reader of .stream waits for new changes, without an end: cat and tail -f show them; for the table'"'"'s own stream: itemctl tail TABLE' 0
told m/p/a "the item's file is a.json" 0

# ---- existing paths without a mistake

fine='nothing was refused; this is'
told m/p/a.json 'nothing was refused; the item is stored: 4 attributes, 41 bytes; its mode and owner are those of the mount, set by -o umask=, uid= and gid=; chmod and chown change nothing' 0
told m/p "$fine a partition: each item is a file; ls -U lists them by their sort key, ls by their names" 0
told m "$fine the root of a table" 0
told m/.index "$fine the directory of the table's indexes" 0
told m/.index/ByYear "$fine the root of an index, which is read-only" 0
told m/.itemfs "$fine the mount's own directory: see README in it" 0
told m/.itemfs/README "$fine one of the mount's own files" 0
told m/.table.json "nothing was refused; this file is generated while it is read" 0
for path in m/p/.begins_with/x "m/p/.filter/Title = 'none'"; do
	told "$path" "$fine a valid query, which finds no item" 0
done
for path in m/p/.project/Title m/p/.eq/a; do
	told "$path" "$fine a query: the items that it finds are files; ls -U lists them in the order of the query" 0
done
mkdir m/fresh
told m/fresh "$fine a partition without items: it exists only in memory until an item is written to it: echo '{\"a\":1}' >NAME.json" 0
rmdir m/fresh

# ---- a refusal that a later write settles

# outcomes PATH - print the lines of why without their times
outcomes()
{
	ctl why "$1" | jq -r '[.Errno // "-", .Settled // false, .Message] | join(" ")'
}
early='not JSON: line 2, column 1: the text ends too early'
echo '{"n":1' >m/p/half.json
eq 'a refusal is listed' "$(outcomes m/p/half.json)" "EBADMSG false $early"
echo '{"n":1}' >m/p/half.json
eq 'and is settled by a good write' "$(outcomes m/p/half.json)" "EBADMSG true $early
- false the item is stored: 3 attributes, 29 bytes; its mode and owner are those of the mount, set by -o umask=, uid= and gid=; chmod and chown change nothing"
eq 'why without a path omits settled lines' "$(ctl why | grep -c half)" 0
eq 'errors keeps it as settled' "$(grep half m/.itemfs/errors | cut -f 3,4,7)" "$W/m/p/half.json	EBADMSG	settled"
echo '{"n":1' >m/p/half.json
eq 'a new refusal is listed' "$(outcomes m/p/half.json)" "EBADMSG false $early"
echo '{"n":2}' >m/p/half.tmp
mv m/p/half.tmp m/p/half.json
eq 'a rename settles it' "$(outcomes m/p/half.json | cut -d ' ' -f 1,2)" $'EBADMSG true\n- false'
rm m/p/half.json

# ---- an item that a redirection has truncated

echo '{"v":1}' >"m/p/it's.json"
jq . "m/p/it's.json" >"m/p/it's.json"
eq 'a redirection can leave only the key' "$(jq -c . "m/p/it's.json")" '{"PK":"p","SK":"it'"'"'s"}'
emptied=$(ctl why "m/p/it's.json")
back=$(jq -r '.Message | sub("^stored with only its key, as after: jq ... F >F .the shell empties F before jq reads it; use jq ... F >F.new && mv F.new F.; to restore the item: "; "")' <<<"$emptied")
eq 'why reports it, with the command that restores the item' "$(sed 's|rejected/[^Z]*Z-[0-9]*-|rejected/TIME-|' <<<"$back")" "cp \"$S/rejected/TIME-it's.json\" \"$W/m/p/it's.json\""
eq 'also without a path' "$(ctl why | jq -r .Message | grep -cF "$back")" 1
ok eval "$back"
eq 'which works' "$(jq -c . "m/p/it's.json")" '{"PK":"p","SK":"it'"'"'s","v":1}'
eq 'and settles the line' "$(ctl why | grep -c 'to restore the item')" 0
: >"m/p/it's.json"
: >"m/p/it's.json"
eq 'no copy is kept of an item that is only a key' "$(find "$S/rejected" -name "*it's.json" | wc -l)" 2
: >m/p/empty.json
told m/p/empty.json "nothing was refused; the item is stored: 2 attributes, 24 bytes; its mode and owner are those of the mount, set by -o umask=, uid= and gid=; chmod and chown change nothing" 0
rm m/p/empty.json "m/p/it's.json"

# ---- without a path: refusals, and what was done differently than probably intended
mkdir m/q
echo '{"PK":"other","n":1}' >m/q/other.json
echo '{"PK":"q","SK":"same"}' >m/q/same.json
echo swap >m/q/.swap
echo over >m/q/over
rm m/q/over
sed -i 's/1/2/' m/q/same.json
mkdir -p m/q/r/s 2>/dev/null
mkdir m/q 2>/dev/null
echo '{"n":1' >m/q/half.json
eq 'the newest refusals, then files that are not items, and keys replaced by the path' "$(ctl why | jq -r 'select((.Error != null or .Errno != "ENOENT") and (.Message | contains("text needs quotes") | not)) | [.Errno // "-", .Path, .Message] | join(" ")')" \
	"EBADMSG $W/m/q/half.json not JSON: line 2, column 1: the text ends too early
EPERM $W/m/q/r only partitions of a table with a sort key are directories; a / in a key is written %2F
- $W/m/q/other.json stored with PK \"q\", as the path says; the text has \"other\"
- $W/m/p/plain plain is a scratch file, not an item: its text is in memory, and is moved to STORE/rejected at unmount; an item is a JSON object in a file NAME.json"
eq 'a key replaced by the path' "$(ctl why m/q/other.json | jq -r .Message)" 'stored with PK "q", as the path says; the text has "other"'
eq 'errors has them, too' "$(grep -v settled m/.itemfs/errors | cut -f 3 | tail -n 3)" "$W/m/q/other.json
$W/m/q/r
$W/m/q/half.json"
cp m/p/Red.json m/q/Red.json 2>/dev/null || cp m/q/other.json m/q/copy.json
eq 'a key replaced by cp is not reported' "$(ctl why | jq -r .Path | grep -c 'Red\|copy')" 0
sed -i 's/"q"/"x"/' m/q/other.json
eq 'a key changed by sed is reported' "$(tail -n 1 m/.itemfs/errors | cut -f 3-)" "$W/m/q/other.json	-	-	stored with PK \"q\", as the path says; the text has \"x\""
mv m/q/other.json m/q/plain
eq 'an item renamed to a name without the suffix is reported' "$(tail -n 1 m/.itemfs/errors | cut -f 3,6)" "$W/m/q/plain	plain is a scratch file, not an item: its text is in memory, and is moved to STORE/rejected at unmount; to make it an item: mv $W/m/q/plain $W/m/q/plain.json"
mv m/q/plain m/q/plain.json
eq 'and not any more when renamed back' "$(grep -c q/plain m/.itemfs/errors)" 0
rm -r m/q

eq 'why counts the kept texts' "$("$ITEMCTL" -s "$S" why 2>&1 >/dev/null)" "$(find "$S/rejected" -type f | wc -l) texts that are no items are kept: ls -l $S/rejected"
eq 'in the folder of a mount why uses its store' "$("$ITEMCTL" why 2>/dev/null | jq -r .Path)" "$(ctl why | jq -r .Path)"

# ---- missing names
told m/p/xyz.json 'there is no item xyz.json' 0
echo '{}' >m/p/Blue.json
told m/p/Bleu.json 'there is no item Bleu.json: did you mean Blue.json?' 0
told m/pq "no item has the partition key pq; to create it: mkdir $W/m/pq" 0
told m/x.json 'this directory has partitions, which have the items: PARTITION/x.json' 0
told m/p/limit/1 'there is no item limit; a clause begins with a dot: .limit/10' 0
told m/p/where 'there is no item where; if a clause is meant: .filter/'"'Year > 1990'" 0
told m/ByYear/1 'ByYear is an index: .index/ByYear' 0
told m/.itemfs/schema 'there is no .itemfs/schema' 0
told m/.itemfs/readme 'there is no .itemfs/readme: did you mean README?' 0
told m/p/.itemfs '.itemfs is only at the mount'"'"'s root' 0
told m/.index/ByYear/2 'no item has the partition key 2' 0
told m/.index/ByYear/1/x.json 'there is no item x.json' 0

# ---- clauses that are incomplete, misplaced, or of other tools
told m/p/.limit ".limit takes a value, which is the next component: .limit/10" 0
told m/p/.filter ".filter takes a value, which is the next component: .filter/'Year > 1990'" 0
told m/p/.between/a '.between takes two values, each a path component: .between/a/TO' 0
told m/p/.ge/a/.le/b 'the sort key can have only one condition; for a range: .between/FROM/TO' 0
told m/.eq/p '.eq compares the sort keys of one partition: PARTITION/.eq; at the root, .filter, .project and .limit are a Scan, and .shards reads many partitions' 0
told m/p/.prefix/x 'there is no clause .prefix; here it is .begins_with/TEXT' 0
told m/p/.starts_with/x 'there is no clause .starts_with; here it is .begins_with/TEXT' 0
told m/p/.WHERE 'there is no clause .WHERE; here it is .filter/'"'Year > 1990'" 0
told m/p/.csv '.csv is generated while it is read, so its size is shown as 0: cat and cp read all of it, rsync and tar copy nothing; for gzip and other programs that seek: cat .csv | gzip' 0
told 'm/p/.filter/Titel = "x"' 'none of the examined items has an attribute Titel: did you mean Title?' 0
told 'm/.filter/size(Titel) > 3 AND Year = 1' 'none of the examined items has an attribute Titel: did you mean Title?' 0
told m/p/.project/Titel,Year 'none of the examined items has an attribute Titel: did you mean Title?' 0
for other in 'Year == 1|== is written =' 'Year > 0 && Year < 2|&& is written AND' "Title LIKE 'x%25'|LIKE 'x%' is written begins_with(a, 'x'), LIKE '%x%' contains(a, 'x')"; do
	ls "m/p/.filter/${other%|*}" >/dev/null 2>&1
	eq "${other%|*}" "$(ctl why "m/p/.filter/${other%|*}" | jq -r .Message | tail -n 1)" "${other#*|}"
done

# ---- scratch names, and mounts of other forms
echo '{}' >m/p/.hidden
echo '{}' >m/p/.hidden.json
told m/p/.hidden '.hidden is a scratch file, not an item: its text is in memory, and is moved to STORE/rejected at unmount; to make it an item: mv .hidden %2Ehidden.json' 0
told m/p/.hidden.json '.hidden.json is a scratch file, not an item: its text is in memory, and is moved to STORE/rejected at unmount; to make it an item: mv .hidden.json %2Ehidden.json' 0
rm m/p/.hidden m/p/.hidden.json
ctl create-table plain --key PK >/dev/null
mnt all
mnt reads -o table=plain,ro
told all/tba 'there is no table tba: did you mean tab?' 0
told all/other/x 'there is no table other; to create it with the key PK and SK: itemctl create-table other --key PK,SK' 0
told all/.count 'this directory has tables: TABLE/.count' 0
told all/plain/.ge/1 '.ge compares sort keys, but this table has no sort key; .filter compares attributes' 0
ro="this mount is read-only because of -o ro (other mounts and itemctl can still write); to write here: fusermount3 -u $W/reads && itemfs $S $W/reads -o table=plain"
told reads/new.json "there is no item new.json; $ro" 0
eq 'the path determines the store' "$(cd / && unset ITEMFS_STORE && "$ITEMCTL" why "$W/all/tba" | jq -r .Message)" 'there is no table tba: did you mean tab?'
eq 'and takes precedence over the environment' "$(cd / && ITEMFS_STORE=/absent "$ITEMCTL" why "$W/all/tba/x" | jq -r .Message)" 'there is no table tba: did you mean tab?'
ls m/p/.limit/abc >/dev/null 2>&1
eq 'a path in a missing directory' "$(cd m && ctl why p/.limit/abc | jq -r .Path)" "$W/m/p/.limit/abc"
told all "$fine the root of the mount: each table is a directory" 0
told all/plain "$fine the root of a table without items" 0
told all/plain/.index "$fine the directory of the table's indexes, which has none yet; to add one: itemctl alter TABLE --add-gsi NAME=PK,SK" 0
: >all/plain/x.json
told all/plain/x.json "nothing was refused; the item is stored: 1 attribute, 11 bytes; its mode and owner are those of the mount, set by -o umask=, uid= and gid=; chmod and chown change nothing" 0
told reads "$ro" 0
unmnt all
unmnt reads

# ---- paths in no mount, whatever store is named, and without any

# outside PATH SENTENCE - check both
outside()
{
	local named
	named=$(ctl why "$1" | jq -r .Message)
	# Other tests mount and unmount meanwhile.
	eq "$1, without a store" "$(env -C / -u ITEMFS_STORE "$ITEMCTL" why "$1" | jq -r .Message | sed 's|\(there are mounts at /\).*|\1|')" "${named/there are mounts at \/*/there are mounts at \/}"
	case $named in
	"$2"*) checks=$((checks + 1)) ;;
	*) fail "$1: $named"$'\n'"  expected: $2" ;;
	esac
}
mkdir -p place/known
: >place/file
outside "$W/place/file" 'this is not in a mount of itemfs; there are mounts at /'
outside "$W/place" 'this is not in a mount of itemfs; there are mounts at /'
outside "$W/place/knwon/x" "there is no knwon in $W/place: did you mean known?; this is not in a mount of itemfs; there are mounts at /"
outside "$S" "this is the directory of a store, not a mount; its items are files where it is mounted: $W/m"
outside "$S/db/x" "there is no x in $S/db; this is in the store $S, not a mount; its items are files where it is mounted: $W/m"
"$ITEMCTL" -q -s "$W/spare store" create-table tab --key PK
outside "$W/spare store" "this is the directory of a store, not a mount; its items are files where it is mounted: itemfs '$W/spare store' MOUNTPOINT"
gives_status=$(env -C / -u ITEMFS_STORE "$ITEMCTL" why 2>&1 >/dev/null; echo $?)
eq 'without a path a store is needed' "${gives_status##*$'\n'}" 2
told $'m/p/.\033[2J' $'there is no clause .\033[2J; itemctl help paths lists them' 0
eq 'a value that was never tried' "$(ctl why m/p/.limit/few | jq -r .Message)" '.limit: expected a number of items, found "few"'
eq 'a path below such a value' "$(ctl why m/p/.limit/many/x | jq -r .Message)" '.limit: expected a number of items, found "many"'
eq 'a refusal is listed first' "$(cat m/p/.eq/1/.eq 2>/dev/null; ctl why m/p/.eq/1/.eq | jq -r .Errno)" ENOENT
unmnt m
eq 'a scratch file is kept at the end, and the log names it' "$(cat "$S"/rejected/*plain) $(grep -c 'plain: a scratch file that was left; it is kept in' "$S/log")" 'bytes 1'

# ---- the process that served a mount has ended

mnt m -o table=tab
kill_daemons
told m "the process that served $W/m has ended; to unmount it: fusermount3 -u $W/m" 0
told m/p/a.json "the process that served $W/m has ended; to unmount it: fusermount3 -u $W/m" 0
umount -l m
done_testing
