/*
 * scratch_area - durable copies of scratch files' texts
 *
 *   STORE/scratch/PID.N/000001      mode 0600, in directories of mode 0700
 *
 * The text of a scratch file is in memory.  It is copied here by fsync, before the item that was renamed to it is
 * deleted, and before an item beside it is removed.  The copy is removed with the scratch file.
 *
 * Each process has a directory of its own, and holds an flock on it while it lives.  A process that starts moves the
 * copies in directories without a lock to STORE/rejected: their process was killed, or the machine crashed.
 */
#ifndef FS_SAVED_SCRATCH_AREA_H
#define FS_SAVED_SCRATCH_AREA_H

#include "fs/saved/rejected.h"

struct scratch_area {
	pthread_mutex_t lock;
	char *dir;     /* STORE/scratch */
	char *shown;   /* the same, for messages */
	int own;       /* descriptor of this process's directory in @dir; -1: not made yet */
	char name[32]; /* name of this process's directory */
	unsigned seq;  /* number of the newest copy */
};

struct scratch_text {
	const char *mount; /* the mount point */
	struct slice path; /* of the file, absolute */
	uint32_t uid;
	uint32_t mode;
	struct slice text;
};

/**
 * scratch_area_init - prepare an area without a directory; the first copy makes it
 * @store_dir: STORE, as state_pin() returned it
 * @shown:     STORE, for messages
 */
void scratch_area_init(struct scratch_area *a, const char *store_dir, const char *shown);

/** scratch_area_release - remove this process's directory, if it is empty */
void scratch_area_release(struct scratch_area *a);

/**
 * scratch_area_keep - make a durable copy of a text
 * @id: number of the older copy, which is replaced atomically; 0: there is none.  Set to the number of the new copy
 *
 * Only one thread at a time may keep a copy with the same @id.
 * Return: 0, or an errno; then @id is unchanged, a new copy does not exist, and an older copy is unchanged, unless only
 * syncing the directory failed
 */
int scratch_area_keep(struct scratch_area *a, const struct scratch_text *t, unsigned *id)
	must_check;

/** scratch_area_drop - remove a copy; does nothing for 0 */
void scratch_area_drop(struct scratch_area *a, unsigned id);

/**
 * scratch_area_recover - move the copies of processes that ended without an unmount to @r
 * @said: a sentence for each text is appended, each with a terminating NUL
 */
void scratch_area_recover(struct scratch_area *a, struct rejected *r, uint64_t now_ms,
			  struct buf *said);

#endif
