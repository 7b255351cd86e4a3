/* explain_requests - see explain_requests.h */
#include "tools/explain/explain_requests.h"

#include "store/model/schema.h"
#include "store/op/op.h"
#include "store/open.h"

#include "tools/advice/query_hints.h"
#include "tools/cli/commands.h"
#include "tools/cli/pasted.h"
#include "tools/explain/explain.h"
#include "tools/explain/recorder.h"
#include "tools/out/out.h"
#include "tools/out/show.h"
#include "tools/session/ctl.h"
#include "tools/text/bare.h"
#include "tools/text/typed_line.h"

/* ------------------------------------------------------------ hints */

/* Suggest a Query for a comparison of the filter with "=".  Return: false: no comparison is on a partition key */
static bool
hint_of_filter(struct buf *b, const struct schema *s, const struct record *r)
{
	struct buf text = {0};
	const struct index *ix;
	struct bare literal;
	size_t at = 0;
	bool found = false;

	buf_slice(&text, r->filter);
	buf_char(&text, '\0');
	bool all = strcasestr(text.at, " OR ") == NULL && strcasestr(text.at, "NOT ") == NULL;

	while (all && !found && bare_literal(r->filter, &at, &literal)) {
		struct slice word = literal.word;
		bool quoted = word.len > 1 && word.at[0] == '"';

		found = slice_is(literal.comparator, "=") && slice_chr(word, '\\') == NULL &&
			query_hints_key(s, literal.name, &ix);
		if (found) {
			buf_fmt(b, "%.*s is a partition key; use it as the key, not in a filter: ",
				SLICE_ARG(literal.name));
			query_hints_line(b, r->table, ix,
					 quoted ? slice_of(word.at + 1, word.len - 2) : word);
		}
		if (found && strcasestr(text.at, " AND ") != NULL) {
			buf_str(b, " --filter ...");
		}
	}
	buf_release(&text);
	return found;
}

static int
hint_scan(struct ctl *ctl, struct call *c, struct buf *out, const struct record *r)
{
	struct buf b = {.arena = &c->arena}, line = {.arena = &c->arena};
	const struct schema *s = NULL;
	int got = ctl_schema(ctl, c, r->table, &s);

	if (got < 0) {
		return got;
	}
	assert(s != NULL);
	if (!hint_of_filter(&b, s, r)) {
		const struct index *ix = schema_index(s, r->index);

		buf_fmt(&b, "a Scan reads everything, a Query only one %.*s: ",
			SLICE_ARG(schema_key(s, ix)->pk->name));
		query_hints_line(&b, r->table, ix, SLICE("VALUE"));
	}
	pasted_put(&line, buf_view(&b), ctl->store_typed);
	explain_line(out, "hint", "%.*s", SLICE_ARG(buf_view(&line)));
	return 0;
}

/* Print a hint if the filter drops most of the items. */
static void
hint_filter(struct call *c, struct buf *out, const struct record *r)
{
	size_t at = 0;
	struct slice name = bare_name(r->filter, &at);
	struct buf b = {.arena = &c->arena};

	if (r->filter.len == 0 || r->scanned == 0 || r->count >= r->scanned - r->count) {
		return;
	}
	buf_fmt(&b, "the filter drops %lu of the %lu items that are read and cost units",
		(unsigned long)(r->scanned - r->count), (unsigned long)r->scanned);
	if (r->type != OP_SCAN) {
		buf_fmt(&b, "; a key or index with %.*s would not read them",
			SLICE_ARG(name.len > 0 ? name : SLICE("its attributes")));
	}
	explain_line(out, "hint", "%.*s", SLICE_ARG(buf_view(&b)));
}

/* ------------------------------------------------------------ one request */

static void
put_source(struct call *c, struct buf *out, const struct record *r)
{
	const char *name = op_name(r->type);
	struct buf b = {.arena = &c->arena};

	buf_fmt(&b, "%s %s%s", strchr("AEIOU", name[0]) != NULL ? "an" : "a", name,
		r->type == OP_SCAN ? ", all" : "");
	if (r->table.len > 0) {
		buf_fmt(&b, " of %.*s", SLICE_ARG(r->table));
	}
	if (r->index.len > 0) {
		buf_fmt(&b, ".%.*s", SLICE_ARG(r->index));
	}
	explain_line(out, r->writes ? "writes" : "reads", "%.*s", SLICE_ARG(buf_view(&b)));
}

static void
explain_requests_put_keys(struct buf *out, const struct record *r)
{
	for (size_t i = 0; i < r->n_keys && i < RECORDER_KEYS; i++) {
		explain_line(out, i == 0 ? "keys" : "", "%.*s", SLICE_ARG(r->keys[i]));
	}
	if (r->n_keys > RECORDER_KEYS) {
		explain_line(out, "", "... and %zu more", r->n_keys - RECORDER_KEYS);
	}
}

/* Estimate a request that was not executed. */
static int
put_estimate(struct ctl *ctl, struct call *c, struct buf *out, const struct record *r)
{
	struct explain_source of = {
		.ctl = ctl, .table = r->table, .index = r->index, .consistent = r->consistent};

	switch ((int)r->type) {
	case OP_SCAN:
		explain_line(out, "items", "not read; --explain --run reads and counts");
		return explain_scan_cost(&of, c, out);
	case OP_GET_ITEM:
		explain_line(out, "items", "not read; --explain --run reads and counts");
		return explain_query_estimate(&of, c, out, r->pages);
	case OP_QUERY:
		return explain_query_estimate(&of, c, out, 0);
	default:
		explain_line(out, "cost", "not known; --explain --run measures it");
		ctl->explained.unknown = true;
		return 0;
	}
}

static int
explain_requests_put_record(struct ctl *ctl, struct call *c, struct buf *out,
			    const struct record *r)
{
	bool counted = r->type == OP_QUERY || r->type == OP_SCAN || r->type == OP_GET_ITEM;
	int got = 0;

	ctl->explained.scans |= r->type == OP_SCAN;
	put_source(c, out, r);
	explain_requests_put_keys(out, r);
	if (r->filter.len > 0) {
		explain_line(out, "filter",
			     "%.*s: applied after reading; items that it drops cost units, too",
			     SLICE_ARG(r->filter));
	}
	if (r->writes) {
		ctl->explained.unknown = true;
		explain_line(out, "cost", "%s" EXPLAIN_EACH_KB,
			     r->type == OP_TRANSACT_WRITE_ITEMS ? "2 write units" : "1 write unit");
		return 0;
	}
	if (r->read && counted) {
		explain_line(
			out, "items", "%lu read (ScannedCount), %lu returned (Count), %lu %s%s",
			(unsigned long)r->scanned, (unsigned long)r->count, (unsigned long)r->pages,
			r->type == OP_GET_ITEM ? "request" : "page", r->pages == 1 ? "" : "s");
	}
	if (r->read) {
		explain_units(ctl, out, "", r->halves);
	} else {
		got = put_estimate(ctl, c, out, r);
	}
	hint_filter(c, out, r);
	return got == 0 && r->type == OP_SCAN ? hint_scan(ctl, c, out, r) : got;
}

/* ------------------------------------------------------------ around a command */

int
explain_check(struct call *c, const struct explain_opts *o)
{
	const char *needs = o->explain             ? NULL
			    : o->run               ? "--run"
			    : o->no_scan           ? "--no-scan"
			    : o->max_units != NULL ? "--max-units"
						   : NULL;
	struct buf line = {.arena = &c->arena};
	char *end;

	if (needs != NULL) {
		bool known = typed_line_insert(&line, SLICE("--"), SLICE("--explain"));

		return call_fail(c, ERR_USAGE, "%s needs --explain%s%.*s", needs, known ? ": " : "",
				 SLICE_ARG(buf_view(&line)));
	}
	if (o->max_units != NULL &&
	    (strtod(o->max_units, &end) < 0 || end == o->max_units || *end != '\0')) {
		return call_fail(c, ERR_USAGE,
				 "--max-units needs a number, such as 5 or 0.5, not %s",
				 o->max_units);
	}
	return 0;
}

int
explain_judge(struct ctl *ctl, struct call *c, const struct explain_opts *o)
{
	struct ctl_explained found = ctl->explained;
	double units = (double)found.halves / 2;
	bool costs = o->max_units != NULL && units > strtod(o->max_units, NULL);
	struct buf b = {.arena = &c->arena};

	ctl->explained = (struct ctl_explained){0};
	if (o->no_scan && found.scans) {
		buf_str(&b, "FAILED: it is a Scan");
	}
	if (costs || (o->max_units != NULL && found.unknown)) {
		buf_str(&b, b.len == 0 ? "FAILED: it costs " : ", and costs ");
		if (costs) {
			buf_fmt(&b, "%.15g read units, more than %s", units, o->max_units);
		} else {
			buf_str(&b, "what is not known");
		}
	}
	if (b.len > 0) {
		show_lines(buf_view(&b));
	}
	return b.len > 0;
}

bool
explain_wanted(const struct ctl *ctl, const struct explain_opts *o)
{
	return (o->explain || o->run || o->no_scan || o->max_units != NULL) && !ctl->explains;
}

int
explain_begin(struct ctl *ctl, struct call *c, const struct explain_opts *o, struct explaining *e)
{
	int r = explain_check(c, o);

	if (r < 0 || ctl->estimates) {
		return r < 0 ? r : call_fail(c, ERR_USAGE, "give only one of cost and --explain");
	}
	*e = (struct explaining){.limits = *o,
				 .out = ctl->out,
				 .first = ctl->first,
				 .line = {.arena = &c->arena},
				 .quiet = ctl->quiet};
	recorder_init(&e->to,
		      o->run || !store_is_remote(ctl->store) ? RECORDER_READS : RECORDER_NOTHING);
	assert(!ctl->explains);
	ctl->engine = recorder_open(ctl->engine, &e->to);
	ctl->explains = true;
	ctl->quiet = true;
	ctl->first = &e->line;
	out_open_first(&ctl->out, ctl->first);
	return 0;
}

int
explain_end(struct ctl *ctl, struct call *c, struct explaining *e, int r)
{
	assert(ctl->explains);
	out_drop(&ctl->out);
	ctl->out = e->out;
	ctl->first = e->first;
	ctl->quiet = e->quiet;
	ctl->explains = false;
	ctl->engine = recorder_close(ctl->engine);
	ctl->out.format = OUT_JSONL; /* the output is text, whatever the format is */
	r = r < 0 ? r : 0;
	for (const struct record *at = e->to.first; r == 0 && at != NULL; at = at->next) {
		buf_str(&ctl->out.sink.buf, at == e->to.first ? "" : "\n");
		r = explain_requests_put_record(ctl, c, &ctl->out.sink.buf, at);
	}
	if (r == 0 && e->to.first == NULL) {
		ctl_note(ctl, "no item was read or written: there is nothing to explain");
	}
	recorder_release(&e->to);
	return r < 0 ? r : explain_judge(ctl, c, &e->limits);
}

int
explain_command(struct ctl *ctl, struct call *c, const struct command *command,
		const struct words *words, const void *opts, const struct explain_opts *o)
{
	struct explaining e = {0};
	int r = explain_begin(ctl, c, o, &e);

	if (r < 0) {
		return r;
	}
	r = command->run(ctl, c, words, opts);
	return explain_end(ctl, c, &e, r);
}
