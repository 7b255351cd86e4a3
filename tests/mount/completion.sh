#!/bin/bash
# What TAB makes of a command line of itemfs, in a real bash: folders, options, the words behind -o, tables and indexes.
. "$(dirname "$0")/lib.sh"

if [ ! -x "$(command -v python3)" ]; then
	echo 'skipped: needs python3'
	exit 77
fi
ok "$ITEMCTL" -q -s store create-table music --key PK --gsi ByYear=Year:N
ok "$ITEMCTL" -q -s store create-table movies --key PK
mkdir folder
touch plain keys

# Lines, and what stands there after TAB; the words are those of --help.
cat >cases <<'END'
itemfs sto|itemfs store/
itemfs store fo|itemfs store folder/
itemfs pl|itemfs pl
itemfs --no|itemfs --no-mount 
itemfs store folder -o ta|itemfs store folder -o table=
itemfs store folder -o table=mus|itemfs store folder -o table=music 
itemfs store folder -o ro,table=mov|itemfs store folder -o ro,table=movies 
itemfs -o table=mus|itemfs -o table=mus
itemfs -f store folder -o table=music,ind|itemfs -f store folder -o table=music,index=
itemfs store folder -o table=music,index=|itemfs store folder -o table=music,index=ByYear 
itemfs store folder -o table=movies,index=|itemfs store folder -o table=movies,index=
itemfs store folder -o listen=127.0.0.1:0,cred|itemfs store folder -o listen=127.0.0.1:0,credentials=
itemfs store folder -o credentials=ke|itemfs store folder -o credentials=keys 
itemfs store folder -o fold|itemfs store folder -o fold
END
sed 's/|.*//' cases | PATH=${ITEMFS%/*}:${ITEMCTL%/*}:$PATH python3 "$HERE/../tools/completion.py" "$HERE/../../fs/itemfs.bash" itemfs >is || fail 'bash does not answer'
while IFS='|' read -r line want <&3 && IFS='|' read -r is _ <&4; do
	eq "$line" "$is" "$want"
done 3<cases 4<is
eq 'all are answered' "$(wc -l <is)" "$(wc -l <cases)"
done_testing
