/* reading - see reading.h */
#include "tools/query/reading.h"

#include "store/model/key_text.h"
#include "store/op/op.h"

#include "tools/advice/nothing.h"
#include "tools/advice/query_hints.h"
#include "tools/query/result_printer.h"
#include "tools/session/absent.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/session/lead.h"
#include "tools/system/progress.h"

int
reading_check(struct call *c, const struct reading_opts *o)
{
	if (o->count && o->project != NULL) {
		return call_fail(c, ERR_USAGE, "--count prints no attributes: leave out --project");
	}
	if (o->limit.given && o->limit.n == 0) {
		return call_fail(c, ERR_USAGE, "--limit must be 1 or more");
	}
	if (o->page_size.given && (o->page_size.n == 0 || o->page_size.n > INT32_MAX)) {
		return call_fail(c, ERR_USAGE, "--page-size must be 1 to %d", INT32_MAX);
	}
	return ctl_check_jobs(c, &o->jobs);
}

/* Parse --select: a word of the API, or attributes as in SQL. */
static int
reading_select(struct call *c, const struct reading_opts *o, struct read_in *out,
	       const char **project)
{
	static const char *const words[] = {[SELECT_ALL] = "ALL_ATTRIBUTES",
					    [SELECT_ALL_PROJECTED] = "ALL_PROJECTED_ATTRIBUTES",
					    [SELECT_SPECIFIC] = "SPECIFIC_ATTRIBUTES"};

	*project = o->project;
	out->select = o->count ? SELECT_COUNT : SELECT_DEFAULT;
	if (o->select == NULL) {
		return 0;
	}
	if (o->count) {
		return call_fail(c, ERR_USAGE, "--count prints no attributes: leave out --select");
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i] != NULL && strcmp(o->select, words[i]) == 0) {
			out->select = (enum select)i;
		}
	}
	if (out->select == SELECT_SPECIFIC && o->project == NULL) {
		return call_fail(c, ERR_USAGE,
				 "--select SPECIFIC_ATTRIBUTES needs --project ATTR,...");
	}
	if (out->select == SELECT_DEFAULT && o->project != NULL) {
		return call_fail(c, ERR_USAGE, "give only one of --select and --project");
	}
	*project = out->select == SELECT_DEFAULT ? o->select : o->project;
	return 0;
}

int
reading_request(struct call *c, const struct reading_opts *o, struct exprs *e, struct read_in *out)
{
	out->index = slice_from(o->index);
	out->consistent = o->consistent;
	out->has_limit = o->page_size.given;
	out->limit = (uint32_t)o->page_size.n;
	if (o->start != NULL && ctl_item(c, slice_from(o->start), &out->start) < 0) {
		return call_prefix(c, "--start: ");
	}
	const char *project;
	int r = reading_select(c, o, out, &project);

	r = r != 0 ? r : exprs_placeholders(c, e, o->names, o->values);
	r = r != 0 ? r : exprs_add(c, e, "FilterExpression", slice_from(o->filter), &out->filter);
	return r != 0 ? r
		      : exprs_add(c, e, "ProjectionExpression", slice_from(project),
				  &out->projection);
}

int
reading_print(struct ctl *ctl, struct call *c, const struct reading_opts *o,
	      struct result_printer *a, const struct absent_key *key)
{
	const struct read_in *read = op_read(a->requests);
	struct absent_names asked = absent_names_of(c, read->projection, &read->ph);
	struct nothing nothing = {
		.table = read->table, .filter = slice_from(o->filter), .ph = &read->ph, .key = key};
	struct progress progress;

	a->ctl = ctl;
	a->out = &ctl->out;
	a->progress = &progress;
	a->count = o->count;
	a->one_page = o->one_page;
	a->limit = o->limit.n;
	a->filtered = o->filter != NULL;
	a->jobs = ctl_requests(ctl, &o->jobs);
	a->asked = &asked;
	asked.n -= a->hidden.n < asked.n ? a->hidden.n : asked.n; /* hidden names are last */
	asked.left = asked.n;
	if (asked.n > 0) {
		lead_names(&ctl->out, asked.at, asked.n);
	}
	progress_begin(&progress, ctl->quiet || ctl->out.format == OUT_TABLE, 0);
	int r = result_printer_print(a, c);
	progress_end(&progress);
	if (r < 0) {
		return r;
	}
	if ((o->count ? ctl->counted.count : ctl->out.n) == 0) {
		nothing.examined = ctl->counted.scanned > 0;
		/* With --start, an empty last page is normal. */
		enum nothing_cause cause =
			o->start != NULL ? NOTHING_SEEN : nothing_say(ctl, c, &nothing);

		if (cause == NOTHING_SEEN) {
			ctl_empty(ctl);
		}
		return cause == NOTHING_WRONG ? NOTHING_WRONG : 0;
	}
	nothing_say_compared(ctl, c, &nothing);
	nothing_say_projected(ctl, c, read->table, &asked);
	return 0;
}

/* ------------------------------------------------------------ KeyConditionExpression of a query */

const char *
key_condition_alias(struct call *c, const char *name, size_t i)
{
	return i == 0 ? name : arena_print(&c->arena, "%s%zu", name, i);
}

/* Append " AND name = value" for attribute @i of the key.  The caller sets the placeholder of the value. */
static void
key_condition_put_equal(struct call *c, const struct key_condition *k, struct buf *text,
			const char *name, const char *value, const struct key_attr *attr, size_t i)
{
	exprs_name(c, k->exprs, key_condition_alias(c, name, i), attr->name);
	buf_fmt(text, "%s%s = %s", text->len == 0 ? "" : " AND ", key_condition_alias(c, name, i),
		key_condition_alias(c, value, i));
}

/* Append the conditions of --eq, which are on the first attributes of the sort key. */
static int
key_condition_equal(struct call *c, const struct key_condition *k, struct buf *text)
{
	for (size_t i = 0; i < k->o->eq.n; i++) {
		struct value v;

		int r = key_text_parse(c, &k->key->sk[i], slice_from(k->o->eq.at[i]), &v);
		if (r < 0) {
			return query_hints_sort(k->hints, c, &k->key->sk[i], k->o->eq.at[i], r);
		}
		key_condition_put_equal(c, k, text, KEY_CONDITION_SK, KEY_CONDITION_A,
					&k->key->sk[i], i);
		exprs_value(c, k->exprs, key_condition_alias(c, KEY_CONDITION_A, i), &v);
	}
	return 0;
}

/* The condition on the attribute after those of --eq */
struct sort_option {
	const char *a, *b;
	const char *comparator;
};

/* Return the number of conditions besides --eq; --ge with --le counts as one.  @out: the last one */
static size_t
key_condition_comparison(const struct sort_conditions *o, struct sort_option *out)
{
	const struct sort_option rows[] = {
		{o->lt, NULL, "<"},     {o->le, NULL, "<="},
		{o->gt, NULL, ">"},     {o->ge, NULL, ">="},
		{o->begins, NULL, ","}, {o->between[0], o->between[1], "BETWEEN"},
	};
	size_t n = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].a != NULL) {
			*out = rows[i];
			n++;
		}
	}
	if (n == 2 && o->ge != NULL && o->le != NULL) {
		*out = (struct sort_option){o->ge, o->le, "BETWEEN"};
		return 1;
	}
	return n;
}

static int
key_condition_compare(struct call *c, const struct key_condition *k, const struct sort_option *p,
		      struct buf *text)
{
	const struct key_attr *attr = &k->key->sk[k->o->eq.n];
	struct value v;
	const char *name = key_condition_alias(c, KEY_CONDITION_SK, k->o->eq.n);
	const char *a = key_condition_alias(c, KEY_CONDITION_A, k->o->eq.n);

	int r = key_text_parse(c, attr, slice_from(p->a), &v);
	if (r < 0) {
		return query_hints_sort(k->hints, c, attr, p->a, r);
	}
	exprs_name(c, k->exprs, name, attr->name);
	exprs_value(c, k->exprs, a, &v);
	if (p->a == k->o->begins) {
		buf_fmt(text, " AND begins_with(%s, %s)", name, a);
		return 0;
	}
	buf_fmt(text, " AND %s %s %s", name, p->comparator, a);
	if (p->b != NULL) {
		r = key_text_parse(c, attr, slice_from(p->b), &v);
		r = r < 0 ? query_hints_sort(k->hints, c, attr, p->b, r) : 0;
		exprs_value(c, k->exprs, KEY_CONDITION_B, &v);
		buf_str(text, " AND " KEY_CONDITION_B);
	}
	return r;
}

static int
key_condition_sort(struct call *c, const struct key_condition *k, struct buf *text)
{
	struct sort_option p = {0};
	size_t others = key_condition_comparison(k->o, &p);
	size_t n = k->o->eq.n + others;
	size_t n_sk = key_part_n(k->key->sk);

	if (n > 0 && n_sk == 0) {
		return call_fail(c, ERR_USAGE, "there is no sort key for a condition");
	}
	if (n == 2 && n_sk == 1 && k->o->eq.n == 0) {
		const char *low = k->o->ge != NULL ? k->o->ge : k->o->gt;
		const char *high = k->o->le != NULL ? k->o->le : k->o->lt;

		if (low != NULL && high != NULL) {
			return query_hints_range(k->hints, c, low, high);
		}
	}
	struct buf b = {.arena = &c->arena};

	if (n > n_sk && n_sk == 1 && command_option_word(&b, k->command, k->hints->words)) {
		return call_fail(c, ERR_USAGE, "%.*s", SLICE_ARG(buf_view(&b)));
	}
	if (n > n_sk && n_sk == 1) {
		return call_fail(c, ERR_USAGE,
				 "give one condition on the sort key, not %zu; the comparisons "
				 "are --eq, --lt, --le, --gt, --ge, --between A B, --begins-with V",
				 n);
	}
	if (n > n_sk || others > 1) {
		return call_fail(c, ERR_USAGE,
				 "the sort key has %zu attributes: give --eq for the first ones, "
				 "then one other condition",
				 n_sk);
	}
	int r = key_condition_equal(c, k, text);

	return r < 0 || others == 0 ? r : key_condition_compare(c, k, &p, text);
}

int
key_condition_text(struct call *c, const struct key_condition *k, struct slice *out)
{
	struct buf text = {.arena = &c->arena};

	assert(key_part_n(k->key->pk) > 0);
	for (size_t i = 0; i < key_part_n(k->key->pk); i++) {
		key_condition_put_equal(c, k, &text, KEY_CONDITION_PK, KEY_CONDITION_PK_VALUE,
					&k->key->pk[i], i);
	}
	int r = key_condition_sort(c, k, &text);
	*out = buf_view(&text);
	return r;
}

const char *
key_condition_range(struct call *c, const struct sort_conditions *o, const struct key_schema *key)
{
	struct sort_option p = {0};
	struct buf b = {.arena = &c->arena};

	if (key_condition_comparison(o, &p) != 1 || o->eq.n > 0) {
		return NULL;
	}
	const char *quote = key->sk->type == VALUE_S ? "'" : "";
	struct slice name = key->sk->name;
	bool begins = p.a == o->begins;

	buf_fmt(&b, begins ? "begins_with(%.*s, " : "%.*s ", SLICE_ARG(name));
	buf_fmt(&b, "%s%s%s%s%s", begins ? "" : p.comparator, begins ? "" : " ", quote, p.a, quote);
	if (p.b != NULL) {
		buf_fmt(&b, " AND %s%s%s", quote, p.b, quote);
	}
	buf_str(&b, begins ? ")" : "");
	return slice_cstr(&c->arena, buf_view(&b));
}
