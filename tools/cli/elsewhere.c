/* elsewhere - see elsewhere.h */
#include "tools/cli/elsewhere.h"

#include <sys/stat.h>

#include "store/base/text/shell_word.h"

#include "tools/cli/instead.h"
#include "tools/cli/synonyms.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/*
 * A suggestion. In @text, TABLE is replaced by the first word, VALUE by the option's value, EXPR by the last word.
 * "query=VALUE" is the typed line with another command.
 */
struct elsewhere {
	const char *command;
	const char *options; /* separated by blanks */
	const char *text;
};

#define ELSEWHERE_TAKES "TABLE VALUE EXPR"

static const struct elsewhere options[] = {
	{"export", "all",
	 "mkdir -p VALUE && itemctl tables | jq -r .TableName | xargs -I{} itemctl export {} "
	 "VALUE/{}.jsonl"},
	{"backup", "table table-name t", "to write one table: itemctl export VALUE VALUE.jsonl"},
	{"get", "index index-name gsi i", "query=VALUE"},
	{"get scan", "watch w follow f", "itemctl tail TABLE"},
	{"get", "limit max-items", "itemctl query TABLE EXPR --limit VALUE"},
	{"check", "file f patterns queries", "itemctl run VALUE --all"},
	{"stop", "all", "itemctl status | jq -r .Url | xargs -n1 itemctl stop"},
	{"export", "filter where filter-expression", "itemctl scan TABLE --filter VALUE"},
	{"export", "project columns fields", "itemctl scan TABLE --project VALUE"},
	{"drop", "all", "itemctl tables | jq -r .TableName | xargs itemctl drop --yes"},
	{"shapes", "diagram draw picture graph er erd mermaid svg png", "itemctl draw TABLE"},
	{"stats", "attributes fields columns types group-by by", "itemctl shapes TABLE"},
	{"import", "request-items", "itemctl batch-write-item --request-items VALUE"},
	{"stats", "largest biggest top", INSTEAD_LARGEST},
	{"scan", "largest biggest", INSTEAD_LARGEST},
	{"run", "exec cmd command program", "itemctl serve --temp -- sh -c VALUE"},
	{"restore", "drop clean c",
	 "to restore into another store: itemctl -s ./restored restore VALUE"},
	{"put", "file f", "itemctl import TABLE VALUE"},
	{"put", "batch bulk", "itemctl import TABLE FILE"},
	{"transact", "transact-items", "itemctl transact-write-items --transact-items VALUE"},
	{"transact", "transact-statements statements",
	 "itemctl execute-transaction --transact-statements VALUE"},
	{"alter", "key",
	 "a key cannot change; to import into a new table: itemctl export TABLE --to typed | "
	 "itemctl import NEW --key VALUE"},
	{"alter", "rename name new-name",
	 "itemctl copy TABLE --to VALUE && itemctl drop TABLE --yes"},
	{"alter", "lsi add-lsi",
	 "local indexes are created with their table; for a global index: itemctl alter TABLE "
	 "--add-gsi VALUE"},
};

/* The form of a surplus word */
enum elsewhere_form {
	FORM_VALUES,
	FORM_NAMES,
	FORM_EXPRESSION,
	FORM_NUMBER,
	FORM_LIST,
	FORM_WORD,
	FORM_KEY
};

/* The option that takes a surplus word of a form */
static const struct {
	enum elsewhere_form form;
	const char *commands; /* separated by blanks */
	const char *option;
} elsewhere_forms[] = {
	{FORM_VALUES, "get put update delete query scan transact", "--values"},
	{FORM_NAMES, "get put update delete query scan transact", "--names"},
	{FORM_EXPRESSION, "put update delete", "--if"},
	{FORM_EXPRESSION, "query scan", "--filter"},
	{FORM_LIST, "get query scan", "--project"},
	{FORM_WORD, "get", "--project"},
};

/* The line for a surplus word */
static const struct {
	const char *command;
	const char *text; /* as of struct elsewhere */
	bool of_file;     /* only for the name of a file */
} words[] = {
	{"draw", "itemctl draw TABLE -o VALUE", true},
	{"describe", "itemctl describe TABLE >VALUE", true},
	{"check", "itemctl run VALUE --all", true},
	{"export", "itemctl scan TABLE --filter VALUE >TABLE.jsonl", false},
	{"scan", "itemctl query TABLE VALUE", false},
	{"tables", "itemctl describe VALUE", false},
	{"draw", "itemctl draw TABLE --partition VALUE", false},
	{"restore", "itemctl -s VALUE restore TABLE", false},
	{"backup", "to write one table: itemctl export TABLE VALUE", false},
};

static const struct elsewhere *
elsewhere_find(const char *command, const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (words_in(options[i].command, slice_from(command)) &&
		    words_in(options[i].options, slice_of(name, n))) {
			return &options[i];
		}
	}
	return NULL;
}

void
elsewhere_into(struct buf *out, const char *file)
{
	const char *suffix = strrchr(file, '.');
	bool formed = memmem(out->at, out->len, " --format", 9) != NULL ||
		      memmem(out->at, out->len, " --csv", 6) != NULL;

	if (strcmp(file, "EXPR") == 0) {
		return;
	}
	if (suffix != NULL && !formed && words_in("csv tsv json yaml md", slice_from(suffix + 1))) {
		buf_fmt(out, " --format %s", suffix + 1);
	}
	buf_str(out, " >");
	shell_word(out, slice_from(file));
}

/* Append the line of a row. Return: false, and nothing is appended, if the typed line does not have the command */
static bool
elsewhere_row(struct buf *out, const char *command, const struct elsewhere *row, char **takes)
{
	if (strcmp(row->text, "query=VALUE") == 0) {
		bool all = strcmp(takes[2], "EXPR") == 0; /* no key */

		return typed_line_words(out, slice_from(command),
					all ? SLICE("scan") : SLICE("query"));
	}
	if (strcmp(takes[1], "VALUE") == 0 && strncmp(row->text, "mkdir", 5) == 0) {
		takes[1] = (char *)"dump";
	}
	instead_fill(out, row->text, ELSEWHERE_TAKES, 3, takes);
	elsewhere_into(out, strcmp(command, "export") == 0 ? takes[2] : "EXPR");
	return true;
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
		} else if (synonyms_store_word(argv[i])) {
			i++;
		} else if (argv[i][0] != '-') {
			takes[n == 0 ? 0 : 2] = argv[i];
			n++;
		}
	}
	return row != NULL && elsewhere_row(out, command, row, takes);
}

static enum elsewhere_form
elsewhere_form(const char *word)
{
	if (word[0] == '{') {
		return strstr(word, "\":") == NULL ? FORM_NAMES : FORM_VALUES;
	}
	return strpbrk(word, "=<>(") != NULL              ? FORM_EXPRESSION
	       : word[strspn(word, "0123456789")] == '\0' ? FORM_NUMBER
	       : strpbrk(word, "#:/|@") != NULL           ? FORM_KEY
	       : strchr(word, ',') != NULL                ? FORM_LIST
							  : FORM_WORD;
}

static size_t
elsewhere_plain(const char *text)
{
	size_t n = 0;

	while (ascii_word(text[n])) {
		n++;
	}
	return n;
}

/* Append a surplus word; the text of "Type=Order" gets the quotes that it needs. */
static void
elsewhere_put(struct buf *out, const char *word, enum elsewhere_form form)
{
	size_t name = elsewhere_plain(word);
	const char *text = word + name + (word[name] == '=');
	size_t n = elsewhere_plain(text);

	if (form == FORM_EXPRESSION && word[name] == '=' && n > 0 && text[n] == '\0' &&
	    !ascii_digit(text[0]) && !words_in("true false null", slice_from(text))) {
		buf_fmt(out, "%.*s = \"%s\"", (int)name, word, text);
	} else {
		buf_str(out, word);
	}
}

/* Append the typed line with an option before the surplus words. Only attributes may be several words. */
static bool
elsewhere_form_line(struct buf *out, const char *command, const struct words *w, size_t at)
{
	enum elsewhere_form form = elsewhere_form(w->at[at]);
	bool several = form >= FORM_LIST;
	cleanup(buf_release) struct buf by = {0};
	cleanup(buf_release) struct buf option = {0};

	for (size_t i = 0; i < sizeof(elsewhere_forms) / sizeof(elsewhere_forms[0]); i++) {
		if (elsewhere_forms[i].form != form || w->at[at][0] == '.' ||
		    (!several && w->n - at > 1) ||
		    !words_in(elsewhere_forms[i].commands, slice_from(command))) {
			continue;
		}
		for (size_t k = at; k < w->n; k++) {
			buf_str(&by, k == at ? "" : ",");
			elsewhere_put(&by, w->at[k], form);
		}
		for (size_t k = at + 1; k < w->n; k++) {
			(void)typed_line_change(w->at[k], (struct slice){0});
		}
		buf_fmt(&option, "%s ", elsewhere_forms[i].option);
		shell_word(&option, buf_view(&by));
		buf_str(out, "did you mean: ");
		return typed_line_words(out, slice_from(w->at[at]), buf_view(&option));
	}
	return false;
}

bool
elsewhere_word(struct buf *out, const char *command, const struct words *w, size_t at)
{
	const char *word = w->at[at];
	bool is_file = strpbrk(word, "=<>(") == NULL && strchr(word, '.') != NULL;
	char *takes[] = {(char *)w->at[0], (char *)word};
	size_t begin = out->len;
	cleanup(buf_release) struct buf condition = {0};
	struct stat st;

	if (strcmp(command, "backup") == 0 && stat(takes[0], &st) == 0 && S_ISDIR(st.st_mode)) {
		instead_fill(out, "itemctl -s TABLE backup VALUE", ELSEWHERE_TAKES, 2, takes);
		return true;
	}
	if (elsewhere_form_line(out, command, w, at)) {
		return true;
	}
	if (strcmp(command, "scan") == 0 && at == 2 && w->n == 4 &&
	    words_in("= < > <= >= <>", slice_from(word))) {
		buf_fmt(&condition, "%s %s %s", w->at[1], word, w->at[3]);
		fmt_shell(out, "itemctl scan % --filter %", slice_from(w->at[0]),
			  buf_view(&condition));
		return true;
	}
	if (elsewhere_form(word) == FORM_NUMBER && strcmp(command, "scan") == 0) {
		return false; /* a part of an unquoted expression, a key or a limit */
	}
	out->len = begin;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i].command, command) == 0 && (is_file || !words[i].of_file)) {
			instead_fill(out, words[i].text, ELSEWHERE_TAKES, 2, takes);
			return true;
		}
	}
	return false;
}
