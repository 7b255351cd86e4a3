/* aws_request - see aws_request.h */
#include "tools/aws_request.h"

#include "store/base/ascii.h"

#include "tools/aws_shorthand.h"
#include "tools/aws_words.h"
#include "tools/ctl.h"
#include "tools/synonyms.h"

/* Where the reader of a command line stands. */
struct aws_line {
	struct call *c;
	int argc;
	char **argv;
	int next;
	struct json_writer w;
	struct words globals; /* options that are for itemctl */
	const char *table;    /* a word, or --table-name */
	const char *request;  /* --cli-input-json */
	enum op_type type;
	bool update; /* has it --update-expression? */
	bool ours;   /* it has a word for that */
};

/* ------------------------------------------------------------ is it one? */

/* itemctl's own, which have a value, or have none. */
static bool
aws_is_global(struct slice name, bool *valued)
{
	static const char *const with[] = {"store",        "format",  "output",
					   "endpoint-url", "rate",    "endpoint",
					   "region",       "profile", NULL};
	static const char *const without[] = {"quiet",    "stats",        "capacity",
					      "no-pager", "no-cli-pager", "no-paginate",
					      "help",     "version",      NULL};

	*valued = aws_words_named(name, with);
	return *valued || aws_words_named(name, without);
}

/* What no command of ours has an option for. */
static bool
aws_marks(struct slice name, enum op_type type, bool called)
{
	static const char *const names[] = {"item",
					    "key-condition-expression",
					    "update-expression",
					    "attribute-definitions",
					    "key-schema",
					    "cli-input-json",
					    "global-secondary-index-updates",
					    "stream-specification",
					    "provisioned-throughput",
					    "deletion-protection-enabled",
					    "no-deletion-protection-enabled",
					    "statement",
					    NULL};
	bool valued;

	if (slice_is(name, "key")) {
		return type != OP_CREATE_TABLE && type != OP_UPDATE_TABLE && type != OP_QUERY;
	}
	if (slice_is(name, "billing-mode")) {
		return type == OP_UPDATE_TABLE;
	}
	return aws_words_named(name, names) ||
	       (called && name.len > 0 && !aws_is_global(name, &valued));
}

static const char *
aws_command(enum op_type type, const char *name)
{
	const char *command =
		type == OP_COUNT ? synonyms_command(name) : synonyms_of_operation(type);

	return command == NULL ? name : command;
}

static enum op_type
aws_operation(const char *name, bool *called)
{
	enum op_type type = synonyms_operation(name);

	*called = type != OP_COUNT && synonyms_of_operation(type) == NULL;
	for (int i = 0; type == OP_COUNT && i < OP_COUNT; i++) {
		const char *command = synonyms_of_operation((enum op_type)i);

		if (command != NULL && strcmp(command, name) == 0) {
			return (enum op_type)i;
		}
	}
	return type;
}

/* A table, an answer's form of "aws" and options of the API, and nothing of ours: the answer is the API's, too. */
static bool
aws_plain(enum op_type type, int argc, char **argv)
{
	static const char *const names[] = {"table-name",
					    "index-name",
					    "attributes-to-get",
					    "select",
					    "filter-expression",
					    "projection-expression",
					    "expression-attribute-names",
					    "expression-attribute-values",
					    "return-consumed-capacity",
					    "consistent-read",
					    "no-consistent-read",
					    "total-segments",
					    "segment",
					    "exclusive-start-key",
					    "exclusive-start-table-name",
					    "no-scan-index-forward",
					    "scan-index-forward",
					    NULL};
	static const char *const forms[] = {"json", "yaml", "yaml-stream", NULL};
	bool named = type == OP_LIST_TABLES;

	if (synonyms_operation(argv[0]) != type) {
		return false;
	}
	for (int i = 1; i < argc; i++) {
		struct slice name = aws_words_option(argv[i]);
		bool output = slice_is(name, "output");
		bool valued = false;

		if (name.len == 0 && argv[i][0] != '-') {
			return false;
		}
		if (name.len > 0 && (slice_is(name, "format") || (!aws_words_named(name, names) &&
								  !aws_is_global(name, &valued)))) {
			return false;
		}
		named = named || slice_is(name, "table-name");
		if (name.len == 0 && argv[i][1] == 's' && argv[i][2] == '\0') {
			i++;
		} else if (name.len > 0 && argv[i][2 + name.len] != '=' && i + 1 < argc &&
			   argv[i + 1][0] != '-') {
			i++;
			if (output && !aws_words_named(slice_from(argv[i]), forms)) {
				return false;
			}
		}
	}
	return named;
}

/* --select COUNT is --count; other values are read with the options of the command. */
static void
aws_select(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		bool apart = i + 1 < argc && strcmp(argv[i], "--select") == 0 &&
			     strcmp(argv[i + 1], "COUNT") == 0;

		if (apart || strcmp(argv[i], "--select=COUNT") == 0) {
			argv[i] = (char *)"--count";
		}
		if (apart) {
			argv[i + 1] = (char *)"--count"; /* a flag may be given twice */
		}
	}
}

/* ------------------------------------------------------------ values */

static bool
aws_is_list(struct slice name)
{
	static const char *const names[] = {"attribute-definitions",
					    "key-schema",
					    "attributes-to-get",
					    "tags",
					    "tag-keys",
					    "transact-items",
					    "statements",
					    "parameters",
					    "global-secondary-indexes",
					    "local-secondary-indexes",
					    "global-secondary-index-updates",
					    "transact-statements",
					    NULL};

	return aws_words_named(name, names);
}

/* "key-condition-expression" is KeyConditionExpression. */
static struct slice
aws_member(struct call *c, struct slice name)
{
	bool sse = slice_starts(name, SLICE("sse-"));
	bool upper = true;
	struct buf b;

	if (slice_is(name, "max-items") || slice_is(name, "page-size")) {
		return SLICE("Limit");
	}
	buf_init(&b, &c->arena);
	for (size_t i = 0; i < name.len; i++) {
		char at = name.at[i];

		if (at != '-' && at != '_') {
			bool letter = at >= 'a' && at <= 'z';

			buf_char(&b,
				 letter && (upper || (sse && i < 3)) ? (char)(at - 'a' + 'A') : at);
		}
		upper = at == '-' || at == '_';
	}
	return buf_view(&b);
}

static int
aws_text(struct aws_line *l, const char *word, struct slice *out)
{
	*out = slice_from(word);
	return slice_starts(*out, SLICE("file://"))
		       ? ctl_read_text(l->c, word + strlen("file://"), out)
		       : 0;
}

static bool
aws_is_json(struct slice text)
{
	size_t blanks = 0;

	while (blanks < text.len && ascii_blank(text.at[blanks])) {
		blanks++;
	}
	return blanks < text.len && (text.at[blanks] == '{' || text.at[blanks] == '[');
}

/* Expressions, statements, names and tokens are texts, whatever they look like. */
static int
aws_value(struct aws_line *l, struct slice member, bool list, const char *word)
{
	struct slice text;
	int r = aws_text(l, word, &text);
	const struct json *json;
	bool structure = list || slice_is(member, "Key") || slice_is(member, "Item") ||
			 slice_is(member, "ProvisionedThroughput") ||
			 slice_starts(member, SLICE("ExpressionAttribute"));

	if (r < 0) {
		return r;
	}
	structure = structure || (member.len > 13 &&
				  memcmp(member.at + member.len - 13, "Specification", 13) == 0);
	if (aws_is_json(text)) {
		r = json_parse(l->c, text, JSON_LAST_WINS, &json);
		if (r == 0) {
			json_raw(&l->w, text);
		}
		return r < 0 ? call_prefix(l->c, "%.*s: ", SLICE_ARG(member)) : 0;
	}
	if (structure && memchr(text.at, '=', text.len) != NULL) {
		return aws_shorthand(l->c, &l->w, text);
	}
	aws_shorthand_scalar(&l->w, member, text);
	return 0;
}

/* Words up to the next option; JSON of a list is all of it. */
static int
aws_list(struct aws_line *l, struct slice member)
{
	struct slice first = {0};
	int r = l->next < l->argc ? aws_text(l, l->argv[l->next], &first) : 0;

	if (r < 0) {
		return r;
	}
	if (aws_is_json(first) && first.at[strspn(first.at, " \t\r\n")] == '[') {
		return aws_value(l, member, true, l->argv[l->next++]);
	}
	json_open(&l->w, '[');
	while (l->next < l->argc && aws_words_option(l->argv[l->next]).len == 0) {
		r = aws_value(l, member, true, l->argv[l->next++]);
		if (r < 0) {
			return r;
		}
	}
	json_close(&l->w);
	return 0;
}

/* ------------------------------------------------------------ the line */

static int
aws_second_word(struct aws_line *l, const char *word)
{
	return call_fail(l->c, ERR_USAGE,
			 "\"%s\" is a word too many beside options of the AWS command line", word);
}

static int
aws_take_word(struct aws_line *l, const char *word)
{
	if (word[0] == '-') {
		words_add(l->c, &l->globals, word); /* -q, -s STORE */
		if (word[1] == 's' && word[2] == '\0' && l->next < l->argc) {
			words_add(l->c, &l->globals, l->argv[l->next++]);
		}
		return 0;
	}
	if (l->table == NULL) {
		l->table = word;
		return 0;
	}
	if (l->type != OP_UPDATE_ITEM || l->update) {
		return aws_second_word(l, word);
	}
	l->ours = true;
	return 0;
}

/* An option of the request: with a value behind it or behind "=", else it is true, or false with "no-". */
static int
aws_take_member(struct aws_line *l, struct slice name, const char *arg)
{
	const char *equals = arg[2 + name.len] == '=' ? arg + 2 + name.len + 1 : NULL;
	bool valued = equals != NULL ||
		      (l->next < l->argc && aws_words_option(l->argv[l->next]).len == 0);
	bool no = !valued && slice_starts(name, SLICE("no-"));

	if (slice_is(name, "cli-input-json") || slice_is(name, "table-name")) {
		const char *value = equals != NULL ? equals : valued ? l->argv[l->next++] : NULL;

		if (value == NULL) {
			return call_fail(l->c, ERR_USAGE, "%s needs a value", arg);
		}
		*(name.at[0] == 'c' ? &l->request : &l->table) = value;
		return 0;
	}
	l->update = l->update || slice_is(name, "update-expression");

	struct slice member = aws_member(l->c, no ? slice_of(name.at + 3, name.len - 3) : name);

	json_name_slice(&l->w, member);
	if (!valued) {
		json_bool(&l->w, !no);
		return 0;
	}
	if (equals == NULL && aws_is_list(name)) {
		return aws_list(l, member);
	}
	return aws_value(l, member, aws_is_list(name),
			 equals != NULL ? equals : l->argv[l->next++]);
}

static int
aws_take(struct aws_line *l)
{
	const char *arg = l->argv[l->next++];
	struct slice name = aws_words_option(arg);
	bool valued;

	if (name.len == 0) {
		return aws_take_word(l, arg);
	}
	if (!aws_is_global(name, &valued)) {
		return aws_take_member(l, name, arg);
	}
	words_add(l->c, &l->globals, arg);
	if (valued && strchr(arg, '=') == NULL && l->next < l->argc) {
		words_add(l->c, &l->globals, l->argv[l->next++]);
	}
	return 0;
}

static int
aws_read(struct aws_line *l, struct words *words)
{
	struct buf b;
	int r = 0;

	buf_init(&b, &l->c->arena);
	json_writer_init(&l->w, &b, 0);
	json_open(&l->w, '{');
	while (r == 0 && l->next < l->argc) {
		r = aws_take(l);
	}
	if (r < 0 || l->ours) {
		return r;
	}
	if (l->table != NULL) {
		json_name(&l->w, "TableName");
		json_string(&l->w, slice_from(l->table));
	}
	json_close(&l->w);
	if (l->request != NULL && b.len > 2) {
		return call_fail(l->c, ERR_USAGE, "--cli-input-json is the whole request");
	}
	words_add(l->c, words, op_name(l->type));
	words_add(l->c, words,
		  l->request != NULL ? l->request : slice_cstr(&l->c->arena, buf_view(&b)));
	for (size_t i = 0; i < l->globals.n; i++) {
		words_add(l->c, words, l->globals.at[i]);
	}
	return 0;
}

int
aws_request(struct call *c, int argc, char **argv, struct words *words)
{
	bool called;
	bool one = false;
	bool keyed = false;
	enum op_type type = aws_operation(argv[0], &called);
	struct aws_line line = {.c = c, .argc = argc, .argv = argv, .next = 1, .type = type};

	*words = (struct words){0};
	for (int i = 1; type != OP_COUNT && i < argc; i++) {
		struct slice name = aws_words_option(argv[i]);

		if (slice_is(name, "help") || slice_is(name, "from")) {
			return 0;
		}
		one = one || aws_marks(name, type, called);
		keyed = keyed || slice_is(name, "key") || slice_is(name, "cli-input-json");
	}
	if (aws_words_replace(c, aws_command(type, argv[0]), argc, argv) ||
	    (type == OP_UPDATE_ITEM && !keyed)) {
		aws_select(argc, argv);
		return 0;
	}
	one = one || (type != OP_COUNT && aws_plain(type, argc, argv));
	if (!one) {
		aws_select(argc, argv);
		return 0;
	}
	return aws_read(&line, words);
}
