/* item_file - the records of a table, in the order of its keys, as lines written with zlib's gzFile */
#include "store/local/archive/item_file.h"

#include <fcntl.h>
#include <zlib.h>

#include "store/local/archive/archive.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item_json.h"

enum { CALL_BUDGET = 64 << 20 };

struct writer {
	struct call *c; /* of item_file_write(); has the error */
	const char *name;
	gzFile gz;
	struct call item; /* memory of one item */
	struct buf line;  /* on the heap */
	struct item_file_counts *counts;
};

static int
item_file_write_record(struct writer *w, struct slice record)
{
	struct item it;
	size_t bytes = 0;

	call_clear(&w->item);
	if (record_decode_sized(&w->item, record, NULL, &it, &bytes) < 0) {
		return call_fail(w->c, ERR_CORRUPT, "%s", w->item.error.message);
	}
	buf_clear(&w->line);
	buf_str(&w->line, "{\"Item\":");
	item_put_json(&w->line, &it, ITEM_TYPED);
	buf_str(&w->line, "}\n");
	w->counts->items++;
	w->counts->item_bytes += bytes;
	errno = 0;
	return gzwrite(w->gz, w->line.at, (unsigned)w->line.len) > 0
		       ? 0
		       : archive_failed(w->c, w->name);
}

static int
item_file_write_records(struct writer *w, struct local *l, struct kv_snapshot *at,
			const struct schema *s)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_once(l->kv, at);
	struct slice all = keyspace_head(&w->c->arena, KEYSPACE_ITEM, s, NULL);
	int r = 0;

	kv_cursor_seek(cur, all);
	for (; r == 0 && kv_cursor_in(cur, all); kv_cursor_next(cur)) {
		r = item_file_write_record(w, kv_cursor_value(cur));
	}
	return kv_cursor_end(cur, w->c, r);
}

int
item_file_write(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
		int fd, const char *name, struct item_file_counts *out)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	struct writer w = {.c = c, .name = name, .counts = out};

	*out = (struct item_file_counts){0};
	w.gz = own < 0 ? NULL : gzdopen(own, "wb1");
	if (w.gz == NULL) {
		errno = own < 0 ? errno : ENOMEM;
		int r = archive_failed(c, name);

		cleanup_fd(&own);
		return r;
	}
	call_open(&w.item, c->now_ms, CALL_BUDGET);
	buf_init(&w.line, NULL);
	int r = item_file_write_records(&w, l, at, s);

	buf_release(&w.line);
	call_close(&w.item);
	errno = 0;
	return gzclose(w.gz) == Z_OK || r < 0 ? r : archive_failed(c, name);
}
