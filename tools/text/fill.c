/* fill - see fill.h */
#include "tools/text/fill.h"

#include "store/base/text/json.h"

/* The state of fill_text() */
struct walk {
	struct call *c;
	const struct fill *fill;
	enum fill_as as;
	struct slice rest;
	char quote; /* the open quote, or 0 */
	char last;  /* the last byte that is not a blank, or 0 */
	struct buf out;
};

static const struct fill_value *
fill_find(const struct walk *w, struct slice name)
{
	for (size_t i = 0; i < w->fill->n; i++) {
		if (slice_eq(w->fill->at[i].name, name)) {
			return &w->fill->at[i];
		}
	}
	return NULL;
}

/* Return true if a value after the byte @before would become a part of a name. */
static bool
continues_name(char before)
{
	return before == '.' || before == '#' || before == ':' || before == '`';
}

/* Append @v, escaped, to a string in w->quote. */
static void
fill_put_escaped(struct walk *w, const struct fill_value *v)
{
	struct buf json = {.arena = &w->c->arena};

	json_put_string(&json, v->text);
	for (size_t i = 1; i + 1 < json.len; i++) {
		if (w->quote == '\'' && json.at[i] == '\'') {
			buf_char(&w->out, '\\');
		}
		buf_char(&w->out, json.at[i]);
	}
}

static int
fill_put_value(struct walk *w, const struct fill_value *v)
{
	if (w->as == FILL_NOTHING || w->quote == '`' ||
	    (w->as == FILL_EXPRESSION && w->quote == 0 && continues_name(w->last))) {
		return call_fail(w->c, ERR_USAGE, "${%.*s} is a value, which cannot be used here",
				 SLICE_ARG(v->name));
	}
	if (w->as == FILL_WORD) {
		buf_slice(&w->out, v->text);
	} else if (w->quote != 0) {
		fill_put_escaped(w, v);
	} else {
		/* The blanks keep it apart from adjacent letters, which would make it a part of a name. */
		buf_char(&w->out, ' ');
		if (v->number) {
			buf_slice(&w->out, v->text);
		} else {
			json_put_string(&w->out, v->text);
		}
		buf_char(&w->out, ' ');
	}
	return 0;
}

/* Replace the parameter at "${". */
static int
take_parameter(struct walk *w)
{
	const char *end = slice_chr(w->rest, '}');

	if (end == NULL) {
		return call_fail(w->c, ERR_USAGE, "a ${ is not closed");
	}
	struct slice name = slice_of(w->rest.at + 2, (size_t)(end - w->rest.at) - 2);
	const struct fill_value *v = fill_find(w, name);

	if (v == NULL) {
		return call_fail(w->c, ERR_USAGE, "there is no parameter \"%.*s\"",
				 SLICE_ARG(name));
	}
	w->rest = slice_skip(w->rest, (size_t)(end - w->rest.at) + 1);
	int r = fill_put_value(w, v);

	w->last = '}';
	return r;
}

/* Copy one byte, or an escape sequence, and keep track of quotes. */
static void
take_byte(struct walk *w)
{
	char ch = w->rest.at[0];
	bool names = w->as == FILL_EXPRESSION || w->as == FILL_NOTHING;

	buf_char(&w->out, ch);
	w->rest = slice_skip(w->rest, 1);
	if (w->quote != 0 && w->quote != '`' && ch == '\\' && w->rest.len > 0) {
		buf_char(&w->out, w->rest.at[0]);
		w->rest = slice_skip(w->rest, 1);
	} else if (ch == w->quote) {
		w->quote = 0;
	} else if (w->quote == 0 && w->as != FILL_WORD &&
		   (ch == '"' || (names && (ch == '\'' || ch == '`')))) {
		w->quote = ch;
	}
	if (!ascii_blank(ch)) {
		w->last = ch;
	}
}

int
fill_text(struct call *c, const struct fill *fill, enum fill_as as, struct slice text,
	  struct slice *out)
{
	struct walk w = {.c = c, .fill = fill, .as = as, .rest = text, .out = {.arena = &c->arena}};
	int r = 0;

	*out = text;
	if (fill == NULL || text.len == 0 || memmem(text.at, text.len, "${", 2) == NULL) {
		return 0;
	}
	while (r == 0 && w.rest.len > 0) {
		if (slice_starts(w.rest, SLICE("$${"))) {
			buf_str(&w.out, "${");
			w.rest = slice_skip(w.rest, 3);
		} else if (slice_starts(w.rest, SLICE("${"))) {
			r = take_parameter(&w);
		} else {
			take_byte(&w);
		}
	}
	*out = buf_view(&w.out);
	return r;
}

int
fill_string(struct call *c, const struct fill *fill, enum fill_as as, const char *text,
	    const char **out)
{
	struct slice filled;
	int r = fill_text(c, fill, as, slice_from(text), &filled);

	*out = text;
	if (r < 0 || filled.at == text) {
		return r;
	}
	*out = slice_cstr(&c->arena, filled);
	return 0;
}
