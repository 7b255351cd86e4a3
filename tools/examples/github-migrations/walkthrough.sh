#!/bin/sh
# Five migrations of the GitHub backend, from easy to hard. Before: table.json, items.jsonl; after: after.json, after.jsonl.
. "$(dirname "$0")/../walk.sh"
walk <<'END'
# 1. A new attribute: repos get a code of conduct. This needs no migration: it is written when there is one, and
# readers do not depend on it.
itemctl update GitHubTable REPO#alexdebrie#dynamodb-book REPO#alexdebrie#dynamodb-book 'SET CodeOfConduct = :c' --if 'attribute_exists(PK)' --values '{":c":{"name":"Contributor Covenant","url":"https://github.com/alexdebrie/dynamodb-book/blob/master/CODE_OF_CONDUCT.md"}}'

# 2. A new entity in an existing collection: gists of a user. "#" puts them before the account, so one Query in
# reverse order has the user and the newest gists. Old items do not change.
echo '{"KSUID":"1YK484E7V3xiMT1NMrfWIFaLPFU","DateCreated":"2020-02-26T00:43:08.000","GistTitle":"sls.yaml example"}' >mnt/ACCOUNT#alexdebrie/#GIST#1YK484E7V3xiMT1NMrfWIFaLPFU.json
echo '{"KSUID":"1YK4DXEfGpZrUjWxBRkPmSgFQnf","DateCreated":"2020-02-26T00:43:52.000","GistTitle":"graphql-test"}' >mnt/ACCOUNT#alexdebrie/#GIST#1YK4DXEfGpZrUjWxBRkPmSgFQnf.json
ls -U mnt/ACCOUNT#alexdebrie/.le/ACCOUNT#alexdebrie/.reverse

# 3. A new entity in a new collection with old items: apps with their account. No collection of the table fits, so
# accounts get keys of GSI1. The programs come first: new accounts are written with these keys. Then a job updates the
# old ones, which a scan finds. In the opposite order, an account created between the two steps would be missing in
# the index.
itemctl run patterns create-user name=happy-harry
itemctl scan GitHubTable --filter 'Type IN ("User", "Organization")' --project PK,SK | itemctl update GitHubTable - 'SET GSI1PK = PK, GSI1SK = PK' --if 'attribute_exists(PK)'
itemctl put GitHubTable '{"PK":"APP#alexdebrie#cicd","SK":"APP#alexdebrie#cicd","AccountName":"alexdebrie","AppName":"CICD","Description":"Builds and deploys on push.","GSI1PK":"ACCOUNT#alexdebrie","GSI1SK":"APP#cicd"}'
itemctl put GitHubTable '{"PK":"APP#alexdebrie#githubanalytics","SK":"APP#alexdebrie#githubanalytics","AccountName":"alexdebrie","AppName":"GitHub Analytics","Description":"Charts about a repository.","GSI1PK":"ACCOUNT#alexdebrie","GSI1SK":"APP#githubanalytics"}'
ls -U mnt/.index/GSI1/ACCOUNT#alexdebrie

# 4. Many-to-many between old and new: an app is installed in a repo. The installation is in the app's collection, and
# by GSI1 in the repo's. No old item changes, but an old query does: pull requests are read in reverse order from the
# repo, and installations now sort after it. From now on the query needs an end.
itemctl put GitHubTable '{"PK":"APP#alexdebrie#githubanalytics","SK":"REPO#alexdebrie#dynamodb-book","RepoOwner":"alexdebrie","RepoName":"dynamodb-book","AccountName":"alexdebrie","AppName":"GitHub Analytics","GSI1PK":"REPO#alexdebrie#dynamodb-book","GSI1SK":"REPOAPP#alexdebrie#githubanalytics"}'
ls -U mnt/.index/GSI1/REPO#alexdebrie#dynamodb-book/.reverse
ls -U mnt/.index/GSI1/REPO#alexdebrie#dynamodb-book/.le/REPO#alexdebrie#dynamodb-book/.reverse

# 5. A changed access pattern: open issues by key instead of by filter. There are two new indexes, and every repo,
# issue and pull request gets keys. Closed ones sort before the repo, open ones after it; the latter are numbered
# downwards, so that on either side the newest is the nearest to the repo.
itemctl --quiet alter GitHubTable --add-gsi GSI4=GSI4PK,GSI4SK --add-gsi GSI5=GSI5PK,GSI5SK

# Again the programs come first: from now on each created or closed item gets its keys. These items are in the new
# indexes before the job has begun.
itemctl run patterns create-repo owner=danny-developer repo=rust-demo
itemctl run patterns create-issue owner=danny-developer repo=rust-demo number=1 padded=0000001 down=99999998
ls -U mnt/.index/GSI4/REPO#danny-developer#rust-demo

# Then the job, which can be repeated. A program may close an issue between the job's read and its write, so the job
# writes only if the status is still the one it has read.
ls mnt/REPO#*/REPO#*.json | while IFS='#' read -r _ owner repo _; do
	itemctl --quiet run patterns index-repo owner="$owner" repo="${repo%/REPO}"
	done
# down NUMBER: 99999999 less it; the 1 keeps leading zeros from being octal
down() { printf %08d $((99999999 - (1$1 - 10000000))); }
itemctl --quiet scan GitHubTable --filter 'attribute_exists(IssueNumber) OR attribute_exists(PullRequestNumber)' --project SK,RepoOwner,RepoName,Status | jq -r '[.SK, .RepoOwner, .RepoName, .Status] | @tsv' | while read -r sk owner repo status; do
	number=${sk##*#}
	case $sk:$status in
	ISSUE*:Open) itemctl --quiet run patterns index-issue owner=$owner repo=$repo issue=$number status=Open key=ISSUE#OPEN#$(down $number) ;;
	ISSUE*) itemctl --quiet run patterns index-issue owner=$owner repo=$repo issue=$number status=Closed key=#ISSUE#CLOSED#0$number ;;
	PR*:Open) itemctl --quiet run patterns index-pull-request owner=$owner repo=$repo number=$number status=Open key=PR#OPEN#$(down $number) ;;
	*) itemctl --quiet run patterns index-pull-request owner=$owner repo=$repo number=$number status=Closed key=#PR#CLOSED#0$number ;;
	esac
	done

# Now everything is in the new indexes, and programs may query them.
ls -U mnt/.index/GSI4/REPO#alexdebrie#dynamodb-book
itemctl --quiet --stats run patterns open-issues | cut -c1-60
itemctl --quiet --stats run patterns closed-issues | cut -c1-60

# This is the intended state of the table, and three new items:
itemctl --quiet export GitHubTable | jq -cS . | sort | diff - after.jsonl | cut -c1-80
END
