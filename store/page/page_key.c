/* page_key - key conditions from the arguments of a request, and their form fields */
#include "store/page/page_key.h"

#include "store/base/core/escape.h"
#include "store/expr/inline.h"
#include "store/model/key_text.h"
#include "store/page/page.h"
#include "store/page/page_html.h"

static const struct page_key_names pk_names[KEY_PART_MAX] = {
	{NULL, "pk", NULL}, {NULL, "pk2", NULL}, {NULL, "pk3", NULL}, {NULL, "pk4", NULL}};

static const struct page_key_names sk_names[KEY_PART_MAX] = {
	{"op", "sk", "to"}, {"op2", "sk2", "to2"}, {"op3", "sk3", "to3"}, {"op4", "sk4", "to4"}};

/* The first one is the default. */
static const struct page_operator {
	const char *name; /* in an address */
	const char *text; /* in a form; escaped */
} page_operators[] = {
	{"=", "="},
	{"<", "&lt;"},
	{"<=", "&lt;="},
	{">", "&gt;"},
	{">=", "&gt;="},
	{"begins_with", "begins with"},
	{"between", "between"},
};

enum { PAGE_OPERATORS = sizeof(page_operators) / sizeof(page_operators[0]) };

const struct page_key_names *
page_key_names(bool sort, size_t i)
{
	assert(i < KEY_PART_MAX);
	return sort ? &sk_names[i] : &pk_names[i];
}

static bool
page_key_is_typed(const struct page_request *rq, const char *name)
{
	return name != NULL && page_argument(rq, name).len > 0;
}

static struct slice
operator_of(const struct page_request *rq, const struct page_key_names *names)
{
	return page_key_is_typed(rq, names->op) ? page_argument(rq, names->op) : SLICE("=");
}

/* ------------------------------------------------------------ the condition */

/* A condition that is being written. */
struct page_condition {
	struct call *c;
	const struct page_request *rq;
	struct inline_request *to;
	struct buf text;
	unsigned n; /* number of placeholders */
};

static struct slice
next_alias(struct page_condition *p, char sign)
{
	return slice_from(arena_print(&p->c->arena, "%ck%u", sign, p->n++));
}

/* Append the placeholder for the value of argument @name. */
static int
page_key_put_value(struct page_condition *p, const struct key_attr *attr, const char *name)
{
	struct value *v = arena_new(&p->c->arena, struct value, 1);
	int r = key_text_parse(p->c, attr, page_argument(p->rq, name), v);

	/* For other types the message has the attribute already. */
	if (r < 0 && attr->type == VALUE_N) {
		r = call_prefix(p->c, "%.*s: ", SLICE_ARG(attr->name));
	}
	if (r == 0) {
		struct slice alias = next_alias(p, ':');

		inline_value(p->c, p->to, alias, v);
		buf_slice(&p->text, alias);
	}
	return r;
}

static int
page_key_check_operator(struct page_condition *p, const struct key_attr *attr, struct slice op,
			const struct page_key_names *names)
{
	bool known = false;

	for (size_t i = 0; i < PAGE_OPERATORS; i++) {
		known = known || slice_is(op, page_operators[i].name);
	}
	if (!known) {
		return call_fail(
			p->c, ERR_VALIDATION,
			"%.*s has no operator \"%.*s\": the operators are = < <= > >= begins_with "
			"between",
			SLICE_ARG(attr->name), SLICE_ARG(op));
	}
	if (slice_is(op, "between") != page_key_is_typed(p->rq, names->to)) {
		return call_fail(
			p->c, ERR_VALIDATION,
			slice_is(op, "between")
				? "%.*s between needs two values: the second one is missing"
				: "%.*s has two values: only between has a second one",
			SLICE_ARG(attr->name));
	}
	return 0;
}

/* Append "#k0 < :k1". */
static int
put_comparison(struct page_condition *p, const struct key_attr *attr,
	       const struct page_key_names *names, struct slice op)
{
	struct slice alias = next_alias(p, '#');
	bool function = slice_is(op, "begins_with");

	inline_name(p->c, p->to, alias, attr->name);
	buf_str(&p->text, p->text.len == 0 ? "" : " AND ");
	buf_str(&p->text, function ? "begins_with(" : "");
	buf_slice(&p->text, alias);
	if (function) {
		buf_str(&p->text, ", ");
	} else {
		buf_fmt(&p->text, " %.*s ", SLICE_ARG(op));
	}

	int r = page_key_put_value(p, attr, names->value);

	if (r == 0 && names->to != NULL && page_key_is_typed(p->rq, names->to)) {
		buf_str(&p->text, " AND ");
		r = page_key_put_value(p, attr, names->to);
	}
	buf_str(&p->text, function ? ")" : "");
	return r;
}

/* Append the attributes of the partition key: either all or none must have values. */
static int
put_partition(struct page_condition *p, const struct key_attr part[KEY_PART_MAX])
{
	size_t n = key_part_n(part);
	size_t typed = 0;
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		typed += page_key_is_typed(p->rq, pk_names[i].value);
	}
	for (size_t i = 0; r == 0 && typed > 0 && i < n; i++) {
		r = page_key_is_typed(p->rq, pk_names[i].value)
			    ? put_comparison(p, &part[i], &pk_names[i], SLICE("="))
			    : call_fail(p->c, ERR_VALIDATION,
					"The partition key has %zu attributes: %.*s has no value",
					n, SLICE_ARG(part[i].name));
	}
	return r;
}

/* Return: whether the request has a condition on this attribute of the sort key. */
static bool
is_asked(const struct page_request *rq, const struct page_key_names *names)
{
	return page_key_is_typed(rq, names->value) || page_key_is_typed(rq, names->to) ||
	       !slice_is(operator_of(rq, names), "=");
}

/* Append a comparison of the sort key.  @open: an earlier attribute that is not compared with "=", or NULL */
static int
put_sort_attribute(struct page_condition *p, const struct key_attr *attr,
		   const struct page_key_names *names, const struct key_attr *open)
{
	struct slice op = operator_of(p->rq, names);
	int r = page_key_check_operator(p, attr, op, names);

	if (r < 0) {
		return r;
	}
	if (!page_key_is_typed(p->rq, names->value)) {
		return call_fail(p->c, ERR_VALIDATION, "%.*s %.*s needs a value: none is given",
				 SLICE_ARG(attr->name), SLICE_ARG(op));
	}
	if (p->text.len == 0) {
		return call_fail(p->c, ERR_VALIDATION,
				 "A condition on the sort key %.*s needs a value of the partition "
				 "key: none is given",
				 SLICE_ARG(attr->name));
	}
	if (open != NULL) {
		return call_fail(p->c, ERR_VALIDATION,
				 "A condition on %.*s needs %.*s = a value before it",
				 SLICE_ARG(attr->name), SLICE_ARG(open->name));
	}
	return put_comparison(p, attr, names, op);
}

static int
page_key_put_sort(struct page_condition *p, const struct key_attr part[KEY_PART_MAX])
{
	const struct key_attr *open = NULL;
	int r = 0;

	for (size_t i = 0; r == 0 && i < key_part_n(part); i++) {
		bool asked = is_asked(p->rq, &sk_names[i]);

		if (asked) {
			r = put_sort_attribute(p, &part[i], &sk_names[i], open);
		}
		if (open == NULL && (!asked || !slice_is(operator_of(p->rq, &sk_names[i]), "="))) {
			open = &part[i];
		}
	}
	return r;
}

int
page_key_condition(struct call *c, const struct page_request *rq, const struct key_schema *key,
		   struct inline_request *to, struct slice *condition)
{
	struct page_condition p = {.c = c, .rq = rq, .to = to};

	buf_init(&p.text, &c->arena);
	int r = put_partition(&p, key->pk);

	r = r < 0 ? r : page_key_put_sort(&p, key->sk);
	if (r == 0 && p.text.len == 0 && page_key_is_typed(rq, "order")) {
		r = call_fail(
			c, ERR_VALIDATION,
			"A descending order needs a value of the partition key: without one the items "
			"have no order");
	}
	*condition = buf_view(&p.text);
	return r;
}

/* ------------------------------------------------------------ the fields */

static const char *
page_key_example_of(const struct key_attr *attr)
{
	return attr->type == VALUE_N ? "number" : attr->type == VALUE_B ? "base64" : "text";
}

/* Append the field of @attr; @class and @about are not escaped. */
static void
put_input(struct buf *out, const struct page_request *rq, const struct key_attr *attr,
	  const char *name, const char *css_class, const char *about)
{
	buf_fmt(out, "<input class=\"%s\" name=\"%s\" aria-label=\"", css_class, name);
	page_text(out, attr->name);
	buf_fmt(out, "%s\" value=\"", about);
	escape_markup(out, page_argument(rq, name));
	buf_fmt(out, "\" placeholder=\"%s\" autocomplete=\"off\" spellcheck=\"false\">\n",
		page_key_example_of(attr));
}

static void
put_operators(struct buf *out, const struct page_request *rq, const struct key_attr *attr,
	      const struct page_key_names *names)
{
	buf_fmt(out, "<select name=\"%s\" aria-label=\"", names->op);
	page_text(out, attr->name);
	buf_str(out, ": operator\">");
	for (size_t i = 0; i < PAGE_OPERATORS; i++) {
		const struct page_operator *op = &page_operators[i];
		bool on = slice_is(page_argument(rq, names->op), op->name);

		if (attr->type == VALUE_N && !on && strcmp(op->name, "begins_with") == 0) {
			continue;
		}
		buf_str(out, "<option value=\"");
		escape_markup(out, slice_from(op->name));
		buf_fmt(out, "\"%s>%s</option>", on ? " selected" : "", op->text);
	}
	buf_str(out, "</select>\n");
}

static void
put_fields(struct buf *out, const struct page_request *rq, const struct key_attr *attr,
	   const struct page_key_names *names, const char *kind)
{
	buf_fmt(out, "<fieldset class=\"%s\"><legend>", names->op == NULL ? "part" : "sort");
	page_text(out, attr->name);
	buf_fmt(out, "<small>%s</small></legend>\n", kind);
	if (names->op != NULL) {
		put_operators(out, rq, attr, names);
	}
	put_input(out, rq, attr, names->value, "value", "");
	if (names->to != NULL) {
		put_input(out, rq, attr, names->to, "to", ", second value of between");
	}
	buf_str(out, "</fieldset>\n");
}

void
page_key_fields(struct buf *out, const struct page_request *rq, const struct key_schema *key)
{
	for (size_t i = 0; i < key_part_n(key->pk); i++) {
		put_fields(out, rq, &key->pk[i], &pk_names[i], "partition key");
	}
	for (size_t i = 0; i < key_part_n(key->sk); i++) {
		put_fields(out, rq, &key->sk[i], &sk_names[i], "sort key");
	}
	if (!key_schema_has_sort(key)) {
		return;
	}
	buf_fmt(out,
		"<label class=\"check\"><input type=\"checkbox\" name=\"order\" value=\"desc\"%s> "
		"descending</label>\n",
		page_key_is_typed(rq, "order") ? " checked" : "");
}
