/*
 * check_repair - puts, deletes and moves of a repair
 *
 * Data that cannot be derived from the rest of the store is deleted only after it has been saved in
 * STORE/damaged/.  Each record is a line of JSON: its table and index, the key and the record as stored,
 * and the item in them if it can be decoded.  (STORE/rejected/ is not used, as it keeps only the newest files.)
 */
#include <fcntl.h>

#include "store/base/core/clock.h"
#include "store/base/system/private.h"
#include "store/base/system/write_all.h"
#include "store/local/check/check_int.h"
#include "store/local/commit/txn.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"

void
check_done(struct check *k, const char *done)
{
	assert(k->t != NULL && k->n_problems > 0);

	struct problem *last = &k->problems[k->n_problems - 1];

	k->repaired += last->done == NULL;
	last->done = done;
}

void
check_put(struct check *k, struct slice key, struct slice value, const char *done)
{
	struct arena *a = &k->c->arena;

	if (k->t != NULL) {
		k->bytes += key.len + value.len;
		txn_put(k->t, slice_copy(a, key), slice_copy(a, value));
		check_done(k, done);
	}
}

void
check_del(struct check *k, struct slice key)
{
	if (k->t != NULL) {
		k->bytes += key.len;
		txn_del(k->t, slice_copy(&k->c->arena, key));
		check_done(k, "it was deleted");
	}
}

/* ------------------------------------------------------------ moved records */

static struct attr
check_text_attr(const char *name, enum value_type type, struct slice text)
{
	return (struct attr){slice_from(name), {.type = type, .text = text}};
}

/*
 * Decode the item or entry of @key and append it to @at, if it is one and JSON can represent it: as "Item" if it has all
 * attributes of the table's item, so that it can be put back as is.
 */
static size_t
check_add_item(struct check *k, struct slice key, struct slice record, struct attr *at)
{
	struct key_values v = {.n = 0};
	struct item it;

	if (key.at[0] != KEYSPACE_ITEM || record_decode(&k->scratch, record, NULL, &it) != 0 ||
	    !check_legible(&k->scratch, &it)) {
		return 0;
	}
	bool whole = k->s != NULL && (k->ix == NULL || k->ix->projection == PROJECTION_ALL) &&
		     key_from_item(&k->s->key, &it, &v) == 0;

	if (whole && k->ix == NULL) {
		whole = slice_eq(keyspace_item(&k->scratch.arena, k->s, NULL, &v), key);
	}
	*at = (struct attr){whole ? SLICE("Item") : SLICE("Content"), {.type = VALUE_M, .map = it}};
	return 1;
}

void
check_move(struct check *k, struct slice key, struct slice record)
{
	struct attr at[5];
	size_t n = 0;

	if (k->t == NULL || k->local->dir == NULL) {
		return;
	}
	if (k->s != NULL) {
		at[n++] = check_text_attr("Table", VALUE_S, k->s->table);
	}
	if (k->ix != NULL) {
		at[n++] = check_text_attr("Index", VALUE_S, k->ix->name);
	}
	at[n++] = check_text_attr("Key", VALUE_B, key);
	at[n++] = check_text_attr("Record", VALUE_B, record);
	n += check_add_item(k, key, record, &at[n]);
	item_put_json(&k->saved, &(struct item){.at = at, .n = n}, ITEM_PLAIN);
	buf_char(&k->saved, '\n');
	k->bytes += record.len;
	check_del(k, key);
	check_done(k, "it was moved to " CHECK_DAMAGED "/");
	k->problems[k->n_problems - 1].moved = true;
}

/* ------------------------------------------------------------ the file */

/* "2026-11-21T09:01:02.345Z-000001.jsonl"; the number differs if two files have the same time. */
static const char *
check_file_name(struct check *k, unsigned n)
{
	struct buf name;

	buf_init(&name, &k->c->arena);
	clock_put(&name, k->c->now_ms);
	buf_fmt(&name, "Z-%06u.jsonl", n);
	buf_char(&name, '\0');
	return name.at;
}

/* Create a file with an unused name.  Return: a descriptor, or -1 with errno */
static int
check_make_file(struct check *k, int folder)
{
	int file = -1;

	for (unsigned n = 1; folder >= 0 && file < 0 && (n == 1 || errno == EEXIST); n++) {
		k->saved_name = check_file_name(k, n);
		file = openat(folder, k->saved_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	}
	return file;
}

/* Return: 0, or the errno of what failed first */
static int
check_fill_file(const struct check *k, int folder, int file)
{
	int e = write_all(file, buf_view(&k->saved));

	if (fsync(file) != 0 && e == 0) {
		e = errno;
	}
	if (close(file) != 0 && e == 0) {
		e = errno;
	}
	/* Sync the folder, too, so that the name is permanent. */
	if (fsync(folder) != 0 && e == 0) {
		e = errno;
	}
	return e;
}

int
check_keep_moved(struct check *k)
{
	if (k->saved.len == 0) {
		return 0;
	}
	cleanup(cleanup_fd) int folder = private_folder(k->local->at, CHECK_DAMAGED, true);
	int file = check_make_file(k, folder);
	int e = file < 0 ? errno : check_fill_file(k, folder, file);

	if (e == 0) {
		return 0;
	}
	if (file >= 0) {
		(void)unlinkat(folder, k->saved_name, 0); /* its last line may be incomplete */
	}
	return call_fail(k->c, error_of_disk(e), "%s/" CHECK_DAMAGED ": %s", k->local->dir,
			 strerrordesc_np(e));
}
