/* synonyms - tables of words */
#include "tools/synonyms.h"

#include "store/base/ascii.h"

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
	{"billing-mode", SYNONYM_ANSWER, "tables are PAY_PER_REQUEST; --throttle sets units"},
	/* other clients, SQL */
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
	{"gsi", SYNONYM_OPTION, "add-gsi"},
	{"index", SYNONYM_OPTION, "add-gsi"},
	{"force", SYNONYM_OPTION, "yes"},
	{"ttl-attribute", SYNONYM_OPTION, "ttl"},
	{"threads", SYNONYM_OPTION, "jobs"},
	{"parallel", SYNONYM_OPTION, "jobs"},
	{"db", SYNONYM_OPTION, "store"},
};

const struct synonym *
synonyms_option(struct slice name, const struct synonym *after)
{
	const struct synonym *end = options + sizeof(options) / sizeof(options[0]);

	for (const struct synonym *s = after == NULL ? options : after + 1; s < end; s++) {
		struct slice other = slice_from(s->other);
		bool same = name.len == other.len;

		for (size_t i = 0; i < name.len && same; i++) {
			same = other.at[i] == (name.at[i] == '_' ? '-' : name.at[i]);
		}
		if (same) {
			return s;
		}
	}
	return NULL;
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
		{"stream", "tail"},
		{"watch", "tail"},
		{"fsck", "check"},
		{"verify", "check"},
		{"vacuum", "compact"},
		{"statistics", "stats"},
		{"diagram", "draw"},
		{"transaction", "transact"},
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
