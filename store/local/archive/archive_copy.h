/*
 * archive_copy - copies and verifies the files of table backups
 *
 * Each copy is decompressed to its end, so that a broken file is noticed when it is copied and not when it is
 * restored.  A file is broken because of its content only: a failure to read or write is an error.
 */
#ifndef STORE_LOCAL_ARCHIVE_ARCHIVE_COPY_H
#define STORE_LOCAL_ARCHIVE_ARCHIVE_COPY_H

#include "store/engine/restore.h"
#include "store/local/records/local_int.h"

struct archive_copying {
	struct local *local; /* an open store, which may delete backups in the meantime; or NULL */
	int from;            /* descriptor of a folder; -1: there is none */
	int to;              /* likewise; never -1 */
	restore_step_fn *step; /* called after each piece */
	void *arg;             /* of @step */
	bool without_broken;   /* a broken file does not end the restore of a store */
	uint64_t bytes;        /* number of bytes copied so far */
	struct slice *broken;  /* a sentence for each broken file; in the call's arena */
	size_t n_broken;
	size_t cap; /* of @broken */
};

/**
 * archive_copy - copy the file of a backup if @key and @value are the record of a finished one
 *
 * Return:  1: keep the record;  0: leave it out, because the file is broken (@cp has the sentence) or the backup
 *          was deleted in the meantime;  < 0
 * Errors:  -ERR_IO, -ERR_NO_SPACE, those of @cp->step
 */
int archive_copy(struct archive_copying *cp, struct call *c, struct slice key, struct slice value)
	__attribute__((warn_unused_result));

#endif
