/* import_files - see import_files.h */
#include "store/local/archive/import_files.h"

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
	/* So much is put at once: other writers wait for no more. */
	FEW_ITEMS = 64,
	FEW_BYTES = 128 << 10,
	CALL_BUDGET = 64 << 20,
	RECORD_BYTES_MAX = 8 << 20, /* an item of 400 KB whose every byte is written as \u0000 */
};

/* One file on its way. */
struct reading {
	struct transfer_job *j;
	struct slice name;
	struct object object;
	uint64_t record_no;
	struct call few; /* of the items that are gathered */
	struct item *items;
	size_t n;
	size_t bytes;         /* of their records */
	struct call heading;  /* of what follows */
	struct csv_head head; /* CSV; no names: they come first */
};

/* ------------------------------------------------------------ what goes wrong */

/* Is it the data that is wrong, and not the store? */
static bool
is_datas_fault(int r)
{
	return r == -ERR_VALIDATION || r == -ERR_SERIALIZATION || r == -ERR_ITEM_TOO_BIG ||
	       r == -ERR_KEY_TOO_LONG || r == -ERR_COLLECTION_TOO_BIG;
}

/* One more that was not imported, the record @no; the first one's reason is kept. */
static void
count_error(struct reading *rd, uint64_t no, const char *reason)
{
	struct transfer *t = &rd->j->transfer;
	struct buf why;

	if (t->errors++ == 0) {
		buf_init(&why, &rd->j->c.arena);
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

/* All at once, or, when one of them is bad, each for itself. */
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
	return r < 0 ? call_fail(&rd->j->c, rd->few.error.code, "%s", rd->few.error.message) : 0;
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

/* What is left of the text behind blanks. */
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

/* The next object of the text.  Return: 0, 1 at the end, < 0. */
static int
next_json(struct reading *rd, struct slice *out)
{
	struct object *o = &rd->object;
	size_t enough = 0; /* to look for the end again: it begins from the start each time */

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

/* The next line that is not empty.  Return: as next_json(). */
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

/* Return: 0; 1: it is no item, but what follows may be one; < 0: nothing that follows. */
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

/* A record that is no item: those before it go first, so that the first error is told of. */
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

/* The names of the columns stand in @record, which becomes the one that follows.  Return: as next_json(). */
static int
import_files_read_head(struct reading *rd, struct slice *record)
{
	struct slice line = slice_copy(&rd->heading.arena, *record);
	int r = import_csv_head(&rd->heading, line, &rd->head);

	return r < 0 ? call_fail(&rd->few, rd->heading.error.code, "%s", rd->heading.error.message)
		     : import_files_next_line(rd, record);
}

/* One record, to the items or to the errors.  Return: 0, 1: nothing more of this file, < 0. */
static int
import_files_read_record(struct reading *rd)
{
	bool csv = rd->j->transfer.source.format == IMPORT_CSV;
	struct slice record;
	int r = csv ? import_files_next_line(rd, &record) : next_json(rd, &record);

	if (r == 0 && csv && rd->head.names == NULL) {
		r = import_files_read_head(rd, &record);
	}
	if (r == 1) {
		return 1;
	}
	/* What a long one needs is no fault of those before it. */
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
		return call_fail(&rd->j->c, rd->few.error.code, "%.*s: %s", SLICE_ARG(rd->name),
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
			r = call_fail(&rd->j->c, ERR_BUSY, "the store is being closed");
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
	int fd = bucket_file(&j->c, bucket, name);

	if (fd < 0) {
		return fd;
	}
	object_open(&rd.object, fd, source->gzip);
	call_open(&rd.few, j->c.now_ms, CALL_BUDGET);
	call_open(&rd.heading, j->c.now_ms, CALL_BUDGET);
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
	cleanup(cleanup_fd) int bucket =
		bucket_open(j->local, &j->c, j->transfer.place.bucket, NULL);
	const struct slice *names = NULL;
	size_t n = 0;
	int r = bucket < 0 ? bucket
			   : bucket_list(&j->c, bucket, j->transfer.place.prefix, &names, &n);

	for (size_t i = 0; i < n && r == 0; i++) {
		r = import_file(j, bucket, names[i]);
	}
	return r;
}
