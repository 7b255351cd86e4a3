/* synonyms - see synonyms.h */
#include "tools/cli/synonyms.h"

#include "store/op/op.h"

#include "tools/text/sql_text.h"
#include "tools/text/words.h"

/* Commands with common options */
#define ONE_ITEM "get update edit delete size"
#define WRITES "put update delete"
#define READS "query scan"
#define REQUESTS "put get update delete transact query scan shards copy"
#define KEYED ONE_ITEM " put query scan create-table import"
#define TABLES \
	KEYED " describe alter drop stats tail draw export copy mask sweep compact shapes reset diff"

#define SYNONYM_UNITS \
	"tables are PAY_PER_REQUEST by default; for provisioned throughput: create-table --from " \
	"FILE"
#define SYNONYM_BATCHES "batches are formed automatically; --rate N limits the units per second"

#define ORDER \
	"a query returns items in sort key order, or in reverse with --reverse; a scan has no " \
	"order"
#define ORDER_BY ORDER "; to sort by an attribute|jq -sc 'sort_by(.VALUE)[]'"
#define LAST_ONES "for the last ones: itemctl query TABLE PK --reverse --limit 1"
#define OFFSET "items cannot be skipped; to leave out the first ones|tail -n +$((VALUE + 1))"

#define CHECKS \
	"write limits as checks in a file, such as \"expect no Scan\", \"expect at most 5 " \
	"units\": itemctl run FILE --all"

#define TAIL_FILTER \
	"to select changes with jq: itemctl tail TABLE | jq -c 'select(.eventName == \"INSERT\")'"
#define FIND_OTHERS \
	"find has only -name, -type and -maxdepth; to select paths by other conditions: itemctl " \
	"find TABLE | grep REGEX"
#define FIND_DETAILS "find prints only paths; for sizes and times: itemctl ls -l TABLE"
#define FIND_RUNS \
	"to run a program on each file: itemctl find TABLE -type f -print0 | xargs -0 -n1 itemctl cat"
#define FIND_LINKS "a mount has no links and no other file systems: the option is not needed"

#define SERVE_PROGRAM "to run a program with a server: itemctl serve -- sh -c VALUE"
#define SERVE_HTTP "the server speaks HTTP: http://127.0.0.1:8000"
#define SERVE_ENV \
	"serve prints the variables when it listens; for a running server: itemctl status --env"
#define SERVE_ENDS "stop a server with Ctrl-C, or: itemctl stop"
#define SERVE_LOG "to log each request on standard error: itemctl serve --verbose"

/* The first row that has the name and applies to the command is used. */
const struct synonym synonyms_options[] = {
	/* find(1); verbs.c relies on rows that are only of "find" */
	{"iname path ipath wholename iwholename regex iregex regextype lname not a and o or true "
	 "false mindepth depth prune quit",
	 SYNONYM_ANSWER, FIND_OTHERS, "find"},
	{"ls fls printf fprint fprint0 fprintf size empty mtime mmin atime amin ctime cmin newer "
	 "anewer cnewer newermt daystart perm user group uid gid inum links readable writable "
	 "executable",
	 SYNONYM_ANSWER, FIND_DETAILS, "find"},
	{"exec execdir ok okdir", SYNONYM_ANSWER, FIND_RUNS, "find"},
	{"delete", SYNONYM_ANSWER,
	 "find deletes nothing; to delete items: itemctl delete TABLE --filter EXPR", "find"},
	{"xdev mount xtype fstype follow noleaf", SYNONYM_ANSWER, FIND_LINKS, "find"},
	/* aws */
	{"all", SYNONYM_NOTHING, NULL, "reset " READS},
	{"output o out to", SYNONYM_LAST, NULL, "backup"},
	{"out f file", SYNONYM_LAST, NULL, "export"},
	{"from", SYNONYM_LAST, NULL, "restore"},
	{"to into", SYNONYM_OPTION, "store", "restore"},
	{"file f", SYNONYM_LAST, NULL, "run"},
	{"output o", SYNONYM_OPTION, "format", NULL},
	{"V v", SYNONYM_OPTION, "version", NULL},
	{"endpoint url server", SYNONYM_OPTION, "endpoint-url", NULL},
	{"patch p", SYNONYM_LAST, NULL, "update"},             /* kubectl's */
	{"type", SYNONYM_UNUSED, "merge strategic", "update"}, /* kubectl's */
	{"port", SYNONYM_OPTION, "store", NULL},
	{"cost", SYNONYM_OPTION, "capacity", NULL},
	{"no-cli-pager", SYNONYM_OPTION, "no-pager", NULL},
	{"condition condition-expression c", SYNONYM_OPTION, "if", WRITES},
	{"filter-expression where", SYNONYM_OPTION, "filter", READS " shards update delete copy"},
	{"projection-expression projection attributes attributes-to-get columns fields",
	 SYNONYM_OPTION, "project", "get " READS},
	{"select", SYNONYM_OPTION, "project", "get"},
	{"expression-attribute-names", SYNONYM_OPTION, "names", REQUESTS},
	{"expression-attribute-values", SYNONYM_OPTION, "values", REQUESTS},
	{"index-name gsi i", SYNONYM_OPTION, "index", READS " export shards update delete"},
	{"consistent-read", SYNONYM_OPTION, "consistent", "get " READS " sql export copy diff"},
	{"no-consistent-read", SYNONYM_NOTHING, NULL, "get " READS " sql export copy diff"},
	{"return-values", SYNONYM_OPTION, "return", WRITES " transact"},
	{"total-segments", SYNONYM_OPTION, "segments", "scan"},
	{"exclusive-start-key starting-token", SYNONYM_OPTION, "start", READS},
	{"client-request-token", SYNONYM_OPTION, "token", "transact"},
	{"max-items first head top max", SYNONYM_OPTION, "limit", READS " sql"},
	{"no-scan-index-forward desc descending newest latest newest-first", SYNONYM_OPTION,
	 "reverse", "query"},
	{"scan-index-forward asc ascending oldest oldest-first", SYNONYM_NOTHING, NULL, "query"},
	{"no-paginate", SYNONYM_OPTION, "one-page", READS},
	{"table-name table t", SYNONYM_TABLE, NULL, TABLES},
	{"key", SYNONYM_PK, NULL, ONE_ITEM " query"},
	{"key-condition-expression", SYNONYM_ANSWER,
	 "give the key as words, and its condition as options: itemctl query TABLE PK [SK] "
	 "[--begins-with V | --between A B | --gt V ...]",
	 "query"},
	{"item", SYNONYM_PK, NULL, "put"},
	{"update-expression expression expr", SYNONYM_LAST, NULL, "update"},
	{"inc incr increment", SYNONYM_OPTION, "add", "update"},
	{"unset delete", SYNONYM_OPTION, "remove", "update"},
	{"statement c e", SYNONYM_LAST, NULL, "sql"},
	{"query", SYNONYM_OPTION, "filter", "copy"}, /* mongodump's */
	{"query jq", SYNONYM_ANSWER, "to select from an answer with jq: itemctl ... | jq .a", NULL},
	{"parameters param", SYNONYM_ANSWER,
	 "give parameters as words: itemctl sql 'SELECT * FROM t WHERE PK = ?' a", "sql"},
	{"editor", SYNONYM_ANSWER,
	 "set the editor in $EDITOR: EDITOR=VALUE itemctl edit TABLE PK [SK]", "edit"},
	{"push add-to-list list-append", SYNONYM_OPTION, "append", "update"},
	{"a r R recursive", SYNONYM_OPTION, "all", "delete"},
	{"into target to create-table c collection", SYNONYM_TABLE, NULL, "import"},
	{"mermaid", SYNONYM_VALUE, "format=mermaid", "draw"},
	{"svg", SYNONYM_VALUE, "format=svg", "draw"},
	{"set", SYNONYM_ANSWER,
	 "give the expression as the last word: itemctl update TABLE PK [SK] 'SET a = 1'", NULL},
	{"rcu read-capacity read-capacity-units", SYNONYM_OPTION, "read-units", "alter"},
	{"wcu write-capacity write-capacity-units", SYNONYM_OPTION, "write-units", "alter"},
	{"billing-mode", SYNONYM_ANSWER, SYNONYM_UNITS, "create-table alter"},
	{"read-capacity write-capacity rcu wcu", SYNONYM_ANSWER, SYNONYM_UNITS, "create-table"},
	{"pay-per-request on-demand", SYNONYM_NOTHING, NULL, "create-table"},
	/* other clients, SQL */
	{"where filter", SYNONYM_ANSWER, TAIL_FILTER, "tail"},
	{"limit", SYNONYM_ANSWER, "for the last ones: itemctl tail TABLE --lines VALUE", "tail"},
	{"from-beginning from-start", SYNONYM_VALUE, "from=start", "tail"},
	{"no-follow", SYNONYM_OPTION, "once", "tail"},
	{"shard-iterator-type", SYNONYM_OPTION, "from", "tail"},
	{"where filter", SYNONYM_ANSWER,
	 "to select items, use scan, query, update or delete: itemctl scan TABLE --filter VALUE",
	 NULL},
	{"no-overwrite create-only insert-only if-absent no-clobber n nx create", SYNONYM_OPTION,
	 "if-not-exists", "put"},
	{"csv", SYNONYM_VALUE, "from=csv", "import"},
	{"json", SYNONYM_VALUE, "from=json", "import"},
	{"jsonl", SYNONYM_VALUE, "from=jsonl", "import"},
	{"yaml", SYNONYM_VALUE, "from=yaml", "import"},
	{"csv", SYNONYM_VALUE, "format=csv", NULL},
	{"json", SYNONYM_VALUE, "format=json", NULL},
	{"jsonl", SYNONYM_VALUE, "format=jsonl", NULL},
	{"yaml", SYNONYM_VALUE, "format=yaml", NULL},
	{"typed", SYNONYM_VALUE, "format=typed", NULL},
	/* sqlite3 and duckdb */
	{"column box", SYNONYM_VALUE, "format=table", " sql"},
	{"markdown", SYNONYM_VALUE, "format=md", NULL},
	{"line", SYNONYM_VALUE, "format=yaml", " sql"},
	{"list tabs", SYNONYM_VALUE, "format=tsv", " sql"},
	{"jsonlines ndjson", SYNONYM_VALUE, "format=jsonl", " sql"},
	{"bail batch", SYNONYM_NOTHING, NULL, " sql"},
	{"separator", SYNONYM_PIPE,
	 "columns are separated by tabs; for another separator|tr '\\t' VALUE", " sql"},
	{"header headers", SYNONYM_NOTHING, NULL, NULL},
	{"last tail", SYNONYM_LINE, "--reverse --limit", "query"},
	{"last tail", SYNONYM_ANSWER, LAST_ONES, "scan"},
	{"order", SYNONYM_ANSWER, ORDER, READS},
	{"newest latest oldest", SYNONYM_ANSWER, ORDER, "scan"},
	{"order-by sort-by", SYNONYM_PIPE, ORDER_BY, READS},
	{"sort", SYNONYM_PIPE, ORDER_BY, "scan"},
	{"sort sorted order-by sort-by", SYNONYM_ANSWER,
	 "items of one partition are adjacent; to sort the lines: itemctl export TABLE | sort; to "
	 "sort by an attribute: itemctl export TABLE | jq -sc 'sort_by(.\"VALUE\")[]'",
	 "export"},
	{"offset skip", SYNONYM_PIPE, OFFSET, READS},
	{"group-by groupby by distinct unique sum avg min", SYNONYM_GROUPS, NULL, READS},
	{"pretty", SYNONYM_VALUE, "format=table", NULL},
	{"fail-on-scan forbid-scan", SYNONYM_OPTION, "no-scan", "get query scan sql run call"},
	{"max-rcu max-cost max-read-units", SYNONYM_OPTION, "max-units",
	 "get query scan sql run call"},
	{"fail-on-scan no-scan max-rcu max-units max-cost", SYNONYM_ANSWER, CHECKS, NULL},
	{"sk-begins-with sort-begins-with starts-with startswith begins sk-prefix", SYNONYM_OPTION,
	 "begins-with", "query"},
	{"sk-eq", SYNONYM_OPTION, "eq", "query"},
	{"sk-lt before", SYNONYM_OPTION, "lt", "query"},
	{"sk-le sk-lte lte to until end", SYNONYM_OPTION, "le", "query"},
	{"sk-gt after", SYNONYM_OPTION, "gt", "query"},
	{"sk-ge sk-gte gte from since", SYNONYM_OPTION, "ge", "query"},
	{"sk-between", SYNONYM_OPTION, "between", "query"},
	{"pk partition-key hash-key", SYNONYM_OPTION, "partition", "draw"},
	{"pk partition partition-key hash-key", SYNONYM_PK, NULL, KEYED},
	{"hash", SYNONYM_PK, NULL, ONE_ITEM " put scan create-table import"},
	{"sk range sort-key range-key", SYNONYM_SK, NULL, KEYED},
	{"sort", SYNONYM_SK, NULL, ONE_ITEM " put query create-table import"},
	{"gsi create-gsi add-index create-index index", SYNONYM_OPTION, "add-gsi", "alter"},
	{"add-gsi index g", SYNONYM_OPTION, "gsi", "create-table"},
	{"remove-gsi delete-gsi drop-index delete-index remove-index", SYNONYM_OPTION, "drop-gsi",
	 "alter"},
	{"index", SYNONYM_ANSWER, "query, scan and export read one index; draw shows all indexes",
	 NULL},
	{"ttl-attribute", SYNONYM_OPTION, "ttl", "create-table alter"},
	{"enable-ttl", SYNONYM_OPTION, "ttl", "alter"},
	{"no-ttl disable-ttl", SYNONYM_VALUE, "ttl=off", "alter"},
	{"enable-stream", SYNONYM_VALUE, "stream=on", "alter create-table"},
	{"stream-view-type", SYNONYM_OPTION, "stream", "alter create-table"},
	{"no-stream disable-stream", SYNONYM_VALUE, "stream=off", "alter"},
	{"k primary-key", SYNONYM_OPTION, "key", "create-table import"},
	{"f file template template-file cloudformation serverless terraform sam from-cloudformation "
	 "from-terraform from-template from-file from-sam",
	 SYNONYM_OPTION, "from", "create-table"},
	{"f file dir directory folder", SYNONYM_LAST, NULL, "import"},
	{"from source src", SYNONYM_TABLE, NULL, "copy"},
	{"checksum checksums verify", SYNONYM_NOTHING, NULL, "backup"},
	{"json-array jsonArray", SYNONYM_NOTHING, NULL, "import"},
	{"type", SYNONYM_OPTION, "from", "import"},
	{"json-array jsonArray", SYNONYM_VALUE, "to=json", "export"},
	{"type", SYNONYM_OPTION, "to", "export"},
	{"overwrite upsert replace", SYNONYM_NOTHING, NULL, "import export"},
	{"no-headers", SYNONYM_OPTION, "no-header", "import"},
	{"separator sep", SYNONYM_OPTION, "delimiter", "import"},
	{"skip-errors ignore-errors continue-on-error", SYNONYM_VALUE, "on-error=skip", "import"},
	{"batch-size", SYNONYM_ANSWER, SYNONYM_BATCHES, "import export copy"},
	{"create", SYNONYM_VALUE, "key=auto", "import"},
	{"as into target destination", SYNONYM_OPTION, "to", "copy"},
	{"r a recursive", SYNONYM_NOTHING, NULL, "copy"},
	{"l", SYNONYM_NOTHING, NULL, "tables"},
	{"l selector", SYNONYM_LABELS, NULL, "get update delete " READS}, /* kubectl's */
	{"analyze", SYNONYM_OPTION, "run", "get query scan sql call"},
	{"to with against expected f file", SYNONYM_LAST, NULL, "diff"},
	{"f", SYNONYM_OPTION, "yes", "drop delete"},
	{"force", SYNONYM_OPTION, "yes", NULL},
	{"threads parallel", SYNONYM_OPTION, "jobs", READS " import export copy"},
	/* DynamoDB Local, dynalite, LocalStack, other servers */
	{"inMemory in-memory memory m", SYNONYM_OPTION, "temp", "serve"},
	{"sharedDb shared-db delayTransientStatuses optimizeDbBeforeStartup disableTelemetry",
	 SYNONYM_NOTHING, NULL, "serve"},
	{"dbPath db-path path data data-dir dir", SYNONYM_OPTION, "store", "serve"},
	{"addr address bind bind-addr bind-address bind-ip", SYNONYM_OPTION, "listen", "serve"},
	{"publish", SYNONYM_OPTION, "port", "serve"},
	{"daemon detach fork d", SYNONYM_OPTION, "background", "serve"},
	{"persist", SYNONYM_ANSWER, "to keep what is written: itemctl serve STORE", "serve"},
	{"createTableMs deleteTableMs updateTableMs heapsize", SYNONYM_UNUSED, NULL, "serve"},
	{"ssl tls https", SYNONYM_ANSWER, SERVE_HTTP, "serve"},
	{"verbose debug", SYNONYM_VALUE, "log=-", "serve"},
	{"log-level loglevel", SYNONYM_ANSWER, SERVE_LOG, "serve"},
	{"init file f import create-tables schema tables template cloudformation serverless migrate",
	 SYNONYM_OPTION, "seed", "serve"},
	{"key", SYNONYM_ANSWER,
	 "the key is derived from the items; to use another key: itemctl -s ./db import TABLE "
	 "FILE --key VALUE",
	 "serve"},
	{"table", SYNONYM_ANSWER, "to name the table of a file of items: --seed FILE=VALUE",
	 "serve"},
	{"exec run command cmd", SYNONYM_ANSWER, SERVE_PROGRAM, "serve"},
	{"stop kill", SYNONYM_ANSWER, SERVE_ENDS, "serve"},
	{"status health", SYNONYM_ANSWER, "to list the running servers: itemctl status", "serve"},
	{"ui open browser gui dashboard", SYNONYM_NOTHING, NULL, "serve"},
	{"random-port free-port", SYNONYM_VALUE, "port=0", "serve"},
	{"port-only echo-port show-port", SYNONYM_OPTION, "print-port", "serve"},
	{"env", SYNONYM_ANSWER, SERVE_ENV, "serve"},
	{"name network e", SYNONYM_UNUSED, NULL, "serve"},
	{"rm no-open no-browser", SYNONYM_NOTHING, NULL, "serve"},
	{"pid-file pidfile pidfilepath", SYNONYM_ANSWER, SERVE_ENDS, "serve"},
	{"log-file logfile access-log request-log", SYNONYM_OPTION, "log", "serve"},
	{"copy-of copy-from copy clone snapshot restore", SYNONYM_OPTION, "from", "serve"},
	{"volume", SYNONYM_OPTION, "store", "serve"},
	{"auth credentials-file", SYNONYM_OPTION, "credentials", "serve"},
	{"access-key secret-key access-key-id secret-access-key user", SYNONYM_KEYS, NULL, "serve"},
	{"throttle", SYNONYM_ANSWER,
	 "throttling is a setting of a table: start the server without it, create TABLE, then: "
	 "itemctl alter TABLE --throttle on",
	 "serve"},
	{"no-auth", SYNONYM_ANSWER,
	 "on loopback any key is accepted; for other addresses, put the keys into --credentials "
	 "FILE",
	 "serve"},
	{"db database d data-dir db-path", SYNONYM_OPTION, "store", NULL},
	{NULL, SYNONYM_NOTHING, NULL, NULL},
};

/* Return true if the row applies to @command (NULL: before a command). */
static bool
synonyms_is_of(const struct synonym *s, const char *command)
{
	return s->of == NULL ||
	       (command == NULL ? s->of[0] == ' ' : words_in(s->of, slice_from(command)));
}

static bool
synonyms_is(struct slice other, struct slice name)
{
	bool same = name.len == other.len;

	for (size_t i = 0; i < name.len && same; i++) {
		char ch = name.at[i] == '_' ? '-' : name.at[i];

		/* Case is ignored, as in -sharedDB, except in names of one or two letters. */
		same = other.at[i] == ch ||
		       (name.len > 2 && ascii_lower(other.at[i]) == ascii_lower(ch));
	}
	return same;
}

const struct synonym *
synonyms_option(struct slice name, const char *command)
{
	for (const struct synonym *s = synonyms_options; s->others != NULL; s++) {
		const char *others = synonyms_is_of(s, command) ? s->others : "";

		while (*others != '\0') {
			if (synonyms_is(words_in_next(&others), name)) {
				return s;
			}
		}
	}
	return NULL;
}

bool
synonyms_is_store(struct slice name)
{
	const struct synonym *s = synonyms_option(name, NULL);

	return words_in("s store endpoint-url", name) ||
	       (s != NULL && s->kind == SYNONYM_OPTION &&
		words_in("store endpoint-url", slice_from(s->ours)));
}

bool
synonyms_store_word(const char *word)
{
	return word[0] == '-' && synonyms_is_store(slice_from(word + strspn(word, "-")));
}

const char *
synonyms_format(const char *name)
{
	static const char *const rows[][2] = {{"wide pretty column", "table"},
					      {"ndjson", "jsonl"},
					      {"markdown", "md"},
					      {"yml yaml-stream", "yaml"},
					      {"ddb", "typed"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (words_in(rows[i][0], slice_from(name))) {
			return rows[i][1];
		}
	}
	return name;
}

const struct synonym_command synonyms_commands[] = {
	{"list ls view dbs .tables \\dt \\dt+ \\l", "tables"},
	{"show info schema desc keys index indexes indices .schema \\d", "describe"},
	{"create init create-tables new-table make-table mktable", "create-table"},
	{"drop-table", "drop"},
	{"alter-table", "alter"},
	{"rm del remove", "delete"},
	{"insert add", "put"},
	{"cat fetch exists has", "get"},
	{"find findOne find-one query-table lookup search collection", "query"},
	{"count scan-table", "scan"},
	{"dump .dump export-table", "export"},
	{"load .import batch-write bwrite batch-put bulk-put bulk-load bulk-import", "import"},
	{"cp sync clone mirror", "copy"},
	{"compare", "diff"},
	{"server dynalite start up listen web browse ui admin gui dashboard", "serve"},
	{"stream watch subscribe changes events", "tail"},
	{"fsck verify", "check"},
	{"snapshot", "backup"},
	{"truncate truncate-table purge clear empty wipe flush flushall flushdb", "reset"},
	{"down shutdown kill stop-server", "stop"},
	{"wait-for", "wait"},
	{"ps ping health healthcheck", "status"},
	{"vacuum", "compact"},
	{"statistics", "stats"},
	{"diagram picture visualize erd er", "draw"},
	{"entities entity-types facets kinds", "shapes"},
	{"transaction", "transact"},
	{"upd patch hset", "update"},
	{"repl console sh", "shell"},
	{"query-sql exec partiql", "sql"},
	{NULL, NULL},
};

const char *
synonyms_command(const char *name)
{
	for (const struct synonym_command *s = synonyms_commands; s->others != NULL; s++) {
		if (words_in(s->others, slice_from(name))) {
			return s->ours;
		}
	}
	return NULL;
}

bool
synonyms_is_statement(const char *text)
{
	size_t n = strcspn(text, " \t\r\n;");

	return text[n] != '\0' &&
	       words_in_any_case(SQL_TEXT_VERBS
				 " CREATE DROP ALTER DESCRIBE DESC SHOW "
				 "EXPLAIN FROM WITH BEGIN START COMMIT ROLLBACK REPLACE UPSERT "
				 "MERGE COPY TRUNCATE PRAGMA SUMMARIZE ANALYZE VACUUM",
				 slice_of(text, n));
}

/* Return true if the names are equal, without regard to case, "-" and "_". */
static bool
same_letters(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a == '-' || *a == '_') {
			a++;
		}
		while (*b == '-' || *b == '_') {
			b++;
		}
		if (*a == '\0' || *b == '\0' || ascii_lower(*a) != ascii_lower(*b)) {
			return *a == *b;
		}
	}
}

enum op_type
synonyms_operation(const char *name)
{
	for (int i = 0; i < OP_COUNT; i++) {
		if (op_group((enum op_type)i) != OP_ITEMFS &&
		    same_letters(op_name((enum op_type)i), name)) {
			return (enum op_type)i;
		}
	}
	return OP_COUNT;
}

const char *
synonyms_of_operation(enum op_type type)
{
	static const struct {
		enum op_type type;
		const char *command;
	} rows[] = {
		{OP_LIST_TABLES, "tables"},
		{OP_DESCRIBE_TABLE, "describe"},
		{OP_CREATE_TABLE, "create-table"},
		{OP_UPDATE_TABLE, "alter"},
		{OP_DELETE_TABLE, "drop"},
		{OP_PUT_ITEM, "put"},
		{OP_GET_ITEM, "get"},
		{OP_UPDATE_ITEM, "update"},
		{OP_DELETE_ITEM, "delete"},
		{OP_QUERY, "query"},
		{OP_SCAN, "scan"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].type == type) {
			return rows[i].command;
		}
	}
	return NULL;
}
