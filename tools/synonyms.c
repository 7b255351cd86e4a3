/* synonyms - tables of words */
#include "tools/synonyms.h"

#include "store/base/ascii.h"

#define SERVE_PROGRAM "a program beside a server: itemctl serve -- VALUE"

static const struct synonym options[] = {
	/* aws */
	{"output", SYNONYM_OPTION, "format"},
	{"o", SYNONYM_OPTION, "format"},
	{"V", SYNONYM_OPTION, "version"},
	{"v", SYNONYM_OPTION, "version"},
	{"condition", SYNONYM_OPTION, "if"},
	{"condition-expression", SYNONYM_OPTION, "if"},
	{"filter-expression", SYNONYM_OPTION, "filter"},
	{"where", SYNONYM_OPTION, "filter"},
	{"projection-expression", SYNONYM_OPTION, "project"},
	{"projection", SYNONYM_OPTION, "project"},
	{"attributes", SYNONYM_OPTION, "project"},
	{"attributes-to-get", SYNONYM_OPTION, "project"},
	{"columns", SYNONYM_OPTION, "project"},
	{"fields", SYNONYM_OPTION, "project"},
	{"select", SYNONYM_OPTION, "project"},
	{"expression-attribute-names", SYNONYM_OPTION, "names"},
	{"expression-attribute-values", SYNONYM_OPTION, "values"},
	{"index-name", SYNONYM_OPTION, "index"},
	{"consistent-read", SYNONYM_OPTION, "consistent"},
	{"no-consistent-read", SYNONYM_NOTHING, NULL},
	{"return-values", SYNONYM_OPTION, "return"},
	{"return-consumed-capacity", SYNONYM_ANSWER, "--capacity shows what a command consumed"},
	{"total-segments", SYNONYM_OPTION, "segments"},
	{"exclusive-start-key", SYNONYM_OPTION, "start"},
	{"starting-token", SYNONYM_OPTION, "start"},
	{"client-request-token", SYNONYM_OPTION, "token"},
	{"max-items", SYNONYM_OPTION, "limit"},
	{"no-scan-index-forward", SYNONYM_OPTION, "reverse"},
	{"scan-index-forward", SYNONYM_NOTHING, NULL},
	{"no-paginate", SYNONYM_OPTION, "one-page"},
	{"no-cli-pager", SYNONYM_NOTHING, NULL},
	{"endpoint", SYNONYM_OPTION, "endpoint-url"},
	{"table-name", SYNONYM_TABLE, NULL},
	{"table", SYNONYM_TABLE, NULL},
	{"key-condition-expression", SYNONYM_ANSWER,
	 "the key is words, its condition options: itemctl query TABLE PK [SK] [--begins-with V | "
	 "--between A B | --gt V ...]"},
	{"key", SYNONYM_ANSWER, "the key is words: itemctl get TABLE PK [SK]"},
	{"item", SYNONYM_ANSWER, "the item is a word: itemctl put TABLE '{\"PK\":\"a\"}'"},
	{"update-expression", SYNONYM_ANSWER,
	 "the expression is the last word: itemctl update TABLE PK [SK] 'SET a = 1'"},
	{"statement", SYNONYM_ANSWER, "a statement is a word: itemctl sql 'SELECT * FROM t'"},
	{"query", SYNONYM_ANSWER, "jq picks from an answer: itemctl ... | jq .a"},
	{"jq", SYNONYM_ANSWER, "jq picks from an answer: itemctl ... | jq .a"},
	{"parameters", SYNONYM_ANSWER,
	 "parameters are words: itemctl sql 'SELECT * FROM t WHERE PK = ?' a"},
	{"param", SYNONYM_ANSWER,
	 "parameters are words: itemctl sql 'SELECT * FROM t WHERE PK = ?' a"},
	{"editor", SYNONYM_ANSWER,
	 "the editor is in $EDITOR: EDITOR=nano itemctl edit TABLE PK [SK]"},
	{"set", SYNONYM_ANSWER,
	 "the expression is the last word: itemctl update TABLE PK [SK] 'SET a = 1'"},
	{"sk-begins-with", SYNONYM_OPTION, "begins-with"},
	{"sort-begins-with", SYNONYM_OPTION, "begins-with"},
	{"billing-mode", SYNONYM_ANSWER, "tables are PAY_PER_REQUEST; --throttle sets units"},
	/* other clients, SQL */
	{"where", SYNONYM_ANSWER,
	 "scan and query choose items: itemctl scan TABLE --filter EXPR | itemctl delete TABLE -"},
	{"filter", SYNONYM_OPTION, "where"},
	{"no-overwrite", SYNONYM_OPTION, "if-not-exists"},
	{"create-only", SYNONYM_OPTION, "if-not-exists"},
	{"insert-only", SYNONYM_OPTION, "if-not-exists"},
	{"remove-gsi", SYNONYM_OPTION, "drop-gsi"},
	{"delete-gsi", SYNONYM_OPTION, "drop-gsi"},
	{"create-gsi", SYNONYM_OPTION, "add-gsi"},
	{"persist", SYNONYM_ANSWER, "a store keeps what is written: itemctl serve STORE"},
	{"filter", SYNONYM_ANSWER,
	 "scan and query choose items: itemctl scan TABLE --filter EXPR | itemctl delete TABLE -"},
	{"csv", SYNONYM_ANSWER, "--format csv"},
	{"json", SYNONYM_ANSWER, "--format json"},
	{"jsonl", SYNONYM_ANSWER, "--format jsonl"},
	{"yaml", SYNONYM_ANSWER, "--format yaml"},
	{"typed", SYNONYM_ANSWER, "--format typed"},
	{"first", SYNONYM_OPTION, "limit"},
	{"head", SYNONYM_OPTION, "limit"},
	{"last", SYNONYM_ANSWER, "--reverse --limit N are the last ones"},
	{"tail", SYNONYM_ANSWER, "--reverse --limit N are the last ones"},
	{"sk-eq", SYNONYM_OPTION, "eq"},
	{"sk-lt", SYNONYM_OPTION, "lt"},
	{"sk-le", SYNONYM_OPTION, "le"},
	{"sk-lte", SYNONYM_OPTION, "le"},
	{"lte", SYNONYM_OPTION, "le"},
	{"sk-gt", SYNONYM_OPTION, "gt"},
	{"sk-ge", SYNONYM_OPTION, "ge"},
	{"sk-gte", SYNONYM_OPTION, "ge"},
	{"gte", SYNONYM_OPTION, "ge"},
	{"sk-between", SYNONYM_OPTION, "between"},
	{"pk", SYNONYM_OPTION, "partition"},
	{"pk", SYNONYM_PK, NULL},
	{"hash", SYNONYM_PK, NULL},
	{"partition", SYNONYM_PK, NULL},
	{"partition-key", SYNONYM_PK, NULL},
	{"hash-key", SYNONYM_PK, NULL},
	{"sk", SYNONYM_SK, NULL},
	{"range", SYNONYM_SK, NULL},
	{"sort", SYNONYM_SK, NULL},
	{"sort-key", SYNONYM_SK, NULL},
	{"range-key", SYNONYM_SK, NULL},
	{"desc", SYNONYM_OPTION, "reverse"},
	{"descending", SYNONYM_OPTION, "reverse"},
	{"asc", SYNONYM_NOTHING, NULL},
	{"ascending", SYNONYM_NOTHING, NULL},
	{"top", SYNONYM_OPTION, "limit"},
	{"max", SYNONYM_OPTION, "limit"},
	{"prefix", SYNONYM_OPTION, "begins-with"},
	{"starts-with", SYNONYM_OPTION, "begins-with"},
	{"t", SYNONYM_TABLE, NULL},
	{"gsi", SYNONYM_OPTION, "add-gsi"},
	{"add-index", SYNONYM_OPTION, "add-gsi"},
	{"create-index", SYNONYM_OPTION, "add-gsi"},
	{"drop-index", SYNONYM_OPTION, "drop-gsi"},
	{"delete-index", SYNONYM_OPTION, "drop-gsi"},
	{"remove-index", SYNONYM_OPTION, "drop-gsi"},
	{"index", SYNONYM_OPTION, "add-gsi"},
	{"index", SYNONYM_ANSWER, "query, scan and export read an index; draw shows all of them"},
	{"force", SYNONYM_OPTION, "yes"},
	{"ttl-attribute", SYNONYM_OPTION, "ttl"},
	{"threads", SYNONYM_OPTION, "jobs"},
	{"parallel", SYNONYM_OPTION, "jobs"},
	{"db", SYNONYM_OPTION, "store"},
	/* DynamoDB Local, dynalite, LocalStack, other servers */
	{"inMemory", SYNONYM_OPTION, "temp"},
	{"in-memory", SYNONYM_OPTION, "temp"},
	{"memory", SYNONYM_OPTION, "temp"},
	{"sharedDb", SYNONYM_NOTHING, NULL},
	{"shared-db", SYNONYM_NOTHING, NULL},
	{"delayTransientStatuses", SYNONYM_NOTHING, NULL},
	{"optimizeDbBeforeStartup", SYNONYM_NOTHING, NULL},
	{"disableTelemetry", SYNONYM_NOTHING, NULL},
	{"dbPath", SYNONYM_OPTION, "store"},
	{"db-path", SYNONYM_OPTION, "store"},
	{"path", SYNONYM_OPTION, "store"},
	{"data", SYNONYM_OPTION, "store"},
	{"data-dir", SYNONYM_OPTION, "store"},
	{"dir", SYNONYM_OPTION, "store"},
	{"bind", SYNONYM_OPTION, "listen"},
	{"address", SYNONYM_OPTION, "listen"},
	{"daemon", SYNONYM_OPTION, "background"},
	{"detach", SYNONYM_OPTION, "background"},
	{"d", SYNONYM_OPTION, "background"},
	{"createTableMs", SYNONYM_ANSWER, "a table is ACTIVE at once: leave it out"},
	{"deleteTableMs", SYNONYM_ANSWER, "a table is gone at once: leave it out"},
	{"updateTableMs", SYNONYM_ANSWER, "a table is ACTIVE at once: leave it out"},
	{"ssl", SYNONYM_ANSWER, "the server speaks HTTP: http://127.0.0.1:8000"},
	{"tls", SYNONYM_ANSWER, "the server speaks HTTP: http://127.0.0.1:8000"},
	{"https", SYNONYM_ANSWER, "the server speaks HTTP: http://127.0.0.1:8000"},
	{"verbose", SYNONYM_ANSWER,
	 "itemfs STORE --no-mount -f -o listen=8000 serves, too, and with -d prints what it does"},
	{"debug", SYNONYM_ANSWER,
	 "itemfs STORE --no-mount -f -o listen=8000 serves, too, and with -d prints what it does"},
	{"init", SYNONYM_OPTION, "seed"},
	{"import", SYNONYM_OPTION, "seed"},
	{"exec", SYNONYM_SERVER, SERVE_PROGRAM},
	{"run", SYNONYM_SERVER, SERVE_PROGRAM},
	{"command", SYNONYM_SERVER, SERVE_PROGRAM},
	{"cmd", SYNONYM_SERVER, SERVE_PROGRAM},
	{"create-tables", SYNONYM_OPTION, "seed"},
	{"schema", SYNONYM_OPTION, "seed"},
	{"tables", SYNONYM_OPTION, "seed"},
	{"stop", SYNONYM_SERVER, "a server ends with Ctrl-C, or: kill $ITEMFS_SERVER_PID"},
	{"kill", SYNONYM_SERVER, "a server ends with Ctrl-C, or: kill $ITEMFS_SERVER_PID"},
	{"status", SYNONYM_SERVER, "curl http://127.0.0.1:8000/ answers when a server listens"},
	{"health", SYNONYM_SERVER, "curl http://127.0.0.1:8000/ answers when a server listens"},
	{"no-auth", SYNONYM_SERVER,
	 "on loopback any key will do; beyond it --credentials FILE has the keys"},
};

const struct synonym *
synonyms_option(struct slice name, const struct synonym *after)
{
	const struct synonym *end = options + sizeof(options) / sizeof(options[0]);

	for (const struct synonym *s = after == NULL ? options : after + 1; s < end; s++) {
		struct slice other = slice_from(s->other);
		bool same = name.len == other.len;

		for (size_t i = 0; i < name.len && same; i++) {
			char ch = name.at[i] == '_' ? '-' : name.at[i];

			/* -sharedDB is no "-s haredDB"; of letters alone the case tells. */
			same = other.at[i] == ch ||
			       (name.len > 2 && ascii_lower(other.at[i]) == ascii_lower(ch));
		}
		if (same) {
			return s;
		}
	}
	return NULL;
}

const char *
synonyms_format(const char *name)
{
	static const char *const rows[][2] = {{"wide", "table"},   {"pretty", "table"},
					      {"column", "table"}, {"ndjson", "jsonl"},
					      {"tsv", "text"},     {"yml", "yaml"},
					      {"ddb", "typed"},    {"yaml-stream", "yaml"}};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i][0], name) == 0) {
			return rows[i][1];
		}
	}
	return name;
}

const char *
synonyms_command(const char *name)
{
	static const struct {
		const char *other;
		const char *ours;
	} rows[] = {
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
		{"server", "serve"},
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
		{".tables", "tables"},
		{".schema", "describe"},
		{".dump", "export"},
		{"\\d", "describe"},
		{"\\dt", "tables"},
		{"\\l", "tables"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].other, name) == 0) {
			return rows[i].ours;
		}
	}
	return NULL;
}

bool
synonyms_is_statement(const char *text)
{
	static const char *const verbs[] = {"SELECT", "INSERT", "UPDATE", "DELETE"};
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
