/* verbs - see verbs.h */
#include "tools/verbs.h"

#include <sys/stat.h>

#include "store/base/text/near.h"
#include "store/base/text/shell_word.h"
#include "store/op/op.h"

#include "tools/cli/aws_options.h"
#include "tools/cli/commands.h"
#include "tools/cli/instead.h"
#include "tools/cli/opts.h"
#include "tools/cli/synonyms.h"
#include "tools/cli/topics.h"
#include "tools/cmd/cmd.h"
#include "tools/globals.h"
#include "tools/phrase.h"
#include "tools/sql/rewrite.h"
#include "tools/system/find_store.h"
#include "tools/system/other_store.h"
#include "tools/text/sql_text.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* Compare the names of all commands, and their synonyms, with the typed one. */
static void
verbs_near(struct near *near)
{
	const struct command *command = NULL;

	while ((command = commands_next(command)) != NULL) {
		near_try(near, slice_from(command->name));
	}
	for (const struct synonym_command *s = synonyms_commands; s->others != NULL; s++) {
		for (const char *others = s->others; *others != '\0';) {
			struct slice other = words_in_next(&others);

			if (other.len > 4) {
				near_try(near, other);
			}
		}
	}
}

/*
 * The first word may be a store that does not exist, as in "shop create-table ..." or "./shop": append the line that
 * creates it, or a store with a similar name.
 *
 * Return: false if it cannot be a store; nothing is appended
 */
static bool
verbs_store(struct buf *out, int argc, char **argv, const struct near *near)
{
	struct slice name = slice_from(argv[0]);
	const char *second = argc > 1 ? argv[1] : "";
	const char *other = synonyms_command(second);
	const struct command *command = commands_find(other == NULL ? second : other);
	enum op_type type = synonyms_operation(second);
	bool makes = type == OP_CREATE_TABLE ||
		     (command != NULL &&
		      words_in("create-table import restore serve", slice_from(command->name)));
	bool works = command != NULL || type != OP_COUNT || second[0] == '.' ||
		     synonyms_is_statement(second);
	size_t begin = out->len;

	if (typed_line_has("-s") || access(argv[0], F_OK) == 0 || strchr(argv[0], ' ') != NULL ||
	    !(works || find_store_looks(argv[0])) ||
	    words_in("help cost explain table", near->best)) {
		return false;
	}
	if (makes) {
		buf_str(out, "; to create a store: ");
		return typed_line_insert(out, name, SLICE("-s"));
	}
	buf_str(out, ", and no store of that name: ");
	if (!find_store_meant(out, argv[0], false)) {
		out->len = begin;
		buf_str(out, "; to create a store: itemctl -s ");
		shell_word(out, name);
		buf_str(out, " create-table NAME --key PK,SK");
	}
	return true;
}

/* Fail because there is no such command; say what to type instead. */
static int
verbs_none(struct call *c, int argc, char **argv)
{
	const char *name = argv[0];
	struct near near = near_start(slice_from(name));
	struct buf b = {.arena = &c->arena};

	if (rewrite_mongo(c, slice_from(name), &b) || instead_put(&b, argc, argv)) {
		return call_fail(c, ERR_USAGE, "there is no command \"%s\": %.*s", name,
				 SLICE_ARG(buf_view(&b)));
	}
	verbs_near(&near);
	if (argc > 1) {
		near_try(&near, SLICE("help"));
		near_try(&near, SLICE("table")); /* "table create", see phrase_join() */
	}
	for (int i = 0; i < OP_COUNT; i++) {
		if (op_group((enum op_type)i) != OP_ITEMFS) {
			near_try(&near, aws_options_of(c, slice_from(op_name((enum op_type)i))));
		}
	}
	if (verbs_store(&b, argc, argv, &near)) {
		return call_fail(c, ERR_USAGE, "there is no command \"%s\"%.*s", name,
				 SLICE_ARG(buf_view(&b)));
	}
	typed_line_near(&b, &near, "itemctl ");
	return call_fail(c, ERR_USAGE, "there is no command \"%s\"%.*s%s", name,
			 SLICE_ARG(buf_view(&b)), near.best.len == 0 ? "; see itemctl help" : "");
}

/* Find the command by its name, a synonym, an operation or a statement.  @operation: as in verbs_find() */
static int
verbs_lookup(struct call *c, int argc, char **argv, const struct command **out,
	     const char **operation)
{
	const char *name = argv[0];
	const char *other = synonyms_command(name);
	size_t first = strcspn(name, " \n"); /* "selct * from t" */
	struct words meant;

	if (phrase_is_dotted(name) && phrase_meant(c, argc, argv, &meant)) {
		*out = commands_find(meant.at[0]);
		*operation = NULL;
		return 0;
	}
	if (synonyms_is_statement(name) || (argc > 1 && strcasecmp(name, "SELECT") == 0) ||
	    (name[first] != '\0' &&
	     sql_text_near(slice_of(name, first), SQL_TEXT_VERBS).best.len > 0)) {
		*out = &cmd_sql;
		*operation = name;
		return 0;
	}
	*operation = NULL;
	*out = commands_find(other == NULL ? name : other);
	if (*out != NULL) {
		return 0;
	}
	enum op_type type = synonyms_operation(name);

	if (type == OP_COUNT) {
		return verbs_none(c, argc, argv);
	}
	other = synonyms_of_operation(type);
	*operation = other == NULL ? op_name(type) : NULL;
	*out = other == NULL ? &cmd_call : commands_find(other);
	assert(*out != NULL);
	return 0;
}

/* The command of a verb whose meaning depends on the other words; NULL: use the tables of names */
static const struct command *
verbs_of_several(int argc, char **argv)
{
	struct slice verb = slice_from(argv[0]);
	bool changes = false;

	if (argc == 1 && words_in("show info", verb)) {
		return &cmd_tables;
	}
	struct stat st;

	if (slice_is(verb, "add") && argc > 1 &&
	    (argc == 2 || (stat(argv[1], &st) == 0 && S_ISREG(st.st_mode)) ||
	     (strcmp(argv[2], "--item") != 0 &&
	      (argv[2][0] == '-' || access(argv[2], F_OK) == 0)))) {
		return &cmd_import;
	}
	if (argc > 2 && strcmp(argv[2], "--all") == 0 &&
	    (slice_is(verb, "query") || slice_is(slice_from(synonyms_command(argv[0])), "query"))) {
		return &cmd_scan;
	}
	for (int i = 2; i < argc; i++) {
		changes = changes || (i > 3 && argv[i][0] != '-' && strchr(argv[i], '=') != NULL) ||
			  words_in("--set --where --filter --add --remove", slice_from(argv[i]));
	}
	return changes && slice_is(verb, "edit") ? &cmd_update : NULL;
}

/* Return true if a table is the only word besides options.  *@limited: an option limits the number of items */
static bool
verbs_has_table(int argc, char **argv, bool *limited)
{
	int n = 0;

	*limited = false;
	for (int i = 1; i < argc; i++) {
		bool limits = words_in("-n --limit", slice_from(argv[i]));

		*limited = *limited || limits || strncmp(argv[i], "--limit=", 8) == 0;
		n += argv[i][0] != '-' || ascii_digit(argv[i][1]);
		i += limits || words_in("-s --store -d --db --index --format", slice_from(argv[i]));
	}
	return n == 1;
}

/*
 * Find a verb that means a command with an option: insert, which does not change existing items, as in SQL and MongoDB;
 * head and cat of a table.
 */
static bool
verbs_with_option(int argc, char **argv, const struct command **out, const char **operation)
{
	struct slice verb = slice_from(argv[0]);
	bool limited;

	if ((slice_is(verb, "insert") ||
	     (slice_is(verb, "add") && verbs_of_several(argc, argv) == NULL)) &&
	    argc > 1 && argv[1][0] != '-') {
		*out = &cmd_put;
		*operation = "--if-not-exists";
		return true;
	}
	if (!words_in("head sample peek first cat", verb) ||
	    !verbs_has_table(argc, argv, &limited) || strchr(argv[argc - 1], '/') != NULL) {
		return false;
	}
	*out = &cmd_scan;
	*operation = limited ? NULL : slice_is(verb, "cat") ? "--cat" : "--limit=5";
	return true;
}

/* The row of an option, by its name, or by its letter if @n is 1; NULL if there is none */
static const struct opt *
verbs_row(const struct opt *o, const char *name, size_t n)
{
	for (; o != NULL && o->name != NULL; o++) {
		if (n == 1 ? o->letter == *name
			   : strlen(o->name) == n && strncmp(o->name, name, n) == 0) {
			return o;
		}
	}
	return NULL;
}

/* What the words of ls, cat or find say */
struct verbs_line {
	const struct command *command; /* the one for paths */
	bool own;          /* there is an option that the commands for tables do not have */
	bool details;      /* ls -l, which tables has, too, without effect */
	const char *first; /* the first word, or NULL */
	int n;             /* words */
};

/* The row of an option of the command for paths; NULL if it has no such option */
static const struct opt *
verbs_option(struct verbs_line *v, const char *name, size_t n)
{
	const struct opt *o = verbs_row(v->command->opts, name, n);

	if (o == NULL) {
		return verbs_row(globals_opts, name, n);
	}
	*(n == 1 && *name == 'l' ? &v->details : &v->own) = true;
	return o;
}

/* Return true if the first @n letters of an option are an option of query, of all commands, or a synonym. */
static bool
verbs_is_of_tables(const char *name, size_t n)
{
	return verbs_row(cmd_query.opts, name, n) != NULL ||
	       verbs_row(globals_opts, name, n) != NULL ||
	       synonyms_option(slice_of(name, n), "query") != NULL;
}

/*
 * Return true for an option after one dash that the command for paths refuses with an answer: one of find(1); or a
 * misspelt one, which is none of the commands for tables.
 */
static bool
verbs_is_refused(const struct verbs_line *v, const char *arg, struct slice name)
{
	const char *own = v->command->name;
	const struct synonym *s = synonyms_option(name, own);

	if (arg[1] == '-') {
		return false;
	}
	/* A letter, as in "-name A -o -name B", may also be an option for tables. */
	if (s != NULL && s->of != NULL && strcmp(s->of, own) == 0) {
		return name.len > 1 || v->own;
	}
	return strcmp(own, "find") == 0 && name.len > 2 && !opts_is_port(name.at) &&
	       !verbs_is_of_tables(name.at, name.len) &&
	       (opts_resemble(v->command->opts, name) ||
		(!verbs_is_of_tables(name.at, 1) && !opts_resemble(cmd_query.opts, name)));
}

/* Take letters, as in -al.  Return: as verbs_take_option() */
static int
verbs_take_letters(struct verbs_line *v, const char *letters)
{
	for (; *letters != '\0'; letters++) {
		const struct opt *o = verbs_option(v, letters, 1);

		if (o == NULL || o->arg != NULL) {
			return o == NULL ? -1 : letters[1] == '\0';
		}
	}
	return 0;
}

/* Take one option.  Return: number of words after it that are its value; -1: the command for paths has no such option */
static int
verbs_take_option(struct verbs_line *v, const char *arg)
{
	const char *name = arg + strspn(arg, "-");
	size_t n = strcspn(name, "=");
	const struct opt *o = n > 1 ? verbs_option(v, name, n) : NULL;

	if (o == NULL && verbs_is_refused(v, arg, slice_of(name, n))) {
		v->own = true;
		return 0;
	}
	bool value = o == NULL ? synonyms_is_store(slice_of(name, n)) : o->arg != NULL;

	if (o != NULL || value) {
		return value && name[n] == '\0';
	}
	return arg[1] == '-' ? -1 : verbs_take_letters(v, name);
}

/* Take all words and options.  Return: false if an option is not one of the command for paths */
static bool
verbs_take_line(struct verbs_line *v, int argc, char **argv)
{
	bool only_words = false;
	int values = 0;

	for (int i = 1; values >= 0 && i < argc; i++) {
		const char *arg = argv[i];
		/* "ls TABLE --all" is "scan TABLE --all" */
		bool word = only_words || arg[0] != '-' || arg[1] == '\0' || ascii_digit(arg[1]) ||
			    (v->n > 0 && strcmp(arg, "--all") == 0);

		if (word) {
			v->first = v->n++ == 0 ? arg : v->first;
		} else if (strcmp(arg, "--") == 0) {
			only_words = true;
		} else {
			values = verbs_take_option(v, arg);
			i += values;
		}
	}
	return values >= 0;
}

/*
 * Return true if ls, cat or find is about paths: the first word has a '/' and is not STORE/TABLE (STORE/.NAME is a
 * path), or is "." or "..", or is the only one of find, or there is an option that only paths have.  An option that
 * paths do not have means tables.
 */
static bool
verbs_is_path(struct call *c, int argc, char **argv)
{
	struct slice verb = slice_from(argv[0]);
	struct verbs_line v = {.command = commands_find(argv[0])};
	bool finds = slice_is(verb, "find");
	struct slice rest;

	if (!words_in("ls cat find", verb) || !verbs_take_line(&v, argc, argv)) {
		return false;
	}
	if (v.n == 0) {
		return v.own || finds || words_have(argc, argv, "-h --help");
	}
	if (v.own || v.details || (finds && v.n == 1) || words_in(". ..", slice_from(v.first))) {
		return true;
	}
	return strchr(v.first, '/') != NULL &&
	       (other_store_path(c, v.first, &rest) == NULL || rest.len == 0 || rest.at[0] == '.' ||
		slice_chr(rest, '/') != NULL);
}

int
verbs_find(struct call *c, int argc, char **argv, const struct command **out,
	   const char **operation)
{
	assert(argc > 0);
	struct slice verb = slice_from(argv[0]);
	bool counts = slice_is(verb, "count");
	bool table = argc > 1 && argv[1][0] != '-';
	bool key = table && argc > 2 && argv[2][0] != '-';
	bool shows = words_in("show view list", slice_from(argv[0])) && key &&
		     strcmp(argv[1], "table") != 0;

	if ((strcmp(argv[0], "init") == 0 && argc < 3) || strcmp(argv[0], "create index") == 0 ||
	    strcmp(argv[0], "drop index") == 0 || strcmp(argv[0], "backup list") == 0) {
		return verbs_none(c, argc, argv); /* names made by phrase_join(), not statements */
	}
	if (strcmp(argv[0], "explain") == 0) {
		bool names = table &&
			     strpbrk(argv[1], " '\"@") == NULL && /* a table, not a statement */
			     access(argv[1], F_OK) != 0 &&
			     !words_in_any_case(SQL_TEXT_VERBS, slice_from(argv[1]));

		bool index = argc > 4 && words_in("-i --index", slice_from(argv[2]));

		*out = !names ? &cmd_sql : key || index ? &cmd_query : &cmd_scan;
		*operation = "--explain";
		return 0;
	}
	if (words_in("env printenv", slice_from(argv[0]))) {
		*out = &cmd_status;
		*operation = "--env";
		return 0;
	}
	*operation = NULL;
	if (verbs_is_path(c, argc, argv)) {
		*out = commands_find(argv[0]);
		return 0;
	}
	if (verbs_with_option(argc, argv, out, operation)) {
		return 0;
	}
	*operation = NULL;
	*out = verbs_of_several(argc, argv);
	if (*out != NULL) {
		return 0;
	}
	if (!counts && !shows && (!words_in("ls list view", slice_from(argv[0])) || !table)) {
		return verbs_lookup(c, argc, argv, out, operation);
	}
	*out = key ? &cmd_query : &cmd_scan;
	*operation = counts ? "--count" : NULL;
	return 0;
}

/* ------------------------------------------------------------ help */

bool
verbs_is_help(const char *word)
{
	return words_in("help man ? HELP .help \\?", slice_from(word));
}

static bool
verbs_is_page(const char *name)
{
	return topics_find(topics_page(name)) != NULL || topics_page(name) != name ||
	       synonyms_command(name) != NULL || commands_find(name) != NULL ||
	       synonyms_operation(name) != OP_COUNT;
}

int
verbs_page_name(struct call *c, const struct words *words, const char **out)
{
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < words->n; i++) {
		buf_fmt(&b, "%s%s", i == 0 ? "" : "-", words->at[i]);
	}
	*out = words->n == 0 ? NULL : slice_cstr(&c->arena, buf_view(&b));
	if (words->n < 2 || verbs_is_page(*out)) {
		return 0;
	}
	if (commands_find(words->at[1]) != NULL) {
		return call_fail(c, ERR_USAGE,
				 "help describes one command at a time: itemctl help %s",
				 words->at[0]);
	}
	*out = words->at[0]; /* its page also explains the others */
	return 0;
}

int
verbs_page(struct call *c, const char *name, const struct topic **topic,
	   const struct command **command)
{
	const char *page = topics_page(name);
	struct near near = near_start(slice_from(name));
	const char *operation;
	struct buf b = {.arena = &c->arena};

	*topic = topics_find(page);
	*command = commands_find(page); /* ls, cat and find are also names of other commands */
	if (*topic != NULL || *command != NULL ||
	    verbs_lookup(c, 1, (char **)&page, command, &operation) == 0) {
		return 0;
	}
	verbs_near(&near);
	for (const struct topic *t = topics; t->name != NULL; t++) {
		near_try(&near, slice_from(t->name));
	}
	if (near.best.len == 0) {
		return -(int)c->error.code;
	}
	typed_line_near(&b, &near, "itemctl help ");
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "there is no command \"%s\"%.*s", name,
			 SLICE_ARG(buf_view(&b)));
}
