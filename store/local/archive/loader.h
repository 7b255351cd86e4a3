/*
 * loader - reads files of items and puts the items into a table that is being created, in batches without a sync
 *
 * RestoreTableFromBackup reads the file of a backup, ImportTable the files of a bucket.
 */
#ifndef STORE_LOCAL_ARCHIVE_LOADER_H
#define STORE_LOCAL_ARCHIVE_LOADER_H

#include "store/local/archive/transfer.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/local_int.h"
#include "store/local/tables/alter.h"

struct loader {
	struct local *local;
	struct call *c;            /* of the job; gets the error */
	struct transfer *transfer; /* has the table, the source and, for CSV, the schema */
	bool strict;               /* a bad record is damage, and ends loading */
};

/**
 * loader_file - put all items of the file @fd; @fd is closed
 * @name: of the file, for messages
 *
 * Adds to the counts of @ld->transfer, and sets its failure at the first bad record.  If the file cannot be parsed any
 * further, the rest of it counts as one bad record.  The reason is in the memory of @ld->c.
 *
 * Return:  0, also if there were bad records
 * Errors:  -ERR_IO;  -ERR_BUSY  the store is being closed;  -ERR_CORRUPT  strict: a bad record;  those of a put that no
 *          item caused
 * Thread:  the jobs thread
 */
int loader_file(const struct loader *ld, int fd, struct slice name) must_check;

/**
 * loader_end - end the job that fills @table: make the table visible if @r is 0, else delete it
 * @also, @arg: as for alter_complete()
 *
 * When the store is being closed, nothing is deleted: the job begins again at the next open.
 * Return:  0, also when the store is being closed
 * Errors:  @r, or those of alter_complete(): the table was deleted, and the job's call has the reason
 */
int loader_end(struct job *j, struct slice table, int r, alter_fn *also, void *arg) must_check;

#endif
