#!/bin/bash
# What TAB completes in a command line of itemfs, in a real bash: directories, options, the words after -o, tables and
# indexes.
. "$(dirname "$0")/lib.sh"

here python3 || exit 77
ok "$ITEMCTL" -q -s store create-table music --key PK --gsi ByYear=Year:N
ok "$ITEMCTL" -q -s store create-table movies --key PK
mkdir folder
touch plain keys
begin_made_up hostile '$(touch${IFS}run)'

# Command lines, and what they are after TAB. The words are those of --help.
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
# Names of an endpoint are not executed.
cat >>cases <<END
itemfs http://$made_up folder -o table=|itemfs http://$made_up folder -o table=sound 
itemfs http://$made_up folder -o table=sound,index=|itemfs http://$made_up folder -o table=sound,index=Sound 
END
sed 's/|.*//' cases | ITEMFS_COMPLETION_SECONDS=50 PATH=${ITEMFS%/*}:${ITEMCTL%/*}:$PATH python3 "$HERE/../tools/completion.py" "$HERE/../../fs/itemfs.bash" itemfs >is || fail 'bash does not answer'
while IFS='|' read -r line want <&3 && IFS='|' read -r is _ <&4; do
	eq "$line" "$is" "$want"
done 3<cases 4<is
eq 'no name was executed' "$(ls | grep -c run)" 0
end_made_up
eq 'each case has a result' "$(wc -l <is)" "$(wc -l <cases)"
done_testing
