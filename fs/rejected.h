/*
 * rejected - texts that never became an item, kept in STORE/rejected
 *
 *   STORE/rejected/2026-11-20T09:01:02.345Z-000001-ORDER#7.json      mode 0600
 *
 * The time is that of the refusal, the number makes names of one moment
 * different and rises.  They survive the mount.  The newest 100 stay; but what the end of
 * a mount leaves, as the only copy of an item that was renamed to a scratch name, drops nothing that
 * other ends of that minute have left.
 */
#ifndef FS_REJECTED_H
#define FS_REJECTED_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/base/buf.h"

enum { REJECTED_MAX = 100 };

struct rejected {
	pthread_mutex_t lock;
	char *dir;      /* STORE/rejected */
	unsigned seq;   /* of the newest text kept by this process */
	bool unsettled; /* texts were kept at the end of a mount since rejected_settle() */
};

void rejected_init(struct rejected *r, const char *store_dir);
void rejected_release(struct rejected *r);

/**
 * rejected_keep - write one text; when there are more than 100, the oldest goes
 * @name: of the file it was written to
 * @end: its mount is ending: nothing goes before rejected_settle()
 *
 * Return: 0, or an errno: the disk is full, the directory cannot be made.
 */
int rejected_keep(struct rejected *r, uint64_t now_ms, struct slice name, struct slice text,
		  bool end);

/**
 * rejected_settle - what was kept at the end of mounts is durable; of older texts the newest 100 stay
 *
 * Return: 0, or an errno: it may not survive a crash.
 */
int rejected_settle(struct rejected *r, uint64_t now_ms) __attribute__((warn_unused_result));

/** rejected_list - names in the order of their time, in @a's memory */
size_t rejected_list(struct rejected *r, struct arena *a, struct slice **names);

/** rejected_open - a descriptor to read one of them, or -errno */
int rejected_open(struct rejected *r, struct slice name);

#endif
