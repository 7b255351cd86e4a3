/*
 * import_files - reads JSON and CSV files and puts their items in batches
 *
 * If a batch is refused because of its data, its items are put one by one, to find the bad ones.
 */
#include "store/local/archive/import_files.h"

#include <assert.h>

#include "store/base/core/ascii.h"
#include "store/base/core/cleanup.h"
#include "store/base/text/cells.h"
#include "store/base/text/json.h"
#include "store/local/archive/bucket.h"
#include "store/local/archive/import_csv.h"
#include "store/local/jobs/jobs.h"
#include "store/local/write/batch.h"
#include "store/model/item.h"
#include "store/model/item_json.h"

enum {
	/* Size of a batch, which is put in one operation. Other writers wait for it. */
	FEW_ITEMS = 64,
	FEW_BYTES = 128 << 10,
	CALL_BUDGET = 64 << 20,
	RECORD_BYTES_MAX =
		8 << 20, /* more than an item of 400 KB in which each byte is written as \u0000 */
};

/* A file that is being read. */
struct reading {
	struct transfer_job *j;
	struct slice name;
	struct object object;
	uint64_t record_no;
	struct call few;    /* memory of the batch */
	struct item *items; /* the batch */
	size_t n;
	size_t bytes;         /* length of their records */
	struct call heading;  /* memory of @head */
	struct csv_head head; /* of CSV; names NULL: the first line has them */
};

/* ------------------------------------------------------------ errors */

/* Return: whether the item caused the error @r, and not the store. */
static bool
is_datas_fault(int r)
{
	return r == -ERR_VALIDATION || r == -ERR_SERIALIZATION || r == -ERR_ITEM_TOO_BIG ||
	       r == -ERR_KEY_TOO_LONG || r == -ERR_COLLECTION_TOO_BIG;
}

/* Count record @no as an error; keep the reason of the first one. */
static void
count_error(struct reading *rd, uint64_t no, const char *reason)
{
	struct transfer *t = &rd->j->transfer;
	struct buf why;

	if (t->errors++ == 0) {
		buf_init(&why, &rd->j->job.c.arena);
		buf_fmt(&why,
			"Some of the items failed validation checks and were not imported. The "
			"first one: %.*s, item %llu: %s",
			SLICE_ARG(rd->name), (unsigned long long)no, reason);
		t->failure_code = SLICE("ItemValidationError");
		t->failure = buf_view(&why);
	}
}

/* ------------------------------------------------------------ putting */

static int
import_files_put(struct reading *rd, size_t from, size_t n)
{
	return batch_load(rd->j->local, &rd->few,
			  &(struct load_items_in){.table = rd->j->transfer.table,
						  .items = rd->items + from,
						  .n_items = n});
}

/* Put the batch in one operation; if an item is bad, put the items one by one. */
static int
put_few(struct reading *rd)
{
	struct transfer *t = &rd->j->transfer;
	int r = rd->n == 0 ? 0 : import_files_put(rd, 0, rd->n);

	if (is_datas_fault(r)) {
		r = 0;
		rd->few.error = (struct error){0};
		for (size_t i = 0; i < rd->n && r == 0; i++) {
			r = import_files_put(rd, i, 1);
			if (is_datas_fault(r)) {
				count_error(rd, rd->record_no - rd->n + i + 1,
					    rd->few.error.message);
				rd->few.error = (struct error){0};
				t->items--;
				r = 0;
			}
		}
	}
	if (r == 0) {
		t->items += rd->n;
	}
	return r < 0 ? call_fail(&rd->j->job.c, rd->few.error.code, "%s", rd->few.error.message)
		     : 0;
}

static void
begin_few(struct reading *rd)
{
	call_clear(&rd->few);
	rd->items = arena_new(&rd->few.arena, struct item, FEW_ITEMS);
	rd->n = 0;
	rd->bytes = 0;
}

/* ------------------------------------------------------------ reading */

/* Skip white space.  Return: the rest of the text */
static struct slice
import_files_skip_blanks(struct object *o)
{
	struct slice rest = object_rest(o);

	while (rest.len > 0 && ascii_blank(rest.at[0])) {
		rest = slice_skip(rest, 1);
		o->used++;
	}
	return rest;
}

/* Find the next JSON object of the text.  Return: 0; 1: at the end; < 0 */
static int
next_json(struct reading *rd, struct slice *out)
{
	struct object *o = &rd->object;
	size_t enough =
		0; /* length at which to call json_length() again, as it starts over each time */

	for (;;) {
		struct slice rest = import_files_skip_blanks(o);
		bool looks = o->whole || rest.len >= enough;

		out->len = looks && rest.len > 0 && rest.at[0] == '{' ? json_length(rest) : 0;
		out->at = rest.at;
		enough = looks ? 2 * rest.len : enough;
		if (out->len > 0) {
			o->used += out->len;
			return 0;
		}
		if (o->whole && rest.len == 0) {
			return 1;
		}
		if (o->whole || (rest.len > 0 && rest.at[0] != '{')) {
			return call_fail(&rd->few, ERR_VALIDATION, "this is not {\"Item\":...}");
		}
		if (rest.len > RECORD_BYTES_MAX) {
			return call_fail(&rd->few, ERR_VALIDATION, "too long for an item");
		}
		int r = object_more(o, &rd->few);

		if (r < 0) {
			return r;
		}
	}
}

/* Find the next line that is not empty.  Return: as next_json() */
static int
import_files_next_line(struct reading *rd, struct slice *out)
{
	struct object *o = &rd->object;
	int r = 0;

	while (r == 0) {
		struct slice rest = object_rest(o);
		size_t n = cells_record(rest, rd->head.delimiter, o->whole);

		*out = cells_line(slice_of(rest.at, n));
		o->used += n;
		if (out->len > 0) {
			return 0;
		}
		if (o->whole && n == rest.len) {
			return 1;
		}
		if (n == 0 && rest.len > RECORD_BYTES_MAX) {
			return call_fail(&rd->few, ERR_VALIDATION, "too long for an item");
		}
		r = n > 0 ? 0 : object_more(o, &rd->few);
	}
	return r;
}

/* Return: 0; 1: it is no item, but the next record may be one; < 0: the rest of the file cannot be parsed */
static int
parse_csv(struct reading *rd, struct slice record, struct item *out)
{
	struct slice line = slice_copy(&rd->few.arena, record);
	int r = import_csv_item(&rd->few, rd->j->schema, &rd->head, line, out);

	return r != 0 ? r : item_check(&rd->few, out) < 0;
}

/* Likewise. */
static int
parse_json(struct reading *rd, struct slice record, struct item *out)
{
	struct slice text = slice_copy(&rd->few.arena, record);
	const struct json *json = NULL;
	int r = json_parse(&rd->few, text, JSON_STRICT, &json);
	const struct json *item = r < 0 ? NULL : json_get(json, "Item");

	if (r == 0 && (item == NULL || item->type != JSON_OBJECT)) {
		r = call_fail(&rd->few, ERR_VALIDATION, "this is not {\"Item\":...}");
	}
	if (r < 0) {
		return r;
	}
	return item_from_typed_json(&rd->few, item, out) < 0 || item_check(&rd->few, out) < 0;
}

/* Count a record that is no item.  The batch is put first, so that errors are counted in their order. */
static int
drop_record(struct reading *rd)
{
	struct error why = rd->few.error;

	rd->few.error = (struct error){0};
	rd->record_no--;
	int r = put_few(rd);

	rd->record_no++;
	count_error(rd, rd->record_no, why.message);
	begin_few(rd);
	return r;
}

/* Read the names of the columns from @record, and set @record to the next line.  Return: as next_json() */
static int
import_files_read_head(struct reading *rd, struct slice *record)
{
	struct slice line = slice_copy(&rd->heading.arena, *record);
	int r = import_csv_head(&rd->heading, line, &rd->head);

	return r < 0 ? call_fail(&rd->few, rd->heading.error.code, "%s", rd->heading.error.message)
		     : import_files_next_line(rd, record);
}

/* Read one record; add it to the batch or count it as an error.  Return: 0; 1: end of this file; < 0 */
static int
import_files_read_record(struct reading *rd)
{
	assert(rd->n < FEW_ITEMS);

	bool csv = rd->j->transfer.source.format == IMPORT_CSV;
	struct slice record;
	int r = csv ? import_files_next_line(rd, &record) : next_json(rd, &record);

	if (r == 0 && csv && rd->head.names == NULL) {
		r = import_files_read_head(rd, &record);
	}
	if (r == 1) {
		return 1;
	}
	/* Put the batch before a long record, whose memory could exceed the budget together with the batch. */
	if (r == 0 && record.len > FEW_BYTES && rd->n > 0) {
		r = put_few(rd);
		begin_few(rd);
		if (r < 0) {
			return r;
		}
	}
	rd->record_no++;
	rd->j->transfer.processed++;
	if (r == 0) {
		struct item *it = &rd->items[rd->n];

		r = csv ? parse_csv(rd, record, it) : parse_json(rd, record, it);
	}
	if (r == 0) {
		rd->n++;
		rd->bytes += record.len;
		return 0;
	}
	if (r < 0 && !is_datas_fault(r)) {
		return call_fail(&rd->j->job.c, rd->few.error.code, "%.*s: %s", SLICE_ARG(rd->name),
				 rd->few.error.message);
	}
	int failed = drop_record(rd);

	return failed < 0 ? failed : r < 0;
}

static int
import_files_read_file(struct reading *rd)
{
	const atomic_bool *stopping = jobs_stopping(rd->j->local->jobs);
	int r = 0;

	while (r == 0) {
		begin_few(rd);
		while (r == 0 && rd->n < FEW_ITEMS && rd->bytes < FEW_BYTES &&
		       !atomic_load(stopping)) {
			r = import_files_read_record(rd);
		}
		if (r >= 0) {
			int failed = put_few(rd);

			r = failed < 0 ? failed : r;
		}
		if (r == 0 && atomic_load(stopping)) {
			r = call_fail(&rd->j->job.c, ERR_BUSY, "the store is being closed");
		}
	}
	return r < 0 ? r : 0;
}

static int
import_file(struct transfer_job *j, int bucket, struct slice name)
{
	const struct import_source *source = &j->transfer.source;
	struct reading rd = {
		.j = j,
		.name = name,
		.head = {source->delimiter == 0 ? ',' : source->delimiter,
			 source->n_headers == 0 ? NULL : source->headers, source->n_headers},
	};
	int fd = bucket_file(&j->job.c, bucket, name);

	if (fd < 0) {
		return fd;
	}
	object_open(&rd.object, fd, source->gzip);
	call_open(&rd.few, j->job.c.now_ms, CALL_BUDGET);
	call_open(&rd.heading, j->job.c.now_ms, CALL_BUDGET);
	int r = import_files_read_file(&rd);

	j->transfer.bytes += rd.object.bytes;
	call_close(&rd.heading);
	call_close(&rd.few);
	object_close(&rd.object);
	return r;
}

int
import_files(struct transfer_job *j)
{
	assert(j->kind == TRANSFER_IMPORT);

	cleanup(cleanup_fd) int bucket =
		bucket_open(j->local, &j->job.c, j->transfer.place.bucket, NULL);
	const struct slice *names = NULL;
	size_t n = 0;
	int r = bucket < 0 ? bucket
			   : bucket_list(&j->job.c, bucket, j->transfer.place.prefix, &names, &n);

	for (size_t i = 0; i < n && r == 0; i++) {
		r = import_file(j, bucket, names[i]);
	}
	return r;
}
