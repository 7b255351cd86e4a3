/*
 * request - one FUSE request: its call, and the one place where errors are answered
 *
 *   struct request rq;
 *   request_open(&rq, req);
 *   ... fuse_reply_*(rq.fuse, ...) or request_fail(&rq, r, node, name);
 *   request_close(&rq);
 *
 * A result below 0 is an error of the engine, above 0 a place_outcome.  Every
 * refusal that has a sentence goes to the log behind .itemfs/errors.
 */
#ifndef FS_FILE_REQUEST_H
#define FS_FILE_REQUEST_H

#include "fs/place/place.h"

struct request {
	fuse_req_t fuse;
	struct mount *m;
	struct call c;
	uint64_t newest; /* the feed's newest change when the request began */
};

void request_open(struct request *rq, fuse_req_t req);
void request_close(struct request *rq);

/** request_heed - may the request end early when it is interrupted, and with the mount? Only before it is answered */
void request_heed(struct request *rq, bool heed);

/** request_done - answer 0 */
void request_done(struct request *rq);

/** request_fail - answer the errno of @r; @name: below @node, or NULL */
void request_fail(struct request *rq, int r, struct node *node, const char *name);

/** request_deny_delete - answer EPERM if no item of @table may be deleted now, see deletes.h; who looks into .itemfs/errors finds why */
bool request_deny_delete(struct request *rq, struct slice table, struct node *dir, const char *name)
	__attribute__((warn_unused_result));

/** request_refuse - answer @errnum for the reason @sentence */
void request_refuse(struct request *rq, int errnum, struct node *node, const char *name,
		    const char *sentence);

/** request_end - done if @r is 0, else request_fail() */
void request_end(struct request *rq, int r, struct node *node, const char *name);

/** request_timeout - how long the kernel may keep an answer: 0 when the store has moved on since
 * the request began */
double request_timeout(const struct request *rq);

/** request_errno - the errno of a result that is not 0 */
int request_errno(int r);

/** request_log - log what no request is refused for: @sentence, of a node */
void request_log(struct mount *m, struct call *c, uint32_t uid, int errnum, struct node *node,
		 const char *sentence);

/** request_settle - a write of the node was accepted: what was refused at its path before is settled */
void request_settle(struct mount *m, struct call *c, struct node *node);

/** request_over - the file @name is there no more: what was remarked on it is settled */
void request_over(struct request *rq, struct node *dir, const char *name);

/** request_remark - log what was done, and otherwise than somebody may have meant it; an empty @sentence is none */
void request_remark(struct mount *m, struct call *c, uint32_t uid, struct node *node,
		    struct slice sentence);

/** request_note - log why something failed that nobody can be told of (RELEASE) */
void request_note(struct mount *m, struct call *c, uint32_t uid, int r, struct node *node);

/** request_is_by - does a process of this name ask? Of another namespace's processes nobody knows */
bool request_is_by(const struct request *rq, const char *program);

/** request_made - settle what was missed at @name in @dir, which is there now */
void request_made(struct request *rq, struct node *dir, const char *name);

/** request_missed - log that @name is not in @dir, until request_made(), request_settle() or a refusal */
void request_missed(struct request *rq, int errnum, struct node *dir, const char *name,
		    struct slice sentence);

/** request_path - the absolute path of a node, or of @name below it; in @a's memory */
struct slice request_path(struct mount *m, struct arena *a, struct node *node, const char *name);

/* ------------------------------------------------------------ attributes */

/** attr_fill - what stat shows */
void attr_fill(struct mount *m, const struct facts *facts, uint64_t ino, struct stat *st);

/** attr_overlay - the text of an open writer in place of what the store has; true if there is one */
bool attr_overlay(struct mount *m, struct node *n, struct facts *facts);

/** attr_get - facts of a node's place, open text included
 *
 * @unstable: is there an open writer, or is it of a query? then the kernel may keep nothing
 */
int attr_get(struct request *rq, struct node *n, const struct place *p, struct facts *out,
	     bool *unstable) __attribute__((warn_unused_result));

#endif
