/* suggest - usage lines, operators of other languages, names of tables */
#include "tools/suggest.h"

#include "store/base/ascii.h"

#include "tools/command.h"
#include "tools/help.h"
#include "tools/near.h"

/* The error as it is, and @line below it. */
static void
suggest_line(struct call *c, struct slice line)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%s\n%.*s", c->error.message, SLICE_ARG(line));
	buf_char(&b, '\0');
	c->error.message = b.at;
}

static void
suggest_usage(const struct ctl *ctl, struct call *c)
{
	struct buf b;

	buf_init(&b, &c->arena);
	help_usage(&b, ctl->command);
	b.len -= b.len > 0; /* the last line's end */
	suggest_line(c, buf_view(&b));
}

/* ------------------------------------------------------------ operators */

/* Is @word at byte @at of @text, as a word of its own if it is letters? */
static bool
suggest_stands(struct slice text, size_t at, const char *word)
{
	size_t n = strlen(word);
	bool letters = ascii_word(word[0]);

	if (text.len - at < n || !ascii_same(slice_of(text.at + at, n), slice_from(word))) {
		return false;
	}
	return !letters || ((at == 0 || !ascii_word(text.at[at - 1])) &&
			    (at + n == text.len || !ascii_word(text.at[at + n])));
}

/* What stands in quotes is a text or a name. */
static size_t
suggest_past_quotes(struct slice text, size_t at)
{
	char quote = text.at[at];

	if (quote != '"' && quote != '\'') {
		return at;
	}
	for (at++; at < text.len && text.at[at] != quote; at++) {
	}
	return at;
}

/* How DynamoDB writes the first operator of @text that only other languages have; NULL: there is none. */
static const char *
suggest_operator(struct slice text)
{
	static const struct {
		const char *other;
		const char *ours;
	} rows[] = {
		{"==", "== is written ="},
		{"!=", "!= is written <>"},
		{"&&", "&& is written AND"},
		{"||", "|| is written OR"},
		{"LIKE", "LIKE 'x%' is written begins_with(a, 'x'), LIKE '%x%' contains(a, 'x')"},
		{"NULL",
		 "a is there: attribute_exists(a), or not: attribute_not_exists(a); it holds NULL: "
		 "attribute_type(a, 'NULL')"},
	};

	for (size_t at = 0; at < text.len; at++) {
		at = suggest_past_quotes(text, at);
		for (size_t i = 0; at < text.len && i < sizeof(rows) / sizeof(rows[0]); i++) {
			if (suggest_stands(text, at, rows[i].other)) {
				return rows[i].ours;
			}
		}
	}
	return NULL;
}

/* An expression that cannot be read may have an operator of another language. */
static void
suggest_operators(const struct ctl *ctl, struct call *c)
{
	const struct exprs *e = ctl->exprs;
	bool syntax = strstr(c->error.message, "yntax error") != NULL ||
		      strstr(c->error.message, "wasn't well formed") != NULL ||
		      strstr(c->error.message, "Unsupported operator") != NULL;

	for (size_t i = 0; syntax && i < e->n; i++) {
		const char *hint = suggest_operator(e->typed[i].user);

		if (hint != NULL) {
			suggest_line(c, slice_from(hint));
			return;
		}
	}
}

/* ------------------------------------------------------------ tables */

/* Compare the names of all tables, page by page. */
static int
suggest_compare(struct engine *engine, struct call *c, struct near *near, size_t *n)
{
	struct list_tables_in in = {0};
	struct list_tables_out out;
	int r;

	do {
		r = engine_list_tables(engine, c, &in, &out);
		for (size_t i = 0; r == 0 && i < out.n_names; i++) {
			if (slice_eq(out.names[i], near->typed)) {
				return 1; /* it is there: something else is missing */
			}
			near_try(near, out.names[i]);
			++*n;
		}
		in.start = r == 0 ? out.last : (struct slice){0};
	} while (r == 0 && in.start.len > 0);
	return r;
}

static void
suggest_table(const struct ctl *ctl, struct call *c)
{
	struct near near = near_start(slice_from(ctl->words.at[0]));
	struct call own;
	struct buf b;
	size_t n = 0;

	call_open(&own, c->now_ms, CTL_BUDGET);
	buf_init(&b, &c->arena);
	if (suggest_compare(ctl->engine, &own, &near, &n) == 0) {
		if (near.best.len > 0) {
			buf_fmt(&b, "did you mean %.*s?", SLICE_ARG(near.best));
		} else if (n == 0) {
			buf_str(&b, "the store has no tables; itemctl create-table makes one");
		} else {
			buf_str(&b, "itemctl tables lists those there are");
		}
		suggest_line(c, buf_view(&b));
	}
	call_close(&own);
}

void
suggest(const struct ctl *ctl, struct call *c)
{
	enum err code = c->error.code;

	if (code == ERR_USAGE && ctl->command != NULL && ctl->words.n == 0) {
		suggest_usage(ctl, c);
	} else if (code == ERR_VALIDATION && ctl->exprs != NULL) {
		suggest_operators(ctl, c);
	} else if ((code == ERR_NO_TABLE || code == ERR_NO_SUCH_TABLE) && ctl->engine != NULL &&
		   ctl->words.n > 0) {
		suggest_table(ctl, c);
	}
}
