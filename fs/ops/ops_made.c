/*
 * ops_made - OPEN and READ of generated files, and POLL
 *
 * The text of a generated file is made by OPEN, by READ, or as the table changes (.stream).
 */
#include <fcntl.h>
#include <poll.h>

#include "fs/core/memory_account.h"
#include "fs/file/handle.h"
#include "fs/file/request.h"
#include "fs/made/follow.h"
#include "fs/made/generated.h"
#include "fs/made/special.h"
#include "fs/made/table_file.h"
#include "fs/ops/ops.h"
#include "fs/place/place.h"

bool
ops_is_made(const struct node *n)
{
	return n->kind == NODE_SPECIAL || n->kind == NODE_TABLE_FILE || n->kind == NODE_TERMINAL;
}

static int
open_special(struct request *rq, struct handle *h, const struct place *p)
{
	struct buf text;

	buf_init(&text, &rq->c.arena);
	int r = special_open(rq->m, &rq->c, p->shown, &text);

	return r != 0 || handle_keep_text(h, buf_view(&text)) ? r : account_full(&rq->c);
}

void
ops_open_made(struct request *rq, struct node *n, const struct place *p, struct fuse_file_info *fi)
{
	if ((fi->flags & O_ACCMODE) != O_RDONLY || (fi->flags & O_TRUNC) != 0) {
		request_refuse_read_only(rq, n, NULL);
		return;
	}
	struct handle *h = handle_open(rq->m, &rq->c, n, false);

	if (h == NULL) {
		request_fail(rq, handle_none(&rq->c), n, NULL);
		return;
	}
	int r = 0;

	fi->direct_io = 1;
	fi->noflush = 1;
	if (p->role == ROLE_TERMINAL) {
		generated_open(rq->m, h);
	} else {
		r = p->role == ROLE_SPECIAL ? open_special(rq, h, p)
					    : table_file_open(rq, h, p, fi);
	}
	if (r == 0) {
		ops_reply_open(rq, h, fi);
	} else {
		handle_close(rq->m, h);
		request_fail(rq, r, n, NULL);
	}
}

static void
read_special(fuse_req_t req, const struct handle *h, size_t size, size_t off)
{
	cleanup(request_close) struct request rq;
	struct place place;
	struct slice bytes = {0};

	request_open(&rq, req);
	int r = place_of(rq.m, &rq.c, h->node, &place);

	r = r == 0 ? special_read(rq.m, &rq.c, place.shown, off, size, &bytes) : r;
	if (r == 0) {
		(void)fuse_reply_buf(req, bytes.at, bytes.len);
	} else {
		request_fail(&rq, r, h->node, NULL);
	}
}

/* Replies with a copy: as soon as the reader has the answer, RELEASE may free the text, before the reply returns. */
static void
ops_made_read_text(fuse_req_t req, const struct handle *h, size_t size, size_t off)
{
	struct slice rest = slice_skip(buf_view(&h->text), off < h->text.len ? off : h->text.len);
	cleanup(request_close) struct request rq;

	request_open(&rq, req);
	rest.len = rest.len < size ? rest.len : size;
	rest = slice_copy(&rq.c.arena, rest);
	(void)fuse_reply_buf(req, rest.at, rest.len);
}

void
ops_read_made(fuse_req_t req, const struct handle *h, size_t size, size_t off,
	      const struct fuse_file_info *fi)
{
	if (h->follower != NULL) {
		follow_read(h->follower, req, size, (fi->flags & O_NONBLOCK) != 0);
		return;
	}
	if (h->generated != NULL) {
		generated_read(fuse_req_userdata(req), h->generated, req, off, size);
		return;
	}
	if (h->node->kind == NODE_SPECIAL && h->text.len == 0) {
		read_special(req, h, size, off);
		return;
	}
	ops_made_read_text(req, h, size, off);
}

/* All files but .stream are always ready. */
void
ops_poll(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *fi, struct fuse_pollhandle *ph)
{
	const struct handle *h = ops_handle(fi);

	(void)ino;
	if (h->follower != NULL) {
		follow_poll(h->follower, req, ph);
		return;
	}
	if (ph != NULL) {
		fuse_pollhandle_destroy(ph);
	}
	(void)fuse_reply_poll(req, POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM);
}
