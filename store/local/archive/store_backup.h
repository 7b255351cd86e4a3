/*
 * store_backup - the backup of a whole store: its image, and the files of table backups
 *
 * Each file is decompressed to its end when it is copied, so that a broken file is noticed then and not when it is
 * restored.  A file is broken because of its content only: a failure to read or write is an error.
 */
#ifndef STORE_LOCAL_ARCHIVE_STORE_BACKUP_H
#define STORE_LOCAL_ARCHIVE_STORE_BACKUP_H

#include "store/engine/restore.h"
#include "store/local/records/local_int.h"

/** store_backup_restore - create a store from the output of BackupStore; as store_restore(), see store/own.h */
int store_backup_restore(struct call *c, const struct restore_in *in, struct restore_out *out)
	must_check;

/* ------------------------------------------------------------ files of table backups: archive_copy.c */

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
	must_check;

/* ------------------------------------------------------------ store images: store_image.c, FORMAT.md section 8 */

struct store_image_counts {
	uint64_t records;
	uint64_t bytes; /* of the file */
};

/**
 * store_image_write - write all records of the snapshot @view to the empty file @fd; does not sync
 * @files: copies the files of table backups; the record of one that is left out is, too
 *
 * Return:  0
 * Errors:  -ERR_IO, -ERR_NO_SPACE, -ERR_CORRUPT, those of archive_copy();  -ERR_BUSY  the file was removed
 */
int store_image_write(struct call *c, const struct kv_view *view, int fd,
		      struct archive_copying *files, struct store_image_counts *out) must_check;

/** store_image_wanted - Return: 0: the file @fd still has a name;  -ERR_BUSY: it was removed, to cancel the backup */
int store_image_wanted(struct call *c, int fd) must_check;

/* Result of store_image_read(): files of table backups are broken, and @files does not allow that */
enum { STORE_IMAGE_ENOUGH = 2 };

/**
 * store_image_read - put the records of a file into an empty kv; the last commit is synced
 * @files: as for store_image_write(); its bytes include those of this file, and its step is called after each block, too
 *
 * Return:  0, STORE_IMAGE_ENOUGH, < 0
 * Errors:  -ERR_VALIDATION  not a store image (any bytes are safe to pass);  -ERR_CORRUPT  damaged or
 *          truncated;  -ERR_IO;  those of kv_commit() and archive_copy()
 */
int store_image_read(struct call *c, int fd, struct kv *kv, struct archive_copying *files,
		     struct store_image_counts *out) must_check;

#endif
