#!/bin/sh
# Uniqueness: a key is unique, and nothing else is. Two unique attributes are two items.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# A user's name is the key; the email is the key of a marker item without other attributes.
ls -U mnt

# Signing up puts both, each only if it does not exist, in one transaction.
itemctl run patterns sign-up user=olblueeyes email=frankthetank@sinatra.com

# The name is taken; the email is taken. The answer says line by line which one, and nothing was written.
itemctl run patterns sign-up user=thevoice email=new@example.com
itemctl run patterns sign-up user=newcomer email=alex@debrie.com
ls mnt/USER#newcomer mnt/USEREMAIL#new@example.com

# The trap: both in one key. It is unique only as a pair, and the same name is given twice.
itemctl put users '{"PK":"USER#alexdebrie","SK":"USER#other@example.com"}' --if 'attribute_not_exists(PK)'
ls mnt/USER#alexdebrie
rm mnt/USER#alexdebrie/USER#other@example.com.json

# A new email moves the marker and changes the user: all three actions, or none.
itemctl run patterns change-email user=alexdebrie from=alex@debrie.com to=alex@example.com
cat mnt/USER#alexdebrie/USER#alexdebrie.json
ls mnt | grep EMAIL

# A single unique attribute needs no transaction: create the file exclusively.
echo '{}' | dd of=mnt/USER#thevoice/USER#thevoice.json conv=excl status=none
END
