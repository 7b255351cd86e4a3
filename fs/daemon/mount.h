/*
 * mount - one mounted tree over an engine, and what all mounts of a daemon share
 *
 *   struct hub       one for each daemon: refused operations, rejected texts, reserved names
 *   struct mount     one for each mount point: inodes, buffers, the invalidation thread
 *
 * The program around it (session.c, daemon.c) makes the hub over an engine that
 * it owns, and for each mount point a struct mount and a FUSE session:
 *
 *   hub = hub_new(engine, dir, dir, dir);
 *   mount_new(c, hub, &options, &mount);
 *   se = fuse_session_new(&args, &mount_ops, sizeof(mount_ops), mount);
 *   fuse_session_mount(se, path);
 *   mount_start(c, mount, se, loop);
 *   fuse_session_loop...(se);
 *   mount_quiet(mount);  ... end the loop ...
 *   mount_stop(mount);  fuse_session_unmount(se);  fuse_session_destroy(se);  mount_free(mount);
 *   hub_free(hub);  engine_close(engine);
 */
#ifndef FS_DAEMON_MOUNT_H
#define FS_DAEMON_MOUNT_H

#include "fs/core/fuse.h"
#include "fs/core/hub.h"

struct loop;
struct mount;

/* Strings are copied by mount_new(). */
struct mount_options {
	const char *mountpoint; /* absolute path, for .itemfs/errors and itemctl why */
	const char *table;      /* this table is the root; NULL or "": all tables */
	const char *index;      /* with table: this index is the root; NULL or "": the table */
	const char *suffix;     /* of item files; NULL: ".json"; "": none */
	bool ro;                /* every change is refused with EROFS */
	const char *ro_why;     /* with ro: a sentence that says why and what to do, or NULL */
	bool pretty;            /* items as indented JSON */
	bool typed;             /* items as DynamoDB JSON */
	bool sync;              /* every close is durable */
	bool dotdirs;           /* .index and .itemfs are listed */
	bool conflict_fail; /* a commit over what others changed since the open fails with ESTALE */
	bool has_max_delete; /* max_delete is given */
	uint32_t max_delete; /* items of a table that may be deleted in a minute */
	uid_t uid;           /* owner shown of every file */
	gid_t gid;
	mode_t umask;        /* taken off 0666 and 0777 */
	bool consistent;     /* reads of an endpoint are strongly consistent */
	unsigned backoff_ms; /* a request that fails for now is carried out again for so long */
	uint32_t max_read;   /* of an endpoint: read units a minute; 0: no limit */
	bool has_timeout;    /* timeout_s is given */
	double timeout_s;    /* how long the kernel may keep names and attributes */
};

/**
 * mount_new - prepare to show a store, a table or an index
 * @hub: borrowed until mount_free()
 * @out: the mount, the userdata of its FUSE session
 *
 * Errors:  -ERR_NO_TABLE, -ERR_NO_INDEX   with a sentence for the user
 *          -ERR_VALIDATION                an index without a table, a suffix with '/' or too long
 */
int mount_new(struct call *c, struct hub *hub, const struct mount_options *o, struct mount **out)
	__attribute__((warn_unused_result));

/** mount_ops - the FUSE requests; the session's userdata is the struct mount */
extern const struct fuse_lowlevel_ops mount_ops;

/**
 * mount_start - start the invalidation thread; before the session's loop
 * @se: mounted; borrowed until mount_stop()
 * @l:  the threads that are going to serve it; likewise
 */
int mount_start(struct call *c, struct mount *m, struct fuse_session *se, struct loop *l)
	__attribute__((warn_unused_result));

/** mount_on_terminal - the end of the mount says there what was not stored, see unstored_on(); before mount_stop() */
void mount_on_terminal(struct mount *m, const char *terminal);

/**
 * mount_quiet - tell the kernel nothing any more; before the end of the session's loop
 *
 * The invalidation thread may wait for a directory that a request holds, so requests must still
 * be answered while it ends.
 */
void mount_quiet(struct mount *m);

/**
 * mount_stop - after the session's loop: commit what is dirty and valid, keep the rest as rejected
 * text, and make it all durable.  Harmless when it never started.
 */
void mount_stop(struct mount *m);

/** mount_free - after fuse_session_destroy(); NULL is harmless */
void mount_free(struct mount *m);

#endif
