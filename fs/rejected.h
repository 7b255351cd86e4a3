/*
 * rejected - texts that never became an item, kept in STORE/rejected
 *
 *   STORE/rejected/2026-11-20T09:01:02.345Z-000001-ORDER#7.json      mode 0600, newest 100
 *
 * The time is that of the refusal, the number makes names of one moment
 * different and rises.  They survive the mount.
 */
#ifndef FS_REJECTED_H
#define FS_REJECTED_H

#include <pthread.h>
#include <stdint.h>

#include "store/base/buf.h"

enum { REJECTED_MAX = 100 };

struct rejected {
	pthread_mutex_t lock;
	char *dir;    /* STORE/rejected */
	unsigned seq; /* of the newest text kept by this process */
};

void rejected_init(struct rejected *r, const char *store_dir);
void rejected_release(struct rejected *r);

/**
 * rejected_keep - write one text, and remove what is older than the newest 100
 * @name: of the file it was written to
 *
 * Return: 0, or an errno: the disk is full, the directory cannot be made.
 */
int rejected_keep(struct rejected *r, uint64_t now_ms, struct slice name, struct slice text);

/** rejected_list - names in the order of their time, in @a's memory */
size_t rejected_list(struct rejected *r, struct arena *a, struct slice **names);

/** rejected_open - a descriptor to read one of them, or -errno */
int rejected_open(struct rejected *r, struct slice name);

#endif
