#!/bin/sh
# Five migrations of the GitHub backend, from the harmless to the hard one. Before: table.json, items.jsonl; after: after.json, after.jsonl.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# 1. A new attribute: repos get a code of conduct. No migration at all: it is written when there is one, and
# readers live without it.
itemctl update GitHubTable REPO#alexdebrie#dynamodb-book REPO#alexdebrie#dynamodb-book 'SET CodeOfConduct = :c' --if 'attribute_exists(PK)' --values '{":c":{"name":"Contributor Covenant","url":"https://github.com/alexdebrie/dynamodb-book/blob/master/CODE_OF_CONDUCT.md"}}'

# 2. A new entity in a collection that is there: gists of a user. "#" puts them before the account, so that
# one Query backwards has the user and his newest gists. Old items stay as they are.
echo '{"KSUID":"1YK484E7V3xiMT1NMrfWIFaLPFU","DateCreated":"2020-02-26T00:43:08.000","GistTitle":"sls.yaml example"}' >mnt/ACCOUNT#alexdebrie/#GIST#1YK484E7V3xiMT1NMrfWIFaLPFU.json
echo '{"KSUID":"1YK4DXEfGpZrUjWxBRkPmSgFQnf","DateCreated":"2020-02-26T00:43:52.000","GistTitle":"graphql-test"}' >mnt/ACCOUNT#alexdebrie/#GIST#1YK4DXEfGpZrUjWxBRkPmSgFQnf.json
ls -U mnt/ACCOUNT#alexdebrie/.le/ACCOUNT#alexdebrie/.reverse

# 3. A new entity in a new collection with old items: apps with their account. Nothing joins the account's
# collection in the table, so the accounts get keys of GSI1: a scan finds them, and each is updated.
itemctl scan GitHubTable --filter 'Type IN ("User", "Organization")' --project PK,SK | itemctl update GitHubTable - 'SET GSI1PK = PK, GSI1SK = PK' --if 'attribute_exists(PK)'
itemctl put GitHubTable '{"PK":"APP#alexdebrie#cicd","SK":"APP#alexdebrie#cicd","AccountName":"alexdebrie","AppName":"CICD","Description":"Builds and deploys on push.","GSI1PK":"ACCOUNT#alexdebrie","GSI1SK":"APP#cicd"}'
itemctl put GitHubTable '{"PK":"APP#alexdebrie#githubanalytics","SK":"APP#alexdebrie#githubanalytics","AccountName":"alexdebrie","AppName":"GitHub Analytics","Description":"Charts about a repository.","GSI1PK":"ACCOUNT#alexdebrie","GSI1SK":"APP#githubanalytics"}'
ls -U mnt/.index/GSI1/ACCOUNT#alexdebrie

# 4. Many-to-many between old and new: an app is installed in a repo. The installation is in the app's
# collection, and by GSI1 in the repo's. No old item changes, but an old query does: pull requests are read
# backwards from the repo, behind which installations stand now. They need an end from now on.
itemctl put GitHubTable '{"PK":"APP#alexdebrie#githubanalytics","SK":"REPO#alexdebrie#dynamodb-book","RepoOwner":"alexdebrie","RepoName":"dynamodb-book","AccountName":"alexdebrie","AppName":"GitHub Analytics","GSI1PK":"REPO#alexdebrie#dynamodb-book","GSI1SK":"REPOAPP#alexdebrie#githubanalytics"}'
ls -U mnt/.index/GSI1/REPO#alexdebrie#dynamodb-book/.reverse
ls -U mnt/.index/GSI1/REPO#alexdebrie#dynamodb-book/.le/REPO#alexdebrie#dynamodb-book/.reverse

# 5. A changed access pattern: open issues by key instead of by filter. Two new indexes, and every repo,
# issue and pull request gets keys. Closed ones come before the repo, open ones behind it; these are numbered
# from the top down, so that the newest is the nearest to the repo on either side.
itemctl --quiet alter GitHubTable --add-gsi GSI4=GSI4PK,GSI4SK --add-gsi GSI5=GSI5PK,GSI5SK
ls mnt/REPO#*/REPO#*.json | while read -r file; do
	repo=${file##*/REPO#}
	itemctl --quiet run patterns index-repo repo="${repo%.json}"
	done
# down NUMBER: 99999999 less it; the 1 keeps leading zeros from being octal
down() { printf %08d $((99999999 - (1$1 - 10000000))); }
grep -o '"Status":"[A-Za-z]*"' mnt/REPO#*/ISSUE#*.json mnt/PR#*/PR#*.json | while IFS=: read -r file status; do
	number=$(basename "${file##*#}" .json)
	case $file:$status in
	*ISSUE*Open*) itemctl --quiet run patterns index-issue issue=$number key=ISSUE#OPEN#$(down $number) ;;
	*ISSUE*) itemctl --quiet run patterns index-issue issue=$number key=#ISSUE#CLOSED#0$number ;;
	*Open*) itemctl --quiet run patterns index-pull-request number=$number key=PR#OPEN#$(down $number) ;;
	*) itemctl --quiet run patterns index-pull-request number=$number key=#PR#CLOSED#0$number ;;
	esac
	done
ls -U mnt/.index/GSI4/REPO#alexdebrie#dynamodb-book
itemctl --quiet --stats run patterns open-issues | cut -c1-60
itemctl --quiet --stats run patterns closed-issues | cut -c1-60

# That is what should have become of the table:
itemctl --quiet export GitHubTable | jq -cS . | sort | diff - after.jsonl && echo as after.jsonl
END
