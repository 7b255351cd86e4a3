/*
 * hub - what the mounts of one daemon share: the logs of refusals, rejected and saved texts, reserved names
 *
 * Made by the program, before its first mount; its functions may be called from any thread.
 */
#ifndef FS_CORE_HUB_H
#define FS_CORE_HUB_H

#include "store/base/core/workers.h"
#include "store/engine/engine.h"

#include "fs/saved/refused.h"
#include "fs/saved/rejected.h"
#include "fs/saved/scratch_area.h"

struct mount;

/* A name that one O_EXCL creator has to itself until its first commit. */
struct reserved {
	struct reserved *next;
	size_t len;
	char name[]; /* table, NUL, partition, NUL, component */
};

struct hub {
	pthread_mutex_t lock; /* of mounts and reserved */
	struct engine *engine;
	char *store;               /* a directory, or an endpoint without its password */
	struct mount *mounts;      /* those that are started */
	struct reserved *reserved; /* few: files between O_EXCL and their first commit */
	struct refused refused;    /* what a user wanted and was not done */
	struct refused answers;    /* what any filesystem answers, as EEXIST: push out no refusal */
	struct refused remarks;    /* what was done, and perhaps not meant */
	struct refused missed;     /* names that are not there: see missed.h */
	struct rejected rejected;
	struct scratch_area area;
	struct buf recovered;    /* sentences for hub_report() */
	struct workers *workers; /* of outflow.c */
	unsigned settle_ms;      /* TIMING_SETTLE */
};

/**
 * hub_new - what the mounts of one daemon share
 * @e:         borrowed until hub_free()
 * @store:     as shown: a directory, or an endpoint
 * @dir:       rejected texts go to DIR/rejected (made when first needed)
 * @shown:     @dir for people, where that is of state_pin()
 *
 * Thread:  its functions may be called from any
 */
struct hub *hub_new(struct engine *e, const char *store, const char *dir, const char *shown);

/** hub_report - say which texts of scratch files were found that an earlier process left, when standard error is the log */
void hub_report(struct hub *h);

/** hub_free - after the last mount_free(); NULL is harmless */
void hub_free(struct hub *h);

/**
 * hub_refused - answer OP_REFUSED: a server_refused_fn whose @arg is the hub
 *
 * One line each, oldest first: time, uid, path, errno name, DynamoDB's error, sentence, between
 * tabs.
 */
int hub_refused(void *arg, struct call *c, const struct refused_in *in, struct refused_out *out);

/** hub_add, hub_remove - the mount is served, or no longer */
void hub_add(struct hub *h, struct mount *m);
void hub_remove(struct hub *h, struct mount *m);

/** hub_lines - what @reader sees of refusals, of what they were meant to do, and of remarks, oldest first */
void hub_lines(struct hub *h, struct call *c, const struct refused_reader *reader,
	       struct refused_out *out);

/**
 * hub_reserve - have a name to oneself
 * @out: to give to hub_unreserve()
 *
 * Return: false when another creator has it.
 */
bool hub_reserve(struct hub *h, struct slice name, struct reserved **out);
void hub_unreserve(struct hub *h, struct reserved *r); /* NULL is harmless */

/** hub_epoch - make the kernels of other mounts ask again for every name they know, and @m's own
 * too where it shows an index view */
void hub_epoch(struct hub *h, struct mount *m);

/** hub_epoch_of - the same for one mount: it takes no lock of the kernel's */
void hub_epoch_of(const struct mount *m);

/** hub_settle - after a commit that holds no directory lock: wait until every mount knows it */
void hub_settle(struct hub *h, struct mount *m, uint64_t seq);

#endif
