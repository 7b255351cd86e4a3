/* patterns - see patterns.h; the commands of a pattern are parsed when it is run */
#include "tools/patterns/patterns.h"

#include "store/base/text/json.h"
#include "store/model/key_text.h"

#include "tools/patterns/expect.h"
#include "tools/text/fmt.h"
#include "tools/text/text_lines.h"
#include "tools/text/words.h"
#include "tools/text/yaml_text.h"

#define PATTERNS_SAMPLE \
	"to create a file with one pattern: printf '%%s\\n' 'pattern NAME'" \
	" '  param id' '  query TABLE ${id}' '  expect 5 items' >FILE; then: itemctl run FILE NAME id=VALUE"

enum { PATTERNS_MAX = 1000, PATTERN_PARAMS_MAX = 100 };

/* ------------------------------------------------------------ lines */

struct reader {
	struct call *c;
	struct text_lines text;
	struct patterns *out;
	size_t indent; /* indentation of the lines of the current pattern; 0: not known yet */
};

/* Return true if @s consists of letters, digits, '_' and '-'. */
static bool
patterns_is_name(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (!ascii_word(s.at[i]) && s.at[i] != '-') {
			return false;
		}
	}
	return s.len > 0;
}

/* ------------------------------------------------------------ statements */

static int
begin_pattern(struct reader *rd, struct slice text)
{
	struct patterns *all = rd->out;
	struct word verb = {0};
	struct word name = {0};
	int r = words_next(rd->c, &text, &verb);

	r = r != 0 ? r : words_next(rd->c, &text, &name);
	if (r < 0) {
		return r;
	}
	if (!slice_is(verb.text, "pattern") || !patterns_is_name(name.text)) {
		return call_fail(
			rd->c, ERR_USAGE,
			"a line that is not indented begins a pattern: pattern NAME "
			"[DESCRIPTION]; indent the lines that belong to it\n" PATTERNS_SAMPLE);
	}
	for (size_t i = 0; i < all->n; i++) {
		if (slice_eq(all->at[i].name, name.text)) {
			return call_fail(rd->c, ERR_USAGE,
					 "there is already a pattern %.*s, in line %d",
					 SLICE_ARG(name.text), all->at[i].line);
		}
	}
	if (all->n == PATTERNS_MAX) {
		return call_fail(rd->c, ERR_USAGE, "over %d patterns", PATTERNS_MAX);
	}
	all->at = arena_room(&rd->c->arena, all->at, all->n, &all->cap);
	all->at[all->n++] = (struct pattern){
		.line = rd->text.line - 1, .name = name.text, .about = ascii_trim(text)};
	rd->indent = 0;
	return 0;
}

/* Parse NAME, NAME=PRESET, NAME:N or NAME:N=PRESET. */
static int
parse_param(struct call *c, struct slice text, struct pattern_param *out)
{
	struct word w = {0};
	int r = words_next(c, &text, &w);

	if (r < 0) {
		return r;
	}
	const char *equals = slice_chr(w.text, '=');

	*out = (struct pattern_param){.name = w.text, .about = ascii_trim(text)};
	if (equals != NULL) {
		out->name.len = (size_t)(equals - w.text.at);
		out->preset = slice_skip(w.text, out->name.len + 1);
		out->has_preset = true;
	}
	out->number = slice_ends(out->name, SLICE(":N"));
	if (out->number || slice_ends(out->name, SLICE(":S"))) {
		out->name.len -= 2;
	}
	return patterns_is_name(out->name)
		       ? 0
		       : call_fail(c, ERR_USAGE,
				   "write a parameter as: param NAME[:N][=VALUE] [DESCRIPTION]");
}

static int
add_param(struct reader *rd, struct pattern *p, struct slice text)
{
	struct pattern_param param;
	int r = parse_param(rd->c, text, &param);

	for (size_t i = 0; r == 0 && i < p->n_params; i++) {
		if (slice_eq(p->params[i].name, param.name)) {
			r = call_fail(rd->c, ERR_USAGE, "there is already a parameter %.*s",
				      SLICE_ARG(param.name));
		}
	}
	if (r == 0 && p->n_params == PATTERN_PARAMS_MAX) {
		r = call_fail(rd->c, ERR_USAGE, "over %d parameters", PATTERN_PARAMS_MAX);
	}
	if (r == 0) {
		p->params = arena_room(&rd->c->arena, p->params, p->n_params, &p->params_cap);
		p->params[p->n_params++] = param;
	}
	return r;
}

/* @first with the deeper lines that continue it. */
static struct slice
whole_line(struct reader *rd, struct slice first)
{
	struct buf b = {.arena = &rd->c->arena};

	buf_slice(&b, first);
	while (rd->text.rest.len > 0) {
		struct text_lines ahead = rd->text;
		struct slice next = text_lines_next(&ahead);
		bool idle = text_is_idle(next, true);

		if (!idle && text_indent(next) <= rd->indent) {
			break;
		}
		buf_char(&b, '\n');
		if (!idle) {
			buf_slice(&b, next);
		}
		rd->text = ahead;
	}
	return buf_view(&b);
}

/* Parse an indented line: an expectation, a parameter or a command. */
static int
inner_line(struct reader *rd, struct slice line)
{
	struct patterns *all = rd->out;
	size_t indent = text_indent(line);
	struct slice text = ascii_trim(line);
	struct slice rest = text;
	struct word verb = {0};

	if (all->n == 0) {
		return call_fail(rd->c, ERR_USAGE, "this line does not belong to a pattern");
	}
	if (rd->indent == 0) {
		rd->indent = indent;
	}
	if (indent != rd->indent) {
		return call_fail(rd->c, ERR_USAGE,
				 indent > rd->indent
					 ? "a parameter must be on one line"
					 : "this is indented less than the lines above");
	}
	struct pattern *p = &all->at[all->n - 1];
	int r = words_next(rd->c, &rest, &verb);

	if (r == 0 && slice_is(verb.text, "expect")) {
		return expect_parse(rd->c, whole_line(rd, rest), &p->expect);
	}
	if (r < 0 || !slice_is(verb.text, "param")) {
		/* A quote or brace may be closed in a line below. */
		rd->c->error = (struct error){0};
		p->lines = arena_room(&rd->c->arena, p->lines, p->n_lines, &p->lines_cap);
		struct pattern_line *added = &p->lines[p->n_lines++];

		added->line = rd->text.line - 1;
		added->first = text.len;
		added->text = whole_line(rd, text);
		return 0;
	}
	return add_param(rd, p, rest);
}

/* ------------------------------------------------------------ YAML and JSON */

/* The member of @o with the first of the names that it has, or NULL */
static const struct json *
patterns_member(const struct json *o, const char *names)
{
	const struct json *found = NULL;

	while (*names != '\0' && found == NULL) {
		found = json_get_slice(o, words_in_next(&names));
	}
	return found;
}

/*
 * Append one pattern as words for a shell: "pattern NAME", "  query TABLE KEY...", "  expect N items".
 *
 * Return: false if @o is no pattern
 */
static bool
patterns_convert(struct buf *out, const struct json *o)
{
	const struct json *name = patterns_member(o, "name id pattern");
	const struct json *table = patterns_member(o, "table TableName table_name");
	const struct json *index = patterns_member(o, "index IndexName gsi");
	const struct json *key = patterns_member(o, "key keys values");
	const struct json *n = patterns_member(o, "expect count items expected");
	struct buf line = {.arena = out->arena};

	const struct json *query = patterns_member(o, "query");
	bool whole = query != NULL && query->type == JSON_STRING;

	if (name == NULL || !patterns_is_name(name->text) ||
	    (!whole &&
	     (table == NULL || key == NULL || key->type != JSON_OBJECT || key->child == NULL))) {
		return false;
	}
	buf_fmt(&line, "  query %.*s", SLICE_ARG(whole ? query->text : table->text));
	for (const struct json *v = whole ? NULL : key->child; v != NULL; v = v->next) {
		fmt_shell(&line, " %", v->text);
	}
	buf_str(&line, index == NULL ? "" : " --index ");
	buf_slice(&line, index == NULL ? SLICE("") : index->text);
	fmt_shell(out, " % %", fmt_slice(out->arena, "pattern %.*s", SLICE_ARG(name->text)),
		  buf_view(&line));
	if (n != NULL && n->text.len > 0) {
		fmt_shell(out, " %",
			  fmt_slice(out->arena, "  expect %.*s%s", SLICE_ARG(n->text),
				    n->type == JSON_NUMBER ? " items" : ""));
	}
	return true;
}

/* The error may be due to YAML or JSON: if its objects are patterns, print the line that converts the file. */
static int
patterns_other_form(struct call *c, const char *file, struct slice text)
{
	const struct json *json = NULL;
	struct error error = c->error;
	struct buf b = {.arena = &c->arena};
	bool known = file != NULL && yaml_text_read(c, text, &json) == 0 && json != NULL;

	c->error = error;
	if (known && json->type == JSON_OBJECT && json->child != NULL) {
		json = json->child;
	}
	known = known && json->type == JSON_ARRAY && json->child != NULL;
	for (const struct json *o = known ? json->child : NULL; o != NULL && known; o = o->next) {
		known = o->type == JSON_OBJECT && patterns_convert(&b, o);
	}
	if (!known) {
		return -(int)c->error.code;
	}
	struct slice to = fmt_slice(&c->arena, "%s.txt", file);

	fmt_shell(&b, " >%; itemctl run % --all", to, to);
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE,
			 "patterns are plain lines, not YAML or JSON: printf '%%s\\n'%.*s",
			 SLICE_ARG(buf_view(&b)));
}

int
patterns_parse(struct call *c, struct text_origin *origin, struct slice text, struct patterns *out)
{
	struct reader rd = {.c = c, .text = {text, 1}, .out = out};

	*out = (struct patterns){0};
	while (rd.text.rest.len > 0) {
		int number = rd.text.line;
		struct slice line = text_lines_next(&rd.text);
		int r = 0;

		if (!text_is_idle(line, false)) {
			r = text_indent(line) > 0 ? inner_line(&rd, line)
						  : begin_pattern(&rd, line);
		}
		if (r < 0 && out->n == 0) {
			r = patterns_other_form(c, origin->file, text);
		}
		if (r < 0) {
			return text_at(c, origin, number);
		}
	}
	for (size_t i = 0; i < out->n; i++) {
		if (out->at[i].n_lines == 0) {
			(void)!call_fail(c, ERR_USAGE, "the pattern %.*s has no commands",
					 SLICE_ARG(out->at[i].name));
			return text_at(c, origin, out->at[i].line);
		}
	}
	return out->n > 0 ? 0
			  : call_fail(c, ERR_USAGE,
				      "%s has no patterns: each one begins with a line \"pattern "
				      "NAME\"\n" PATTERNS_SAMPLE,
				      origin->file == NULL ? "standard input" : origin->file);
}

/* ------------------------------------------------------------ values */

const char *
patterns_typed(const struct pattern_param *p, const char *const *typed, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strncmp(typed[i], p->name.at, p->name.len) == 0 &&
		    typed[i][p->name.len] == '=') {
			return typed[i] + p->name.len + 1;
		}
	}
	return NULL;
}

/* The parameter of "name=value", or NULL */
static const struct pattern_param *
param_of(const struct pattern *p, const char *typed)
{
	for (size_t i = 0; i < p->n_params; i++) {
		if (patterns_typed(&p->params[i], &typed, 1) != NULL) {
			return &p->params[i];
		}
	}
	return NULL;
}

static int
check_typed(struct call *c, const struct pattern *p, const char *const *typed, size_t n)
{
	struct buf names = {.arena = &c->arena};

	for (size_t i = 0; i < p->n_params; i++) {
		buf_fmt(&names, "%s%.*s=", i == 0 ? "; there are " : ", ",
			SLICE_ARG(p->params[i].name));
	}
	for (size_t i = 0; i < n; i++) {
		const struct pattern_param *param = param_of(p, typed[i]);

		if (param == NULL) {
			return call_fail(c, ERR_USAGE, "%.*s has no parameter \"%s\"%.*s",
					 SLICE_ARG(p->name), typed[i], SLICE_ARG(buf_view(&names)));
		}
		if (patterns_typed(param, typed, i) != NULL) {
			return call_fail(c, ERR_USAGE, "%.*s= is given twice",
					 SLICE_ARG(param->name));
		}
	}
	return 0;
}

static int
patterns_value_of(struct call *c, const struct pattern *p, const struct pattern_param *param,
		  const char *typed, struct fill_value *out)
{
	const struct key_attr as_number = {.name = param->name, .type = VALUE_N};
	struct value number;

	*out = (struct fill_value){.name = param->name,
				   .text = typed != NULL ? slice_from(typed) : param->preset,
				   .number = param->number};
	if (typed == NULL && !param->has_preset) {
		return call_fail(c, ERR_USAGE, "%.*s needs %.*s=%s%.*s", SLICE_ARG(p->name),
				 SLICE_ARG(param->name), param->about.len > 0 ? ": " : "",
				 SLICE_ARG(param->about));
	}
	if (param->number && key_text_parse(c, &as_number, out->text, &number) < 0) {
		c->error = (struct error){0};
		return call_fail(c, ERR_USAGE, "%.*s is a number, not \"%.*s\"",
				 SLICE_ARG(param->name), SLICE_ARG(out->text));
	}
	if (param->number) {
		out->text = number.text; /* +5, 05 and .5 are not valid in JSON */
	}
	return 0;
}

int
patterns_values(struct call *c, const struct pattern *p, const char *const *typed, size_t n_typed,
		struct fill *out)
{
	struct fill_value *values = arena_new(&c->arena, struct fill_value, p->n_params + 1);
	int r = check_typed(c, p, typed, n_typed);

	for (size_t i = 0; r == 0 && i < p->n_params; i++) {
		r = patterns_value_of(c, p, &p->params[i],
				      patterns_typed(&p->params[i], typed, n_typed), &values[i]);
	}
	*out = (struct fill){.at = values, .n = p->n_params};
	return r;
}

/* ------------------------------------------------------------ transactions */

struct slice
patterns_script(struct call *c, const struct pattern_line *line)
{
	assert(line->first <= line->text.len);
	struct text_lines t = {.rest = slice_skip(line->text, line->first)};
	size_t indent = 0;
	struct buf b = {.arena = &c->arena};

	/* Begin with as many lines as the file has above it, so that messages have the line numbers of the file. */
	for (int i = 1; i < line->line; i++) {
		buf_char(&b, '\n');
	}
	while (t.rest.len > 0) {
		struct slice text = text_lines_next(&t);
		size_t own = text_indent(text);

		if (indent == 0) {
			indent = own;
		}
		buf_slice(&b, slice_skip(text, own < indent ? own : indent));
		buf_char(&b, '\n');
	}
	return buf_view(&b);
}
