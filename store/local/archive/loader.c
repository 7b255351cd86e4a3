/*
 * loader - records of JSON or CSV as items, put in batches
 *
 * If a batch is refused because of its data, its items are put one by one, to find the bad ones.
 */
#include "store/local/archive/loader.h"

#include "store/base/text/cells.h"
#include "store/base/text/json.h"
#include "store/base/text/unpack.h"
#include "store/local/jobs/jobs.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/tables.h"
#include "store/local/write/write.h"
#include "store/model/csv.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

enum {
	/* Size of a batch, which is put in one operation. Other writers wait for it. */
	FEW_ITEMS = 64,
	FEW_BYTES = 128 << 10,
	CALL_BUDGET = 64 << 20,
	BLOCK = 1 << 16,            /* bytes of one read */
	RECORD_BYTES_MAX = 8 << 20, /* more than an item of 400 KB with each byte as \u0000 */
};

/* A file that is being read. */
struct loading {
	const struct loader *ld;
	struct transfer *t; /* of @ld */
	struct slice name;
	struct unpack *file;
	struct buf text;    /* on the heap: bytes that have been read */
	size_t used;        /* number of bytes of @text that were taken as records */
	bool whole;         /* the end of the file was reached */
	uint64_t record_no; /* of the last record that is in the batch or was counted as an error */
	struct call few;    /* memory of the batch */
	struct item *items; /* the batch */
	size_t n;
	size_t bytes;               /* length of their records */
	struct call heading;        /* memory of @columns */
	struct csv_columns columns; /* of CSV; at NULL: the first line has them */
};

/* ------------------------------------------------------------ errors */

/* Return: whether the item caused the error @r, and not the store. */
static bool
loader_is_datas_fault(int r)
{
	return r == -ERR_VALIDATION || r == -ERR_SERIALIZATION || r == -ERR_ITEM_TOO_BIG ||
	       r == -ERR_KEY_TOO_LONG || r == -ERR_COLLECTION_TOO_BIG;
}

/* Count record @no as an error; keep the reason of the first one.  Return: 0; strict: -ERR_CORRUPT */
static int
loader_bad(struct loading *l, uint64_t no, const char *reason)
{
	struct buf why;

	if (l->ld->strict) {
		return call_fail(l->ld->c, ERR_CORRUPT, "%.*s, line %llu: %s", SLICE_ARG(l->name),
				 (unsigned long long)no, reason);
	}
	if (l->t->errors++ == 0) {
		buf_init(&why, &l->ld->c->arena);
		buf_fmt(&why,
			"Some of the items failed validation checks and were not imported. The "
			"first one: %.*s, item %llu: %s",
			SLICE_ARG(l->name), (unsigned long long)no, reason);
		l->t->failure_code = SLICE("ItemValidationError");
		l->t->failure = buf_view(&why);
	}
	return 0;
}

/* ------------------------------------------------------------ putting */

static int
loader_put_some(struct loading *l, size_t from, size_t n)
{
	return batch_load(l->ld->local, &l->few,
			  &(struct load_items_in){
				  .table = l->t->table, .items = l->items + from, .n_items = n});
}

/* Put the items of the batch one by one, and count those that are bad. */
static int
loader_put_each(struct loading *l)
{
	int r = 0;

	for (size_t i = 0; i < l->n && r == 0; i++) {
		l->few.error = (struct error){0};
		r = loader_put_some(l, i, 1);
		l->t->items += r == 0;
		if (loader_is_datas_fault(r)) {
			r = loader_bad(l, l->record_no - l->n + i + 1, l->few.error.message);
		}
	}
	return r;
}

/* Put the batch in one operation; if an item is bad, put the items one by one. */
static int
loader_put(struct loading *l)
{
	int r = l->n == 0 ? 0 : loader_put_some(l, 0, l->n);

	if (loader_is_datas_fault(r)) {
		r = loader_put_each(l);
	} else if (r == 0) {
		l->t->items += l->n;
	}
	if (r < 0) {
		(void)(call_adopt(l->ld->c, &l->few) < 0); /* unless loader_bad() has failed */
	}
	return r;
}

static void
loader_begin_few(struct loading *l)
{
	call_clear(&l->few);
	l->items = arena_new(&l->few.arena, struct item, FEW_ITEMS);
	l->n = 0;
	l->bytes = 0;
}

/* Put the batch and begin the next one. */
static int
loader_put_few(struct loading *l)
{
	int r = loader_put(l);

	loader_begin_few(l);
	return r;
}

/* ------------------------------------------------------------ reading */

static bool
loader_is_csv(const struct loading *l)
{
	return l->t->source.format == IMPORT_CSV;
}

/* Return: the text from the next record on */
static struct slice
loader_rest(struct loading *l)
{
	while (!loader_is_csv(l) && l->used < l->text.len && ascii_blank(l->text.at[l->used])) {
		l->used++;
	}
	return slice_skip(buf_view(&l->text), l->used);
}

/* The next record is incomplete: discard the used text and read another block. */
static int
loader_more(struct loading *l)
{
	struct slice rest = loader_rest(l);

	if (!loader_is_csv(l) && (l->whole || (rest.len > 0 && rest.at[0] != '{'))) {
		return call_fail(&l->few, ERR_VALIDATION, "this is not {\"Item\":...}");
	}
	if (rest.len > RECORD_BYTES_MAX) {
		return call_fail(&l->few, ERR_VALIDATION, "too long for an item");
	}
	if (l->used > 0) {
		memmove(l->text.at, rest.at, rest.len);
		l->text.len = rest.len;
		l->used = 0;
	}
	ssize_t n = unpack_read(l->file, buf_room(&l->text, BLOCK), BLOCK);

	if (n == UNPACK_IO) {
		return call_fail(&l->few, ERR_IO, "%s", strerrordesc_np(errno));
	}
	if (n < 0) {
		return call_fail(&l->few, ERR_VALIDATION,
				 "the compressed data is damaged or cut short");
	}
	if (n > 0 && l->t->source.gzip && !unpack_packed(l->file)) {
		return call_fail(&l->few, ERR_VALIDATION, "it is not compressed with gzip");
	}
	l->text.len += (size_t)n;
	l->t->bytes += (uint64_t)n;
	l->whole = n == 0;
	return 0;
}

/*
 * Return: length of the record at the beginning of @rest; 0: it is incomplete.  A backup has one object per line, so there
 * the end of the line is enough: the parser looks at the rest.
 */
static size_t
loader_length(const struct loading *l, struct slice rest)
{
	const char *end = l->ld->strict ? slice_chr(rest, '\n') : NULL;

	if (loader_is_csv(l)) {
		return cells_record(rest, l->columns.delimiter, l->whole);
	}
	if (rest.len == 0 || rest.at[0] != '{') {
		return 0;
	}
	return end == NULL ? json_length(rest) : (size_t)(end - rest.at);
}

/* Find the next JSON object, or the next line of CSV that is not empty.  Return: 0; 1: at the end; < 0 */
static int
loader_next(struct loading *l, struct slice *out)
{
	/* The search for the end starts over each time, so it waits until the text has twice the length. */
	size_t enough = 0;
	int r = 0;

	while (r == 0) {
		struct slice rest = loader_rest(l);
		bool looks = l->whole || rest.len >= enough;

		if (rest.len == 0 && l->whole) {
			return 1;
		}
		*out = slice_of(rest.at, looks ? loader_length(l, rest) : 0);
		l->used += out->len;
		if (out->len == 0) {
			size_t twice =
				rest.len < RECORD_BYTES_MAX / 2 ? 2 * rest.len : RECORD_BYTES_MAX;

			enough = looks ? twice : enough;
			r = loader_more(l);
		} else if (!loader_is_csv(l) || cells_line(*out).len > 0) {
			return 0;
		}
	}
	return r;
}

/* Find the next record that has an item; the first line of CSV may have the names of the columns. */
static int
loader_next_item(struct loading *l, struct slice *out)
{
	int r = loader_next(l, out);

	if (r != 0 || !loader_is_csv(l) || l->columns.at != NULL) {
		return r;
	}
	r = csv_header(&l->heading, *out, l->columns.delimiter, true, &l->columns);
	if (r < 0) {
		return call_adopt(&l->few, &l->heading);
	}
	csv_adopt(&l->columns, l->t->schema, false);
	return loader_next(l, out);
}

/* Return: 0; 1: it is no item, but the next record may be one; < 0: the rest of the file cannot be parsed */
static int
loader_parse_row(struct loading *l, struct slice text, struct item *out)
{
	int r = csv_item(&l->few, &l->columns, text, out);

	return r != 0 ? r : item_check(&l->few, out) < 0;
}

/* Likewise.  The items of a backup were checked when they were put. */
static int
loader_parse_object(struct loading *l, struct slice text, struct item *out)
{
	const struct json *json = NULL;
	int r = json_parse(&l->few, text, JSON_STRICT, &json);
	const struct json *item = r < 0 ? NULL : json_get(json, "Item");

	if (r == 0 && (item == NULL || item->type != JSON_OBJECT)) {
		r = call_fail(&l->few, ERR_VALIDATION, "this is not {\"Item\":...}");
	}
	if (r < 0) {
		return r;
	}
	return item_from_typed_json(&l->few, item, out) < 0 ||
	       (!l->ld->strict && item_check(&l->few, out) < 0);
}

/* Count a record that is no item.  The batch is put first, so that errors are counted in their order. */
static int
loader_drop(struct loading *l)
{
	const char *why = l->few.error.message;

	l->few.error = (struct error){0};
	int r = loader_put(l);

	l->record_no++;
	r = r < 0 ? r : loader_bad(l, l->record_no, why);
	loader_begin_few(l);
	return r;
}

/* Read one record; add it to the batch or count it as an error.  Return: 0; 1: end of this file; < 0 */
static int
loader_record(struct loading *l)
{
	assert(l->n < FEW_ITEMS);

	struct slice record;
	int r = loader_next_item(l, &record);

	if (r == 1) {
		return 1;
	}
	/* Put the batch before a long record, whose memory could exceed the budget together with the batch. */
	if (r == 0 && record.len > FEW_BYTES) {
		r = loader_put_few(l);
		if (r < 0) {
			return r;
		}
	}
	l->t->processed++;
	if (r == 0) {
		struct slice text = slice_copy(&l->few.arena, record);

		r = (loader_is_csv(l) ? loader_parse_row : loader_parse_object)(l, text,
										&l->items[l->n]);
	}
	if (r == 0) {
		l->record_no++;
		l->n++;
		l->bytes += record.len;
		return 0;
	}
	if (r < 0 && !loader_is_datas_fault(r)) {
		return call_fail(l->ld->c, l->few.error.code, "%.*s: %s", SLICE_ARG(l->name),
				 l->few.error.message);
	}
	int failed = loader_drop(l);

	return failed < 0 ? failed : r < 0;
}

static int
loader_run(struct loading *l)
{
	const atomic_bool *stopping = jobs_stopping(l->ld->local->jobs);
	int r = 0;

	loader_begin_few(l);
	while (r == 0) {
		r = atomic_load(stopping)
			    ? call_fail(l->ld->c, ERR_BUSY, "the store is being closed")
			    : loader_record(l);
		if (r == 1 || (r == 0 && (l->n == FEW_ITEMS || l->bytes >= FEW_BYTES))) {
			int failed = loader_put_few(l);

			r = failed < 0 ? failed : r;
		}
	}
	return r < 0 ? r : 0;
}

int
loader_file(const struct loader *ld, int fd, struct slice name)
{
	const struct import_source *source = &ld->transfer->source;
	struct loading l = {.ld = ld, .t = ld->transfer, .name = name, .file = unpack_open(fd)};

	if (!source->gzip) {
		unpack_plain(l.file);
	}
	buf_init(&l.text, NULL);
	call_open(&l.few, ld->c->now_ms, CALL_BUDGET);
	call_open(&l.heading, ld->c->now_ms, CALL_BUDGET);
	csv_named(&l.heading.arena, source->headers, source->n_headers, source->delimiter,
		  &l.columns);
	csv_adopt(&l.columns, ld->transfer->schema, false);
	int r = loader_run(&l);

	call_close(&l.heading);
	call_close(&l.few);
	buf_release(&l.text);
	unpack_close(l.file);
	return r;
}

int
loader_end(struct job *j, struct slice table, int r, alter_fn *also, void *arg)
{
	if (r == 0) {
		r = alter_complete(j->local, &j->c, table, also, arg);
	}
	if (r == 0 || atomic_load(jobs_stopping(j->local->jobs))) {
		return 0;
	}
	(void)(table_give_up(j->local, jobs_after(j), table) < 0);
	return r;
}
