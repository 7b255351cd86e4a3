/* recorder - see recorder.h */
#include "tools/explain/recorder.h"

#include "store/engine/consumed.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/op/op.h"

struct recording {
	struct engine engine;
	struct recorder *to;
};

void
recorder_init(struct recorder *r, enum recorder_mode mode)
{
	*r = (struct recorder){.mode = mode};
	r->end = &r->first;
	(void)pthread_mutex_init(&r->lock, NULL);
	arena_init(&r->arena, SIZE_MAX);
}

void
recorder_release(struct recorder *r)
{
	(void)pthread_mutex_destroy(&r->lock);
	arena_drop(&r->arena);
}

/* ------------------------------------------------------------ texts */

/* Append the name or value of a placeholder; an undefined one is not changed. */
static void
recorder_put_meant(struct buf *b, struct slice word, const struct placeholders *ph)
{
	const struct value *v = word.at[0] == ':' ? item_get(&ph->values, word) : NULL;

	if (v != NULL) {
		value_put_json(b, v, ITEM_PLAIN);
		return;
	}
	for (size_t i = 0; i < ph->n_names; i++) {
		if (slice_eq(ph->names[i].alias, word)) {
			buf_slice(b, ph->names[i].name);
			return;
		}
	}
	buf_slice(b, word);
}

/* An expression with names and values in place of placeholders. */
static struct slice
meant(struct arena *arena, struct slice text, const struct placeholders *ph)
{
	struct buf b = {.arena = arena};

	for (size_t i = 0; i < text.len;) {
		size_t n = 1;

		if (ascii_blank(text.at[i])) {
			buf_str(&b, b.len == 0 || b.at[b.len - 1] == ' ' ? "" : " ");
			i++;
			continue;
		}
		if (text.at[i] != '#' && text.at[i] != ':') {
			buf_char(&b, text.at[i++]);
			continue;
		}
		while (i + n < text.len && ascii_word(text.at[i + n])) {
			n++;
		}
		recorder_put_meant(&b, slice_of(text.at + i, n), ph);
		i += n;
	}
	return ascii_trim(buf_view(&b));
}

static struct slice
recorder_key_text(struct arena *arena, const struct item *key)
{
	struct buf b = {.arena = arena};

	for (size_t i = 0; i < key->n; i++) {
		buf_fmt(&b, "%s%.*s = ", i == 0 ? "" : " AND ", SLICE_ARG(key->at[i].name));
		value_put_json(&b, &key->at[i].value, ITEM_PLAIN);
	}
	return buf_view(&b);
}

static const struct item *
recorder_key_of(const struct op_in *in)
{
	switch ((int)in->type) {
	case OP_GET_ITEM:
		return &in->get_item.key;
	case OP_UPDATE_ITEM:
		return &in->update_item.write.item;
	case OP_DELETE_ITEM:
		return &in->delete_item.write.item;
	default:
		return NULL;
	}
}

/* ------------------------------------------------------------ records */

/* A record of this request alone. */
static struct record
recorder_describe(struct arena *arena, const struct op_in *in, struct slice table)
{
	const struct read_in *read = op_read(in);
	const struct item *key = recorder_key_of(in);
	struct record out = {
		.type = in->type, .table = slice_copy(arena, table), .writes = op_writes(in)};

	if (key != NULL) {
		out.keys[out.n_keys++] = recorder_key_text(arena, key);
	}
	if (in->type == OP_GET_ITEM) {
		out.consistent = in->get_item.consistent;
	}
	if (read == NULL) {
		return out;
	}
	if (in->type == OP_SCAN && read->has_limit) {
		out.limit = (uint64_t)read->limit *
			    (in->scan.has_total_segments ? in->scan.total_segments : 1);
	}
	out.consistent = read->consistent;
	out.index = slice_copy(arena, read->index);
	out.filter = read->conditions.n > 0 ? SLICE("as given by its legacy parameter")
					    : meant(arena, read->filter, &read->ph);
	if (in->type == OP_QUERY) {
		out.keys[out.n_keys++] = in->query.key_conditions.n > 0
						 ? SLICE("as given by KeyConditions")
						 : meant(arena, in->query.key_condition, &read->ph);
	}
	return out;
}

/* Return true if @r is another page, shard or segment of the request @of, or if cost needs only the sum of both. */
static bool
recorder_goes_on(const struct recorder *to, const struct record *r, const struct record *of)
{
	return r->type == of->type && slice_eq(r->table, of->table) &&
	       slice_eq(r->index, of->index) && slice_eq(r->filter, of->filter) &&
	       (r->type == OP_QUERY || r->type == OP_SCAN || to->mode == RECORDER_COST);
}

/* Compare keys with their numbers in natural order: 2 before 10. */
static bool
recorder_before(struct slice a, struct slice b)
{
	return a.len == b.len ? slice_cmp(a, b) < 0 : a.len < b.len;
}

/* Keep the first keys in order, not those that came first: shards are read in parallel.  Return: false: not kept */
static bool
recorder_keep(struct record *r, struct slice key)
{
	size_t kept = r->n_keys < RECORDER_KEYS ? r->n_keys : RECORDER_KEYS;
	size_t at = kept;

	assert(r->type == OP_QUERY || r->type == OP_SCAN);
	while (at > 0 && recorder_before(key, r->keys[at - 1])) {
		at--;
	}
	if (at == RECORDER_KEYS) {
		return false;
	}
	kept -= kept == RECORDER_KEYS;
	memmove(&r->keys[at + 1], &r->keys[at], (kept - at) * sizeof(r->keys[0]));
	r->keys[at] = key;
	return true;
}

/* Find or add the record of a request; @table: the one of its tables that the record is for */
static struct record *
record_of(struct recorder *to, const struct op_in *in, struct slice table)
{
	assert(lock_held(&to->lock));
	const struct read_in *read = op_read(in);
	struct arena_mark mark = arena_mark(&to->arena);
	struct record now = recorder_describe(&to->arena, in, table);
	struct record *r = to->first;

	while (r != NULL && !recorder_goes_on(to, &now, r)) {
		r = r->next;
	}
	if (r == NULL) {
		r = arena_new(&to->arena, struct record, 1);
		*r = now;
		*to->end = r;
		to->end = &r->next;
		return r;
	}
	bool shard = now.n_keys > 0 && read != NULL && read->start.n == 0;

	if (!shard || !recorder_keep(r, now.keys[0])) {
		arena_reset(&to->arena, mark);
	}
	r->n_keys += shard;
	return r;
}

static void
explain_recorder_note(struct recorder *to, const struct op_in *in, const struct op_out *out,
		      const struct consumed_list *told)
{
	lock_scope(&to->lock);
	struct record *r = record_of(to, in, consumed_table(in));

	r->pages++;
	to->scans += in->type == OP_SCAN;
	to->statements += in->type == OP_EXECUTE_STATEMENT ||
			  in->type == OP_BATCH_EXECUTE_STATEMENT ||
			  in->type == OP_EXECUTE_TRANSACTION;
	if (told == NULL) {
		to->skipped = true;
		return;
	}
	r->read = true;
	consumed_add(in, told, &r->halves, &r->halves);
	if (in->type == OP_QUERY || in->type == OP_SCAN) {
		const struct page *page = op_page(in, out);

		r->count += page->count;
		r->scanned += page->scanned;
		r->more = r->more || (page->last.n > 0 && !op_read(in)->has_limit);
	} else if (in->type == OP_GET_ITEM) {
		r->count += out->get_item.found;
		r->scanned += out->get_item.found;
	}
}

/* ------------------------------------------------------------ cost */

/* Add a written item to the record of its table.  @it: NULL: of unknown size */
static void
recorder_size(struct recorder *to, const struct op_in *in, struct slice table,
	      const struct item *it)
{
	lock_scope(&to->lock);
	struct record *r = record_of(to, in, table);
	size_t size = it == NULL ? 0 : item_size(it);

	r->unsized += it == NULL;
	r->kb += (size + 1023) / 1024;
}

/* Note a write for RECORDER_COST, or fail if it cannot be estimated. */
static int
recorder_cost_write(struct recorder *to, struct call *c, const struct op_in *in)
{
	switch ((int)in->type) {
	case OP_SYNC:
		return 0;
	case OP_PUT_ITEM:
		recorder_size(to, in, in->put_item.write.table, &in->put_item.write.item);
		return 0;
	case OP_UPDATE_ITEM:
	case OP_DELETE_ITEM:
		recorder_size(to, in, consumed_table(in), NULL);
		return 0;
	case OP_BATCH_WRITE_ITEM:
		for (size_t i = 0; i < in->batch_write_item.n_tables; i++) {
			const struct batch_write *t = &in->batch_write_item.tables[i];

			for (size_t k = 0; k < t->n_actions; k++) {
				bool put = t->actions[k].kind == BATCH_PUT;

				recorder_size(to, in, t->table, put ? &t->actions[k].item : NULL);
			}
		}
		return 0;
	case OP_LOAD_ITEMS:
	case OP_CHANGE_ITEMS: /* the command then sends operations of the API */
		return call_fail(c, ERR_UNKNOWN_OPERATION, "%s is not estimated",
				 op_name(in->type));
	default:
		return call_fail(
			c, ERR_USAGE,
			"cost can estimate get, query, scan, export, copy, put, import, update "
			"and delete; this command needs %s",
			op_name(in->type));
	}
}

/* Execute the first page of a Query, and answer that it is empty. */
static int
recorder_cost_query(struct recorder *to, struct engine *below, struct call *c,
		    const struct op_in *in, struct op_out *out)
{
	struct consumed_list told;
	struct op_in asked = *in;
	struct op_out page = {.type = OP_QUERY};

	asked.query.read.text = (struct page_text){0};
	int r = consumed_execute(below, c, &asked, &page, &told);

	if (r == 0) {
		explain_recorder_note(to, in, &page, &told);
		*out = (struct op_out){.type = OP_QUERY};
	}
	return r;
}

static int
recorder_cost(struct recorder *to, struct engine *below, struct call *c, const struct op_in *in,
	      struct op_out *out)
{
	if (in->type == OP_QUERY) {
		return recorder_cost_query(to, below, c, in, out);
	}
	if (in->type == OP_SCAN || in->type == OP_GET_ITEM) {
		explain_recorder_note(to, in, out, NULL);
		return call_fail(c, ERR_USAGE, "estimated");
	}
	if (op_writes(in) || consumed_tells(in->type)) {
		out->type = in->type;
		return recorder_cost_write(to, c, in);
	}
	return engine_execute(below, c, in, out);
}

/* ------------------------------------------------------------ the engine */

/* Answer a read as empty, and a write as done. */
static void
answer_nothing(struct call *c, const struct op_in *in, struct op_out *out)
{
	*out = (struct op_out){.type = in->type};
	if (in->type == OP_TRANSACT_GET_ITEMS) {
		size_t n = in->transact_get_items.n_gets;

		out->transact_get_items.n_responses = n;
		out->transact_get_items.responses = arena_new(&c->arena, struct item_response, n);
	}
}

static int
recorder_execute(struct engine *engine, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct recorder *to = ((struct recording *)engine)->to;
	bool writes = op_writes(in);
	struct consumed_list told;

	if (to->mode == RECORDER_COST) {
		return recorder_cost(to, engine->below, c, in, out);
	}
	if (to->mode != RECORDER_ALL && writes && !consumed_tells(in->type)) {
		return call_fail(c, ERR_USAGE, "--explain is not for %s", op_name(in->type));
	}
	if (!consumed_tells(in->type)) {
		return engine_execute(engine->below, c, in, out);
	}
	if (to->mode == RECORDER_NOTHING || (to->mode == RECORDER_READS && writes)) {
		answer_nothing(c, in, out);
		explain_recorder_note(to, in, out, NULL);
		return 0;
	}
	int r = consumed_execute(engine->below, c, in, out, &told);

	if (r == 0) {
		explain_recorder_note(to, in, out, &told);
	}
	return r;
}

struct engine *
recorder_open(struct engine *below, struct recorder *r)
{
	static const struct engine_ops ops = {
		.execute = recorder_execute,
		.close = engine_below_close,
	};
	struct recording *e = mem_new(struct recording);

	*e = (struct recording){.engine = {&ops, below}, .to = r};
	return &e->engine;
}

struct engine *
recorder_close(struct engine *engine)
{
	struct engine *below = engine->below;

	free(engine);
	return below;
}
