/*
 * archive - records of table backups, as FORMAT.md section 6 defines them
 *
 * The items of a backup are in a file, STORE/backups/id.json.gz (item_file.h).  The record is written before
 * the file is created and deleted before the file is, so a file without a record does not belong to the store.
 */
#ifndef STORE_LOCAL_ARCHIVE_ARCHIVE_H
#define STORE_LOCAL_ARCHIVE_ARCHIVE_H

#include "store/local/commit/txn.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/local_int.h"

/** archive_is_key - Return: whether @key is the key of a backup's record */
bool archive_is_key(struct slice key);

/** archive_encode - append the record of @a */
void archive_encode(struct buf *out, const struct archive *a);

/**
 * archive_decode - decode the record of backup @id
 *
 * Return:  0, -ERR_CORRUPT; any bytes are safe to pass
 * Memory:  the call's arena; slices borrow @id and @record
 */
int archive_decode(struct call *c, struct slice id, struct slice record, struct archive *out)
	must_check;

/** archive_find - read the record of backup @id;  Return: 0, KV_ABSENT, < 0 */
int archive_find(struct local *l, struct call *c, struct slice id, struct archive *out) must_check;

/** archive_fail - mark @a as failed and print the reason to stderr; borrows @why.  Call archive_write() next */
void archive_fail(struct archive *a, const char *why);

/** archive_put - write the record of @a, or delete it if its status is DELETED, inside an operation of the commit queue */
void archive_put(struct txn *t, struct call *c, const struct archive *a);

/** archive_write - archive_put() in a commit of its own, which is synced */
int archive_write(struct local *l, struct call *c, const struct archive *a) must_check;

/**
 * archive_look_fn - called for each backup
 * @a: NULL: the record is damaged; the call's error has the reason
 *
 * Return:  0: continue;  1: stop;  < 0: an error
 */
typedef int archive_look_fn(void *arg, struct call *c, const struct archive *a);

/**
 * archive_each - call @look for all backups after @id, in the order of ids, which is that of time;  Return: 0, < 0
 *
 * @look may change records: the walk shows one state of the store.
 */
int archive_each(struct local *l, struct call *c, struct slice id, archive_look_fn *look, void *arg)
	must_check;

/* ------------------------------------------------------------ files */

/**
 * archive_folder - open STORE/backups; a symbolic link is not followed
 * @make: create it if it is missing
 * @out:  a descriptor, owned by the caller; -1: it is missing
 *
 * Return:  0
 * Errors:  -ERR_IO, -ERR_NO_SPACE;  -ERR_NOT_SUPPORTED  a store in memory
 */
int archive_folder(const struct local *l, struct call *c, bool make, int *out) must_check;

/** archive_failed - fail with errno, for the file @what;  Return: -ERR_IO, -ERR_NO_SPACE */
int archive_failed(struct call *c, const char *what) must_check;

/** archive_settle - sync @folder after files were created or removed in it;  Return: 0, -ERR_IO, -ERR_NO_SPACE */
int archive_settle(struct call *c, int folder) must_check;

/** archive_is_id - Return: whether @id has the form of an id of a backup, an export or an import */
bool archive_is_id(struct slice id);

/** archive_name - Return: name of the file of backup @id in STORE/backups, in the call's arena */
const char *archive_name(struct call *c, struct slice id);

/** archive_file - Return: the id of the backup whose file is called @name, borrowed; empty: not the name of a backup */
struct slice archive_file(struct slice name);

/* ------------------------------------------------------------ jobs: backup_jobs.c */

/*
 * A backup writes the items of a snapshot to a file.  A restore puts a file's items into a new table, which is
 * invisible to others until it is complete.  The reason of a failure is printed to stderr (say.h); that of a backup is
 * also in its record.
 */

/** backup_jobs_enter - jobs_enter() for a backup or restore; call one of the next two, or jobs_leave(), afterwards */
int backup_jobs_enter(struct local *l, const struct job_needs *needs, struct call *c,
		      struct job **out) must_check;

/** backup_jobs_backup - start a job that writes the items of @at to the file of @a; the job owns @at from here on */
void backup_jobs_backup(struct job *j, const struct archive *a, struct kv_snapshot *at);

/** backup_jobs_restore - start a job that fills @table, which is being created, from @a */
void backup_jobs_restore(struct job *j, const struct archive *a, struct slice table);

#endif
