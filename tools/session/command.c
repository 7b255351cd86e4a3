/* command - see command.h */
#include "tools/session/command.h"

#include <sys/stat.h>

#include "store/base/system/trust.h"
#include "store/base/text/ini.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/key_text.h"
#include "store/model/schema.h"
#include "store/open.h"

#include "tools/cli/elsewhere.h"
#include "tools/cli/help.h"
#include "tools/cli/opts.h"
#include "tools/cli/synonyms.h"
#include "tools/session/absent.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/other_store.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

#define EXAMPLE_KEYED "get query size edit"
#define EXAMPLE_MARKS "#:/|@"
#define EXAMPLE_READS EXAMPLE_KEYED " describe export draw tail scan"

static bool
command_example_open(struct ctl *ctl, struct call *c)
{
	if (ctl->store == NULL) {
		ctl->store = find_store_lone();
		ctl->store_typed = ctl->store;
	}
	return ctl->store != NULL &&
	       (store_is_remote(ctl->store) ? !url_is_far(ctl->store)
					    : !ctl_store_is_new(ctl, c)) &&
	       ctl_open_store(ctl, c, false) == 0;
}

/* Append the key of the table's first item as words. */
static bool
command_example_key(struct ctl *ctl, struct call *c, struct slice table, struct buf *out)
{
	const struct schema *schema = NULL;
	struct page page = {0};

	if (ctl_schema(ctl, c, table, &schema) < 0 || absent_sample(ctl, c, table, &page) < 0 ||
	    page.count == 0) {
		return false;
	}
	key_each (key, &schema->key) {
		const struct value *v = item_get(&page.items[0], key->name);

		if (v != NULL) {
			fmt_shell(out, " %", key_text_of(&c->arena, v));
		}
	}
	return true;
}

const char *
command_example_of(struct ctl *ctl, struct call *c, const struct command *command,
		   const struct words *words)
{
	struct list_tables_in in = {0};
	struct list_tables_out names = {0};

	if (!words_in(EXAMPLE_READS, slice_from(command->name))) {
		return NULL;
	}
	call_scope(own, c->now_ms);
	struct buf b = {.arena = &own.arena};

	if (!command_example_open(ctl, &own) ||
	    engine_list_tables(ctl->engine, &own, &in, &names) != 0 || names.n_names == 0) {
		return NULL;
	}
	struct slice table = words->n > 0 ? slice_from(words->at[0]) : names.names[0];

	buf_fmt(&b, "itemctl %s ", command->name);
	shell_word(&b, table);
	return !words_in(EXAMPLE_KEYED, slice_from(command->name)) ||
			       command_example_key(ctl, &own, table, &b)
		       ? slice_cstr(&c->arena, buf_view(&b))
		       : NULL;
}

/*
 * Append the typed line of "get" with several partition keys as a SELECT of all these partitions.
 * Return: false: the words after the table have no common prefix, or the partition key has several attributes
 */
static bool
command_example_of_keys(struct ctl *ctl, struct call *c, const struct words *words, struct buf *out)
{
	const struct schema *schema = NULL;
	struct buf sql = {.arena = &c->arena};
	size_t n = strcspn(words->at[1], EXAMPLE_MARKS) + 1;
	size_t same = 2; /* words with one prefix: "HOT#0 HOT#1"; a sort key would differ */

	while (same < words->n && strpbrk(words->at[1], EXAMPLE_MARKS) != NULL &&
	       strncmp(words->at[1], words->at[same], n) == 0 &&
	       strchr(words->at[same], '\'') == NULL) {
		same++;
	}
	call_scope(own, c->now_ms);
	if (same < words->n || !typed_line_has("get") || !command_example_open(ctl, &own) ||
	    ctl_schema(ctl, &own, slice_from(words->at[0]), &schema) < 0 ||
	    key_part_n(schema->key.pk) > 1) {
		return false;
	}
	buf_fmt(&sql, "SELECT * FROM %s WHERE %.*s", words->at[0], SLICE_ARG(schema->key.pk->name));
	for (size_t i = 1; i < words->n; i++) {
		buf_fmt(&sql, "%s'%s'", i == 1 ? " IN (" : ",", words->at[i]);
		(void)typed_line_change(words->at[i], (struct slice){0});
	}
	buf_char(&sql, ')');
	(void)typed_line_change(words->at[0], buf_view(&sql));
	buf_str(out, "to read several partitions: ");
	return typed_line_words(out, SLICE("get"), SLICE("sql"));
}

bool
command_example_of_table(struct ctl *ctl, struct call *c, int argc, char **argv, struct buf *out)
{
	const struct schema *schema = NULL;
	call_scope(own, c->now_ms);

	if (!command_example_open(ctl, &own) ||
	    ctl_schema(ctl, &own, slice_from(argv[0]), &schema) != 0) {
		return false;
	}
	bool statement = argc > 1 && synonyms_is_statement(argv[1]);

	buf_fmt(out, "itemctl %s",
		statement                       ? "sql"
		: argc > 1 && argv[1][0] != '-' ? "query"
						: "scan");
	for (int i = statement; i < argc; i++) {
		fmt_shell(out, " %", slice_from(argv[i]));
	}
	return true;
}

bool
command_example_of_path(struct buf *out, const char *path)
{
	struct slice rest = slice_from(path);
	cleanup(buf_release) struct buf by = {0};

	if (strchr(path, '/') == NULL || access(path, F_OK) == 0) {
		return false;
	}
	rest.len -= slice_ends(rest, SLICE(".json")) ? strlen(".json") : 0;
	while (rest.len > 0) {
		struct slice part = slice_take(&rest, '/');

		if (part.len > 0) {
			buf_str(&by, by.len == 0 ? "" : " ");
			shell_word(&by, part);
		}
	}
	return typed_line_words(out, slice_from(path), buf_view(&by));
}

/* ------------------------------------------------------------ words */

/* The words that the command must have: "TABLE, PK and EXPR". */
static void
command_put_needs(struct buf *out, const char *usage)
{
	struct slice last = {0};
	size_t before = 0;

	while (*usage != '\0' && *usage != '\n' && *usage != '-' && *usage != '.') {
		size_t n = help_word(usage, usage + strlen(usage));

		if (*usage != '[') {
			if (last.len > 0) {
				buf_fmt(out, "%s%.*s", before++ > 0 ? ", " : "", SLICE_ARG(last));
			}
			last = slice_of(usage, strcspn(usage, " .\n"));
		}
		usage += n + (usage[n] == ' ');
	}
	buf_fmt(out, "%s%.*s", before > 0 ? " and " : "", SLICE_ARG(last));
}

bool
command_put_dash(struct buf *out, const struct command *command, const struct words *words)
{
	size_t begin = out->len;
	struct stat st;

	if (command->input != INPUT_DASH || words->n != (command->expression ? 2 : 1) ||
	    fstat(STDIN_FILENO, &st) < 0 || !(S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode))) {
		return false;
	}
	buf_str(out, "; to read standard input: ");
	if (!typed_line_insert(out, slice_from(command->expression ? words->at[1] : "--"),
			       SLICE("-"))) {
		out->len = begin;
		return false;
	}
	return true;
}

static int
command_missing(struct ctl *ctl, struct call *c, const struct command *command,
		const struct words *words)
{
	const char *example = NULL;
	struct buf b = {.arena = &c->arena};

	buf_fmt(&b, "%s needs ", command->name);
	command_put_needs(&b, command->usage);
	if (command_put_dash(&b, command, words)) {
		return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	if (ctl != NULL) {
		example = command_example_of(ctl, c, command, words);
	}
	if (example == NULL && (words->n == 0 || ctl == NULL || ctl->store == NULL ||
				!store_is_remote(ctl->store))) { /* the example has another table */
		example = command->examples;
	}
	if (example != NULL) {
		buf_fmt(&b, ", for example: %.*s", (int)strcspn(example, "\n"), example);
	}
	if (command->instead != NULL) {
		buf_fmt(&b, "; %s", command->instead);
	}
	if (command_is(command, COMMAND_GET) &&
	    words->n == 1) { /* do not scan: the key may be an unset variable */
		buf_str(&b, "; for all items: ");
		if (!typed_line_words(&b, SLICE("get"), SLICE("scan"))) {
			fmt_shell(&b, "itemctl scan %", slice_from(words->at[0]));
		}
	}
	return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
}

bool
command_option_word(struct buf *out, const struct command *command, const struct words *words)
{
	size_t begin = out->len;

	for (size_t i = 1; i < words->n; i++) {
		for (const struct opt *o = command->opts; o != NULL && o->name != NULL; o++) {
			cleanup(buf_release) struct buf option = {0};
			bool same = o->help != NULL && o->kind != OPT_PAIR &&
				    strcasecmp(o->name, words->at[i]) == 0;

			buf_fmt(&option, "--%s", o->name);
			buf_str(out, "options begin with two dashes: ");
			bool done = same && typed_line_words(out, slice_from(words->at[i]),
							     buf_view(&option));

			if (done) {
				return true;
			}
			out->len = begin;
		}
	}
	return false;
}

/* Return true if the word is a store directory or a section of the settings that names a store. */
static bool
command_is_store(const char *word)
{
	static const char *const keys[] = {"store", "endpoint", "region"};
	struct slice section = slice_from(word);
	struct ini settings;
	call_scope(own, 0);

	if (other_store_is(&own, section)) {
		return true;
	}
	bool names = false;
	int r = trust_settings(&own, &settings);

	for (size_t i = 0; r == 0 && i < sizeof(keys) / sizeof(keys[0]); i++) {
		names = names || ini_value(&settings, section, "", keys[i]).len > 0;
	}
	return names;
}

bool
command_put_store(const struct ctl *ctl, struct buf *out, const char *word)
{
	size_t begin = out->len;

	buf_fmt(out, "%s is a store: ", word);
	if (ctl->store_given || !command_is_store(word) ||
	    !typed_line_insert(out, slice_from(word), SLICE("-s"))) {
		out->len = begin;
		return false;
	}
	return true;
}

/* Append the typed line without its last word: command lines of aws have only options. */
static bool
command_stray(struct buf *out, const struct command *command, const struct words *words)
{
	size_t begin = out->len;

	buf_str(out, "it takes only options: ");
	bool found = words->n == command->max_words + 1 &&
		     (typed_line_has("--table-name") || typed_line_has("list-tables")) &&
		     typed_line_words(out, slice_from(words->at[words->n - 1]), SLICE(""));

	out->len = found ? out->len : begin;
	return found;
}

int
command_check_words(struct ctl *ctl, struct call *c, const struct command *command,
		    const struct words *words)
{
	struct buf b = {.arena = &c->arena};

	if (words->n > 0 && words_in("get size edit update delete", slice_from(command->name)) &&
	    command_example_of_path(&b, words->at[0])) {
		return call_fail(c, ERR_USAGE, "give the table and its key as separate words: %.*s",
				 SLICE_ARG(buf_view(&b)));
	}
	if (words->n >= command->min_words && words->n <= command->max_words) {
		return 0;
	}
	if (words->n > command->max_words &&
	    ((ctl != NULL && command_put_store(ctl, &b, words->at[command->max_words])) ||
	     command_option_word(&b, command, words) ||
	     (ctl != NULL && command_is(command, COMMAND_GET) &&
	      command_example_of_keys(ctl, c, words, &b)) ||
	     command_stray(&b, command, words) ||
	     elsewhere_word(&b, command->name, words, command->max_words))) {
		return call_fail(c, ERR_USAGE, "%s: too many words, from \"%s\" on: %.*s",
				 command->name, words->at[command->max_words],
				 SLICE_ARG(buf_view(&b)));
	}
	const char *instead = command->instead == NULL ? "" : command->instead;
	const char *dash = command->instead == NULL ? "" : ": ";

	if (words->n < command->min_words) {
		return command_missing(ctl, c, command, words);
	}
	if (command->max_words == 0 && words->n == 1 && command->instead == NULL &&
	    typed_line_words(&b, slice_from(words->at[0]), SLICE(""))) {
		instead = slice_cstr(&c->arena, buf_view(&b));
		dash = ": it takes none: ";
	}
	return call_fail(c, ERR_USAGE, "%s: too many words, from \"%s\" on%s%s", command->name,
			 words->at[command->max_words], dash, instead);
}

int
command_check_store(struct call *c, const struct command *command, const char *store)
{
	if (command->at_home == NULL || store == NULL || !store_is_remote(store)) {
		return 0;
	}
	return call_fail(c, ERR_USAGE, "%s needs a store directory (-s DIR); %s is an endpoint: %s",
			 command->name, url_shown(&c->arena, store), command->at_home);
}

int
command_table(struct call *c, const struct words *words, struct slice *out)
{
	*out = words->n > 0 ? slice_from(words->at[0]) : slice_of(NULL, 0);
	if (words->n > 0 && out->len == 0) { /* an unset variable must not mean all tables */
		return call_fail(c, ERR_USAGE, "the name of the table is empty");
	}
	return 0;
}

int
command_each_table(struct ctl *ctl, struct call *c, command_table_fn *fn, void *arg)
{
	struct list_tables_in in = {0};
	struct list_tables_out out;
	int r;

	do {
		out = (struct list_tables_out){0};
		r = engine_list_tables(ctl->engine, c, &in, &out);
		for (size_t i = 0; r == 0 && i < out.n_names; i++) {
			call_scope(own, c->now_ms);
			r = fn(ctl, &own, out.names[i], arg);
			r = r == -ERR_NO_TABLE ? 0 : r < 0 ? ctl_adopt(c, &own) : 0;
		}
		in.start = out.last;
	} while (r == 0 && in.start.len > 0);
	return r;
}

int
command_run(struct ctl *ctl, struct call *c, const struct command *command, const char *const *argv)
{
	struct words words = {0};
	int n = 0;

	while (argv[n] != NULL) {
		n++;
	}
	call_scope(own, c->now_ms);
	void *opts = opts_new(&own.arena, command->opts);
	struct opt_target target = {command->opts, opts, NULL, 0, command->name};
	int r = opts_parse(&own, &target, 1, n, (char **)argv, false, &words, NULL);

	ctl->command = command;
	r = r < 0 ? r : command_check_words(ctl, &own, command, &words);
	r = r < 0 ? r : command->run(ctl, &own, &words, opts);
	ctl->exprs = NULL;
	if (r != 0) {
		r = r < 0 ? ctl_adopt(c, &own)
			  : call_fail(c, ERR_VALIDATION, "%s has failed", command->name);
	}
	return r;
}

bool
command_reads_input(const struct command *command, const struct words *words)
{
	bool fewest = words->n == command->min_words;
	bool dash = false;

	for (size_t i = command->min_words; i < words->n; i++) {
		dash = dash || strcmp(words->at[i], "-") == 0;
	}
	switch (command->input) {
	case INPUT_DASH:
		return words->n == (command->expression ? 3 : 2) && strcmp(words->at[1], "-") == 0;
	case INPUT_FILES:
		return fewest || dash;
	case INPUT_NEVER:
		break;
	}
	return false;
}
