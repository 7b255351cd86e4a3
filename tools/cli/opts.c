/* opts - argv into structs; knows no command */
#include "tools/cli/opts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "store/base/core/ascii.h"
#include "store/base/text/near.h"

#include "tools/cli/opts_other.h"
#include "tools/cli/synonyms.h"
#include "tools/text/fill.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/* Where the parser stands. */
struct walk {
	struct opt_target *targets;
	size_t n_targets;
	char **argv;
	int argc;
	int next; /* the word to be looked at */

	/* what other tools have options for; NULL: not given */
	const char *table;
	const char *pk;
	const char *sk;
	const char *last;
};

bool
opts_count(const char *text, uint64_t *out)
{
	static const char digits[] = "0123456789";
	const double most = 9007199254740992.0; /* 2^53: beyond it a double skips numbers */
	char *end = NULL;

	if (text[0] == '\0' || strchr(digits, text[0]) == NULL) {
		return false;
	}
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		return false;
	}
	errno = 0;
	double v = strtod(text, &end);

	if (errno != 0 || strpbrk(text, "eEpP") != NULL) {
		return false;
	}
	double scale = *end == 'k' || *end == 'K' ? 1e3 : *end == 'M' ? 1e6 : *end == 'G' ? 1e9 : 1;

	end += scale > 1;
	v *= scale;
	if (*end != '\0' || v > most || v != floor(v)) {
		return false;
	}
	*out = (uint64_t)v;
	return true;
}

/* "_" is as good as "-". */
static bool
same_name(const char *ours, const char *typed, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (ours[i] != (typed[i] == '_' ? '-' : typed[i])) {
			return false;
		}
	}
	return true;
}

/* The row of an option by name or by letter, and the struct it belongs to. */
static const struct opt *
opts_find(const struct walk *w, const char *name, size_t len, char letter,
	  struct opt_target **target)
{
	for (size_t t = 0; t < w->n_targets; t++) {
		const struct opt *o = w->targets[t].opts;

		for (; o != NULL && o->name != NULL; o++) {
			bool same = letter != 0 ? o->letter == letter
						: strlen(o->name) == len &&
							  same_name(o->name, name, len);

			if (same) {
				*target = &w->targets[t];
				return o;
			}
		}
	}
	return NULL;
}

static enum fill_as
fill_as(enum opt_kind kind)
{
	return kind == OPT_EXPR    ? FILL_EXPRESSION
	       : kind == OPT_JSON  ? FILL_JSON
	       : kind == OPT_PATHS ? FILL_NOTHING
				   : FILL_WORD;
}

/* A value that the typed line can show: of "on|off" the first, else one of the kind; empty: none. */
static struct slice
example(const char *arg)
{
	static const char *const rows[][2] = {{"N", "10"},
					      {"V", "2024"},
					      {"VIEW", "NEW_AND_OLD_IMAGES"},
					      {"A B", "2024-01 2024-12"},
					      {"EXPR", "'Total > 10'"},
					      {"LIST", "Id,Name"}};
	const char *bar = strchr(arg, '|');

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i][0], arg) == 0) {
			return slice_from(rows[i][1]);
		}
	}
	return slice_of(arg, bar == NULL ? 0 : (size_t)(bar - arg));
}

static int
without_value(struct call *c, const struct walk *w, struct slice name, const char *arg)
{
	bool choice = strchr(arg, '|') != NULL;
	struct slice value = example(arg);
	struct buf b = {.arena = &c->arena};

	buf_str(&b, choice ? ": " : ", for example: ");
	if (value.len == 0 || w->targets[0].fill != NULL ||
	    !typed_line_with(&b, SLICE(""), SLICE(""))) {
		b.len = 0;
	} else if (strcmp(arg, "A B") == 0 && strncmp(w->argv[w->argc - 1], "--", 2) != 0) {
		buf_str(&b, " 2024-12"); /* one is there */
	} else {
		buf_fmt(&b, " %.*s", SLICE_ARG(value));
	}
	return call_fail(c, ERR_USAGE, "--%.*s needs %s%s%.*s", SLICE_ARG(name),
			 choice ? "one of " : "", arg, SLICE_ARG(buf_view(&b)));
}

/* What stands behind '=', or the next word. */
static int
opts_take_text(struct call *c, struct walk *w, struct slice name, const char *arg,
	       const char **inlined, const char **out)
{
	*out = *inlined;
	*inlined = NULL;
	if (*out == NULL && w->next >= w->argc) {
		return without_value(c, w, name, arg);
	}
	if (*out == NULL) {
		*out = w->argv[w->next++];
	}
	return 0;
}

/* The value of an option. */
static int
value(struct call *c, struct walk *w, const struct opt *o, const struct fill *fill,
      const char **inlined, const char **out)
{
	const char *text;
	int r = opts_take_text(c, w, slice_from(o->name), o->arg, inlined, &text);

	return r < 0 ? r : fill_string(c, fill, fill_as(o->kind), text, out);
}

static int
store_count(struct call *c, const struct opt *o, const char *text, struct opt_count *out)
{
	const char *colon = strcmp(o->name, "port") == 0 ? strrchr(text, ':') : NULL;

	out->given = true;
	if (colon != NULL && opts_count(colon + 1, &out->n) &&
	    strspn(text, "0123456789") == (size_t)(colon - text)) { /* docker's HOST:CONTAINER */
		text = slice_cstr(&c->arena, slice_of(text, (size_t)(colon - text)));
	}
	if (!opts_count(text, &out->n)) {
		return call_fail(c, ERR_USAGE, "--%s needs a whole number, not \"%s\"", o->name,
				 text);
	}
	return 0;
}

/* "--key PK,SK" of a new table. */
static bool
is_keys(const struct opt *o)
{
	return strcmp(o->name, "key") == 0 && o->kind == OPT_TEXT;
}

/* Of two values neither is more meant than the other, and of two conditions one would not be looked at. */
static int
only_once(struct call *c, const struct opt *o, struct opt_target *target)
{
	uint64_t bit = UINT64_C(1) << (o - target->opts);

	if ((target->given & bit) != 0 && o->arg != NULL && o->kind != OPT_LIST) {
		return call_fail(c, ERR_USAGE, "--%s is given twice%s", o->name,
				 o->kind == OPT_EXPR ? ": join them with AND"
				 : is_keys(o)        ? ": it has both, PK,SK"
						     : "");
	}
	target->given |= bit;
	return 0;
}

/* "A,B" that no other value follows. */
static bool
split_pair(struct call *c, const struct walk *w, const char *text, const char **at)
{
	const char *comma = strchr(text, ',');

	if (comma == NULL || comma[1] == '\0' ||
	    (w->next < w->argc && strncmp(w->argv[w->next], "--", 2) != 0)) {
		return false;
	}
	at[0] = slice_cstr(&c->arena, slice_of(text, (size_t)(comma - text)));
	at[1] = comma + 1;
	return true;
}

/* Put the option's value into its place; @inlined is what stood behind '=' or NULL. */
static int
opts_store(struct call *c, struct walk *w, const struct opt *o, struct opt_target *target,
	   const char *inlined)
{
	void *at = (char *)target->into + o->at;
	const char *text = "";
	int r = only_once(c, o, target);

	r = r == 0 && o->arg != NULL ? value(c, w, o, target->fill, &inlined, &text) : r;
	if (r < 0) {
		return r;
	}
	switch (o->kind) {
	case OPT_FLAG:
		*(bool *)at = true;
		break;
	case OPT_TEXT:
	case OPT_EXPR:
	case OPT_PATHS:
	case OPT_JSON:
		*(const char **)at = text;
		break;
	case OPT_LIST:
		words_add(c, at, text);
		break;
	case OPT_COUNT:
		r = store_count(c, o, text, at);
		break;
	case OPT_PAIR:
		((const char **)at)[0] = text;
		if (split_pair(c, w, text, at)) {
			break;
		}
		r = value(c, w, o, target->fill, &inlined, &((const char **)at)[1]);
		break;
	}
	if (r == 0 && inlined != NULL) {
		return call_fail(c, ERR_USAGE, "--%s takes no value", o->name);
	}
	return r;
}

static int
unknown(struct call *c, const struct walk *w, struct slice name, const char *dashes)
{
	const char *command = w->targets[0].command;
	struct near near = near_start(name);
	size_t n;
	const struct synonym *rows = synonyms_options(&n);

	for (size_t t = 0; t < w->n_targets; t++) {
		const struct opt *o = w->targets[t].opts;

		for (; o != NULL && o->name != NULL; o++) {
			near_try(&near, slice_from(o->name));
		}
	}
	for (size_t i = 0; command != NULL && i < n; i++) {
		const char *others = rows[i].kind == SYNONYM_ANSWER ? "" : rows[i].others;

		while (*others != '\0') {
			struct slice other = words_in_next(&others);

			/* Those of "aws": their names are long, and nothing else is near. */
			if (slice_chr(other, '-') != NULL &&
			    synonyms_option(other, command) == &rows[i]) {
				near_try(&near, other);
			}
		}
	}
	struct buf b = {.arena = &c->arena};
	typed_line_near(&b, &near, "--");
	return call_fail(c, ERR_USAGE, "unknown option %s%.*s%.*s", dashes, SLICE_ARG(name),
			 SLICE_ARG(buf_view(&b)));
}

/* "-" is standard input and "-5" a number: both are words. */
static bool
is_word(const char *arg)
{
	return arg[0] != '-' || arg[1] == '\0' || ascii_digit(arg[1]) ||
	       (arg[1] == '.' && ascii_digit(arg[2]));
}

/* "count" of an alias is an option before the first word. */
static const char *
first_word(const struct walk *w)
{
	int i = w->next > 1 && !is_word(w->argv[0]);

	return i < w->argc && is_word(w->argv[i]) ? w->argv[i] : NULL;
}

/* The value of an option that is a word here; two of them, and one would be lost. */
static int
opts_take_word(struct call *c, struct walk *w, struct slice name, const char *what,
	       const char **inlined, const char **out)
{
	const char *before = *out;
	int r = opts_take_text(c, w, name, "a value", inlined, out);

	if (r == 0 && before != NULL) {
		if (!slice_is(name, "key") || before[0] != '{' || (*out)[0] != '{') {
			return call_fail(c, ERR_USAGE, "--%.*s: %s is given twice", SLICE_ARG(name),
					 what);
		} /* --key A=x --key B=1 */
		*out = fmt_slice(&c->arena, "%.*s,%s", (int)strlen(before) - 1, before, *out + 1)
			       .at;
	}
	return r;
}

/* A sort key, or "--sort desc" and "--sort asc" where the order can be turned round. */
static int
opts_take_sort(struct call *c, struct walk *w, struct slice name, const char *inlined)
{
	struct opt_target *target = NULL;
	const struct opt *o = opts_find(w, "reverse", 7, 0, &target);
	int r = opts_take_word(c, w, name, "the sort key", &inlined, &w->sk);

	if (r < 0 || o == NULL || !slice_is(name, "sort")) {
		return r;
	}
	bool down = strcmp(w->sk, "desc") == 0;

	if (down || strcmp(w->sk, "asc") == 0) {
		w->sk = NULL;
	}
	return down ? opts_store(c, w, o, target, NULL) : 0;
}

/* "format=csv", for --csv. */
static int
store_value(struct call *c, struct walk *w, const char *ours)
{
	size_t n = strcspn(ours, "=");
	struct opt_target *target = NULL;
	const struct opt *o = opts_find(w, ours, n, 0, &target);

	if (o != NULL && is_keys(o) && (target->given & UINT64_C(1) << (o - target->opts)) != 0) {
		return 0; /* "--key Id --create" */
	}
	return o == NULL ? 0 : opts_store(c, w, o, target, ours + n + 1);
}

/* "--table" that no name follows: a form. */
static bool
is_flag(const struct walk *w, struct slice name, const char *inlined)
{
	const char *command = w->targets[0].command; /* one that has to have a table */

	return command != NULL && words_in("get query scan", slice_from(command)) &&
	       slice_is(name, "table") && inlined == NULL &&
	       (w->next == w->argc || strncmp(w->argv[w->next], "--", 2) == 0);
}

/* Is @text none of the values that an option without a meaning may have? */
static bool
opts_is_other_value(const struct synonym *s, const char *text)
{
	return s->kind == SYNONYM_UNUSED && s->ours != NULL && !words_in(s->ours, slice_from(text));
}

/* An option that only other tools have. */
static int
other_option(struct call *c, struct walk *w, struct slice name, const char *dashes,
	     const char *inlined)
{
	const char *text = inlined != NULL ? inlined : w->next < w->argc ? w->argv[w->next] : "";
	bool port = slice_is(name, "p") && dashes[1] == '\0' && ascii_digit(text[0]);
	const struct synonym *s =
		synonyms_option(port ? SLICE("port") : name, w->targets[0].command);
	struct opt_target *target = NULL;
	const struct opt *o = NULL;
	const char *unused = NULL;

	if (s == NULL || opts_is_other_value(s, text)) {
		return unknown(c, w, name, dashes);
	}
	if (inlined != NULL && (s->kind == SYNONYM_VALUE || s->kind == SYNONYM_NOTHING)) {
		return call_fail(c, ERR_USAGE, "%s%.*s takes no value", dashes, SLICE_ARG(name));
	}
	switch (s->kind) {
	case SYNONYM_OPTION:
		if (strcmp(s->ours, "format") == 0 &&
		    (strpbrk(text, "./") != NULL || opts_other_template(text))) {
			break; /* "-o out.csv", which is no form */
		}
		o = opts_find(w, s->ours, strlen(s->ours), 0, &target);
		return o == NULL ? unknown(c, w, name, dashes)
				 : opts_store(c, w, o, target, inlined);
	case SYNONYM_VALUE:
		return store_value(c, w, s->ours);
	case SYNONYM_NOTHING:
		return 0;
	case SYNONYM_UNUSED:
		return opts_take_text(c, w, name, "a value", &inlined, &unused);
	case SYNONYM_TABLE:
		return is_flag(w, name, inlined)
			       ? store_value(c, w, "format=table")
			       : opts_take_word(c, w, name, "the table", &inlined, &w->table);
	case SYNONYM_PK:
		return opts_take_word(c, w, name, "the partition key", &inlined, &w->pk);
	case SYNONYM_SK:
		return opts_take_sort(c, w, name, inlined);
	case SYNONYM_LAST:
		return opts_take_word(c, w, name, "the last word", &inlined, &w->last);
	case SYNONYM_LINE:
	case SYNONYM_PIPE:
	case SYNONYM_GROUPS:
	case SYNONYM_LABELS:
	case SYNONYM_KEYS:
	case SYNONYM_ANSWER:
		break;
	}
	struct opts_other other = {
		.name = name,
		.dashes = dashes,
		.arg = w->argv[w->next - 1],
		.next = w->next < w->argc ? w->argv[w->next] : NULL,
		.value = inlined,
		.command = w->targets[0].command,
		.table = w->table != NULL ? w->table : first_word(w),
		.alone = w->targets[0].fill == NULL,
		.argc = w->argc,
		.argv = w->argv,
	};
	return opts_other(c, &other, s);
}

static int
long_option(struct call *c, struct walk *w, const char *name)
{
	const char *equals = strchrnul(name, '=');
	const char *inlined = *equals == '\0' ? NULL : equals + 1;
	struct slice word = slice_of(name, (size_t)(equals - name));
	struct opt_target *target = NULL;
	const struct opt *o = opts_find(w, name, word.len, 0, &target);

	return o == NULL ? other_option(c, w, word, "--", inlined)
			 : opts_store(c, w, o, target, inlined);
}

/* One cluster: -qs STORE, -sSTORE. */
static int
short_options(struct call *c, struct walk *w, const char *letters)
{
	while (*letters != '\0') {
		struct opt_target *target = NULL;
		const struct opt *o = opts_find(w, NULL, 0, *letters, &target);
		const char *rest = letters + 1;

		if (o == NULL) {
			return other_option(c, w, slice_of(letters, 1), "-",
					    *rest == '\0' ? NULL : rest + (*rest == '='));
		}
		bool takes_rest = o->arg != NULL && *rest != '\0';
		int r = opts_store(c, w, o, target, takes_rest ? rest : NULL);

		if (r < 0 || o->arg != NULL) {
			return r;
		}
		letters = rest;
	}
	return 0;
}

/* The words for table and key come first, where options of other tools have named them. */
static void
put_named(struct call *c, const struct walk *w, struct words *words)
{
	const char *named[] = {w->table, w->pk, w->sk};
	const struct words given = *words;
	size_t next = 0;

	if (w->table == NULL && w->pk == NULL && w->sk == NULL && w->last == NULL) {
		return;
	}
	*words = (struct words){0};
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		/* A key behind the table's word, a sort key behind the partition key's. */
		bool later = named[1] != NULL || named[2] != NULL;

		if (named[i] != NULL) {
			words_add(c, words, named[i]);
		} else if (i < 2 && next < given.n && (i == 0 ? later : named[2] != NULL)) {
			words_add(c, words, given.at[next++]);
		}
	}
	while (next < given.n) {
		words_add(c, words, given.at[next++]);
	}
	if (w->last != NULL) {
		words_add(c, words, w->last);
	}
}

/* A long option behind one dash, as Java programs have them: -port 8000, -inMemory. */
static bool
opts_is_long(const struct walk *w, const char *name)
{
	size_t n = strcspn(name, "=");
	struct opt_target *target;

	return n > 2 && (opts_find(w, name, n, 0, &target) != NULL ||
			 synonyms_option(slice_of(name, n), w->targets[0].command) != NULL);
}

/* "--pk A --sk B" where a key is defined is "--key A,B", and so is "--key A --sort B". */
static int
opts_put_key(struct call *c, struct walk *w)
{
	struct opt_target *target = NULL;
	const struct opt *o = opts_find(w, "key", 3, 0, &target);

	if (o == NULL || !is_keys(o)) {
		return 0;
	}
	const char **key = (const char **)(void *)((char *)target->into + o->at);
	bool sort = w->pk == NULL && *key != NULL && strchr(*key, ',') == NULL;
	const char *pk = sort ? *key : w->pk;

	if (pk == NULL || (sort && w->sk == NULL)) {
		return 0;
	}
	const char *both = w->sk == NULL ? pk : fmt_slice(&c->arena, "%s,%s", pk, w->sk).at;

	w->pk = NULL;
	w->sk = NULL;
	*key = sort ? both : *key;
	return sort ? 0 : opts_store(c, w, o, target, both);
}

int
opts_parse(struct call *c, struct opt_target *targets, size_t n_targets, int argc, char **argv,
	   bool leading, struct words *words, int *used)
{
	struct walk w = {.targets = targets, .n_targets = n_targets, .argv = argv, .argc = argc};
	bool only_words = false;

	while (w.next < argc) {
		const char *arg = argv[w.next];
		int r = 0;

		if (leading && is_word(arg)) {
			break;
		}
		w.next++;
		if (only_words || is_word(arg)) {
			words_add(c, words, arg);
		} else if (strcmp(arg, "--") == 0) {
			only_words = !leading;
			if (only_words) { /* and @words is not NULL */
				words->dashes = true;
				words->before = words->n;
			}
		} else if (arg[1] == '-') {
			r = long_option(c, &w, arg + 2);
		} else if (opts_is_long(&w, arg + 1)) {
			r = long_option(c, &w, arg + 1);
		} else {
			r = short_options(c, &w, arg + 1);
		}
		if (r < 0) {
			return r;
		}
	}
	if (used != NULL) {
		*used = w.next;
	}
	int r = opts_put_key(c, &w);

	if (r == 0 && words != NULL) {
		put_named(c, &w, words);
	}
	return r;
}
