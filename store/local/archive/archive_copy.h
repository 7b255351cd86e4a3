/*
 * archive_copy - files of backups from one folder to another, each read to its end there
 *
 * A broken one is noticed when it is copied, not when somebody needs it.  Only what the file itself
 * says counts: what cannot be read or written for another reason is an error.
 */
#ifndef STORE_LOCAL_ARCHIVE_ARCHIVE_COPY_H
#define STORE_LOCAL_ARCHIVE_ARCHIVE_COPY_H

#include "store/engine/restore.h"
#include "store/local/records/local_int.h"

struct archive_copying {
	struct local *local; /* which may delete some meanwhile; NULL: nobody does */
	int from;            /* a folder; -1: there is none */
	int to;
	restore_step_fn *step; /* after each piece */
	void *arg;             /* its */
	uint64_t bytes;        /* that have been copied */
	struct slice *broken;  /* a sentence each; in the call's arena */
	size_t n_broken;
	size_t cap; /* of broken */
};

/**
 * archive_copy - the file of a backup, if @key and @value are the record of one that is done
 *
 * Return: 1; 0: leave the record out, as it is broken (@cp has the sentence) or was deleted meanwhile; < 0
 * Errors:  -ERR_IO, -ERR_NO_SPACE, those of the step
 */
int archive_copy(struct archive_copying *cp, struct call *c, struct slice key, struct slice value)
	__attribute__((warn_unused_result));

#endif
