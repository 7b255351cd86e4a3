/*
 * recent - items and partitions that an endpoint has answered a moment ago, so that they are not asked for twice
 *
 * What GetItem brought lasts for the kernel's timeout.  What a listing brought also lasts, for a minute at most, while
 * somebody goes on asking for names of that directory without a pause of that length; from its first use on it lasts as
 * long as what GetItem brought.  A write of the mount drops everything.
 *
 * A text that is handed to a reader is taken out, and its size stays: whoever opens the file after that asks the endpoint.
 *
 * Bounded: when there are too many texts the oldest ones go and their sizes stay, when there are too many entries the
 * oldest ones go.
 */
#ifndef FS_CORE_RECENT_H
#define FS_CORE_RECENT_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/arena.h"
#include "store/base/core/slice.h"

enum {
	RECENT_TEXT_BYTES = 16 * 1024 * 1024, /* of all texts */
	RECENT_ENTRIES = 128 * 1024,
	RECENT_WALKS = 64,     /* directories that are gone through at a time */
	RECENT_LIFE_MAX_S = 5, /* also where the kernel keeps names for longer */
	RECENT_LISTED_MAX_S = 60,
};

struct recent_entry;

/* Somebody goes through a directory. */
struct recent_walk {
	uint64_t dir;
	uint64_t used_ns; /* when it last asked for a page, or for a name that a page had */
};

/* One lock, under which no other is taken.  Times are steady. */
struct recent {
	pthread_mutex_t lock;
	uint64_t life_ns;              /* 0: nothing is kept */
	_Atomic uint64_t drops;        /* how often everything was dropped */
	struct recent_entry **buckets; /* NULL: nothing was kept yet */
	struct recent_entry *oldest;   /* by the time when they were brought */
	struct recent_entry *newest;
	struct recent_entry *texts; /* no entry before it has a text; NULL: none has */
	size_t n;
	size_t text_bytes;
	struct recent_walk walks[RECENT_WALKS];
};

/* What is kept; its slices are copied. */
struct recent_new {
	struct slice key;
	uint64_t dir; /* the directory that it is in */
	bool listed;
	uint64_t size;     /* what stat shows; 0: not known */
	struct slice text; /* empty: none */
};

/** recent_init - @timeout_s: the kernel's; 0: nothing is kept */
void recent_init(struct recent *r, double timeout_s);
void recent_release(struct recent *r);

/** recent_drop - forget everything, and what requests that are under way will bring */
void recent_drop(struct recent *r);

/** recent_put - keep it, unless something was dropped since recent.drops was @drops, before it was asked for */
void recent_put(struct recent *r, const struct recent_new *what, uint64_t drops, uint64_t now_ns);

/** recent_size - false: it is not known */
bool recent_size(struct recent *r, struct slice key, uint64_t now_ns, uint64_t *size);

/**
 * recent_text - false: there is none
 * @take: take it out
 * @out:  a copy in @a
 */
bool recent_text(struct recent *r, struct slice key, uint64_t now_ns, bool take, struct arena *a,
		 struct slice *out);

#endif
