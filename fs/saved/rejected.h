/*
 * rejected - texts that never became an item, kept in STORE/rejected
 *
 *   STORE/rejected/2026-11-20T09:01:02.345Z-000001-ORDER#7.json      mode 0600
 *
 * A name has the time of the refusal, and a rising number that makes names of the same moment different.  Texts outlive
 * the mount.  Each user of each mount keeps the newest 100 texts; 1,000 are kept in all.  Texts that the end of a mount
 * keeps may exceed these limits: one of them may be the only copy of an item that was renamed to a scratch name, so
 * they drop no text that is younger than a minute.
 *
 * The owner of a text is in the extended attribute user.itemfs of its file:
 *
 *   1000 600 /mnt/shop        uid, mode (octal) of the file it was written to, mount point
 *
 * A text without the attribute (from an older version, or on a filesystem without extended attributes) is shown in
 * every mount, but only to readers that see the texts of all users.
 */
#ifndef FS_SAVED_REJECTED_H
#define FS_SAVED_REJECTED_H

#include "fs/saved/refused.h"

enum {
	REJECTED_MAX = 100,        /* texts of one user of one mount */
	REJECTED_TOTAL_MAX = 1000, /* of all */
};

/* The owner of a text. */
struct rejected_owner {
	struct slice mount; /* the mount point; empty: the owner is unknown */
	uint32_t uid;
	mode_t mode; /* permissions of the file it was written to */
};

struct rejected {
	pthread_mutex_t lock;
	char *dir;        /* STORE/rejected */
	char *shown;      /* the same, for messages */
	unsigned seq;     /* number of the newest text that this process kept */
	uint64_t at_end;  /* number of texts that were kept at the end of a mount */
	uint64_t settled; /* the first ones of these, which rejected_settle() has made durable */
};

/**
 * rejected_init - prepare STORE/rejected, and remove unfinished files that are older than an hour
 * @store_dir: STORE, as state_pin() returned it
 * @shown:     STORE, for messages
 */
void rejected_init(struct rejected *r, const char *store_dir, const char *shown);
void rejected_release(struct rejected *r);

/**
 * rejected_keep_at - write a text durably, and drop one text if a limit is exceeded
 * @name:  of the file it was written to
 * @end:   its mount is ending: rejected_settle() makes the text durable and drops texts
 * @where: on success the path of the new file is appended
 *
 * The dropped text is the owner's oldest if the owner has more than 100.  Otherwise, if there are more than 1,000, it
 * is the oldest of the owner with the most.
 *
 * Return: 0, or an errno, for instance when the disk is full or the directory cannot be made
 */
int rejected_keep_at(struct rejected *r, uint64_t now_ms, const struct rejected_owner *owner,
		     struct slice name, struct slice text, bool end, struct buf *where);

/**
 * rejected_settle - make the texts that were kept at the end of mounts durable
 * @now_ms: Unix time; texts that are older than a minute are dropped, except the newest 100 of each owner
 *
 * Does nothing if no text was kept at the end of a mount.
 * Return: 0, or an errno: those texts may not survive a crash
 */
int rejected_settle(struct rejected *r, uint64_t now_ms) must_check;

/** rejected_list - list the names of texts that @reader sees, oldest first, in @a's memory.  Return: their number */
size_t rejected_list(struct rejected *r, struct arena *a, const struct refused_reader *reader,
		     struct slice **names);

/**
 * rejected_open - open a text for reading, if @reader sees it
 * @owner: set to its owner, in @a's memory; may be NULL
 *
 * Return: a descriptor that the caller closes, or -errno; -ENOENT: no such text, or @reader does not see it
 */
int rejected_open(struct rejected *r, struct arena *a, const struct refused_reader *reader,
		  struct slice name, struct rejected_owner *owner);

#endif
