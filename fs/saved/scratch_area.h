/*
 * scratch_area - durable copies of scratch files' texts
 *
 *   STORE/scratch/PID.N/000001      mode 0600, in directories of mode 0700
 *
 * A scratch file is bytes in memory.  Its text is copied here before the item that was renamed to it is deleted, before an
 * item beside it is removed, and by fsync.  The copy goes with the scratch file.
 *
 * Each process has a directory of its own, and an flock on it while it lives.  A process that starts moves what it
 * finds in directories without a lock to STORE/rejected: texts of processes that were killed, or of a machine that
 * crashed.
 */
#ifndef FS_SAVED_SCRATCH_AREA_H
#define FS_SAVED_SCRATCH_AREA_H

#include "fs/saved/rejected.h"

struct scratch_area {
	pthread_mutex_t lock;
	char *dir;     /* STORE/scratch */
	char *shown;   /* the same for people */
	int own;       /* this process's directory in it; -1: none yet */
	char name[32]; /* its name */
	unsigned seq;  /* of the newest copy */
};

struct scratch_text {
	const char *mount; /* the mount point */
	struct slice path; /* of the file: absolute */
	uint32_t uid;
	uint32_t mode;
	struct slice text;
};

/** scratch_area_init - @shown: the directory for people, where @store_dir is of state_pin() */
void scratch_area_init(struct scratch_area *a, const char *store_dir, const char *shown);

/** scratch_area_release - remove this process's directory, if it is empty */
void scratch_area_release(struct scratch_area *a);

/**
 * scratch_area_keep - a durable copy of the text
 * @id: of its older copy, which it replaces at once; 0: there is none.  Set when it is made
 *
 * Return: 0, or an errno; then the older copy is as it was.
 */
int scratch_area_keep(struct scratch_area *a, const struct scratch_text *t, unsigned *id)
	__attribute__((warn_unused_result));

/** scratch_area_drop - the copy is needed no more; 0 is harmless */
void scratch_area_drop(struct scratch_area *a, unsigned id);

/**
 * scratch_area_recover - move what processes left that have ended without an unmount to @r
 * @said: a sentence for each text, on the heap, each with a NUL behind it
 */
void scratch_area_recover(struct scratch_area *a, struct rejected *r, uint64_t now_ms,
			  struct buf *said);

#endif
