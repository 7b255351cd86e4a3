/* transfer - encodes, reads and writes the records of transfers and their tokens */
#include "store/local/archive/transfer.h"

#include "store/local/archive/archive.h"
#include "store/local/commit/txn.h"
#include "store/local/records/catalog.h"
#include "store/local/records/definition.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/reader.h"
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/op/validate.h"

/* ------------------------------------------------------------ bytes */

static struct slice
transfer_key_in(struct call *c, char space, enum transfer_kind kind, struct slice name)
{
	struct buf key = {.arena = &c->arena};

	buf_char(&key, space);
	buf_char(&key, (char)kind);
	buf_slice(&key, name);
	return buf_view(&key);
}

struct slice
transfer_key(struct call *c, enum transfer_kind kind, struct slice id)
{
	return transfer_key_in(c, KEYSPACE_TRANSFER, kind, id);
}

static struct slice
transfer_token_key(struct call *c, enum transfer_kind kind, struct slice token)
{
	return transfer_key_in(c, KEYSPACE_TRANSFER_OF, kind, token);
}

/* Source and table definition of an import. */
static void
put_plan(struct buf *out, const struct transfer *t)
{
	buf_char(out, (char)t->source.format);
	buf_char(out, t->source.gzip);
	buf_char(out, t->source.delimiter);
	buf_varint(out, t->source.n_headers);
	for (size_t i = 0; i < t->source.n_headers; i++) {
		buf_text(out, t->source.headers[i]);
	}
	definition_encode(out, t->schema);
}

static int
get_import(struct call *c, struct reader *r, struct transfer *out)
{
	struct schema *s = arena_new(&c->arena, struct schema, 1);

	out->processed = get_varint(r);
	out->errors = get_varint(r);
	out->source.format = (enum import_format)get_choice(r, IMPORT_CSV + 1);
	out->source.gzip = get_choice(r, 2) == 1;
	out->source.delimiter = (char)get_choice(r, 128);
	size_t n = get_count(r);
	struct slice *headers = arena_new(&c->arena, struct slice, n);

	for (size_t i = 0; i < n; i++) {
		headers[i] = get_text(r);
	}
	out->source.headers = headers;
	out->source.n_headers = n;
	out->schema = s;
	struct slice rest = slice_of((const char *)r->at, reader_left(r));

	r->at = r->end;
	return r->bad ? 0 : definition_decode(c, out->table, rest, s);
}

void
transfer_encode(struct buf *out, enum transfer_kind kind, const struct transfer *t)
{
	buf_char(out, (char)t->status);
	buf_u64be(out, t->started_ms);
	buf_u64be(out, t->ended_ms);
	buf_varint(out, t->items);
	buf_varint(out, t->bytes);
	buf_text(out, t->table);
	buf_text(out, t->uuid);
	buf_text(out, t->token);
	buf_text(out, t->place.bucket);
	buf_text(out, t->place.owner);
	buf_text(out, t->place.prefix);
	buf_text(out, t->failure_code);
	buf_text(out, t->failure);
	if (kind == TRANSFER_IMPORT) {
		buf_varint(out, t->processed);
		buf_varint(out, t->errors);
		put_plan(out, t);
	} else {
		buf_char(out, t->typed);
		buf_u64be(out, t->time_ms);
	}
}

/* Files are created and removed by these names, so a record is valid only if a request could have had them. */
static bool
transfer_names_are_right(const struct transfer *t)
{
	return archive_is_id(t->id) && validate_name(t->table) &&
	       validate_bucket(t->place.bucket) && validate_prefix(t->place.prefix);
}

int
transfer_decode(struct call *c, enum transfer_kind kind, struct slice id, struct slice record,
		struct transfer *out)
{
	struct reader r = reader_of(&c->arena, record);
	int status = 0;

	*out = (struct transfer){.id = id};
	out->status = (enum transfer_status)get_choice(&r, TRANSFER_FAILED + 1);
	out->started_ms = get_be(&r, sizeof(out->started_ms));
	out->ended_ms = get_be(&r, sizeof(out->ended_ms));
	out->items = get_varint(&r);
	out->bytes = get_varint(&r);
	out->table = get_text(&r);
	out->uuid = get_text(&r);
	out->token = get_text(&r);
	out->place.bucket = get_text(&r);
	out->place.owner = get_text(&r);
	out->place.prefix = get_text(&r);
	out->failure_code = get_text(&r);
	out->failure = get_text(&r);
	if (kind == TRANSFER_IMPORT) {
		status = get_import(c, &r, out);
	} else {
		out->typed = get_choice(&r, 2) == 1;
		out->time_ms = get_be(&r, sizeof(out->time_ms));
	}
	return reader_at_end(&r) && transfer_names_are_right(out)
		       ? status
		       : call_fail(c, ERR_CORRUPT, "the record of the transfer %.*s is damaged",
				   SLICE_ARG(id));
}

static bool
same_plan(struct call *c, const struct transfer *a, const struct transfer *b)
{
	struct buf plans[2];

	for (int i = 0; i < 2; i++) {
		buf_init(&plans[i], &c->arena);
		put_plan(&plans[i], i == 0 ? a : b);
	}
	return slice_eq(buf_view(&plans[0]), buf_view(&plans[1]));
}

static int
transfer_check_same(struct call *c, enum transfer_kind kind, const struct transfer *a,
		    const struct transfer *b)
{
	bool is_export = kind == TRANSFER_EXPORT;

	if (slice_eq(a->table, b->table) && slice_eq(a->place.bucket, b->place.bucket) &&
	    slice_eq(a->place.owner, b->place.owner) &&
	    slice_eq(a->place.prefix, b->place.prefix) &&
	    (is_export ? a->time_ms == b->time_ms : same_plan(c, a, b))) {
		return 0;
	}
	return call_fail(c, is_export ? ERR_EXPORT_CONFLICT : ERR_IMPORT_CONFLICT,
			 "%s conflict: Duplicate request detected with conflicting parameters",
			 is_export ? "Export" : "Import");
}

/* ------------------------------------------------------------ inside the queue */

void
transfer_put(struct txn *t, struct call *c, enum transfer_kind kind, const struct transfer *what)
{
	struct buf record = {.arena = &c->arena};

	transfer_encode(&record, kind, what);
	txn_put(t, transfer_key(c, kind, what->id), buf_view(&record));
}

/* A token may exist without its record, and a record without its token. */
int
transfer_of_token(struct txn *t, struct call *c, enum transfer_kind kind,
		  const struct transfer *asked, struct transfer *out)
{
	struct slice id;
	struct slice record;

	if (asked->token.len == 0) {
		return KV_ABSENT;
	}
	int r = txn_get(t, c, transfer_token_key(c, kind, asked->token), &id);

	if (r == 0) {
		id = slice_copy(&c->arena, id);
		r = txn_get(t, c, transfer_key(c, kind, id), &record);
	}
	if (r == 0) {
		r = transfer_decode(c, kind, id, slice_copy(&c->arena, record), out);
	}
	if (r != 0 || c->now_ms >= out->started_ms + LIMIT_TRANSFER_TOKEN_MS) {
		return r < 0 ? r : KV_ABSENT;
	}
	return transfer_check_same(c, kind, asked, out);
}

void
transfer_begin(struct txn *t, struct call *c, enum transfer_kind kind, struct transfer *begun)
{
	struct buf id;

	assert(begun->id.len == 0);
	buf_init(&id, &c->arena);
	buf_fmt(&id, "%014llu-%08x", (unsigned long long)c->now_ms, (uint32_t)txn_seq(t));
	begun->id = buf_view(&id);
	begun->started_ms = c->now_ms;
	if (begun->token.len == 0) {
		begun->token = begun->id;
	}
	transfer_put(t, c, kind, begun);
	txn_put(t, transfer_token_key(c, kind, begun->token), begun->id);
}

/* A write or deletion of a transfer. */
struct change_transfer {
	enum transfer_kind kind;
	const struct transfer *transfer;
	bool forget;
};

static int
transfer_run_change(struct txn *t, struct call *c, void *arg)
{
	const struct change_transfer *ch = arg;
	struct slice token = transfer_token_key(c, ch->kind, ch->transfer->token);
	struct slice id;

	if (!ch->forget) {
		transfer_put(t, c, ch->kind, ch->transfer);
		return 0;
	}
	txn_del(t, transfer_key(c, ch->kind, ch->transfer->id));
	int r = txn_get(t, c, token, &id);

	/* The token may belong to a later transfer by now. */
	if (r == 0 && slice_eq(id, ch->transfer->id)) {
		txn_del(t, token);
	}
	return r < 0 ? r : 0;
}

static int
transfer_change(struct local *l, struct call *c, struct change_transfer *ch)
{
	return txn_run(l->queue, c,
		       &(struct txn_op){.run = transfer_run_change, .arg = ch, .durable = true});
}

int
transfer_write(struct local *l, struct call *c, enum transfer_kind kind, const struct transfer *t)
{
	return transfer_change(l, c, &(struct change_transfer){.kind = kind, .transfer = t});
}

int
transfer_forget(struct local *l, struct call *c, enum transfer_kind kind, const struct transfer *t)
{
	return transfer_change(
		l, c, &(struct change_transfer){.kind = kind, .transfer = t, .forget = true});
}

/* ------------------------------------------------------------ transfers by ARN */

/* The message repeats its beginning, as that of the service does. */
static int
not_found(struct call *c, enum transfer_kind kind, struct slice arn)
{
	return kind == TRANSFER_EXPORT
		       ? call_fail(c, ERR_EXPORT_NOT_FOUND,
				   "Export not found: Export not found: %.*s", SLICE_ARG(arn))
		       : call_fail(c, ERR_IMPORT_NOT_FOUND,
				   "Import not found: Import not found: %.*s", SLICE_ARG(arn));
}

/*
 * The end state of an import is committed a moment before the catalog has the table.  Show the import as running until
 * then: a client that sees the end state expects to find the table.
 */
static void
transfer_show(struct local *l, struct call *c, enum transfer_kind kind, struct transfer *t)
{
	const struct schema *s =
		kind == TRANSFER_EXPORT ? NULL : catalog_get(l->catalog, c, t->table);

	if (s != NULL && s->creating && slice_eq(s->uuid, t->uuid)) {
		t->status = TRANSFER_RUNNING;
		t->ended_ms = 0;
		t->failure_code = t->failure = slice_of(NULL, 0);
	}
}

int
transfer_describe(struct local *l, struct call *c, enum transfer_kind kind, struct slice arn,
		  struct transfer *out)
{
	struct slice table;
	struct slice id;
	struct buf record = {.arena = &c->arena};

	if (!arn_read(arn, kind == TRANSFER_EXPORT ? "/export/" : "/import/", &table, &id)) {
		return call_fail(c, ERR_VALIDATION, "Invalid %s ARN",
				 kind == TRANSFER_EXPORT ? "Export" : "Import");
	}
	int r = kv_get(l->kv, c, NULL, transfer_key(c, kind, id), &record);

	if (r == 0) {
		r = transfer_decode(c, kind, id, buf_view(&record), out);
	}
	if (r == KV_ABSENT || (r == 0 && !slice_eq(out->table, table))) {
		return not_found(c, kind, arn);
	}
	if (r == 0) {
		transfer_show(l, c, kind, out);
	}
	return r;
}

/* ------------------------------------------------------------ lists */

int
transfer_each(struct local *l, struct call *c, enum transfer_kind kind, struct slice id,
	      transfer_take_fn *take, void *arg)
{
	struct slice prefix = transfer_key(c, kind, slice_of(NULL, 0));
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(l->kv, NULL);
	int r = 0;

	/* No kind has the letter kind + 1, so this seeks to the end of the kind's records. */
	kv_cursor_seek_before(cur, id.len > 0
					   ? transfer_key(c, kind, id)
					   : transfer_key(c, (enum transfer_kind)(kind + 1), id));
	for (; r == 0 && kv_cursor_in(cur, prefix); kv_cursor_prev(cur)) {
		struct slice key = slice_copy(&c->arena, kv_cursor_key(cur));
		struct transfer t;

		r = transfer_decode(c, kind, slice_skip(key, prefix.len),
				    slice_copy(&c->arena, kv_cursor_value(cur)), &t);
		r = take(arg, c, r < 0 ? NULL : &t);
	}
	return kv_cursor_end(cur, c, r < 0 ? r : 0);
}

struct listing {
	struct local *local;
	enum transfer_kind kind;
	struct slice table;
	struct transfer *at;
	size_t n;
	size_t limit;
	bool more;
};

static int
transfer_add(void *arg, struct call *c, const struct transfer *t)
{
	struct listing *ls = arg;

	if (t == NULL) {
		return -(int)c->error.code;
	}
	if (ls->table.len > 0 && !slice_eq(ls->table, t->table)) {
		return 0;
	}
	ls->more = ls->n == ls->limit;
	if (!ls->more) {
		ls->at[ls->n] = *t;
		transfer_show(ls->local, c, ls->kind, &ls->at[ls->n++]);
	}
	return ls->more;
}

int
transfer_list(struct local *l, struct call *c, enum transfer_kind kind,
	      const struct transfer_query *q, struct transfer_page *out)
{
	struct listing ls = {
		.local = l,
		.kind = kind,
		.table = arn_table(q->table),
		.limit = q->limit == 0 ? LIMIT_LIST_TRANSFERS_DEFAULT : q->limit,
	};
	struct slice id = {0};
	int r = q->next.len == 0 ? 0 : transfer_token_decode(c, kind, q->next, &id);

	ls.at = arena_new(&c->arena, struct transfer, ls.limit);
	if (r == 0) {
		r = transfer_each(l, c, kind, id, transfer_add, &ls);
	}
	if (r == 0) {
		*out = (struct transfer_page){.at = ls.at, .n = ls.n};
	}
	if (r == 0 && ls.more) {
		out->next = transfer_token_encode(c, kind, ls.at[ls.n - 1].id);
	}
	return r;
}
