/* topics - see topics.h; tests/mount/help.sh runs each line that begins with two blanks and a command */
#include "tools/cli/topics.h"

#include "tools/text/words.h"

static const char expressions[] =
	"Conditions (--if, --filter) and changes (update) are DynamoDB's expressions, with\n"
	"literals and reserved words as they are: no #names, no :values.\n\n"
	"  itemctl scan music --filter 'Year >= 1990 AND begins_with(Song, \"B\")'\n"
	"  itemctl scan music --filter 'attribute_exists(Plays) OR size(Song) > 3'\n"
	"  itemctl scan music --filter 'Year IN (1999, 2001) AND NOT contains(Song, \"x\")'\n"
	"  itemctl scan music --filter 'Year BETWEEN 1990 AND 1999'\n"
	"  itemctl update music Acme Blue 'SET Plays = if_not_exists(Plays, 0) + 1'\n"
	"  itemctl update music Acme Blue 'SET Place.City = \"Lyon\"' --if 'Year > 0'\n"
	"  itemctl update music Acme Blue 'REMOVE Note ADD Tags {\"SS\":[\"jazz\"]}'\n\n"
	"  Compare       = <> < <= > >=    a BETWEEN x AND y    a IN (x, y)\n"
	"  Combine       AND OR NOT ( )\n"
	"  Functions     attribute_exists(a) attribute_not_exists(a)\n"
	"                attribute_type(a, \"N\")\n"
	"                begins_with(a, s) contains(a, v) size(a)\n"
	"  Change        SET a = v, b = b + 1, c = list_append(c, [v])\n"
	"                SET d = if_not_exists(d, v)\n"
	"                REMOVE a, l[0]    ADD n 1    DELETE set {\"SS\":[\"x\"]}\n"
	"  Values        \"text\" 'text' 12.5 true false null [1,\"a\"] {'a':1} {\"SS\":[\"a\"]}\n"
	"                {\"B\":\"aGk=\"}\n"
	"  Names         a    a.b.c    a[0]    `a.b` is one name, whatever is in it\n\n"
	"A word without quotes is the name of an attribute: Status = OPEN compares two\n"
	"attributes, and matches nothing if no item has an attribute called OPEN.\n";

static const char keys[] =
	"A table has a partition key and may have a sort key. Items with the same partition\n"
	"key are a collection, in sort key order. An index has keys of its own.\n"
	"\n"
	"  itemctl create-table songs --key Artist,Song         both are strings\n"
	"  itemctl create-table scores --key Game,Points:N     N: number, B: binary\n"
	"  itemctl create-table gauges --key Id --gsi 'ByTime=Site+Kind,Time:N/KEYS_ONLY'\n"
	"\n"
	"  --key PK[:TYPE][,SK[:TYPE]]\n"
	"  --gsi NAME=PK[:TYPE][,SK[:TYPE]][/KEYS_ONLY | /INCLUDE:A,B]    a global index\n"
	"  --lsi NAME=SK[:TYPE][/...]    a local index: same partition key, another order\n"
	"Up to four attributes joined by + make one part of a global index's key.\n"
	"\n"
	"On the command line a key is its value: text, a number, or base64 for binary.\n"
	"\n"
	"  itemctl get music Acme Blue\n"
	"  itemctl query music Acme --begins-with B\n"
	"  itemctl query music 1999 --index ByYear\n"
	"  itemctl scan music --project Artist,Song --limit 2\n";

static const char paths[] =
	"A mount shows tables as directories: TABLE/PARTITION/SORT.json, or with -o table=T\n"
	"PARTITION/SORT.json. A path can be a query. ls does not list these names.\n"
	"\n"
	"  ls -U /mnt/Acme                              a Query, by sort key\n"
	"  cat /mnt/Acme/Blue.json                      GetItem\n"
	"  ls /mnt/.index                               the indexes\n"
	"  ls -U /mnt/.index/ByYear/1999                the same items by another key\n"
	"  ls -U /mnt/Acme/.begins_with/B               a condition on the sort key\n"
	"  ls -U '/mnt/Acme/.filter/Year > 1990'        a filter\n"
	"  ls -U /mnt/Acme/.reverse/.limit/1            from the end, one item\n"
	"  cat /mnt/Acme/.jsonl                         all items in one file\n"
	"  cat '/mnt/Acme/.filter/Year > 1990/.csv'\n"
	"  cat /mnt/.index/ByYear/1999/.count\n"
	"  cat /mnt/.table.json                         the table's definition\n"
	"  cat /mnt/.itemfs/README                      every name that is not listed\n"
	"\n"
	"  Clauses       .eq/V .lt/V .le/V .gt/V .ge/V .between/A/B .begins_with/V\n"
	"                .filter/EXPR .project/a,b .reverse .limit/N\n"
	"                .shards/LO..HI at the root of a table or index, where\n"
	"                .filter .project .limit are a Scan\n"
	"  Answers       .jsonl .json .csv .count below any of these\n"
	"  In names      %2F is /, %25 is %, %2E a dot at the beginning of a key\n"
	"\n"
	"Without a mount, as in a container, ls, cat, tree and find read the same paths:\n"
	"\n"
	"  itemctl cat 'music/Acme/.begins_with/B/.jsonl'\n"
	"\n"
	"A shell does not report an error at close, as for echo '{\"a\":1' >f.json. itemctl why\n"
	"prints what was refused and why, and what was stored differently from the text:\n"
	"\n"
	"  itemctl why\n";

static const char patterns[] =
	"A file of patterns holds a model's access patterns: named requests with parameters.\n"
	"run lists them or runs one; --capacity prints what it costs, --explain how it reads.\n"
	"\n"
	"    # songs.patterns\n"
	"    pattern songs-of  All songs of an artist\n"
	"        param artist=Acme\n"
	"        query music ${artist}\n"
	"        expect at least 1 item, at most 1 unit, no Scan\n"
	"    pattern since  Songs of an artist since a year\n"
	"        param artist=Acme\n"
	"        param year:N=1990\n"
	"        query music ${artist} --filter 'Year >= ${year}'\n"
	"\n"
	"  itemctl run songs.patterns\n"
	"  itemctl run songs.patterns songs-of\n"
	"  itemctl run songs.patterns since artist=Acme year=2000 --capacity\n"
	"  itemctl run songs.patterns --all\n"
	"\n"
	"Each line below a pattern is a command of itemctl; it uses the store of run. In quotes\n"
	"'${x}' becomes text, bare ${x} a word, or a number if the parameter has :N.\n"
	"\n"
	"--all runs every pattern as a check, with exit status 1 when one fails. Its expect\n"
	"lines may say:\n"
	"\n"
	"    expect with artist=Acme year=1999    values of parameters\n"
	"    expect 2 items, 1 request            exactly, at least, at most N\n"
	"    expect at most 1.5 read units        or write units, or units\n"
	"    expect no Scan, first Song=Blue      or first {\"Song\":\"Blue\"}\n";

static const char types[] =
	"Items are written as plain JSON. Numbers are exact, up to 38 digits;\n"
	"sets and binary are written with their type, and an item is at most 400 KB.\n\n"
	"  S  \"text\"        N  12.5              BOOL  true        NULL  null\n"
	"  M  {\"a\":1}      L  [1,\"a\"]         B     {\"B\":\"aGk=\"}\n"
	"  SS {\"SS\":[\"a\"]} NS {\"NS\":[1,2]}    BS    {\"BS\":[\"aGk=\"]}\n\n"
	"  itemctl put music "
	"'{\"Artist\":\"Acme\",\"Song\":\"New\",\"Tags\":{\"SS\":[\"a\",\"b\"]}}'\n"
	"  itemctl scan music --filter 'attribute_type(Year, \"N\")'\n\n"
	"There is no type for dates. ISO 8601 text sorts by time, and so do numbers;\n"
	"a part of a date is a prefix:\n\n"
	"    itemctl query orders alice --begins-with 2026-03\n"
	"    itemctl query orders alice --between 2026-03-01 2026-03-31T23:59:59Z\n\n"
	"Time to live is a number, Unix time in seconds; items expire some time after it:\n\n"
	"  itemctl alter music --ttl Expires\n"
	"  itemctl update music Acme Blue \"SET Expires = $(date -d '+7 days' +%s)\"\n";

static const char store[] =
	"Which store a command works on, in this order:\n"
	"\n"
	"  -s STORE      a directory; the mount point of one, or a path in it;\n"
	"                http://HOST:PORT, https://HOST or a local port, any server;\n"
	"                dynamodb:REGION, DynamoDB itself; a name from the configuration\n"
	"  ITEMFS_STORE  the same\n"
	"  here          the store of the mount that the working directory is in\n"
	"  endpoint      AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL\n"
	"  beside        the only store in the working directory; a note names it\n"
	"\n"
	"  itemctl -s STORE tables\n"
	"  itemctl tables\n"
	"\n"
	"~/.config/itemfs/config names stores:\n"
	"\n"
	"    [shop]\n"
	"    store = /srv/shop\n"
	"    [live]\n"
	"    endpoint = dynamodb:eu-west-1\n"
	"    profile = work\n"
	"    read-only = yes\n"
	"\n"
	"read-only marks production: writes are refused, by this name or another.\n"
	"Keys, profile, region and endpoint of a server are found as the AWS command line\n"
	"finds them. create-table creates a store that does not exist.\n";

static const char formats[] =
	"Items are lines of JSON, or a table on a terminal. --format selects another form.\n"
	"\n"
	"  itemctl scan music --format jsonl       one item per line, numbers exact\n"
	"  itemctl scan music --format json        one array\n"
	"  itemctl scan music --format typed       DynamoDB JSON: {\"Year\":{\"N\":\"1999\"}}\n"
	"  itemctl scan music --format csv         with a header that keeps the types\n"
	"  itemctl scan music --format yaml\n"
	"  itemctl scan music --format text        values only, separated by tabs\n"
	"  itemctl scan music --format table       as on a terminal\n"
	"  itemctl scan music --count              a number\n"
	"  itemctl scan music --project Song,Year --limit 5\n"
	"  itemctl scan music --stats --capacity   what it cost, on stderr\n"
	"\n"
	"Write sets and binary with their type in plain JSON: {\"SS\":[\"a\",\"b\"]}, {\"B\":\"aGk=\"}.\n"
	"One command reads what another one prints:\n"
	"\n"
	"  itemctl query music Acme --limit 5 | itemctl delete music -\n"
	"\n"
	"The suffix of a file selects its format; --to and --from override it:\n"
	"\n"
	"  itemctl export music songs.csv\n"
	"  itemctl import music songs.csv\n"
	"\n"
	"Exit status: 0 done; 1 not found; 2 usage or validation; 3 no such table or index;\n"
	"4 condition failed or transaction cancelled; 5 try again; 70 I/O, corruption.\n";

static const char endpoints[] =
	"A server of itemfs, DynamoDB Local or DynamoDB itself is an endpoint. Every command\n"
	"works on it as on a directory, except those that maintain a store.\n"
	"\n"
	"  itemctl serve\n"
	"  itemctl serve --port 8001\n"
	"  itemctl serve -- npm test\n"
	"\n"
	"The first line prints its address and the variables to export; the last one runs\n"
	"a program with these variables and ends with it. Clients name the endpoint:\n"
	"\n"
	"    itemctl -s http://127.0.0.1:8000 tables\n"
	"    itemctl -s dynamodb:eu-west-1 tables --profile work\n"
	"    export AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000\n"
	"    aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000\n"
	"    itemfs http://127.0.0.1:8000 /mnt\n"
	"\n"
	"On loopback any access key is accepted. Other addresses need a file of keys:\n"
	"\n"
	"  itemctl serve --listen 0.0.0.0:8000 --credentials keys\n"
	"\n"
	"Keys, profile and region of a client are found as the AWS command line finds them.\n"
	"Any operation of the API, with the API's JSON:\n"
	"\n"
	"  itemctl call ListTables\n"
	"  itemctl call Query query.json\n";

const struct topic topics[] = {
	{"endpoints", "servers, and the clients of one", endpoints},
	{"expressions", "conditions, filters and updates", expressions},
	{"formats", "formats of answers and files, exit status", formats},
	{"keys", "keys of tables and indexes, and their values", keys},
	{"paths", "queries that a mount answers by its paths", paths},
	{"patterns", "files of access patterns", patterns},
	{"store", "the store that a command works on", store},
	{"types", "types of values, dates, time to live", types},
	{NULL, NULL, NULL},
};

/* Other words, and the topic or command whose page explains them */
static const struct {
	const char *page;
	const char *others; /* separated by blanks */
} topics_pages[] = {
	{"expressions",
	 "filter filters condition conditions expression reserved reserved-words "
	 "reserved-keywords keywords functions operators update-expressions update-expression "
	 "filter-expressions condition-expressions"},
	{"keys",
	 "key index indexes indices gsi gsis lsi lsis global-indexes local-indexes projection "
	 "projections primary-key partition-key sort-key key-schema"},
	{"formats",
	 "format output csv json jsonl ndjson tsv yaml exit exit-status exit-code exit-codes "
	 "errors"},
	{"types",
	 "type dates date time times datetime timestamp timestamps number numbers set sets binary "
	 "boolean null values data-types datatypes ttl time-to-live expiry expiration limits"},
	{"paths", "path mount mounts mounting filesystem fuse clauses"},
	{"patterns", "pattern access-patterns"},
	{"endpoints", "endpoint servers aws local dynamodb dynamodb-local docker clients api"},
	{"store", "stores config configuration profile profiles region credentials environment"},
	{"cost", "capacity units rcu wcu rcus wcus throughput pricing"},
	{"scan", "pagination paging pages page limit"},
	{"tail", "streams changes"},
	{"transact", "transactions"},
	{"sql", "partiql select statement statements joins"},
	{"shards", "sharding write-sharding hot-keys hot-partitions"},
	{"backup", "backups"},
};

const char *
topics_page(const char *name)
{
	for (size_t i = 0; i < sizeof(topics_pages) / sizeof(topics_pages[0]); i++) {
		if (words_in(topics_pages[i].others, slice_from(name))) {
			return topics_pages[i].page;
		}
	}
	return name;
}

const struct topic *
topics_find(const char *name)
{
	for (const struct topic *t = topics; t->name != NULL; t++) {
		if (strcmp(t->name, name) == 0) {
			return t;
		}
	}
	return NULL;
}
