/* archive - records of table backups, and the names of their files */
#include "store/local/archive/archive.h"

#include "store/base/system/private.h"
#include "store/base/system/say.h"
#include "store/local/commit/txn.h"
#include "store/local/records/definition.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/reader.h"
#include "store/op/validate.h"

/* ------------------------------------------------------------ bytes */

bool
archive_is_key(struct slice key)
{
	return key.len > 0 && key.at[0] == KEYSPACE_ARCHIVE;
}

void
archive_encode(struct buf *out, const struct archive *a)
{
	buf_char(out, (char)a->status);
	buf_u64be(out, a->started_ms);
	buf_varint(out, a->items);
	buf_varint(out, a->item_bytes);
	buf_varint(out, a->file_bytes);
	buf_text(out, a->name);
	buf_text(out, a->failure);
	buf_text(out, a->schema->table);
	definition_encode(out, a->schema);
}

int
archive_decode(struct call *c, struct slice id, struct slice record, struct archive *out)
{
	struct reader r = reader_of(&c->arena, record);
	struct schema *s = arena_new(&c->arena, struct schema, 1);

	*out = (struct archive){.id = id, .schema = s};
	out->status = (enum archive_status)get_choice(&r, ARCHIVE_FAILED + 1);
	out->started_ms = get_be(&r, sizeof(out->started_ms));
	out->items = get_varint(&r);
	out->item_bytes = get_varint(&r);
	out->file_bytes = get_varint(&r);
	out->name = get_text(&r);
	out->failure = get_text(&r);
	struct slice table = get_text(&r);
	struct slice definition = slice_of((const char *)r.at, reader_left(&r));

	if (r.bad || !archive_is_id(id) || !validate_name(table)) {
		return call_fail(c, ERR_CORRUPT, "the record of the backup %.*s is damaged",
				 SLICE_ARG(id));
	}
	return definition_decode(c, table, definition, s);
}

/* ------------------------------------------------------------ reading and writing */

int
archive_find(struct local *l, struct call *c, struct slice id, struct archive *out)
{
	struct slice key = keyspace_name(&c->arena, KEYSPACE_ARCHIVE, id);
	struct buf record = {.arena = &c->arena};
	int r = kv_get(l->kv, c, NULL, key, &record);

	return r != 0 ? r : archive_decode(c, id, buf_view(&record), out);
}

int
archive_each(struct local *l, struct call *c, struct slice id, archive_look_fn *look, void *arg)
{
	struct slice from = keyspace_name(&c->arena, KEYSPACE_ARCHIVE, id);
	struct slice prefix = slice_of(from.at, 1);
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(l->kv, NULL);
	int r = 0;

	kv_cursor_seek(cur, from);
	for (; r == 0 && kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		struct slice key = slice_copy(&c->arena, kv_cursor_key(cur));
		struct archive a;

		if (slice_eq(key, from)) {
			continue;
		}
		r = archive_decode(c, slice_skip(key, prefix.len),
				   slice_copy(&c->arena, kv_cursor_value(cur)), &a);
		r = look(arg, c, r < 0 ? NULL : &a);
	}
	return kv_cursor_end(cur, c, r < 0 ? r : 0);
}

void
archive_put(struct txn *t, struct call *c, const struct archive *a)
{
	struct slice key = keyspace_name(&c->arena, KEYSPACE_ARCHIVE, a->id);
	struct buf record = {.arena = &c->arena};

	if (a->status == ARCHIVE_DELETED) {
		txn_del(t, key);
	} else {
		archive_encode(&record, a);
		txn_put(t, key, buf_view(&record));
	}
}

static int
archive_run(struct txn *t, struct call *c, void *arg)
{
	archive_put(t, c, arg);
	return 0;
}

void
archive_fail(struct archive *a, const char *why)
{
	a->status = ARCHIVE_FAILED;
	a->failure = slice_from(why);
	say("the backup %.*s of the table %.*s failed: %s", SLICE_ARG(a->id),
	    SLICE_ARG(a->schema->table), why);
}

int
archive_write(struct local *l, struct call *c, const struct archive *a)
{
	struct archive copy = *a;

	return txn_run(l->queue, c,
		       &(struct txn_op){.run = archive_run, .arg = &copy, .durable = true});
}

/* ------------------------------------------------------------ files */

#define FILE_SUFFIX ".json.gz"

int
archive_folder(const struct local *l, struct call *c, bool make, int *out)
{
	if (l->dir == NULL) {
		return call_fail(c, ERR_NOT_SUPPORTED, "a store in memory has no backups");
	}
	*out = private_folder(l->at, "backups", make);
	if (*out >= 0 || (errno == ENOENT && !make)) {
		return 0;
	}
	if (errno == ENOTDIR) {
		return call_fail(
			c, ERR_IO,
			"%s/backups is not a directory: a store's backups must be in the store "
			"itself, not behind a symbolic link",
			l->dir);
	}
	return call_fail(c, error_of_disk(errno), "%s/backups: %s", l->dir, strerrordesc_np(errno));
}

int
archive_failed(struct call *c, const char *what)
{
	int e = errno;

	return call_fail(c, error_of_disk(e), "%s: %s", what, strerrordesc_np(e));
}

int
archive_settle(struct call *c, int folder)
{
	return fsync(folder) == 0 ? 0 : archive_failed(c, "backups");
}

const char *
archive_name(struct call *c, struct slice id)
{
	struct buf name = {.arena = &c->arena};

	buf_fmt(&name, "%.*s" FILE_SUFFIX, SLICE_ARG(id));
	return name.at;
}

/* Return: end of the id (digits, a hyphen, a hexadecimal number) at the start of @text; 0: there is none. */
static size_t
archive_id_end(struct slice text)
{
	size_t at = ascii_digits_end(text, 0);
	size_t hyphen = at;

	if (at == 0 || at == text.len || text.at[at] != '-') {
		return 0;
	}
	for (at++; at < text.len &&
		   (ascii_digit(text.at[at]) || (text.at[at] >= 'a' && text.at[at] <= 'f'));) {
		at++;
	}
	return at > hyphen + 1 ? at : 0;
}

bool
archive_is_id(struct slice id)
{
	return id.len > 0 && archive_id_end(id) == id.len;
}

struct slice
archive_file(struct slice name)
{
	size_t at = archive_id_end(name);

	return at > 0 && slice_is(slice_skip(name, at), FILE_SUFFIX) ? slice_of(name.at, at)
								     : slice_of(NULL, 0);
}
