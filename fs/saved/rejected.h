/*
 * rejected - texts that never became an item, kept in STORE/rejected
 *
 *   STORE/rejected/2026-11-20T09:01:02.345Z-000001-ORDER#7.json      mode 0600
 *
 * The time is that of the refusal, the number makes names of one moment
 * different and rises.  They survive the mount.  Of each user of each mount the newest 100 stay, and 1,000 in all;
 * but what the end of a mount leaves, as the only copy of an item that was renamed to a scratch name, drops nothing that
 * other ends of that minute have left.
 *
 * Whose a text is stays with the file, in the extended attribute user.itemfs:
 *
 *   1000 600 /mnt/shop        uid, mode (octal) of the file it was written to, mount point
 *
 * A text without it, as of an older version or on a filesystem that keeps no such attributes, is shown in every mount
 * to those who see the texts of all users, and to nobody else.
 */
#ifndef FS_SAVED_REJECTED_H
#define FS_SAVED_REJECTED_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "store/base/core/buf.h"

#include "fs/saved/refused.h"

enum {
	REJECTED_MAX = 100,        /* texts of one user of one mount */
	REJECTED_TOTAL_MAX = 1000, /* of all */
};

/* Whose a text is. */
struct rejected_owner {
	struct slice mount; /* the mount point; empty: nobody knows whose it is */
	uint32_t uid;
	mode_t mode; /* of the file it was written to: permissions */
};

struct rejected_text;

/* Texts and their owners as they were last counted: to open each of them again and again would take long. */
struct rejected_known {
	struct arena arena;
	struct rejected_text *texts; /* in the order of their names */
	size_t n;
};

struct rejected {
	pthread_mutex_t lock;
	char *dir;      /* STORE/rejected */
	char *shown;    /* the same for people */
	unsigned seq;   /* of the newest text kept by this process */
	bool unsettled; /* texts were kept at the end of a mount since rejected_settle() */
	struct rejected_known known;
};

/** rejected_init - @shown: the directory for people, where @store_dir is of state_pin() */
void rejected_init(struct rejected *r, const char *store_dir, const char *shown);
void rejected_release(struct rejected *r);

/**
 * rejected_keep - write one text, durably; when its owner has more than 100, his oldest goes
 * @name: of the file it was written to
 * @end: its mount is ending: nothing is durable, and nothing goes, before rejected_settle()
 *
 * Return: 0, or an errno: the disk is full, the directory cannot be made.
 */
int rejected_keep(struct rejected *r, uint64_t now_ms, const struct rejected_owner *owner,
		  struct slice name, struct slice text, bool end);

/** rejected_keep_at - the same; @where: gets the path of the file that keeps it */
int rejected_keep_at(struct rejected *r, uint64_t now_ms, const struct rejected_owner *owner,
		     struct slice name, struct slice text, bool end, struct buf *where);

/**
 * rejected_settle - what was kept at the end of mounts is durable; of older texts the newest 100 stay
 *
 * Return: 0, or an errno: it may not survive a crash.
 */
int rejected_settle(struct rejected *r, uint64_t now_ms) __attribute__((warn_unused_result));

/** rejected_list - names of those that @reader sees, in the order of their time, in @a's memory */
size_t rejected_list(struct rejected *r, struct arena *a, const struct refused_reader *reader,
		     struct slice **names);

/**
 * rejected_open - a descriptor to read one of them, if @reader sees it
 * @owner: gets whose it is, in @a's memory; may be NULL
 *
 * Return: the descriptor, or -errno
 */
int rejected_open(struct rejected *r, struct arena *a, const struct refused_reader *reader,
		  struct slice name, struct rejected_owner *owner);

#endif
