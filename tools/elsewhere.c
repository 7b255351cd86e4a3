/* elsewhere - see elsewhere.h */
#include "tools/elsewhere.h"

#include "tools/instead.h"

/* In @text TABLE stands for the first word, VALUE for the option's value, EXPR for the last word. */
struct elsewhere {
	const char *command;
	const char *options; /* with a blank behind each */
	const char *text;
};

#define ELSEWHERE_TAKES "TABLE VALUE EXPR"
#define ELSEWHERE_UNITS \
	"itemctl update-table --table-name TABLE --billing-mode PROVISIONED " \
	"--provisioned-throughput ReadCapacityUnits=VALUE,WriteCapacityUnits=VALUE"

static const struct elsewhere options[] = {
	{"export", "all ",
	 "mkdir -p VALUE && itemctl tables | jq -r .TableName | xargs -I{} itemctl export {} "
	 "VALUE/{}.jsonl"},
	{"export", "filter where filter-expression ",
	 "itemctl scan TABLE --filter VALUE --format csv >TABLE.csv"},
	{"export", "project columns fields ",
	 "itemctl scan TABLE --project VALUE --format csv >TABLE.csv"},
	{"copy", "all ",
	 "for t in $(itemctl tables | jq -r .TableName); do itemctl copy $t --to STORE; done"},
	{"drop", "all ", "itemctl tables | jq -r .TableName | xargs itemctl drop"},
	{"put", "file f ", "itemctl import TABLE VALUE"},
	{"put", "batch bulk ", "itemctl import TABLE FILE"},
	{"transact", "transact-items ", "itemctl transact-write-items --transact-items VALUE"},
	{"transact", "transact-statements statements ",
	 "itemctl execute-transaction --transact-statements VALUE"},
	{"alter", "key ",
	 "a key cannot change; into a new table: itemctl export TABLE --to typed | itemctl import "
	 "NEW --key VALUE"},
	{"alter",
	 "rcu wcu read-units write-units read-capacity write-capacity read-capacity-units "
	 "write-capacity-units ",
	 ELSEWHERE_UNITS},
	{"alter", "rename name new-name ",
	 "itemctl copy TABLE --to VALUE && itemctl drop TABLE --yes"},
	{"alter", "lsi add-lsi ",
	 "local indexes are made with their table; itemctl alter TABLE --add-gsi VALUE"},
};

/* A word too many that has an operator or a bracket is an expression. */
static const struct elsewhere expressions[] = {
	{"scan", "", "itemctl scan TABLE --filter VALUE"},
	{"count", "", "itemctl count TABLE --filter VALUE"},
	{"export", "", "itemctl scan TABLE --filter VALUE --format csv >TABLE.csv"},
};

static const struct elsewhere words[] = {
	{"scan", "", "itemctl query TABLE VALUE"},
	{"tables", "", "itemctl describe VALUE"},
	{"draw", "", "itemctl draw TABLE --partition VALUE"},
	{"restore", "", "itemctl -s VALUE restore TABLE"},
	{"backup", "", "one table is written by: itemctl export TABLE VALUE"},
};

/* And one that is a file's name. */
static const struct elsewhere elsewhere_files[] = {
	{"draw", "", "itemctl draw TABLE -o VALUE"},
	{"describe", "", "itemctl describe TABLE >VALUE"},
};

/* Is @name one of @list? */
static bool
elsewhere_has(const char *list, const char *name, size_t n)
{
	while (*list != '\0') {
		size_t length = strcspn(list, " ");

		if (length == n && memcmp(list, name, n) == 0) {
			return true;
		}
		list += length + 1;
	}
	return false;
}

static const struct elsewhere *
elsewhere_find(const char *command, const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (strcmp(options[i].command, command) == 0 &&
		    elsewhere_has(options[i].options, name, n)) {
			return &options[i];
		}
	}
	return NULL;
}

bool
elsewhere_option(struct buf *out, const char *command, int argc, char **argv)
{
	const struct elsewhere *row = NULL;
	char *takes[] = {(char *)"TABLE", (char *)"VALUE", (char *)"EXPR"};

	for (int i = 0, n = 0; i < argc; i++) {
		const char *name = argv[i] + strspn(argv[i], "-");
		const char *equals = strchrnul(name, '=');
		const struct elsewhere *found =
			row == NULL && argv[i][0] == '-'
				? elsewhere_find(command, name, (size_t)(equals - name))
				: NULL;

		if (found != NULL) {
			row = found;
			if (*equals == '=') {
				takes[1] = (char *)equals + 1;
			} else if (strstr(row->text, "VALUE") != NULL && i + 1 < argc &&
				   argv[i + 1][0] != '-') {
				takes[1] = argv[++i];
			}
		} else if (argv[i][0] != '-') {
			takes[n == 0 ? 0 : 2] = argv[i];
			n++;
		}
	}
	if (row != NULL) {
		takes[1] = strcmp(takes[1], "VALUE") == 0 && strncmp(row->text, "mkdir", 5) == 0
				   ? (char *)"dump"
				   : takes[1];
		instead_fill(out, row->text, ELSEWHERE_TAKES, 3, takes);
	}
	return row != NULL;
}

bool
elsewhere_word(struct buf *out, const char *command, const char *table, const char *word)
{
	bool is_expression = strpbrk(word, "=<>(") != NULL;
	bool is_file = !is_expression && strchr(word, '.') != NULL;
	const struct elsewhere *rows = is_expression ? expressions : words;
	size_t n = is_expression ? sizeof(expressions) / sizeof(expressions[0])
				 : sizeof(words) / sizeof(words[0]);
	char *takes[] = {(char *)table, (char *)word};

	for (size_t i = 0; is_file && i < sizeof(elsewhere_files) / sizeof(elsewhere_files[0]);
	     i++) {
		if (strcmp(elsewhere_files[i].command, command) == 0) {
			instead_fill(out, elsewhere_files[i].text, ELSEWHERE_TAKES, 2, takes);
			return true;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (strcmp(rows[i].command, command) == 0) {
			instead_fill(out, rows[i].text, ELSEWHERE_TAKES, 2, takes);
			return true;
		}
	}
	return false;
}
