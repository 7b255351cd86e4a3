/* matching - see matching.h */
#include "tools/write/matching.h"

#include "store/base/text/shell_word.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/key_text.h"

#include "tools/advice/nothing.h"
#include "tools/cli/commands.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/session/keyval.h"
#include "tools/session/streams.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/text/fmt.h"

/* Placeholders that users do not type; a number follows MATCHING_KEY and MATCHING_INDEX. */
#define MATCHING_KEY "#itemctl_k"
#define MATCHING_INDEX "#itemctl_i"
#define MATCHING_PK MATCHING_INDEX "0"
#define MATCHING_PK_VALUE ":itemctl_pk"

/* ------------------------------------------------------------ the request */

static void
matching_put_option(struct buf *b, const char *option, const char *value)
{
	if (value != NULL) {
		buf_str(b, option);
		shell_text(b, slice_from(value));
	}
}

/* Fail with the command for one item: without --filter and --all, and with the filter as --if. */
static int
matching_one_item(const struct ctl *ctl, struct call *c, const struct matching_opts *o,
		  const struct item_options_opts *item_options)
{
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < ctl->words.n; i++) {
		fmt_shell(&b, " %", slice_from(ctl->words.at[i]));
	}
	matching_put_option(&b, " --if ", o->filter);
	matching_put_option(&b, " --names ", item_options->names);
	matching_put_option(&b, " --values ", item_options->values);
	matching_put_option(&b, " --return ", item_options->returned);
	return call_fail(c, ERR_USAGE, "--%s selects many items, a key selects one: itemctl %s%.*s",
			 o->filter != NULL ? "filter" : "all", ctl->command->name,
			 SLICE_ARG(buf_view(&b)));
}

static int
matching_check(const struct ctl *ctl, struct call *c, const struct matching_opts *o,
	       const struct item_options_opts *item_options, const char *const *words, size_t n)
{
	if (o->filter != NULL && o->all) {
		return call_fail(c, ERR_USAGE, "give only one of --all and --filter");
	}
	if (item_options->condition != NULL) {
		return call_fail(c, ERR_USAGE,
				 "--if is for named items; with --filter 'EXPR AND EXPR', each "
				 "item is changed only if it still matches");
	}
	if (n > 1 || (n == 1 && strcmp(words[0], "-") == 0)) {
		return matching_one_item(ctl, c, o, item_options);
	}
	return 0;
}

static const struct key_schema *
matching_key(const struct matching *m)
{
	return schema_key(m->schema, m->index);
}

/* The placeholder of key attribute @i. */
static const char *
matching_alias(struct call *c, const char *name, size_t i)
{
	return arena_print(&c->arena, "%s%zu", name, i);
}

/* Read only the partition whose key is @word. */
static int
matching_partition(const struct ctl *ctl, struct call *c, const struct matching_opts *o,
		   const struct item_options_opts *item_options, const char *word,
		   struct matching *m)
{
	const struct key_schema *key = matching_key(m);
	struct value v;

	if (m->index == NULL && !key_schema_has_sort(key)) {
		return matching_one_item(ctl, c, o, item_options);
	}
	if (key_part_n(key->pk) > 1) {
		return call_fail(
			c, ERR_USAGE,
			"the partition key of %s has %zu attributes: give them in --filter",
			o->index, key_part_n(key->pk));
	}
	int r = key_text_parse(c, &key->pk[0], slice_from(word), &v);

	if (r < 0) {
		return r;
	}
	m->partition = true;
	m->request.type = OP_QUERY;
	m->request.query.key_condition = SLICE(MATCHING_PK " = " MATCHING_PK_VALUE);
	exprs_name(c, m->exprs, MATCHING_PK, key->pk[0].name);
	exprs_value(c, m->exprs, MATCHING_PK_VALUE, &v);
	return 0;
}

/* The projection of the table's key. */
static struct slice
matching_projection(struct call *c, const struct matching *m)
{
	const struct key_schema *key = &m->schema->key;
	const char *pk = matching_alias(c, MATCHING_KEY, 0);
	const char *sk = matching_alias(c, MATCHING_KEY, 1);
	bool sorts = key_schema_has_sort(key);

	exprs_name(c, m->exprs, pk, key->pk->name);
	if (sorts) {
		exprs_name(c, m->exprs, sk, key->sk->name);
	}
	return fmt_slice(&c->arena, "%s%s%s", pk, sorts ? ", " : "", sorts ? sk : "");
}

int
matching_open(struct ctl *ctl, struct call *c, struct slice table, const struct matching_opts *o,
	      const struct item_options_opts *item_options, const char *const *words, size_t n,
	      struct matching *out)
{
	struct read_in read = {.table = table, .index = slice_from(o->index), .once = true};

	*out = (struct matching){.filter = slice_from(o->filter),
				 .exprs = arena_new(&c->arena, struct exprs, 1),
				 .request.type = OP_SCAN};
	ctl->exprs = out->exprs;
	int r = matching_check(ctl, c, o, item_options, words, n);

	r = r < 0 ? r : ctl_schema(ctl, c, table, &out->schema);
	r = r == 0 && o->index != NULL ? ctl_index(c, out->schema, o->index, &out->index) : r;
	r = r < 0 ? r
		  : exprs_placeholders(c, out->exprs, item_options->names, item_options->values);
	if (r == 0) {
		exprs_keep(c, out->exprs, out->filter, SLICE(""));
		r = exprs_add(c, out->exprs, "FilterExpression", out->filter, &read.filter);
	}
	r = r == 0 && n > 0 ? matching_partition(ctl, c, o, item_options, words[0], out) : r;
	if (r < 0) {
		return r;
	}
	read.projection = matching_projection(c, out);
	read.ph = out->exprs->request.ph;
	*(out->request.type == OP_SCAN ? &out->request.scan.read : &out->request.query.read) = read;
	return 0;
}

/* ------------------------------------------------------------ the condition of a change */

/* Return true if @text is in one pair of parentheses.  DynamoDB refuses redundant parentheses around it. */
static bool
matching_is_group(struct slice text)
{
	size_t depth = 0;

	text = ascii_trim(text);
	for (size_t i = 0; i < text.len; i++) {
		depth += text.at[i] == '(';
		depth -= text.at[i] == ')';
		if (depth == 0) {
			return i > 0 && i + 1 == text.len;
		}
	}
	return false;
}

void
matching_condition(const struct matching *m, struct call *c, struct item_options *s)
{
	const struct key_schema *key = matching_key(m);
	const struct item *values = &m->exprs->request.ph.values;
	bool group = matching_is_group(s->condition);
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < KEY_ATTRS_MAX; i++) {
		const struct key_attr *attr = key_slot(key, i);
		const char *alias = matching_alias(c, MATCHING_INDEX, i);

		/* The first key attribute shows that an item of the table exists; an index requires all of its key. */
		if (attr->name.len > 0 && (i == 0 || m->index != NULL)) {
			exprs_name(c, s->exprs, alias, attr->name);
			buf_fmt(&b, "%sattribute_exists(%s)", b.len == 0 ? "" : " AND ", alias);
		}
	}
	if (m->partition && m->index != NULL) {
		exprs_value(c, s->exprs, MATCHING_PK_VALUE,
			    item_get(values, SLICE(MATCHING_PK_VALUE)));
		buf_str(&b, " AND " MATCHING_PK " = " MATCHING_PK_VALUE);
	}
	if (s->condition.len > 0) {
		buf_fmt(&b, group ? " AND %.*s" : " AND (%.*s)", SLICE_ARG(s->condition));
	}
	s->condition = buf_view(&b);
}

/* ------------------------------------------------------------ the keys */

static int
matching_no_file(struct call *c)
{
	return call_fail(c, ERR_IO, "the keys cannot be kept in a temporary file: %s",
			 strerrordesc_np(errno));
}

static int
matching_keep(struct matching *m, struct call *c, const struct page *page)
{
	struct buf text = {0};

	int r = 0;

	for (size_t i = 0; r == 0 && i < page->count; i++) {
		struct item key;

		r = keyval_pick(c, &m->schema->key, &page->items[i], &key);
		if (r == 0) {
			item_put_json(&text, &key, ITEM_TYPED);
			buf_char(&text, '\n');
		}
	}
	r = r == 0 && fwrite(text.at, 1, text.len, m->keys) != text.len ? matching_no_file(c) : r;
	buf_release(&text);
	m->n += page->count;
	m->scanned += page->scanned;
	return r;
}

static int
matching_read(struct ctl *ctl, struct call *c, struct matching *m)
{
	struct streams_options so = {.engine = ctl->engine,
				     .requests = &m->request,
				     .n = 1,
				     .jobs = 2,
				     .patient = true,
				     .now_ms = c->now_ms};
	struct streams *pages = streams_new(&so);
	struct stream_page *page = NULL;
	struct progress progress;
	int r = 0;

	progress_begin(&progress, ctl->quiet, 0);
	while (r == 0) {
		r = stop_check(c);
		r = r < 0 ? r : streams_any(pages, c, &page);
		r = r != 0 ? r : matching_keep(m, c, &page->page);
		progress_show(&progress, m->n, 0);
	}
	progress_end(&progress);
	streams_free(pages);
	return r < 0 ? r : 0;
}

/* Explain why the filter has found nothing.  Return: the exit status */
static int
matching_say_none(const struct ctl *ctl, struct call *c, const struct matching *m)
{
	struct nothing nothing = {.table = m->schema->table,
				  .filter = m->filter,
				  .ph = &m->exprs->request.ph,
				  .examined = m->scanned > 0};

	return m->n == 0 && m->filter.len > 0 && ctl_may_look(ctl) &&
			       nothing_say(ctl, c, &nothing) == NOTHING_WRONG
		       ? NOTHING_WRONG
		       : 0;
}

/* Suggest a pipe from query if the filter has a condition on the key, which the filter of a Query must not have. */
static int
matching_fail(const struct ctl *ctl, struct call *c, const struct matching *m, int r)
{
	const char *message = c->error.message;

	if (!m->partition || r != -ERR_VALIDATION || strstr(message, "non-primary key") == NULL) {
		return r;
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_VALIDATION,
			 "%s; to give a condition on the sort key: itemctl query %.*s PK "
			 "--begins-with V | itemctl %s %.*s -",
			 message, SLICE_ARG(m->schema->table), ctl->command->name,
			 SLICE_ARG(m->schema->table));
}

int
matching_find(struct ctl *ctl, struct call *c, struct matching *m)
{
	assert(m->schema != NULL && m->keys == NULL);
	m->keys = tmpfile();
	if (m->keys == NULL) {
		return matching_no_file(c);
	}
	ctl->exprs = m->exprs;
	stop_listen();
	int r = matching_read(ctl, c, m);

	if (r == 0 && fseek(m->keys, 0, SEEK_SET) != 0) { /* also flushes the buffer */
		r = matching_no_file(c);
	}
	if (r == 0) {
		return matching_say_none(ctl, c, m);
	}
	return stop_asked() != 0 ? call_prefix(c, "nothing is changed: ")
				 : matching_fail(ctl, c, m, r);
}

void
matching_close(struct matching *m)
{
	if (m->keys != NULL) {
		(void)fclose(m->keys);
	}
}
