/* synonyms - tables of words */
#include "tools/synonyms.h"

#include "store/base/ascii.h"

/* Commands that have options in common. */
#define ONE_ITEM "get update edit delete size"
#define WRITES "put update delete"
#define READS "query scan"
#define REQUESTS "put get update delete transact query scan shards"
#define KEYED ONE_ITEM " put query scan create-table import"
#define TABLES KEYED " describe alter drop stats tail draw export copy mask sweep compact"

#define SYNONYM_UNITS \
	"tables are PAY_PER_REQUEST without it; provisioned throughput is for create-table --from FILE"
#define SYNONYM_BATCHES "batches are made without it; --rate N limits the units a second"

#define ORDER "a query is in the order of the sort key, from its end with --reverse; a scan in none"
#define ORDER_BY ORDER "; by an attribute|jq -sc 'sort_by(.VALUE)[]'"
#define LAST_ONES "the last ones: itemctl query TABLE PK --reverse --limit 1"
#define OFFSET "items cannot be skipped; to leave out the first ones|tail -n +$((VALUE + 1))"

#define TAIL_FILTER \
	"jq picks changes: itemctl tail TABLE | jq -c 'select(.eventName == \"INSERT\")'"
#define SERVE_PROGRAM "a program beside a server: itemctl serve -- sh -c VALUE"
#define SERVE_HTTP "the server speaks HTTP: http://127.0.0.1:8000"
#define SERVE_DEBUG \
	"itemfs STORE --no-mount -f -o listen=8000 serves, too, and with -d prints what it does"
#define SERVE_ENDS "a server ends with Ctrl-C, or: kill $ITEMFS_SERVER_PID"
#define SERVE_ASK "curl http://127.0.0.1:8000/ answers when a server listens"

/* Of rows with the same name the first one that is for the command. */
static const struct synonym options[] = {
	/* aws */
	{"output", SYNONYM_OPTION, "format", NULL},
	{"o", SYNONYM_OPTION, "format", NULL},
	{"V", SYNONYM_OPTION, "version", NULL},
	{"v", SYNONYM_OPTION, "version", NULL},
	{"endpoint", SYNONYM_OPTION, "endpoint-url", NULL},
	{"no-cli-pager", SYNONYM_OPTION, "no-pager", NULL},
	{"condition", SYNONYM_OPTION, "if", WRITES},
	{"condition-expression", SYNONYM_OPTION, "if", WRITES},
	{"filter-expression", SYNONYM_OPTION, "filter", READS " shards update delete"},
	{"where", SYNONYM_OPTION, "filter", READS " shards update delete copy"},
	{"projection-expression", SYNONYM_OPTION, "project", "get " READS},
	{"projection", SYNONYM_OPTION, "project", "get " READS},
	{"attributes", SYNONYM_OPTION, "project", "get " READS},
	{"attributes-to-get", SYNONYM_OPTION, "project", "get " READS},
	{"columns", SYNONYM_OPTION, "project", "get " READS},
	{"fields", SYNONYM_OPTION, "project", "get " READS},
	{"select", SYNONYM_OPTION, "project", "get"},
	{"expression-attribute-names", SYNONYM_OPTION, "names", REQUESTS},
	{"expression-attribute-values", SYNONYM_OPTION, "values", REQUESTS},
	{"index-name", SYNONYM_OPTION, "index", READS " export shards update delete"},
	{"gsi", SYNONYM_OPTION, "index", READS " export shards update delete"},
	{"i", SYNONYM_OPTION, "index", READS " export shards update delete"},
	{"consistent-read", SYNONYM_OPTION, "consistent", "get " READS " sql export copy diff"},
	{"no-consistent-read", SYNONYM_NOTHING, NULL, "get " READS " sql export copy diff"},
	{"return-values", SYNONYM_OPTION, "return", WRITES " transact"},
	{"return-consumed-capacity", SYNONYM_ANSWER, "--capacity shows what a command consumed",
	 NULL},
	{"total-segments", SYNONYM_OPTION, "segments", "scan"},
	{"exclusive-start-key", SYNONYM_OPTION, "start", READS},
	{"starting-token", SYNONYM_OPTION, "start", READS},
	{"client-request-token", SYNONYM_OPTION, "token", "transact"},
	{"max-items", SYNONYM_OPTION, "limit", READS " sql"},
	{"no-scan-index-forward", SYNONYM_OPTION, "reverse", "query"},
	{"scan-index-forward", SYNONYM_NOTHING, NULL, "query"},
	{"no-paginate", SYNONYM_OPTION, "one-page", READS},
	{"table-name", SYNONYM_TABLE, NULL, TABLES},
	{"table", SYNONYM_TABLE, NULL, TABLES},
	{"t", SYNONYM_TABLE, NULL, TABLES},
	{"key", SYNONYM_PK, NULL, ONE_ITEM " query"},
	{"key-condition-expression", SYNONYM_ANSWER,
	 "the key is words, its condition options: itemctl query TABLE PK [SK] [--begins-with V | "
	 "--between A B | --gt V ...]",
	 "query"},
	{"item", SYNONYM_PK, NULL, "put"},
	{"update-expression", SYNONYM_LAST, NULL, "update"},
	{"statement", SYNONYM_LAST, NULL, "sql"},
	{"query", SYNONYM_ANSWER, "jq picks from an answer: itemctl ... | jq .a", NULL},
	{"jq", SYNONYM_ANSWER, "jq picks from an answer: itemctl ... | jq .a", NULL},
	{"parameters", SYNONYM_ANSWER,
	 "parameters are words: itemctl sql 'SELECT * FROM t WHERE PK = ?' a", "sql"},
	{"param", SYNONYM_ANSWER,
	 "parameters are words: itemctl sql 'SELECT * FROM t WHERE PK = ?' a", "sql"},
	{"editor", SYNONYM_ANSWER,
	 "the editor is in $EDITOR: EDITOR=VALUE itemctl edit TABLE PK [SK]", "edit"},
	{"set", SYNONYM_ANSWER,
	 "the expression is the last word: itemctl update TABLE PK [SK] 'SET a = 1'", NULL},
	{"billing-mode", SYNONYM_ANSWER, SYNONYM_UNITS, "create-table alter"},
	{"read-capacity", SYNONYM_ANSWER, SYNONYM_UNITS, "create-table"},
	{"write-capacity", SYNONYM_ANSWER, SYNONYM_UNITS, "create-table"},
	{"rcu", SYNONYM_ANSWER, SYNONYM_UNITS, "create-table"},
	{"wcu", SYNONYM_ANSWER, SYNONYM_UNITS, "create-table"},
	{"pay-per-request", SYNONYM_NOTHING, NULL, "create-table"},
	{"on-demand", SYNONYM_NOTHING, NULL, "create-table"},
	/* other clients, SQL */
	{"where", SYNONYM_ANSWER, TAIL_FILTER, "tail"},
	{"filter", SYNONYM_ANSWER, TAIL_FILTER, "tail"},
	{"limit", SYNONYM_ANSWER, "the last ones: itemctl tail TABLE --lines VALUE", "tail"},
	{"from-beginning", SYNONYM_VALUE, "from=start", "tail"},
	{"from-start", SYNONYM_VALUE, "from=start", "tail"},
	{"no-follow", SYNONYM_OPTION, "once", "tail"},
	{"shard-iterator-type", SYNONYM_OPTION, "from", "tail"},
	{"where", SYNONYM_ANSWER,
	 "scan, query, update and delete choose items: itemctl scan TABLE --filter VALUE", NULL},
	{"filter", SYNONYM_ANSWER,
	 "scan, query, update and delete choose items: itemctl scan TABLE --filter VALUE", NULL},
	{"no-overwrite", SYNONYM_OPTION, "if-not-exists", "put"},
	{"create-only", SYNONYM_OPTION, "if-not-exists", "put"},
	{"insert-only", SYNONYM_OPTION, "if-not-exists", "put"},
	{"csv", SYNONYM_VALUE, "from=csv", "import"},
	{"json", SYNONYM_VALUE, "from=json", "import"},
	{"jsonl", SYNONYM_VALUE, "from=jsonl", "import"},
	{"yaml", SYNONYM_VALUE, "from=yaml", "import"},
	{"csv", SYNONYM_VALUE, "format=csv", NULL},
	{"json", SYNONYM_VALUE, "format=json", NULL},
	{"jsonl", SYNONYM_VALUE, "format=jsonl", NULL},
	{"yaml", SYNONYM_VALUE, "format=yaml", NULL},
	{"typed", SYNONYM_VALUE, "format=typed", NULL},
	{"first", SYNONYM_OPTION, "limit", READS " sql"},
	{"head", SYNONYM_OPTION, "limit", READS " sql"},
	{"top", SYNONYM_OPTION, "limit", READS " sql"},
	{"max", SYNONYM_OPTION, "limit", READS " sql"},
	{"last", SYNONYM_LINE, "--reverse --limit", "query"},
	{"tail", SYNONYM_LINE, "--reverse --limit", "query"},
	{"last", SYNONYM_ANSWER, LAST_ONES, "scan"},
	{"tail", SYNONYM_ANSWER, LAST_ONES, "scan"},
	{"order", SYNONYM_ANSWER, ORDER, READS},
	{"order-by", SYNONYM_PIPE, ORDER_BY, READS},
	{"sort-by", SYNONYM_PIPE, ORDER_BY, READS},
	{"sort", SYNONYM_PIPE, ORDER_BY, "scan"},
	{"offset", SYNONYM_PIPE, OFFSET, READS},
	{"skip", SYNONYM_PIPE, OFFSET, READS},
	{"sk-begins-with", SYNONYM_OPTION, "begins-with", "query"},
	{"sort-begins-with", SYNONYM_OPTION, "begins-with", "query"},
	{"starts-with", SYNONYM_OPTION, "begins-with", "query"},
	{"startswith", SYNONYM_OPTION, "begins-with", "query"},
	{"begins", SYNONYM_OPTION, "begins-with", "query"},
	{"sk-prefix", SYNONYM_OPTION, "begins-with", "query"},
	{"sk-eq", SYNONYM_OPTION, "eq", "query"},
	{"sk-lt", SYNONYM_OPTION, "lt", "query"},
	{"before", SYNONYM_OPTION, "lt", "query"},
	{"sk-le", SYNONYM_OPTION, "le", "query"},
	{"sk-lte", SYNONYM_OPTION, "le", "query"},
	{"lte", SYNONYM_OPTION, "le", "query"},
	{"to", SYNONYM_OPTION, "le", "query"},
	{"until", SYNONYM_OPTION, "le", "query"},
	{"end", SYNONYM_OPTION, "le", "query"},
	{"sk-gt", SYNONYM_OPTION, "gt", "query"},
	{"after", SYNONYM_OPTION, "gt", "query"},
	{"sk-ge", SYNONYM_OPTION, "ge", "query"},
	{"sk-gte", SYNONYM_OPTION, "ge", "query"},
	{"gte", SYNONYM_OPTION, "ge", "query"},
	{"from", SYNONYM_OPTION, "ge", "query"},
	{"since", SYNONYM_OPTION, "ge", "query"},
	{"sk-between", SYNONYM_OPTION, "between", "query"},
	{"desc", SYNONYM_OPTION, "reverse", "query"},
	{"descending", SYNONYM_OPTION, "reverse", "query"},
	{"asc", SYNONYM_NOTHING, NULL, "query"},
	{"ascending", SYNONYM_NOTHING, NULL, "query"},
	{"pk", SYNONYM_OPTION, "partition", "draw"},
	{"partition-key", SYNONYM_OPTION, "partition", "draw"},
	{"hash-key", SYNONYM_OPTION, "partition", "draw"},
	{"pk", SYNONYM_PK, NULL, KEYED},
	{"partition", SYNONYM_PK, NULL, KEYED},
	{"partition-key", SYNONYM_PK, NULL, KEYED},
	{"hash-key", SYNONYM_PK, NULL, KEYED},
	{"hash", SYNONYM_PK, NULL, ONE_ITEM " put scan create-table import"},
	{"sk", SYNONYM_SK, NULL, KEYED},
	{"range", SYNONYM_SK, NULL, KEYED},
	{"sort", SYNONYM_SK, NULL, ONE_ITEM " put query create-table import"},
	{"sort-key", SYNONYM_SK, NULL, KEYED},
	{"range-key", SYNONYM_SK, NULL, KEYED},
	{"gsi", SYNONYM_OPTION, "add-gsi", "alter"},
	{"create-gsi", SYNONYM_OPTION, "add-gsi", "alter"},
	{"add-index", SYNONYM_OPTION, "add-gsi", "alter"},
	{"create-index", SYNONYM_OPTION, "add-gsi", "alter"},
	{"index", SYNONYM_OPTION, "add-gsi", "alter"},
	{"add-gsi", SYNONYM_OPTION, "gsi", "create-table"},
	{"index", SYNONYM_OPTION, "gsi", "create-table"},
	{"remove-gsi", SYNONYM_OPTION, "drop-gsi", "alter"},
	{"delete-gsi", SYNONYM_OPTION, "drop-gsi", "alter"},
	{"drop-index", SYNONYM_OPTION, "drop-gsi", "alter"},
	{"delete-index", SYNONYM_OPTION, "drop-gsi", "alter"},
	{"remove-index", SYNONYM_OPTION, "drop-gsi", "alter"},
	{"index", SYNONYM_ANSWER, "query, scan and export read an index; draw shows all of them",
	 NULL},
	{"ttl-attribute", SYNONYM_OPTION, "ttl", "create-table alter"},
	{"enable-ttl", SYNONYM_OPTION, "ttl", "alter"},
	{"no-ttl", SYNONYM_VALUE, "ttl=off", "alter"},
	{"disable-ttl", SYNONYM_VALUE, "ttl=off", "alter"},
	{"enable-stream", SYNONYM_VALUE, "stream=on", "alter create-table"},
	{"stream-view-type", SYNONYM_OPTION, "stream", "alter create-table"},
	{"no-stream", SYNONYM_VALUE, "stream=off", "alter"},
	{"disable-stream", SYNONYM_VALUE, "stream=off", "alter"},
	{"k", SYNONYM_OPTION, "key", "create-table import"},
	{"primary-key", SYNONYM_OPTION, "key", "create-table import"},
	{"f", SYNONYM_OPTION, "from", "create-table"},
	{"file", SYNONYM_OPTION, "from", "create-table"},
	{"template", SYNONYM_OPTION, "from", "create-table"},
	{"f", SYNONYM_LAST, NULL, "import"},
	{"file", SYNONYM_LAST, NULL, "import"},
	{"header", SYNONYM_NOTHING, NULL, "import"},
	{"headers", SYNONYM_NOTHING, NULL, "import"},
	{"no-headers", SYNONYM_OPTION, "no-header", "import"},
	{"separator", SYNONYM_OPTION, "delimiter", "import"},
	{"sep", SYNONYM_OPTION, "delimiter", "import"},
	{"skip-errors", SYNONYM_VALUE, "on-error=skip", "import"},
	{"ignore-errors", SYNONYM_VALUE, "on-error=skip", "import"},
	{"continue-on-error", SYNONYM_VALUE, "on-error=skip", "import"},
	{"overwrite", SYNONYM_NOTHING, NULL, "import"},
	{"upsert", SYNONYM_NOTHING, NULL, "import"},
	{"batch-size", SYNONYM_ANSWER, SYNONYM_BATCHES, "import export copy"},
	{"create", SYNONYM_ANSWER,
	 "--key makes the table: itemctl import TABLE FILE --key PK[:T][,SK[:T]]", "import"},
	{"as", SYNONYM_OPTION, "to", "copy"},
	{"into", SYNONYM_OPTION, "to", "copy"},
	{"target", SYNONYM_OPTION, "to", "copy"},
	{"destination", SYNONYM_OPTION, "to", "copy"},
	{"to", SYNONYM_LAST, NULL, "diff"},
	{"with", SYNONYM_LAST, NULL, "diff"},
	{"f", SYNONYM_OPTION, "yes", "drop delete"},
	{"force", SYNONYM_OPTION, "yes", NULL},
	{"threads", SYNONYM_OPTION, "jobs", READS " import export copy"},
	{"parallel", SYNONYM_OPTION, "jobs", READS " import export copy"},
	{"db", SYNONYM_OPTION, "store", NULL},
	/* DynamoDB Local, dynalite, LocalStack, other servers */
	{"inMemory", SYNONYM_OPTION, "temp", "serve"},
	{"in-memory", SYNONYM_OPTION, "temp", "serve"},
	{"memory", SYNONYM_OPTION, "temp", "serve"},
	{"sharedDb", SYNONYM_NOTHING, NULL, "serve"},
	{"shared-db", SYNONYM_NOTHING, NULL, "serve"},
	{"delayTransientStatuses", SYNONYM_NOTHING, NULL, "serve"},
	{"optimizeDbBeforeStartup", SYNONYM_NOTHING, NULL, "serve"},
	{"disableTelemetry", SYNONYM_NOTHING, NULL, "serve"},
	{"dbPath", SYNONYM_OPTION, "store", "serve"},
	{"db-path", SYNONYM_OPTION, "store", "serve"},
	{"path", SYNONYM_OPTION, "store", "serve"},
	{"data", SYNONYM_OPTION, "store", "serve"},
	{"data-dir", SYNONYM_OPTION, "store", "serve"},
	{"dir", SYNONYM_OPTION, "store", "serve"},
	{"bind", SYNONYM_OPTION, "listen", "serve"},
	{"address", SYNONYM_OPTION, "listen", "serve"},
	{"daemon", SYNONYM_OPTION, "background", "serve"},
	{"detach", SYNONYM_OPTION, "background", "serve"},
	{"d", SYNONYM_OPTION, "background", "serve"},
	{"persist", SYNONYM_ANSWER, "a store keeps what is written: itemctl serve STORE", "serve"},
	{"createTableMs", SYNONYM_UNUSED, NULL, "serve"},
	{"deleteTableMs", SYNONYM_UNUSED, NULL, "serve"},
	{"updateTableMs", SYNONYM_UNUSED, NULL, "serve"},
	{"ssl", SYNONYM_ANSWER, SERVE_HTTP, "serve"},
	{"tls", SYNONYM_ANSWER, SERVE_HTTP, "serve"},
	{"https", SYNONYM_ANSWER, SERVE_HTTP, "serve"},
	{"verbose", SYNONYM_ANSWER, SERVE_DEBUG, "serve"},
	{"debug", SYNONYM_ANSWER, SERVE_DEBUG, "serve"},
	{"heapsize", SYNONYM_UNUSED, NULL, "serve"},
	{"init", SYNONYM_OPTION, "seed", "serve"},
	{"file", SYNONYM_OPTION, "seed", "serve"},
	{"f", SYNONYM_OPTION, "seed", "serve"},
	{"import", SYNONYM_OPTION, "seed", "serve"},
	{"key", SYNONYM_ANSWER,
	 "the key is derived from the items; to give another: itemctl -s ./db import TABLE FILE --key VALUE",
	 "serve"},
	{"table", SYNONYM_ANSWER, "the table of a file of items: --seed FILE=VALUE", "serve"},
	{"exec", SYNONYM_ANSWER, SERVE_PROGRAM, "serve"},
	{"run", SYNONYM_ANSWER, SERVE_PROGRAM, "serve"},
	{"command", SYNONYM_ANSWER, SERVE_PROGRAM, "serve"},
	{"cmd", SYNONYM_ANSWER, SERVE_PROGRAM, "serve"},
	{"create-tables", SYNONYM_OPTION, "seed", "serve"},
	{"schema", SYNONYM_OPTION, "seed", "serve"},
	{"tables", SYNONYM_OPTION, "seed", "serve"},
	{"stop", SYNONYM_ANSWER, SERVE_ENDS, "serve"},
	{"kill", SYNONYM_ANSWER, SERVE_ENDS, "serve"},
	{"status", SYNONYM_ANSWER, SERVE_ASK, "serve"},
	{"health", SYNONYM_ANSWER, SERVE_ASK, "serve"},
	{"no-auth", SYNONYM_ANSWER,
	 "on loopback any key will do; beyond it --credentials FILE has the keys", "serve"},
};

const struct synonym *
synonyms_options(size_t *n)
{
	*n = sizeof(options) / sizeof(options[0]);
	return options;
}

/* Is the row for the command called @command (NULL: before any)? */
static bool
synonyms_is_of(const struct synonym *s, const char *command)
{
	size_t length = command == NULL ? 0 : strlen(command);

	for (const char *at = s->of; at != NULL && length > 0; at = strchr(at, ' ')) {
		at += *at == ' ';
		if (strcspn(at, " ") == length && memcmp(at, command, length) == 0) {
			return true;
		}
	}
	return s->of == NULL;
}

static bool
synonyms_is(const struct synonym *s, struct slice name)
{
	struct slice other = slice_from(s->other);
	bool same = name.len == other.len;

	for (size_t i = 0; i < name.len && same; i++) {
		char ch = name.at[i] == '_' ? '-' : name.at[i];

		/* -sharedDB is no "-s haredDB"; of letters alone the case tells. */
		same = other.at[i] == ch ||
		       (name.len > 2 && ascii_lower(other.at[i]) == ascii_lower(ch));
	}
	return same;
}

const struct synonym *
synonyms_option(struct slice name, const char *command)
{
	size_t n;
	const struct synonym *rows = synonyms_options(&n);

	for (size_t i = 0; i < n; i++) {
		if (synonyms_is(&rows[i], name) && synonyms_is_of(&rows[i], command)) {
			return &rows[i];
		}
	}
	return NULL;
}

const char *
synonyms_format(const char *name)
{
	static const char *const rows[][2] = {{"wide", "table"},   {"pretty", "table"},
					      {"column", "table"}, {"ndjson", "jsonl"},
					      {"markdown", "md"},  {"yml", "yaml"},
					      {"ddb", "typed"},    {"yaml-stream", "yaml"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i][0], name) == 0) {
			return rows[i][1];
		}
	}
	return name;
}

static const struct synonym_command command_rows[] = {
	{"list", "tables"},
	{"ls", "tables"},
	{"show", "describe"},
	{"info", "describe"},
	{"schema", "describe"},
	{"desc", "describe"},
	{"create", "create-table"},
	{"drop-table", "drop"},
	{"alter-table", "alter"},
	{"rm", "delete"},
	{"del", "delete"},
	{"remove", "delete"},
	{"insert", "put"},
	{"cat", "get"},
	{"find", "query"},
	{"count", "scan"},
	{"dump", "export"},
	{"load", "import"},
	{"cp", "copy"},
	{"compare", "diff"},
	{"server", "serve"},
	{"dynalite", "serve"},
	{"start", "serve"},
	{"up", "serve"},
	{"listen", "serve"},
	{"stream", "tail"},
	{"watch", "tail"},
	{"fsck", "check"},
	{"verify", "check"},
	{"vacuum", "compact"},
	{"statistics", "stats"},
	{"diagram", "draw"},
	{"picture", "draw"},
	{"visualize", "draw"},
	{"entities", "shapes"},
	{"entity-types", "shapes"},
	{"facets", "shapes"},
	{"kinds", "shapes"},
	{"transaction", "transact"},
	{"upd", "update"},
	{"events", "tail"},
	{"repl", "shell"},
	{"console", "shell"},
	{"query-sql", "sql"},
	{"exec", "sql"},
	{"init", "create-table"},
	{"web", "serve"},
	{"browse", "serve"},
	{"keys", "describe"},
	{"index", "describe"},
	{"indexes", "describe"},
	{"indices", "describe"},
	{"scan-table", "scan"},
	{"query-table", "query"},
	{"dbs", "tables"},
	{".import", "import"},
	{".tables", "tables"},
	{".schema", "describe"},
	{".dump", "export"},
	{"\\d", "describe"},
	{"\\dt", "tables"},
	{"\\l", "tables"},
};

const struct synonym_command *
synonyms_commands(size_t *n)
{
	*n = sizeof(command_rows) / sizeof(command_rows[0]);
	return command_rows;
}

const char *
synonyms_command(const char *name)
{
	size_t n;
	const struct synonym_command *rows = synonyms_commands(&n);

	for (size_t i = 0; i < n; i++) {
		if (strcmp(rows[i].other, name) == 0) {
			return rows[i].ours;
		}
	}
	return NULL;
}

bool
synonyms_is_statement(const char *text)
{
	static const char *const verbs[] = {"SELECT", "INSERT", "UPDATE", "DELETE",
					    "CREATE", "DROP",   "ALTER",  "DESCRIBE",
					    "DESC",   "SHOW",   ".schema"};
	size_t n = strcspn(text, " \t\r\n");

	for (size_t i = 0; text[n] != '\0' && i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (ascii_same(slice_of(text, n), slice_from(verbs[i]))) {
			return true;
		}
	}
	return false;
}

/* The same letters, without "-" and "_"? */
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
