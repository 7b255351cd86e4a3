#!/bin/bash
# Mounts of other users are not trusted: such a mount may name only a store of its own user, and what it contains is
# not taken for the caller's.
private=yes
. "$(dirname "$0")/lib.sh"

users
nobody=65534
echo user_allow_other >fuse.conf
mount --bind fuse.conf /etc/fuse.conf
mkdir home
chown $nobody home
export XDG_CONFIG_HOME=$W/home/config
ok as $nobody "$ITEMCTL" -q -s home/store create-table theirs --key PK,SK
ok as $nobody "$ITEMCTL" -q -s home/store put theirs '{"PK":"itemfs","SK":"config"}'
mkdir home/m
chown $nobody home/m
ok as $nobody "$ITEMFS" "$W/home/store" home/m -o allow_other,table=theirs,suffix=
cd home/m || exit 1
refused "$W/home/store belongs to the user nobody, who could make you overwrite your own files" "$ITEMCTL" tables
eq 'a store that the user allows' "$(ITEMFS_TRUST_STORE=$W/home/store "$ITEMCTL" tables | jq -r .TableName)" theirs
cd "$W" || exit 1
refused "$W/home/store belongs to the user nobody" "$ITEMCTL" -s home/m tables
refused "$W/home/m/itemfs/config is on a file system that the user nobody has mounted" env XDG_CONFIG_HOME="$W/home/m" "$ITEMCTL" -s shop tables

# A mount that claims to be of another user's store: the store belongs to root from here on.
chown -R root home/store
said="$W/home/m is a mount of the user nobody, who could name any store, and names $W/home/store: give the store with -s STORE"
cd home/m || exit 1
for command in tables 'drop theirs --yes' 'why p/x.json'; do
	refused "$said" "$ITEMCTL" $command
done
ok "$ITEMCTL" -s "$W/home/store" tables
cd "$W" || exit 1
refused "$said" "$ITEMCTL" -s home/m tables
refused "$said" "$ITEMCTL" why home/m/p/x.json
umount home/m
eq 'the store itself can be opened' "$("$ITEMCTL" -s home/store tables | jq -r .TableName)" theirs
done_testing
