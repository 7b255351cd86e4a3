/*
 * request - the frame of a FUSE request: its call, and the functions that log and answer errors
 *
 *   cleanup(request_close) struct request rq;
 *
 *   request_open(&rq, req);
 *   ... fuse_reply_*(rq.fuse, ...) or request_fail(&rq, r, node, name);
 *
 * A result below 0 is an error of the engine, above 0 a place_outcome. Each refusal with a message goes to the log that
 * .itemfs/errors shows.
 */
#ifndef FS_FILE_REQUEST_H
#define FS_FILE_REQUEST_H

#include "fs/place/place.h"
#include "fs/place/place_stat.h"

struct request {
	fuse_req_t fuse;
	struct mount *m;
	struct call c;
	uint64_t newest; /* the feed's newest change when the request began */
	bool index_known; /* m->index_known at that time: the invalidation thread receives the request's changes */
	struct arena_loan memory; /* the first of c.arena: most requests need no more */
};

void request_open(struct request *rq, fuse_req_t req);
void request_close(struct request *rq);

/**
 * request_may_end_early - allow the request to end early when it is interrupted, or the mount ends. Only before it is answered
 */
void request_may_end_early(struct request *rq, bool early);

/** request_fail - answer the errno of @r, unless the request is repeated; @name: below @node, or NULL */
void request_fail(struct request *rq, int r, struct node *node, const char *name);

/**
 * request_deny_delete - answer EPERM if no item of @table may be deleted now, see deletes.h, and log the reason
 *
 * Return: false: it may be deleted, and nothing was answered
 */
bool request_deny_delete(struct request *rq, struct slice table, struct node *dir, const char *name)
	must_check;

/** request_refuse - answer @errnum, and log the reason @sentence */
void request_refuse(struct request *rq, int errnum, struct node *node, const char *name,
		    const char *sentence);

/** request_refuse_read_only - answer EROFS, with the reason why the mount or the object is read-only */
void request_refuse_read_only(struct request *rq, struct node *node, const char *name);

/** request_end - answer 0 if @r is 0, else request_fail() */
void request_end(struct request *rq, int r, struct node *node, const char *name);

/**
 * request_timeout - how long the kernel may cache an answer, in seconds: 0 if the store has changed since the request
 * began
 */
double request_timeout(const struct request *rq);

/** request_errno - the errno of a result other than 0 */
int request_errno(int r);

/** request_log - log a failure that no request reports: @sentence, of a node */
void request_log(struct mount *m, struct call *c, uint32_t uid, int errnum, struct node *node,
		 const char *sentence);

/** request_settle - after a successful write of the node, mark the logged refusals of its path as settled */
void request_settle(struct mount *m, struct call *c, struct node *node);

/** request_over - after the file @name is gone, settle the remarks on it */
void request_over(struct request *rq, struct node *dir, const char *name);

/**
 * request_remark - log an operation that succeeded but may have been meant differently; an empty @sentence: do nothing
 */
void request_remark(struct mount *m, struct call *c, uint32_t uid, struct node *node,
		    struct slice sentence);

/** request_note - log the error @r of an operation that has no caller to report it to (RELEASE) */
void request_note(struct mount *m, struct call *c, uint32_t uid, int r, struct node *node);

/**
 * request_is_by - Return: whether a process of this name made the request; false for processes of other PID namespaces
 */
bool request_is_by(const struct request *rq, const char *program);

/** request_made - settle the log of lookups of @name in @dir, which was created */
void request_made(struct request *rq, struct node *dir, const char *name);

/** request_missed - log that @name is not in @dir, until request_made(), request_settle() or a refusal */
void request_missed(struct request *rq, int errnum, struct node *dir, const char *name,
		    struct slice sentence);

/** request_path - the absolute path of a node, or of @name below it; in @a */
struct slice request_path(struct mount *m, struct arena *a, struct node *node, const char *name);

/* ------------------------------------------------------------ attributes */

/** attr_fill - convert attributes to a struct stat */
void attr_fill(struct mount *m, const struct attributes *attributes, uint64_t ino, struct stat *st);

/**
 * attr_get - the attributes of a node's place, or of its open text
 * @unstable: set if there is an open writer, or it is part of a query: the kernel must not cache them
 *
 * Return: 0, PLACE_ABSENT, or an error
 */
int attr_get(struct request *rq, struct node *n, const struct place *p, struct attributes *out,
	     bool *unstable) must_check;

#endif
