/* opts - see opts.h; knows no particular command */
#include "tools/cli/opts.h"

#include "store/base/text/near.h"

#include "tools/cli/opts_other.h"
#include "tools/cli/opts_value.h"
#include "tools/cli/synonyms.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

void *
opts_new(struct arena *a, const struct opt *opts)
{
	while (opts != NULL && opts->name != NULL) {
		opts++;
	}
	return arena_alloc(a, 1, _Alignof(max_align_t), 1 + (opts == NULL ? 0 : opts->at));
}

/* Return true if the names are equal; @typed may have "_" for "-". */
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

/* Find the row of an option by its letter, or by its name if @letter is 0; NULL if there is none. */
static const struct opt *
opts_find(const struct opts_walk *w, const char *name, size_t len, char letter,
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

/* Compare a typed name with all options that are not hidden. */
static void
opts_try(struct near *near, const struct opt *o)
{
	for (; o != NULL && o->name != NULL; o++) {
		if (o->help != NULL) {
			near_try(near, slice_from(o->name));
		}
	}
}

bool
opts_is_port(const char *name)
{
	return name[0] == 'p' && ascii_digit(name[1]);
}

bool
opts_resemble(const struct opt *opts, struct slice name)
{
	struct near near = near_start(name);

	opts_try(&near, opts);
	return near.best.len > 0;
}

static int
unknown(struct call *c, const struct opts_walk *w, struct slice name, const char *dashes)
{
	const char *command = w->targets[0].command;
	struct near near = near_start(name);

	for (size_t t = 0; t < w->n_targets; t++) {
		opts_try(&near, w->targets[t].opts);
	}
	for (const struct synonym *s = synonyms_options; command != NULL && s->others != NULL;
	     s++) {
		const char *others = s->kind == SYNONYM_ANSWER ? "" : s->others;

		while (*others != '\0') {
			struct slice other = words_in_next(&others);

			/* Options of aws only: their names are long, so similar ones are meant. */
			if (slice_chr(other, '-') != NULL && synonyms_option(other, command) == s) {
				near_try(&near, other);
			}
		}
	}
	struct buf b = {.arena = &c->arena};
	typed_line_near(&b, &near, "--");
	return call_fail(c, ERR_USAGE, "unknown option %s%.*s%.*s", dashes, SLICE_ARG(name),
			 SLICE_ARG(buf_view(&b)));
}

/* Return true if @arg is a word, not an option. "-" (standard input) and "-5" (a number) are words. */
static bool
is_word(const char *arg)
{
	return arg[0] != '-' || arg[1] == '\0' || ascii_digit(arg[1]) ||
	       (arg[1] == '.' && ascii_digit(arg[2]));
}

/*
 * The first word, or NULL.  A word after a later option is taken for its value, and so is the one after the unknown
 * option, unless that has the value @inlined.
 */
static const char *
first_word(const struct opts_walk *w, const char *inlined)
{
	if (w->words != NULL && w->words->n > 0) {
		return w->words->at[0];
	}
	for (int i = w->next + (inlined == NULL); i < w->argc; i++) {
		if (is_word(w->argv[i]) && (i == w->next || is_word(w->argv[i - 1]))) {
			return w->argv[i];
		}
	}
	return NULL;
}

/*
 * Take the value of an option that itemctl has as a word; fail if @what, this word, is already there. JSON keys are
 * merged.
 */
static int
opts_take_word(struct call *c, struct opts_walk *w, struct slice name, const char *what,
	       const char **inlined, const char **out)
{
	const char *before = *out;
	int r = opts_take_text(c, w, name, "a value", inlined, out);

	if (r == 0 && before != NULL) {
		if (!slice_is(name, "key") || before[0] != '{' || (*out)[0] != '{') {
			return call_fail(c, ERR_USAGE, "--%.*s: %s is given twice", SLICE_ARG(name),
					 what);
		} /* --key A=x --key B=1 */
		*out = arena_print(&c->arena, "%.*s,%s", (int)strlen(before) - 1, before, *out + 1);
	}
	return r;
}

/* Take a sort key, or "--sort desc" and "--sort asc" if the command has the option --reverse. */
static int
opts_take_sort(struct call *c, struct opts_walk *w, struct slice name, const char *inlined)
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

/* Store @ours, for example "format=csv" for --csv, if the command has such an option. */
static int
store_value(struct call *c, struct opts_walk *w, const char *ours)
{
	size_t n = strcspn(ours, "=");
	struct opt_target *target = NULL;
	const struct opt *o = opts_find(w, ours, n, 0, &target);

	if (o != NULL && opts_is_keys(o) &&
	    (target->given & UINT64_C(1) << (o - target->opts)) != 0) {
		return 0; /* "--key Id --create" */
	}
	return o == NULL ? 0 : opts_store(c, w, o, target, ours + n + 1);
}

/* Return true if --table is a flag that selects the format, because no name follows it. */
static bool
is_flag(const struct opts_walk *w, struct slice name, const char *inlined)
{
	const char *command = w->targets[0].command;

	return command != NULL && words_in("get query scan", slice_from(command)) &&
	       slice_is(name, "table") && inlined == NULL &&
	       (w->next == w->argc || strncmp(w->argv[w->next], "--", 2) == 0);
}

/* Return true if @text is not one of the values that are allowed for an option without effect. */
static bool
opts_is_other_value(const struct synonym *s, const char *text)
{
	return s->kind == SYNONYM_UNUSED && s->ours != NULL && !words_in(s->ours, slice_from(text));
}

/* Handle an option that only other tools have. */
static int
other_option(struct call *c, struct opts_walk *w, struct slice name, const char *dashes,
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
			break; /* "-o out.csv", which is not a format */
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
		.table = w->table != NULL ? w->table : first_word(w, inlined),
		.alone = w->targets[0].fill == NULL,
		.argc = w->argc,
		.argv = w->argv,
	};
	return opts_other(c, &other, s);
}

/* Handle a long option after two dashes, or after one: --name, -name=VALUE. */
static int
long_option(struct call *c, struct opts_walk *w, const char *arg)
{
	const char *dashes = arg[1] == '-' ? "--" : "-";
	const char *name = arg + strlen(dashes);
	const char *equals = strchrnul(name, '=');
	const char *inlined = *equals == '\0' ? NULL : equals + 1;
	struct slice word = slice_of(name, (size_t)(equals - name));
	struct opt_target *target = NULL;
	const struct opt *o = opts_find(w, name, word.len, 0, &target);

	return o == NULL ? other_option(c, w, word, dashes, inlined)
			 : opts_store(c, w, o, target, inlined);
}

/* Handle a cluster of letters: -qs STORE, -sSTORE. */
static int
short_options(struct call *c, struct opts_walk *w, const char *letters)
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

/* Put words from options of other tools into their places: table and key first, w->last at the end. */
static void
put_named(struct call *c, const struct opts_walk *w, struct words *words)
{
	const char *named[] = {w->table, w->pk, w->sk};
	const struct words given = *words;
	size_t next = 0;

	if (w->table == NULL && w->pk == NULL && w->sk == NULL && w->last == NULL) {
		return;
	}
	*words = (struct words){0};
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		/* If a later word comes from an option, a given word takes the place before it. */
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

/*
 * Return true for a long option after one dash, as in Java programs: -port 8000, -inMemory; also for an unknown one.
 * "-p8000" is a letter and its value.
 */
static bool
opts_is_long(const struct opts_walk *w, const char *name)
{
	const char *command = w->targets[0].command;
	struct slice word = slice_of(name, strcspn(name, "="));
	struct opt_target *target;

	if (word.len <= 2 || opts_is_port(name)) {
		return false;
	}
	return opts_find(w, name, word.len, 0, &target) != NULL ||
	       synonyms_option(word, command) != NULL ||
	       (opts_find(w, NULL, 0, *name, &target) == NULL &&
		synonyms_option(slice_of(name, 1), command) == NULL);
}

/* If the command defines a key, convert "--pk A --sk B" and "--key A --sort B" to "--key A,B". */
static int
opts_put_key(struct call *c, struct opts_walk *w)
{
	struct opt_target *target = NULL;
	const struct opt *o = opts_find(w, "key", 3, 0, &target);

	if (o == NULL || !opts_is_keys(o)) {
		return 0;
	}
	const char **key = (const char **)(void *)((char *)target->into + o->at);
	bool sort = w->pk == NULL && *key != NULL && strchr(*key, ',') == NULL;
	const char *pk = sort ? *key : w->pk;

	if (pk == NULL || (sort && w->sk == NULL)) {
		return 0;
	}
	const char *both = w->sk == NULL ? pk : arena_print(&c->arena, "%s,%s", pk, w->sk);

	w->pk = NULL;
	w->sk = NULL;
	*key = sort ? both : *key;
	return sort ? 0 : opts_store(c, w, o, target, both);
}

int
opts_parse(struct call *c, struct opt_target *targets, size_t n_targets, int argc, char **argv,
	   bool leading, struct words *words, int *used)
{
	assert(n_targets > 0 && (leading || words != NULL));
	struct opts_walk w = {.targets = targets,
			      .n_targets = n_targets,
			      .argv = argv,
			      .argc = argc,
			      .words = words};
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
			if (only_words) {
				words->dashes = true;
				words->before = words->n;
			}
		} else if (arg[1] == '-' || opts_is_long(&w, arg + 1)) {
			r = long_option(c, &w, arg);
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
