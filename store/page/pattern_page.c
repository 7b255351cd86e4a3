/* pattern_page - the page of an access pattern: a form for its parameters, its lines and the items that they read */
#include "store/base/core/escape.h"
#include "store/base/text/json.h"
#include "store/engine/engine.h"
#include "store/model/key_text.h"
#include "store/model/schema.h"
#include "store/page/page.h"
#include "store/page/page_html.h"
#include "store/page/page_key.h"
#include "store/page/page_patterns.h"

/* Arguments that a line can become: each key attribute once, the operator and its second value, and some others. */
enum { PATTERN_ARGUMENTS = 2 * KEY_PART_MAX + 8 };

/* ------------------------------------------------------------ values of parameters */

/* The requested pattern. */
struct asked {
	struct call *c;
	const struct page_request *rq;
	const struct json *pattern;
};

/* Return: the name of a parameter's argument: "p." and its name; no other argument begins with "p.". */
static struct slice
argument_name(struct call *c, const struct json *parameter)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, "p.");
	buf_slice(&b, json_text(parameter, "name"));
	buf_char(&b, '\0');
	return slice_of(b.at, b.len - 1);
}

/* Return: the value in the request, or else the default of the pattern; .at == NULL: neither. */
static struct slice
page_patterns_value_of(const struct asked *a, const struct json *parameter)
{
	struct slice typed = page_argument(a->rq, argument_name(a->c, parameter).at);

	return typed.at != NULL || json_get(parameter, "value") == NULL
		       ? typed
		       : json_text(parameter, "value");
}

static bool
page_patterns_is_number(const struct json *parameter)
{
	const struct json *number = json_get(parameter, "number");

	return number != NULL && number->type == JSON_TRUE;
}

/* Check that all parameters have values and numbers are valid. */
static int
page_patterns_check_values(const struct asked *a)
{
	json_each (p, json_get(a->pattern, "parameters")) {
		const struct key_attr as_number = {.name = json_text(p, "name"), .type = VALUE_N};
		struct slice text = page_patterns_value_of(a, p);
		struct value v;

		if (text.at == NULL) {
			return call_fail(a->c, ERR_VALIDATION, "%.*s has no value yet",
					 SLICE_ARG(as_number.name));
		}
		if (page_patterns_is_number(p) && key_text_parse(a->c, &as_number, text, &v) < 0) {
			a->c->error = (struct error){0};
			return call_fail(a->c, ERR_VALIDATION, "%.*s is a number, not \"%.*s\"",
					 SLICE_ARG(as_number.name), SLICE_ARG(text));
		}
	}
	return 0;
}

/* Escape a value for use within a string in single or double quotes. */
static void
page_patterns_put_escaped(struct buf *out, struct slice text)
{
	struct buf json;

	buf_init(&json, NULL);
	json_put_string(&json, text);
	for (size_t i = 1; i + 1 < json.len; i++) {
		if (json.at[i] == '\'') {
			buf_str(out, "\\u0027");
		} else {
			buf_char(out, json.at[i]);
		}
	}
	buf_release(&json);
}

static void
page_patterns_put_value(const struct asked *a, struct buf *out, struct slice name, bool escaped)
{
	json_each (p, json_get(a->pattern, "parameters")) {
		if (!slice_eq(json_text(p, "name"), name)) {
			continue;
		}
		if (escaped) {
			page_patterns_put_escaped(out, page_patterns_value_of(a, p));
		} else {
			buf_slice(out, page_patterns_value_of(a, p));
		}
	}
}

/* Return: length of the placeholder (@begin, name, @end) at the start of @text; 0: there is none. */
static size_t
mark_at(struct slice text, const char *begin, const char *end, struct slice *name)
{
	size_t n = strlen(begin);
	const char *to = text.len > n && memcmp(text.at, begin, n) == 0
				 ? memmem(text.at + n, text.len - n, end, strlen(end))
				 : NULL;

	*name = to == NULL ? SLICE("") : slice_of(text.at + n, (size_t)(to - text.at) - n);
	return to == NULL ? 0 : (size_t)(to - text.at) + strlen(end);
}

/* Return: @text with the values of its parameters. */
static struct slice
page_patterns_fill(const struct asked *a, struct slice text)
{
	struct buf b;

	buf_init(&b, &a->c->arena);
	while (text.len > 0) {
		struct slice name;
		size_t n = mark_at(text, "\x01", "\x02", &name);
		bool escaped = n == 0;

		n = n > 0 ? n : mark_at(text, "\\u0001", "\\u0002", &name);
		if (n > 0) {
			page_patterns_put_value(a, &b, name, escaped);
		} else {
			buf_char(&b, text.at[0]);
		}
		text = slice_skip(text, n > 0 ? n : 1);
	}
	return buf_view(&b);
}

/* ------------------------------------------------------------ lines */

struct arguments {
	struct page_argument at[PATTERN_ARGUMENTS];
	size_t n;
};

static void
page_patterns_add(struct arguments *to, struct slice name, struct slice value)
{
	if (value.len > 0) {
		assert(to->n < PATTERN_ARGUMENTS);
		to->at[to->n++] = (struct page_argument){name, value};
	}
}

static int
add_word(struct call *c, struct arguments *to, const struct key_schema *key, size_t i,
	 struct slice value)
{
	size_t n_pk = key_part_n(key->pk);
	bool sort = i >= n_pk;

	if (i >= n_pk + key_part_n(key->sk)) {
		return call_fail(c, ERR_VALIDATION,
				 "The key has %zu attributes, and this is one more: %.*s",
				 n_pk + key_part_n(key->sk), SLICE_ARG(value));
	}
	if (value.len == 0) {
		return call_fail(c, ERR_VALIDATION, "%.*s is a key and must not be empty",
				 SLICE_ARG(sort ? key->sk[i - n_pk].name : key->pk[i].name));
	}
	page_patterns_add(to, slice_from(page_key_names(sort, sort ? i - n_pk : i)->value), value);
	return 0;
}

/* Make the arguments with which the table's page shows the same items as @line. */
static int
translate(const struct asked *a, const struct json *line, const struct key_schema *key,
	  struct arguments *to)
{
	size_t i = 0;
	int r = 0;

	json_each (word, json_get(line, "words")) {
		r = r < 0 ? r : add_word(a->c, to, key, i++, page_patterns_fill(a, word->text));
	}
	if (r == 0 && json_get(line, "op") != NULL) {
		size_t n_pk = key_part_n(key->pk);
		size_t at = i > n_pk ? i - n_pk : 0;

		r = add_word(a->c, to, key, n_pk + at,
			     page_patterns_fill(a, json_text(line, "value")));
		if (r == 0) {
			const struct page_key_names *names = page_key_names(true, at);

			page_patterns_add(to, slice_from(names->op), json_text(line, "op"));
			page_patterns_add(to, slice_from(names->to),
					  page_patterns_fill(a, json_text(line, "to")));
		}
	}
	page_patterns_add(to, SLICE("filter"), page_patterns_fill(a, json_text(line, "filter")));
	page_patterns_add(to, SLICE("order"), json_text(line, "order"));
	page_patterns_add(to, SLICE("limit"), page_patterns_fill(a, json_text(line, "limit")));
	return r;
}

/* Append a link to the table's page with the same condition, and the items of a line. */
static int
show_items(const struct asked *a, struct engine *e, const struct json *line,
	   const struct table_info *table, struct buf *out)
{
	/* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): the engine has filled it */
	const struct schema *s = table->schema;
	struct slice index = page_patterns_fill(a, json_text(line, "index"));
	const struct index *ix = index.len > 0 ? schema_view(s, index) : NULL;
	struct arguments args = {.n = 0};

	page_patterns_add(&args, SLICE("index"), index);
	int r = translate(a, line, schema_key(s, ix), &args);

	if (r < 0) {
		return r;
	}
	page_link_begin(out, s->table);
	for (size_t i = 0; i < args.n; i++) {
		page_link_arg(out, args.at[i].name, args.at[i].value);
	}
	page_link_end(out, SLICE("with its fields"));
	buf_str(out, "</p>\n");
	page_table_items(a->c, e, &(struct page_request){.at = args.at, .n = args.n}, table, out);
	return 0;
}

static int
show_read(const struct asked *a, struct engine *e, const struct json *line, struct buf *out)
{
	struct describe_table_in in = {.table = page_patterns_fill(a, json_text(line, "table"))};
	struct describe_table_out table;
	int r = engine_describe_table(e, a->c, &in, &table);

	return r < 0 ? r : show_items(a, e, line, &table.table, out);
}

static void
page_patterns_show_line(const struct asked *a, struct engine *e, const struct json *line, bool run,
			struct buf *out)
{
	struct slice note = json_text(line, "note");
	bool shown = json_get(line, "table") != NULL;

	buf_str(out, "<p class=\"line\"><code>");
	page_text(out, json_text(line, "text"));
	buf_str(out, "</code> ");
	page_text(out, note.len > 0 || shown
			       ? note
			       : SLICE("The page does not run this: itemctl run does."));
	buf_char(out, ' ');
	if (!shown || !run) {
		buf_str(out, "</p>\n");
	} else if (show_read(a, e, line, out) < 0) {
		buf_str(out, "</p>\n");
		page_error(out, a->c->error.message, SLICE(""), 0);
		a->c->error = (struct error){0};
	}
}

/* ------------------------------------------------------------ the page */

static void
put_field(const struct asked *a, const struct json *p, struct buf *out)
{
	buf_str(out, "<label class=\"value\"><span>");
	page_text(out, json_text(p, "name"));
	buf_str(out, "<small>");
	page_text(out, json_text(p, "about"));
	buf_str(out, "</small></span><input name=\"");
	escape_markup(out, argument_name(a->c, p));
	buf_str(out, "\" value=\"");
	escape_markup(out, page_patterns_value_of(a, p));
	buf_fmt(out, "\" placeholder=\"%s\" autocomplete=\"off\" spellcheck=\"false\"></label>\n",
		page_patterns_is_number(p) ? "number" : "text");
}

static void
put_form(const struct asked *a, struct buf *out)
{
	const struct json *parameters = json_get(a->pattern, "parameters");

	if (parameters == NULL || parameters->n == 0) {
		return;
	}
	buf_str(out, "<form>\n<input type=\"hidden\" name=\"pattern\" value=\"");
	escape_markup(out, json_text(a->pattern, "pattern"));
	buf_str(out, "\">\n");
	json_each (p, parameters) {
		put_field(a, p, out);
	}
	buf_str(out, "<div class=\"send\"><button>Show</button></div>\n</form>\n");
}

/* Return: whether the form was not sent yet, so that missing values are not an error. */
static bool
is_new(const struct page_request *rq)
{
	return rq->n <= 1;
}

static void
page_patterns_put_pattern(const struct asked *a, struct engine *e, struct buf *out)
{
	int r = page_patterns_check_values(a);

	buf_str(out, "<p>");
	page_text(out, json_text(a->pattern, "about"));
	buf_str(out, "</p>\n</header>\n");
	put_form(a, out);
	if (r < 0 && is_new(a->rq)) {
		buf_str(out, "<p class=\"empty\">");
		page_text(out, slice_from(a->c->error.message));
		buf_str(out, "</p>\n");
		a->c->error = (struct error){0};
	} else if (r < 0) {
		page_error(out, a->c->error.message, SLICE(""), 0);
	}
	json_each (line, json_get(a->pattern, "lines")) {
		page_patterns_show_line(a, e, line, r == 0, out);
	}
}

unsigned
page_pattern(struct call *c, struct engine *e, const struct page_request *rq, struct buf *out)
{
	struct slice name = page_argument(rq, "pattern");
	struct asked a = {.c = c, .rq = rq, .pattern = page_patterns_find(rq->patterns, name)};

	if (a.pattern == NULL) {
		(void)!call_fail(c, ERR_VALIDATION, "There is no pattern \"%.*s\"",
				 SLICE_ARG(name));
		return page_failed(out, name, &c->error);
	}
	page_head(out, name, NULL);
	page_patterns_put_pattern(&a, e, out);
	return page_foot(out, &c->error);
}
