#!/bin/bash
# Whatever the umask, only its owner can read a store: each file is 0600, each directory 0700, including exports to
# its buckets. Only exports to a bucket that is a link, which leads to a place that others may use, obey the umask.
. "$(dirname "$0")/lib.sh"

# everything - create a store with all kinds of content
everything()
{
	rm -rf "$S"
	store --key PK,SK --stream NEW_AND_OLD_IMAGES
	mkdir -m 700 "$S/buckets" "$S/buckets/acme"
	rm -rf elsewhere
	mkdir elsewhere
	ln -s "$W/elsewhere" "$S/buckets/linked"
	ok ctl put tab '{"PK":"p","SK":"a","v":1}'
	ok ctl backup "$W/copy"
	mnt m -o table=tab
	printf 'no JSON' >bad
	cp bad m/p/refused.json 2>/dev/null
	settle m
	write m/p/draft 'a draft'
	ok sync m/p/draft
	ok ctl call UpdateContinuousBackups '{"TableName":"tab","PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}}'
	ctl call CreateBackup '{"TableName":"tab","BackupName":"one"}' >backup
	for bucket in acme linked; do
		ctl call ExportTableToPointInTime "$(jq -c --arg b $bucket '{TableArn:.BackupDetails.BackupArn|split("/backup/")[0],S3Bucket:$b}' backup)" >export
		wait_until 10 is_complete || fail "no export: $(cat export)"
	done
	ok ctl compact
}

is_complete()
{
	ctl call DescribeExport "$(jq -c '{ExportArn:.ExportDescription.ExportArn}' export)" | jq -e '.ExportDescription.ExportStatus == "COMPLETED"' >/dev/null
}

# open_to_others DIR - print the paths in it that others may access in any way
open_to_others()
{
	find "$1" ! -type l -perm /077 -printf '%P %m\n' | sort
}

for mask in 000 022 077; do
	umask $mask
	everything
	eq "umask $mask, mounted: the contents of the store" "$(ls "$S" | tr '\n' ' ')" 'FORMAT backups buckets db log mount rejected scratch socket '
	eq "umask $mask, mounted" "$(open_to_others "$S")" ''
	eq "umask $mask, the export is there" "$(find "$S/buckets/acme" -name '*.json.gz' | wc -l)" 1
	eq "umask $mask, beyond a link" "$(find elsewhere -mindepth 1 -printf '%y %m\n' | sort -u | tr '\n' ' ')" "$(printf 'd %o f %o ' $((0777 & ~0$mask)) $((0666 & ~0$mask)))"
	eq "umask $mask, a backup" "$(open_to_others copy)" ''
	rm m/p/draft
	unmnt m
	rm -rf copy
done
done_testing
