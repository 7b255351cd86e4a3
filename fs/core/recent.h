/*
 * recent - cache of items and partitions that an endpoint has returned, to avoid repeated requests
 *
 * An entry from GetItem is valid for the kernel's timeout. An entry from a listing is also valid, for a minute at most,
 * while lookups of names in that directory continue without a pause of that length; after its first use it is valid as
 * long as one from GetItem. A write by the mount empties the cache.
 *
 * A text that is handed to a reader is removed, and its size stays: the next open asks the endpoint.
 *
 * Bounded: when the texts take too many bytes, the oldest ones are removed and their sizes stay. When there are too
 * many entries, the oldest ones are removed.
 */
#ifndef FS_CORE_RECENT_H
#define FS_CORE_RECENT_H

#include <stdatomic.h>

#include "store/base/core/base.h"

enum {
	RECENT_TEXT_BYTES = 16 * 1024 * 1024, /* all texts together */
	RECENT_ENTRIES = 128 * 1024,
	RECENT_WALKS = 64,     /* directories that are listed at the same time */
	RECENT_LIFE_MAX_S = 5, /* also when the kernel's timeout is longer */
	RECENT_LISTED_MAX_S = 60,
};

struct recent_entry;

/* A client works through a directory. */
struct recent_walk {
	uint64_t dir;
	uint64_t used_ns; /* time of its last request for a page, or for a name of a page */
};

/* No other lock is taken under @lock, which guards all members but life_ns. Times are steady. */
struct recent {
	pthread_mutex_t lock;
	uint64_t life_ns;              /* 0: nothing is cached */
	_Atomic uint64_t drops;        /* how often the cache was emptied */
	struct recent_entry **buckets; /* NULL: nothing was cached yet */
	struct recent_entry *oldest;   /* list by time of arrival */
	struct recent_entry *newest;
	struct recent_entry *texts; /* first entry that may have a text; NULL: none has */
	size_t n;
	size_t text_bytes;
	struct recent_walk walks[RECENT_WALKS];
};

/* A new entry; its slices are copied. */
struct recent_new {
	struct slice key;
	uint64_t dir; /* identifies its directory */
	bool listed;
	uint64_t size;     /* for stat; 0: unknown */
	struct slice text; /* may be empty: no text */
};

/** recent_init - @timeout_s: the kernel's timeout; 0: cache nothing */
void recent_init(struct recent *r, double timeout_s);
void recent_release(struct recent *r);

/** recent_drop - empty the cache, and ignore the answers to requests that are in flight */
void recent_drop(struct recent *r);

/**
 * recent_put - cache an entry, unless the cache was emptied since the request
 * @drops: value of recent.drops before the request
 */
void recent_put(struct recent *r, const struct recent_new *what, uint64_t drops, uint64_t now_ns);

/** recent_size - look up a size; false: unknown */
bool recent_size(struct recent *r, struct slice key, uint64_t now_ns, uint64_t *size);

/**
 * recent_text - look up a text; false: there is none
 * @take: remove it from the cache
 * @out:  a copy in @a
 */
bool recent_text(struct recent *r, struct slice key, uint64_t now_ns, bool take, struct arena *a,
		 struct slice *out);

#endif
