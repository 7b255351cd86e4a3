/*
 * mount - the life of one mount, from options to the last commit
 *
 *   struct hub       one per daemon: refused operations, rejected texts, reserved names
 *   struct mount     one per mount point: nodes, buffers, the invalidation thread
 *
 * The owner (owner_open.c) makes the hub over an engine that it owns.  For each mount point a session (session.c) makes
 * a struct mount and a FUSE session:
 *
 *   hub = hub_new(engine, dir, dir, dir);
 *   mount_new(c, hub, &options, path, &mount);
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
struct options;

/**
 * mount_new - make the mount of a store, a table or an index
 * @hub:   borrowed until mount_free()
 * @o:     copied, as @point
 * @point: absolute path of the mount point, for .itemfs/errors and itemctl why
 * @out:   set to the mount, which becomes the userdata of its FUSE session
 *
 * Errors:  -ERR_NO_TABLE, -ERR_NO_INDEX   with a message for the user
 *          -ERR_VALIDATION                an index without a table; a suffix that is too long or has a '/'
 *          those of schemas_get()
 */
int mount_new(struct call *c, struct hub *hub, const struct options *o, const char *point,
	      struct mount **out) must_check;

/** mount_ops - the FUSE requests; the session's userdata is the struct mount */
extern const struct fuse_lowlevel_ops mount_ops;

/**
 * mount_start - start the invalidation thread and add the mount to the hub, before the session's loop starts
 * @se: mounted; borrowed until mount_stop()
 * @l:  the threads that will serve it; borrowed until mount_stop()
 *
 * Errors: -ERR_IO
 */
int mount_start(struct call *c, struct mount *m, struct fuse_session *se, struct loop *l)
	must_check;

/**
 * mount_quiet - stop notifying the kernel, before the session's loop ends
 *
 * Requests must still be answered meanwhile, because the invalidation thread may wait for a directory that a request
 * holds.
 */
void mount_quiet(struct mount *m);

/**
 * mount_stop - end the mount, after the session's loop has ended
 *
 * Commits texts that are dirty and valid, keeps other texts as rejected texts, and makes everything durable.  May be
 * called for a mount that was not started.
 */
void mount_stop(struct mount *m);

/** mount_free - free a mount, after fuse_session_destroy(); does nothing for NULL */
void mount_free(struct mount *m);

#endif
