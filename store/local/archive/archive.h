/*
 * archive - records of backups: FORMAT.md section 6 in code
 *
 * Their items are in files, STORE/backups/id.json.gz (dump.h).  A record is there before its file
 * and goes before it, so a file without one is left over.
 */
#ifndef STORE_LOCAL_ARCHIVE_ARCHIVE_H
#define STORE_LOCAL_ARCHIVE_ARCHIVE_H

#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"

void archive_key(struct buf *out, struct slice id);

/** archive_is_key - is it one of those? */
bool archive_is_key(struct slice key);

void archive_encode(struct buf *out, const struct archive *a);

/**
 * archive_decode - the backup @id
 *
 * Errors:  -ERR_CORRUPT  (any bytes are safe to pass)
 * Memory:  call's arena; slices borrow @id and @record
 */
int archive_decode(struct call *c, struct slice id, struct slice record, struct archive *out)
	__attribute__((warn_unused_result));

/** archive_find - as it is now; Return: 0, KV_ABSENT, < 0 */
int archive_find(struct local *l, struct call *c, struct slice id, struct archive *out)
	__attribute__((warn_unused_result));

/** archive_get - likewise within an operation of the queue */
int archive_get(struct txn *t, struct call *c, struct slice id, struct archive *out)
	__attribute__((warn_unused_result));

/** archive_fail - its state and the reason, which is told in a line, too; archive_write() is next */
void archive_fail(struct archive *a, const char *why);

/** archive_write - add or change it, durably */
int archive_write(struct local *l, struct call *c, const struct archive *a)
	__attribute__((warn_unused_result));

/** archive_forget - delete its record, durably */
int archive_forget(struct local *l, struct call *c, struct slice id)
	__attribute__((warn_unused_result));

/** Looks at one; @a NULL: its record is damaged, as the call's error says.  Return: 0, 1: that is enough, < 0 */
typedef int archive_look_fn(void *arg, struct call *c, const struct archive *a);

/** archive_each - all after @id, in the order of their ids, which is that of time */
int archive_each(struct local *l, struct call *c, struct slice id, archive_look_fn *look, void *arg)
	__attribute__((warn_unused_result));

/* ------------------------------------------------------------ files */

/**
 * archive_folder - STORE/backups, which is no link
 * @make: where it is missing
 * @out:  a descriptor; -1: there is none
 *
 * Errors:  -ERR_IO;  -ERR_NOT_SUPPORTED  a store in memory
 */
int archive_folder(const struct local *l, struct call *c, bool make, int *out)
	__attribute__((warn_unused_result));

/** archive_settle - files that were made or removed in @folder are so for good; Errors: -ERR_IO */
int archive_settle(struct call *c, int folder) __attribute__((warn_unused_result));

/** archive_is_id - can this be the id of a backup, an export or an import? */
bool archive_is_id(struct slice id);

/** archive_name - what the file of its items is called there, in the call's arena */
const char *archive_name(struct call *c, struct slice id);

/** archive_file - the inverse: whose file is called @name?  Empty: of no backup */
struct slice archive_file(struct slice name);

#endif
