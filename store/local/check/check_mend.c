/*
 * check_mend - writes, deletes and moves of a repair
 *
 * Data that cannot be derived from the rest of the store is deleted only after it has been saved in
 * STORE/damaged/.  Each record is a line of JSON: its table and index, the key and the record as stored,
 * and the item in them if it can be decoded.  (STORE/rejected/ is not used, as it keeps only the newest files.)
 */
#include "store/local/check/check_mend.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/error.h"
#include "store/base/system/folder.h"
#include "store/base/system/private.h"
#include "store/base/system/write_all.h"
#include "store/local/check/check_int.h"
#include "store/local/check/check_item.h"
#include "store/local/check/check_page.h"
#include "store/local/commit/txn.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/write/index.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"

void
check_put(struct check *k, struct slice key, struct slice value)
{
	struct arena *a = &k->c->arena;

	assert(k->t != NULL);
	k->bytes += key.len + value.len;
	txn_put(k->t, slice_copy(a, key), slice_copy(a, value));
}

void
check_del(struct check *k, struct slice key)
{
	assert(k->t != NULL);
	k->bytes += key.len;
	txn_del(k->t, slice_copy(&k->c->arena, key));
}

/* ------------------------------------------------------------ moved records */

/* "2026-11-21T09:01:02.345Z"; choose_name() adds a number in case two files have the same time. */
static void
check_mend_put_time(struct buf *out, uint64_t now_ms)
{
	time_t seconds = (time_t)(now_ms / 1000);
	struct tm tm;
	char text[32];

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	buf_fmt(out, "%s.%03uZ", text, (unsigned)(now_ms % 1000));
}

/* Set k->saved_name to the first unused name with the current time. */
static void
choose_name(struct check *k)
{
	cleanup(cleanup_fd) int folder = private_folder(k->local->at, CHECK_DAMAGED, false);
	struct buf name;
	struct stat st;
	unsigned n = 0;

	do {
		buf_init(&name, &k->c->arena);
		buf_char(&name, '/');
		check_mend_put_time(&name, k->c->now_ms);
		buf_fmt(&name, "-%06u.jsonl", ++n);
		buf_char(&name, '\0');
	} while (folder >= 0 && fstatat(folder, name.at + 1, &st, AT_SYMLINK_NOFOLLOW) == 0);
	k->saved_name = slice_of(name.at, name.len - 1);
}

static struct attr
check_mend_text_attr(const char *name, enum value_type type, struct slice text)
{
	return (struct attr){slice_from(name), {.type = type, .text = text}};
}

/* Return: whether @it, stored under @key, has all attributes of the table's item, so that it can be put back as is. */
static bool
is_whole(const struct check *k, struct slice key, const struct item *it)
{
	struct key_values values = {.n = 0};
	struct buf own;

	if (k->s == NULL || (k->ix != NULL && k->ix->projection != PROJECTION_ALL) ||
	    key_from_item(&k->s->key, it, &values) != 0) {
		return false;
	}
	buf_init(&own, &k->c->arena);
	keyspace_item(&own, k->s, NULL, &values);
	return k->ix != NULL || slice_eq(buf_view(&own), key);
}

/* Decode the item or entry of @key.  Return: false: it is none, or JSON cannot represent it. */
static bool
check_mend_read_item(struct check *k, struct slice key, struct slice record, struct item *out)
{
	return key.at[0] == KEYSPACE_ITEM && record_decode(&k->scratch, record, NULL, out) == 0 &&
	       check_legible(&k->scratch, out);
}

bool
check_move(struct check *k, struct slice key, struct slice record)
{
	struct attr at[5];
	struct item it;
	size_t n = 0;

	assert(k->t != NULL);
	if (k->local->dir == NULL) {
		return false;
	}
	if (k->saved_name.len == 0) {
		buf_init(&k->saved, &k->c->arena);
		choose_name(k);
	}
	if (k->s != NULL) {
		at[n++] = check_mend_text_attr("Table", VALUE_S, k->s->table);
	}
	if (k->ix != NULL) {
		at[n++] = check_mend_text_attr("Index", VALUE_S, k->ix->name);
	}
	at[n++] = check_mend_text_attr("Key", VALUE_B, key);
	at[n++] = check_mend_text_attr("Record", VALUE_B, record);
	if (check_mend_read_item(k, key, record, &it)) {
		struct slice name = is_whole(k, key, &it) ? SLICE("Item") : SLICE("Content");

		at[n++] = (struct attr){name, {.type = VALUE_M, .map = it}};
	}
	item_put_json(&k->saved, &(struct item){.at = at, .n = n}, ITEM_PLAIN);
	buf_char(&k->saved, '\n');
	k->bytes += record.len;
	check_del(k, key);
	return true;
}

static int
check_mend_failed(struct check *k, const char *name)
{
	int e = errno;

	return call_fail(k->c, error_of_disk(e), "%s/" CHECK_DAMAGED "%s: %s", k->local->dir, name,
			 strerrordesc_np(e));
}

/* Write all lines to @file, sync and close it.  Return: 0, -ERR_NO_SPACE, -ERR_IO */
static int
check_mend_fill(struct check *k, int file)
{
	const char *name = k->saved_name.at;
	int e = write_all(file, buf_view(&k->saved));
	int r = folder_done(k->c, name + 1, file);

	if (e != 0) {
		errno = e;
		return check_mend_failed(k, name);
	}
	return r;
}

/* Create the file.  If that fails, delete it: its last line could be incomplete. */
static int
make_file(struct check *k, const struct folder *dir)
{
	const char *name = k->saved_name.at + 1;
	int file = folder_file(k->c, dir, name);

	if (file < 0) {
		return file;
	}
	int r = check_mend_fill(k, file);

	/* Sync the folder, too, so that the name is permanent. */
	if (r == 0 && fsync(dir->fd) != 0) {
		r = check_mend_failed(k, "");
	}
	if (r < 0) {
		(void)unlinkat(dir->fd, name, 0);
	}
	return r;
}

int
check_keep_moved(struct check *k)
{
	struct folder dir = {.mode = 0600};

	if (k->saved_name.len == 0) {
		return 0;
	}
	cleanup(cleanup_fd) int fd = private_folder(k->local->at, CHECK_DAMAGED, true);

	dir.fd = fd;
	return fd < 0 ? check_mend_failed(k, "") : make_file(k, &dir);
}

/* ------------------------------------------------------------ keys that cannot be used */

void
check_mend_gone(struct check *k, struct slice key, struct slice record)
{
	if (k->t != NULL && check_move(k, key, record)) {
		check_mended(k, "it was moved to " CHECK_DAMAGED "%.*s", SLICE_ARG(k->saved_name));
	}
}

/* ------------------------------------------------------------ missing or different entries */

/* Describe the valid item @f, with its correct rendered length, for index_entry(). */
static struct index_source
source_of(struct check *k, const struct found *f, const struct key_values *base)
{
	uint64_t rendered = item_json_length(&f->item) + 1;
	struct index_source from = {
		.schema = k->s,
		.item = &f->item,
		.base = base,
		.record = f->record,
		.checked = true,
		.mtime_ns = f->head.mtime_ns,
		.rendered_bytes = rendered,
		.item_bytes = f->item_bytes,
	};

	if (rendered != f->head.rendered_bytes) {
		from.record =
			record_make(&k->scratch, &(struct record_head){rendered, f->head.mtime_ns},
				    &f->item, f->item_bytes);
	}
	return from;
}

int
check_mend_entry_of(struct check *k, const struct found *f, const struct index *ix)
{
	struct key_values base = check_base_key(k, f);
	struct index_entry entry;

	if (k->t == NULL) {
		return 0;
	}
	struct index_source from = source_of(k, f, &base);
	int r = index_entry(&k->scratch, &from, ix, &entry);

	if (r == 0 && entry.there) {
		check_put(k, entry.key, entry.record);
		check_mended(k, "it was written");
	}
	return r;
}

/* ------------------------------------------------------------ an entry */

enum { ITEM_DAMAGED = KV_ABSENT + 1 };

/* Read the item with the key @base.  Return: 0, KV_ABSENT, ITEM_DAMAGED, < 0 */
static int
item_of(struct check *k, const struct key_values *base, struct found *out)
{
	struct buf key;
	struct buf record;

	buf_init(&key, &k->scratch.arena);
	buf_init(&record, &k->scratch.arena);
	keyspace_item(&key, k->s, NULL, base);
	int r = kv_get(k->local->kv, k->c, k->at, buf_view(&key), &record);

	if (r != 0) {
		return r;
	}
	*out = (struct found){.key = buf_view(&key), .record = buf_view(&record)};
	for (size_t i = 0; i < base->n; i++) {
		out->at[i] = *base->at[i];
	}
	if (record_decode_sized(&k->scratch, out->record, &out->head, &out->item,
				&out->item_bytes) != 0 ||
	    check_unsound(k, NULL, out) != NULL) {
		return ITEM_DAMAGED;
	}
	return 0;
}

static int
mend_entry(struct check *k, const struct found *f)
{
	struct key_values base = check_base_key(k, f);
	struct index_entry entry;
	struct found item;

	assert(k->t != NULL && k->ix != NULL);

	int r = item_of(k, &base, &item);

	if (r == KV_ABSENT) {
		check_mend_gone(k, f->key, f->record);
		return 0;
	}
	if (r != 0) {
		return r < 0 ? r
			     : 0; /* the item is damaged, so the correct entry is unknown: keep it */
	}
	struct index_source from = source_of(k, &item, &base);

	r = index_entry(&k->scratch, &from, k->ix, &entry);
	if (r < 0) {
		return r;
	}
	if (entry.there && slice_eq(entry.key, f->key)) {
		check_put(k, entry.key, entry.record);
		check_mended(k, "it was written anew");
	} else {
		check_del(k, f->key);
		check_mended(k, "it was deleted");
	}
	return 0;
}

/* ------------------------------------------------------------ an item or an entry */

int
check_mend(struct check *k, const struct found *f)
{
	if (k->t == NULL) {
		return 0;
	}
	if (k->ix != NULL) {
		return mend_entry(k, f);
	}
	check_mend_gone(k, f->key, f->record);
	return 0;
}

int
check_mend_length(struct check *k, const struct found *f)
{
	struct key_values base = check_base_key(k, f);

	if (k->t == NULL || k->ix != NULL) {
		return check_mend(k, f);
	}
	check_put(k, f->key, source_of(k, f, &base).record);
	check_mended(k, "it was set");
	return 0;
}
