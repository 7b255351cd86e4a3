/*
 * hub - state that the mounts of one daemon share: logs of refusals, rejected and saved texts, reserved names
 *
 * The program creates the hub before its first mount. Any thread may call its functions.
 */
#ifndef FS_CORE_HUB_H
#define FS_CORE_HUB_H

#include "store/base/core/workers.h"
#include "store/engine/engine.h"

#include "fs/saved/refused.h"
#include "fs/saved/rejected.h"
#include "fs/saved/scratch_area.h"

struct mount;

/* A name that one O_EXCL creator owns until its first commit. */
struct reserved {
	struct reserved *next;
	size_t len;
	char name[]; /* table, NUL, partition, NUL, component */
};

struct hub {
	pthread_mutex_t lock; /* guards mounts and reserved */
	struct engine *engine;
	char *store;               /* a directory, or an endpoint without its password */
	struct mount *mounts;      /* the started ones */
	struct reserved *reserved; /* names of files between O_EXCL and their first commit; few */
	struct refused refused;    /* requests of users that were refused */
	/* Errors that any filesystem reports, such as EEXIST; kept apart so that they do not displace refusals. */
	struct refused answers;
	struct refused remarks; /* operations that succeeded but were perhaps not intended */
	struct refused missed;  /* lookups of absent names: see missed.h */
	struct rejected rejected;
	struct scratch_area area;
	struct buf recovered;    /* messages for hub_report(), each ends in NUL */
	struct workers *workers; /* used by producer.c */
	unsigned settle_ms;      /* TIMING_SETTLE */
};

/**
 * hub_new - create the hub of a daemon
 * @e:         borrowed until hub_free()
 * @store:     as shown to users: a directory, or an endpoint
 * @dir:       rejected texts are stored in DIR/rejected (created when first needed)
 * @shown:     @dir as shown to users, if @dir is a path of state_pin()
 */
struct hub *hub_new(struct engine *e, const char *store, const char *dir, const char *shown);

/** hub_report - log which texts of scratch files an earlier process left; call it when standard error is the log */
void hub_report(struct hub *h);

/** hub_free - after the last mount_free(); NULL is harmless */
void hub_free(struct hub *h);

/**
 * hub_refused - answer OP_REFUSED: a server_refused_fn with the hub as @arg
 *
 * One line per refusal, oldest first: time, uid, path, errno name, DynamoDB's error and message, separated by tabs.
 * A client that can connect to the store's socket may read the store, so it gets the lines of all mounts and users.
 */
int hub_refused(void *arg, struct call *c, const struct refused_in *in, struct refused_out *out);

/** hub_add, hub_remove - enter a mount that is served; remove it */
void hub_add(struct hub *h, struct mount *m);
void hub_remove(struct hub *h, struct mount *m);

/** hub_lines - the lines of refusals and remarks that @reader may see, oldest first */
void hub_lines(struct hub *h, struct call *c, const struct refused_reader *reader,
	       struct refused_out *out);

/**
 * hub_reserve - reserve a name for its creator
 * @out: for hub_unreserve()
 *
 * Return: false when another creator has it.
 */
bool hub_reserve(struct hub *h, struct slice name, struct reserved **out);
void hub_unreserve(struct hub *h, struct reserved *r); /* NULL is harmless */

/** hub_epoch - invalidate all cached names of the other mounts, and of @m if it shows an index view */
void hub_epoch(struct hub *h, struct mount *m);

/** hub_epoch_of - invalidate all cached names of one mount; takes no lock of the kernel */
void hub_epoch_of(const struct mount *m);

/**
 * hub_settle - wait until the other mounts have handled the commit @seq, and @m, too, if its kernel knows an index view
 *
 * Waits at most settle_ms, then starts a new epoch in these mounts. An endpoint has no feed to wait for: @m alone
 * starts a new epoch, if its kernel knows an index view. The caller holds no directory lock of the kernel.
 */
void hub_settle(struct hub *h, struct mount *m, uint64_t seq);

#endif
