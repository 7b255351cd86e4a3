/* Each row of the tables of synonyms is reached, and means the same as our word. */
#include "tools/cli/opts.h"
#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/text/words.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

enum { OPTS_MAX = 1024 }; /* bytes of a command's options */

/* A parsed command line. */
struct parsed {
	_Alignas(max_align_t) char opts[OPTS_MAX];
	struct words words;
	int r;
};

/* The next name of a row: a copy in the call's arena; NULL: no more. */
static const char *
next_other(const char **others)
{
	struct slice other = words_in_next(others);

	return other.len == 0 ? NULL : slice_cstr(&c.arena, other);
}

/* The row's next command: a copy in the call's arena; NULL: no more. */
static const struct command *
next_command(const char **of)
{
	const char *name = *of == NULL ? NULL : next_other(of);

	if (name == NULL) {
		return NULL;
	}
	const struct command *command = commands_find(name);

	if (command == NULL) {
		(void)fprintf(stderr, "there is no command %s\n", name);
	}
	CU_ASSERT_PTR_NOT_NULL_FATAL(command);
	return command;
}

static const struct opt *
own_option(const struct command *command, const char *name)
{
	for (const struct opt *o = command->opts; o != NULL && o->name != NULL; o++) {
		if (strcmp(o->name, name) == 0) {
			return o;
		}
	}
	return NULL;
}

/* Parse "--NAME" with the number of values that @o needs. */
static void
parse(const struct command *command, const char *name, const struct opt *o, struct parsed *out)
{
	static char value[] = "7";
	struct opt_target target = {command->opts, out->opts, NULL, 0, command->name};
	struct buf option;
	int n = o == NULL || o->kind == OPT_FLAG ? 0 : o->kind == OPT_PAIR ? 2 : 1;

	const struct opt *end = command->opts;

	while (end != NULL && end->name != NULL) {
		end++;
	}
	*out = (struct parsed){0};
	CU_ASSERT_TRUE_FATAL(end == NULL || end->at <= OPTS_MAX);
	buf_init(&option, &c.arena);
	buf_fmt(&option, "--%s%c", name, '\0');
	char *argv[] = {option.at, value, value};

	c.error = (struct error){0};
	out->r = opts_parse(&c, &target, 1, 1 + n, argv, false, &out->words, NULL);
}

static bool
same_opts(const struct parsed *a, const struct parsed *b, const struct opt *o)
{
	if (o->kind == OPT_LIST) { /* its array differs */
		const struct words *left = (const struct words *)(const void *)(a->opts + o->at);
		const struct words *right = (const struct words *)(const void *)(b->opts + o->at);

		return left->n == 1 && right->n == 1 && left->at[0] == right->at[0];
	}
	return memcmp(a->opts, b->opts, OPTS_MAX) == 0;
}

/* Test if --other means --ours. */
static bool
means_option(const struct command *command, const struct synonym *s, const char *other)
{
	const struct opt *o = own_option(command, s->ours);
	struct parsed theirs;
	struct parsed ours;

	if (o == NULL) { /* an option of all commands: tests/tools/vocabulary.sh */
		return strcmp(s->ours, "store") == 0 || strcmp(s->ours, "yes") == 0;
	}
	parse(command, other, o, &theirs);
	parse(command, s->ours, o, &ours);
	return theirs.r == 0 && ours.r == 0 && theirs.words.n == 0 && same_opts(&theirs, &ours, o);
}

/* Test if --other means --option=value. */
static bool
means_value(const struct command *command, const struct synonym *s, const char *other)
{
	struct slice name = slice_of(s->ours, strcspn(s->ours, "="));
	const struct opt *o = own_option(command, slice_cstr(&c.arena, name));
	struct parsed theirs;

	if (o == NULL) {
		return false; /* --format is an option of all commands */
	}
	parse(command, other, NULL, &theirs);
	if (o->kind == OPT_COUNT) {
		const struct opt_count *n = (const void *)(theirs.opts + o->at);

		return theirs.r == 0 && n->given &&
		       n->n == strtoul(s->ours + name.len + 1, NULL, 10);
	}
	const char *value = *(const char **)(void *)(theirs.opts + o->at);

	return theirs.r == 0 && theirs.words.n == 0 && value != NULL &&
	       strcmp(value, s->ours + name.len + 1) == 0;
}

static bool
means_nothing(const struct command *command, const char *other)
{
	static const struct parsed none;
	struct parsed theirs;

	parse(command, other, NULL, &theirs);
	return theirs.r == 0 && theirs.words.n == 0 &&
	       memcmp(theirs.opts, none.opts, OPTS_MAX) == 0;
}

/* Test if --other VALUE is the word VALUE, or --key VALUE where a key is defined. */
static bool
means_word(const struct command *command, const struct synonym *s, const char *other)
{
	static const struct opt valued = {.name = "", .kind = OPT_TEXT};
	const struct opt *key = own_option(command, "key");
	struct parsed theirs;

	parse(command, other, &valued, &theirs);
	if (s->kind == SYNONYM_PK && key != NULL) {
		const char *text = *(const char **)(void *)(theirs.opts + key->at);

		return theirs.r == 0 && theirs.words.n == 0 && text != NULL &&
		       strcmp(text, "7") == 0;
	}
	return theirs.r == 0 && theirs.words.n == 1 && strcmp(theirs.words.at[0], "7") == 0;
}

/* Test if each "itemctl WORD" in the text is a command. */
static bool
names_commands(const char *text)
{
	for (const char *at = text; (at = strstr(at, "itemctl ")) != NULL;) {
		at += strlen("itemctl ");
		const char *word = slice_cstr(&c.arena, slice_of(at, strcspn(at, " ")));

		if (word[0] != '-' && strcmp(word, "...") != 0 && commands_find(word) == NULL) {
			return false;
		}
	}
	return true;
}

static bool
means_answer(const struct command *command, const struct synonym *s, const char *other)
{
	struct parsed theirs;

	parse(command, other, NULL, &theirs);
	return theirs.r == -ERR_USAGE && strstr(c.error.message, other) != NULL &&
	       (s->kind == SYNONYM_LINE || s->kind == SYNONYM_KEYS || s->kind == SYNONYM_GROUPS ||
		s->kind == SYNONYM_LABELS || names_commands(s->ours));
}

/* Test if --other with an allowed value has no effect. */
static bool
means_unused(const struct command *command, const struct synonym *s, const char *other)
{
	static const struct parsed none;
	struct parsed theirs;
	const char *values = s->ours == NULL ? "7" : s->ours;
	struct slice value = words_in_next(&values);
	char option[64];

	(void)snprintf(option, sizeof(option), "%s=%.*s", other, SLICE_ARG(value));
	parse(command, option, NULL, &theirs);
	return theirs.r == 0 && theirs.words.n == 0 &&
	       memcmp(theirs.opts, none.opts, OPTS_MAX) == 0;
}

static bool
means(const struct command *command, const struct synonym *s, const char *other)
{
	switch (s->kind) {
	case SYNONYM_OPTION:
		return means_option(command, s, other);
	case SYNONYM_NOTHING:
		return means_nothing(command, other);
	case SYNONYM_UNUSED:
		return means_unused(command, s, other);
	case SYNONYM_TABLE:
	case SYNONYM_PK:
	case SYNONYM_SK:
	case SYNONYM_LAST:
		return means_word(command, s, other);
	case SYNONYM_LINE:
	case SYNONYM_GROUPS:
	case SYNONYM_PIPE:
	case SYNONYM_LABELS:
	case SYNONYM_KEYS:
	case SYNONYM_ANSWER:
		return means_answer(command, s, other);
	case SYNONYM_VALUE:
		return means_value(command, s, other);
	}
	return false;
}

/* Test if this is not an option of the command itself, and if this is its row. */
static bool
is_reached(const struct command *command, const struct synonym *s, const char *other)
{
	bool ok = own_option(command, other) == NULL &&
		  synonyms_option(slice_from(other), command->name) == s &&
		  means(command, s, other);

	if (!ok) {
		(void)fprintf(stderr, "%s --%s: %s\n", command->name, other,
			      c.error.message == NULL ? "" : c.error.message);
	}
	return ok;
}

static void
each_option_of_a_command_has_its_meaning(void)
{
	size_t n = 0;

	for (const struct synonym *s = synonyms_options; s->others != NULL; s++) {
		const char *others = s->others;
		const char *other;

		while ((other = next_other(&others)) != NULL) {
			const char *of = s->of;
			const struct command *command;

			while ((command = next_command(&of)) != NULL) {
				CU_ASSERT_TRUE(is_reached(command, s, other));
				n++;
			}
		}
	}
	CU_ASSERT_TRUE(n > 300);
}

/* A row after another one of the same name for all commands would never be reached. */
static void
each_option_of_all_commands_is_reached(void)
{
	for (const struct synonym *s = synonyms_options; s->others != NULL; s++) {
		const char *others = s->of == NULL ? s->others : "";
		const char *other;

		while ((other = next_other(&others)) != NULL) {
			CU_ASSERT_PTR_EQUAL(synonyms_option(slice_from(other), NULL), s);
			CU_ASSERT_TRUE(s->kind != SYNONYM_ANSWER || names_commands(s->ours));
		}
	}
}

static void
each_command_is_a_known_one(void)
{
	size_t n_others = 0;

	for (const struct synonym_command *s = synonyms_commands; s->others != NULL; s++) {
		const char *others = s->others;
		const char *other;

		CU_ASSERT_PTR_NOT_NULL(commands_find(s->ours));
		while ((other = next_other(&others)) != NULL) {
			/* verbs_find() tells paths from tables. */
			CU_ASSERT_TRUE(commands_find(other) == NULL ||
				       words_in("ls cat find", slice_from(other)));
			CU_ASSERT_STRING_EQUAL(synonyms_command(other), s->ours);
			n_others++;
		}
	}
	CU_ASSERT_TRUE(n_others > 40);
	CU_ASSERT_PTR_NULL(synonyms_command("query"));
}

static void
other_commands_do_not_have_the_options(void)
{
	CU_ASSERT_PTR_NULL(synonyms_option(SLICE("data"), "import"));
	CU_ASSERT_PTR_NULL(synonyms_option(SLICE("path"), "export"));
	CU_ASSERT_PTR_NULL(synonyms_option(SLICE("pk"), "export"));
	CU_ASSERT_PTR_NULL(synonyms_option(SLICE("table"), "check"));
	CU_ASSERT_PTR_NULL(synonyms_option(SLICE("table"), NULL));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(each_option_of_a_command_has_its_meaning),
	UNIT_TEST(each_option_of_all_commands_is_reached),
	UNIT_TEST(each_command_is_a_known_one),
	UNIT_TEST(other_commands_do_not_have_the_options),
	CU_TEST_INFO_NULL,
};

static void
synonyms_setup(void)
{
	commands_use(cmd_groups);
	setup();
}

UNIT_SUITE(synonyms, synonyms_setup, teardown, tests);
