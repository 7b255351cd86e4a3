/* aws_request - see aws_request.h */
#include "tools/aws/aws_request.h"

#include "store/base/text/json.h"
#include "store/op/op.h"

#include "tools/advice/aws_hints.h"
#include "tools/aws/aws_shorthand.h"
#include "tools/aws/aws_words.h"
#include "tools/aws/call_pages.h"
#include "tools/cli/aws_options.h"
#include "tools/cli/synonyms.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* State of the translation of a command line. */
struct aws_line {
	struct call *c;
	int argc;
	char **argv;
	int next;             /* index of the next argument */
	struct json_writer w; /* writes the request */
	struct words globals; /* options for itemctl */
	const char *table;    /* from a word or --table-name */
	const char *word;     /* the word that names the table, or NULL */
	const char *request;  /* --cli-input-json */
	const char *wait;     /* value of --until; NULL: the answer is printed */
	enum op_type type;
	struct words given; /* members with an option */
	bool one_page;
	bool update; /* --update-expression is given */
	bool ours;   /* the update expression is a word: the line is left to update */
};

/* Replace --select COUNT by --count; the options of the command handle other values. */
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
			argv[i + 1] = (char *)"--count"; /* a flag may be repeated */
		}
	}
}

/* ------------------------------------------------------------ values */

/* Read a text or file://FILE.  @structure: also read FILE, and FILE after a misspelled file:// */
static int
aws_request_aws_text(struct aws_line *l, const char *word, bool structure, struct slice *out)
{
	size_t scheme = strncmp(word, "file:", 5) == 0 || strncmp(word, "file//", 6) == 0 ? 4 : 0;
	const char *bare = word + scheme + (scheme > 0 ? strspn(word + scheme, ":/") : 0);
	const char *file =
		scheme > 0 && access(bare, F_OK) != 0 && bare[-1] == '/' ? bare - 1 : bare;

	*out = slice_from(word);
	if (slice_starts(*out, SLICE("file://"))) {
		return ctl_read_text(l->c, word + strlen("file://"), out);
	}
	return structure && (scheme > 0 || access(word, F_OK) == 0) ? ctl_read_text(l->c, file, out)
								    : 0;
}

static bool
aws_is_json(struct slice text)
{
	text = ascii_trim(text);
	return text.len > 0 && (text.at[0] == '{' || text.at[0] == '[');
}

/* Report a value that is not JSON.  The shell may have split it into several words after removing quotes. */
static int
aws_no_json(struct aws_line *l, struct slice member, struct slice text)
{
	int r = call_prefix(l->c, "%.*s: ", SLICE_ARG(member));
	struct buf b = {.arena = &l->c->arena};

	buf_slice(&b, text);
	for (int i = l->next; i < l->argc && l->argv[i][0] != '-'; i++) {
		buf_fmt(&b, " %s", l->argv[i]);
	}
	aws_hints_json(l->c, l->type, member, buf_view(&b));
	return r;
}

/* Write a value.  Expressions, statements, names and tokens are texts even if they look like shorthand. */
static int
aws_value(struct aws_line *l, struct slice member, bool list, const char *word)
{
	struct slice text;
	const struct json *json;
	bool structure = list || slice_is(member, "Key") || slice_is(member, "Item") ||
			 slice_is(member, "ProvisionedThroughput") ||
			 slice_is(member, "RequestItems") ||
			 slice_starts(member, SLICE("ExpressionAttribute")) ||
			 slice_ends(member, SLICE("Specification"));
	int r = aws_request_aws_text(l, word, structure, &text);

	if (r < 0) {
		return r;
	}
	if (aws_is_json(text)) {
		r = json_parse(l->c, text, JSON_LAST_WINS, &json);
		if (r == 0) {
			json_raw(&l->w, text);
		}
		if (r < 0 && text.at != word) {
			return call_prefix(l->c, "%s: ", word);
		}
		return r < 0 ? aws_no_json(l, member, text) : 0;
	}
	if (structure && slice_chr(text, '=') != NULL) {
		return aws_shorthand(l->c, &l->w, text);
	}
	aws_shorthand_scalar(&l->w, member, text);
	return 0;
}

/* Write a list: one word with a JSON list, or the words up to the next option. */
static int
aws_list(struct aws_line *l, struct slice member)
{
	struct slice first = {0};
	int r = l->next < l->argc ? aws_request_aws_text(l, l->argv[l->next], false, &first) : 0;

	if (r < 0) {
		return r;
	}
	if (first.len > 0 && aws_is_json(first) && first.at[strspn(first.at, " \t\r\n")] == '[') {
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
	struct buf line = {.arena = &l->c->arena};
	struct buf by = {.arena = &l->c->arena};
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	const char *store = getenv("ITEMFS_STORE");

	/* "create-table shop --table-name ...": the word is a new store */
	if (l->type == OP_CREATE_TABLE && store == NULL && !typed_line_has("-s") &&
	    find_store_lone() == NULL) {
		fmt_shell(&by, "-s %", slice_from(word));
	}
	bool known = typed_line_words(&line, slice_from(word), buf_view(&by));

	return call_fail(l->c, ERR_USAGE,
			 "unexpected word \"%s\" beside options of the AWS command line%s%.*s",
			 word, known ? ": " : "", SLICE_ARG(buf_view(&line)));
}

static int
aws_take_word(struct aws_line *l, const char *word)
{
	if (word[0] == '-') {
		words_add(l->c, &l->globals, word); /* -q, -s STORE */
		if (synonyms_store_word(word) && l->next < l->argc) {
			words_add(l->c, &l->globals, l->argv[l->next++]);
		}
		return 0;
	}
	if (l->table == NULL) {
		l->table = word;
		l->word = word;
		return 0;
	}
	if (l->type != OP_UPDATE_ITEM || l->update) {
		return aws_second_word(l, word);
	}
	l->ours = true;
	return 0;
}

/* The value after "=", or the next word; NULL: there is none, or the next word is an option. */
static const char *
aws_given(struct aws_line *l, struct slice name, const char *arg)
{
	if (arg[2 + name.len] == '=') {
		return arg + 2 + name.len + 1;
	}
	return l->next < l->argc && aws_words_option(l->argv[l->next]).len == 0 ? l->argv[l->next++]
										: NULL;
}

/* Write the member of an option; without a value it is true, or false with the prefix "no-". */
static int
aws_take_member(struct aws_line *l, struct slice name, const char *arg)
{
	bool list = aws_options_is_list(name) && arg[2 + name.len] != '=';
	const char *value = list ? "" : aws_given(l, name, arg);
	bool no = value == NULL && slice_starts(name, SLICE("no-"));
	struct slice bare = no ? slice_skip(name, 3) : name;
	struct slice member = aws_options_member(l->c, bare);

	if (!aws_options_is_member(l->type, bare)) {
		return aws_options_unknown(l->c, l->type, name);
	}
	l->update = l->update || slice_is(name, "update-expression");
	l->one_page = l->one_page || slice_is(name, "limit") ||
		      slice_starts(name, SLICE("exclusive-start-"));
	words_add(l->c, &l->given, slice_cstr(&l->c->arena, member));
	json_name_slice(&l->w, member);
	if (list) {
		return aws_list(l, member);
	}
	if (value == NULL) {
		json_bool(&l->w, !no);
		return 0;
	}
	return aws_value(l, member, aws_options_is_list(name), value);
}

/* Take an option of the AWS tool itself. */
static int
aws_take_own(struct aws_line *l, struct slice name, const char *arg)
{
	const char *value = aws_given(l, name, arg);
	bool pages = aws_options_kind(name) == AWS_PAGING;

	if (value == NULL) {
		return call_fail(l->c, ERR_USAGE, "%s needs a value", arg);
	}
	if (pages && !call_pages_known(l->type)) {
		return aws_options_unknown(l->c, l->type, name);
	}
	if (slice_starts(name, SLICE("table"))) {
		if (l->word != NULL && strcmp(l->word, value) != 0) {
			return aws_second_word(l, l->word);
		}
		l->table = value;
	} else if (slice_is(name, "cli-input-json")) {
		l->request = value;
	} else {
		words_add(l->c, &l->globals, slice_cstr(&l->c->arena, slice_of(arg, 2 + name.len)));
		words_add(l->c, &l->globals, value);
	}
	return 0;
}

/* The option of the API for an option of a command of itemctl, or @arg. */
static const char *
aws_of_ours(struct call *c, enum op_type type, const char *arg)
{
	static const char *const rows[][2] = {
		{"count", "select=COUNT"},
		{"reverse", "no-scan-index-forward"},
		{"if", "condition-expression"},
		{"filter where", "filter-expression"},
		{"project", "projection-expression"},
		{"consistent", "consistent-read"},
		{"index", "index-name"},
		{"names", "expression-attribute-names"},
		{"values", "expression-attribute-values"},
		{"start", "exclusive-start-key"},
		{"one-page", "no-paginate"},
	};
	struct slice name = aws_words_option(arg);

	for (size_t i = 0; !aws_options_is_member(type, name) && i < sizeof(rows) / sizeof(rows[0]);
	     i++) {
		if (name.len > 0 && words_in(rows[i][0], name)) {
			return arena_print(&c->arena, "--%s%s", rows[i][1], arg + 2 + name.len);
		}
	}
	return arg;
}

static int
aws_take(struct aws_line *l)
{
	const char *arg = aws_of_ours(l->c, l->type, l->argv[l->next++]);
	struct slice name = aws_words_option(arg);

	if (name.len == 0) {
		return aws_take_word(l, arg);
	}
	if (l->type == OP_CREATE_TABLE && slice_is(name, "if-not-exists")) {
		words_add(l->c, &l->globals, arg);
		return 0;
	}
	switch (aws_options_kind(name)) {
	case AWS_MEMBER:
		return aws_take_member(l, name, arg);
	case AWS_PAGING:
		if (aws_options_is_member(l->type, name)) {
			return aws_take_member(l, name, arg); /* ListImports has it */
		}
		return aws_take_own(l, name, arg);
	case AWS_OWN:
		return aws_take_own(l, name, arg);
	case AWS_NO_PAGES:
		l->one_page = true;
		return 0;
	case AWS_SKIPPED:
		(void)aws_given(l, name, arg);
		return 0;
	case AWS_GLOBAL:
		words_add(l->c, &l->globals, arg);
		if (strchr(arg, '=') == NULL && l->next < l->argc) {
			words_add(l->c, &l->globals, l->argv[l->next++]);
		}
		return 0;
	case AWS_GLOBAL_FLAG:
		words_add(l->c, &l->globals, arg);
		break;
	}
	return 0;
}

/* Write the members of --cli-input-json that no option has given. */
static int
aws_put_input(struct aws_line *l)
{
	const struct json *input = NULL;
	struct slice text;
	int r = aws_request_aws_text(l, l->request, true, &text);

	r = r < 0 ? r : json_parse(l->c, text, JSON_STRICT, &input);
	if (r < 0 || input->type != JSON_OBJECT) {
		return r < 0 ? call_prefix(l->c, "--cli-input-json: ")
			     : call_fail(l->c, ERR_USAGE, "--cli-input-json needs a JSON object");
	}
	json_each (member, input) {
		bool given = l->table != NULL && slice_is(member->name, "TableName");

		for (size_t i = 0; !given && i < l->given.n; i++) {
			given = slice_is(member->name, l->given.at[i]);
		}
		if (!given) {
			json_name_slice(&l->w, member->name);
			json_value(&l->w, member);
		}
		l->one_page = l->one_page || slice_is(member->name, "Limit");
	}
	return 0;
}

static int
aws_read(struct aws_line *l, struct words *words)
{
	struct buf b = {.arena = &l->c->arena};
	int r = 0;

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
	r = l->request == NULL ? 0 : aws_put_input(l);
	json_close(&l->w);
	words_add(l->c, words, op_name(l->type));
	words_add(l->c, words, slice_cstr(&l->c->arena, buf_view(&b)));
	words_add(l->c, words, "--aws");
	if (call_pages_known(l->type) && !l->one_page) {
		words_add(l->c, words, "--all-pages");
	}
	if (l->wait != NULL) {
		words_add(l->c, words, "--until");
		words_add(l->c, words, l->wait);
	}
	for (size_t i = 0; i < l->globals.n; i++) {
		words_add(l->c, words, l->globals.at[i]);
	}
	return r;
}

/* "wait table-exists --table-name music" */
static bool
aws_wait(struct aws_line *l)
{
	bool waits = l->argc > 1 && strcmp(l->argv[0], "wait") == 0;
	bool gone = waits && strcmp(l->argv[1], "table-not-exists") == 0;

	if (!gone && !(waits && strcmp(l->argv[1], "table-exists") == 0)) {
		return false;
	}
	l->wait = gone ? "gone" : "there";
	l->type = OP_DESCRIBE_TABLE;
	l->next = 2;
	return true;
}

/* The number of words before "--", after which there are data or the command line of another program. */
static int
aws_own_words(int argc, char **argv)
{
	int n = 0;

	while (n < argc && strcmp(argv[n], "--") != 0) {
		n++;
	}
	return n;
}

int
aws_request(struct call *c, int argc, char **argv, struct words *words)
{
	assert(argc > 0);
	int own = aws_own_words(argc, argv);
	bool called;
	bool one = false;
	bool keyed = false;
	enum op_type type = aws_words_operation(argv[0], &called);
	const char *command =
		type == OP_COUNT ? synonyms_command(argv[0]) : synonyms_of_operation(type);
	struct aws_line line = {.c = c, .argc = argc, .argv = argv, .next = 1, .type = type};

	*words = (struct words){0};
	if (aws_wait(&line)) {
		return aws_read(&line, words);
	}
	for (int i = 1; type != OP_COUNT && i < own; i++) {
		struct slice name = aws_words_option(argv[i]);

		if (slice_is(name, "help") || slice_is(name, "from")) {
			return 0;
		}
		one = one || aws_words_marks(name, type, called) ||
		      (slice_is(name, "query") && synonyms_operation(argv[0]) == type);
		keyed = keyed || slice_is(name, "key") || slice_is(name, "cli-input-json");
	}
	if (aws_words_replace(c, command == NULL ? argv[0] : command, own, argv) ||
	    (type == OP_UPDATE_ITEM && !keyed)) {
		aws_select(own, argv);
		return 0;
	}
	if (one || (type != OP_COUNT && aws_words_are_api(type, own, argv))) {
		return aws_read(&line, words);
	}
	aws_select(own, argv);
	return 0;
}
