/*
 * client - the remote back end: encode, POST (post.c), decode
 *
 * What is tried again, and only here; each wait is a random part of a time that
 * doubles:
 *
 *   what is known of the request            tried again            times in all
 *   it was not carried out: throttled, 503  everything             6
 *   (of streams LimitExceededException is that, too)
 *   not all of it was sent                  everything             3
 *   it failed at another's server: 5xx,     what may come twice    6
 *   or its first sending is under way
 *   no answer, or a damaged one             what may come twice    3
 *
 * Twice may come what reads, and what has a token (ClientRequestToken).  A
 * write whose fate is not known is the caller's to judge: a second PutItem
 * could undo what somebody else has written in between.
 */
#include "store/wire/client.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "store/base/buf.h"
#include "store/base/cleanup.h"
#include "store/base/mem.h"
#include "store/base/pause.h"
#include "store/base/socket_path.h"
#include "store/base/url.h"
#include "store/op/validate.h"
#include "store/wire/codec.h"
#include "store/wire/endpoint.h"
#include "store/wire/page_cycle.h"
#include "store/wire/post.h"
#include "store/wire/wire.h"

enum {
	TRIES_ANSWERED = 6,  /* of a request that is answered each time */
	TRIES_LOST = 3,      /* of one that is not */
	DELAY_MS = 25,       /* at most, before the second try; doubles */
	DELAY_MAX_MS = 1000, /* and no longer than that */
	TOKEN_BYTES = 16,    /* random ones, in hexadecimal */
};

struct client {
	struct engine engine;
	enum codec_peer peer;
	struct post *post;
	struct page_cycles *cycles; /* of a foreign server's pages; NULL: ours makes none */
	const char *name;           /* heap: for messages */
	const char *who;            /* heap: of the options; NULL: nobody signs */
	int dir;                    /* descriptor through which the socket is reached, or -1 */
	pthread_mutex_t lock;       /* of what follows */
	uint64_t random;            /* for the jitter */
};

/* ------------------------------------------------------------ trying again */

/* What makes a second request the same as the first; NULL: the operation has no such member. */
static const struct slice *
token_of(const struct op_in *in)
{
	switch ((int)in->type) {
	case OP_TRANSACT_WRITE_ITEMS:
		return &in->transact_write_items.token;
	case OP_EXECUTE_TRANSACTION:
		return &in->execute_transaction.token;
	case OP_EXPORT_TABLE:
		return &in->export_table.token;
	default:
		return NULL;
	}
}

/* Is the outcome the same when it is carried out twice? */
static bool
may_come_twice(const struct op_in *in)
{
	const struct slice *token = token_of(in);

	return !op_writes(in) || (token != NULL && token->len > 0);
}

/* Sleep a random part of a time that doubles with each try; false: nobody waits any more. */
static bool
back_off(struct client *cl, const struct call *c, int tries)
{
	unsigned most = DELAY_MS << tries;
	uint64_t random;

	{
		lock_scope(&cl->lock);
		cl->random = cl->random * 6364136223846793005 + 1442695040888963407;
		random = cl->random >> 33;
	}
	unsigned ms = (unsigned)(random % ((most < DELAY_MAX_MS ? most : DELAY_MAX_MS) + 1));

	return pause_ms(c, ms);
}

/* No answer, or none that can be used. */
static int
fail_unanswered(const struct client *cl, struct call *c, const struct op_in *in,
		const struct post_answer *a)
{
	bool lost = a->fate == POST_LOST && op_writes(in);

	if (cl->peer == CODEC_OWN && a->passing && !lost) {
		return call_fail(c, ERR_GONE, "%s: the process that had opened it has ended",
				 cl->name);
	}
	return call_fail(c, ERR_UNREACHABLE, "%s: %s%s", cl->name, a->problem,
			 lost ? "; whether the change was made is not known" : "");
}

/* Was it refused only because it came too soon?  Streams have a name of their own for that. */
static bool
came_too_soon(const struct client *cl, const struct call *c, const struct op_in *in,
	      const struct post_answer *a)
{
	return error_throttled(c->error.code) || a->status == 503 ||
	       (cl->peer == CODEC_FOREIGN && c->error.code == ERR_LIMIT &&
		op_group(in->type) == OP_STREAMS);
}

/* The try failed, with the error in @c: is another worth while? */
static bool
worth_trying_again(const struct client *cl, const struct call *c, const struct op_in *in,
		   const struct post_answer *a, int tries)
{
	if (a->fate != POST_ANSWERED) {
		return tries < TRIES_LOST && a->passing &&
		       (a->fate == POST_NOT_SENT || may_come_twice(in));
	}
	if (tries == TRIES_ANSWERED) {
		return false;
	}
	if (came_too_soon(cl, c, in, a)) {
		return true;
	}
	/* A conflict: its first sending is still under way (TransactionInProgressException). */
	return cl->peer == CODEC_FOREIGN && may_come_twice(in) &&
	       (a->status >= 500 || c->error.code == ERR_CONFLICT);
}

static int
post_until_answered(struct client *cl, struct call *c, const struct op_in *in, struct slice body,
		    struct slice *answer)
{
	for (int tries = 1;; tries++) {
		struct post_answer a;

		post_send(cl->post, c, in->type, body, !may_come_twice(in), &a);
		*answer = a.body;
		if (a.fate == POST_ANSWERED && a.status == 200) {
			return 0;
		}
		int r = a.fate == POST_ANSWERED ? codec_decode_error(c, a.body, (int)a.status)
						: fail_unanswered(cl, c, in, &a);

		if (!worth_trying_again(cl, c, in, &a, tries) || !back_off(cl, c, tries)) {
			return r;
		}
		c->error = (struct error){0};
	}
}

/* ------------------------------------------------------------ one operation */

/* Whoever is not let in wants to know as whom. */
static int
say_who(const struct client *cl, struct call *c)
{
	struct error e = c->error;

	switch ((int)e.code) {
	case ERR_NO_SIGNATURE:
	case ERR_SIGNATURE_PARTS:
	case ERR_UNKNOWN_CLIENT:
	case ERR_BAD_SIGNATURE:
		c->error = (struct error){0};
		return call_fail(c, e.code, "%s (%s)", e.message, cl->who);
	default:
		return -(int)e.code;
	}
}

/* What makes no sense comes from the server, not from whoever asks. */
static int
read_answer(const struct client *cl, struct call *c, struct slice body, const struct op_in *in,
	    struct op_out *out)
{
	int r = codec_decode_out(c, body, in, out);
	struct post_answer bad = {.fate = POST_LOST,
				  .problem = "its answer names as the next page one that "
					     "was read before"};
	struct buf why;

	if (cl->peer == CODEC_OWN || (r == 0 && !page_cycles_closed(cl->cycles, in, out))) {
		return r;
	}
	if (r < 0) {
		buf_init(&why, &c->arena);
		buf_fmt(&why, "its answer cannot be read: %s", c->error.message);
		bad.problem = slice_cstr(&c->arena, buf_view(&why));
		c->error = (struct error){0};
	}
	return fail_unanswered(cl, c, in, &bad);
}

/* As the SDKs do: a transaction has a token at another's server, so that it may be sent twice.  An export would show it. */
static struct op_in
with_token(const struct client *cl, struct call *c, const struct op_in *in)
{
	struct op_in out = *in;
	struct slice *token = (struct slice *)token_of(&out);
	uint8_t bytes[TOKEN_BYTES];
	struct buf text;

	if (cl->peer == CODEC_FOREIGN && token != NULL && token->len == 0 &&
	    in->type != OP_EXPORT_TABLE &&
	    getrandom(bytes, sizeof(bytes), 0) == (ssize_t)sizeof(bytes)) {
		buf_init(&text, &c->arena);
		for (size_t i = 0; i < sizeof(bytes); i++) {
			buf_fmt(&text, "%02x", bytes[i]);
		}
		*token = buf_view(&text);
	}
	return out;
}

static int
client_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct client *cl = (struct client *)e;
	struct op_in sent = with_token(cl, c, in);
	struct slice answer = {0};
	struct buf body;

	if (cl->peer == CODEC_FOREIGN && op_group(in->type) == OP_ITEMFS) {
		return call_fail(c, ERR_NOT_SUPPORTED, "%s is not available on an endpoint",
				 op_name(in->type));
	}
	int r = validate_readable(c, in);

	if (r < 0) {
		return r;
	}
	buf_init(&body, NULL);
	codec_encode_in(&body, cl->peer, &sent);
	if (body.len > WIRE_BODY_MAX) {
		size_t bytes = body.len;

		buf_release(&body);
		return call_fail(c, ERR_VALIDATION, "a request of %zu bytes: 16 MB are the most",
				 bytes);
	}
	r = post_until_answered(cl, c, &sent, buf_view(&body), &answer);

	buf_release(&body);
	if (r < 0) {
		return cl->who == NULL ? r : say_who(cl, c);
	}
	return read_answer(cl, c, answer, in, out);
}

/* ------------------------------------------------------------ open and close */

static void
client_close(struct engine *e)
{
	struct client *cl = (struct client *)e;

	post_close(cl->post);
	page_cycles_free(cl->cycles);
	if (cl->dir >= 0) {
		(void)close(cl->dir);
	}
	(void)pthread_mutex_destroy(&cl->lock);
	free((char *)cl->name);
	free((char *)cl->who);
	free(cl);
}

static const struct engine_ops client_ops = {.execute = client_execute, .close = client_close};

static struct client *
client_new(enum codec_peer peer, const char *name)
{
	struct client *cl = mem_new(struct client);

	cl->engine.ops = &client_ops;
	cl->peer = peer;
	cl->cycles = peer == CODEC_FOREIGN ? page_cycles_new() : NULL;
	cl->name = mem_string(name);
	cl->dir = -1;
	(void)!getrandom(&cl->random, sizeof(cl->random), 0);
	(void)pthread_mutex_init(&cl->lock, NULL);
	return cl;
}

static int
finish_opening(struct client *cl, struct call *c, const struct post_options *o, struct engine **out)
{
	int r = post_open(c, o, &cl->post);

	if (r < 0) {
		client_close(&cl->engine);
		return r;
	}
	*out = &cl->engine;
	return 0;
}

/* @r: of finding @short_path, which is @path for messages */
static int
client_connect(struct client *cl, struct call *c, int r, const char *short_path, const char *path,
	       struct engine **out)
{
	int reason = r < 0 ? 0 : endpoint_connect(short_path);
	char text[128];

	if (reason != 0) {
		r = call_fail(c, reason == EACCES ? ERR_IO : ERR_GONE, "%s: %s", path,
			      strerror_r(reason, text, sizeof(text)));
	}
	if (r < 0) {
		client_close(&cl->engine);
		return r;
	}
	return finish_opening(cl, c,
			      &(struct post_options){.url = "http://localhost/",
						     .socket = short_path,
						     .patient = true},
			      out);
}

int
client_open_below(struct call *c, int dir, const char *socket, const char *name,
		  struct engine **out)
{
	struct client *cl = client_new(CODEC_OWN, name);
	char short_path[SOCKET_PATH_MAX];
	struct buf path;

	buf_init(&path, &c->arena);
	buf_fmt(&path, "%s/%s", name, socket);
	cl->dir = fcntl(dir, F_DUPFD_CLOEXEC, 0);

	int r = cl->dir < 0 ? call_fail(c, ERR_IO, "%s: %m", name)
			    : socket_path_below(c, cl->dir, socket, short_path);

	return client_connect(cl, c, r, short_path, slice_cstr(&c->arena, buf_view(&path)), out);
}

int
client_open_socket(struct call *c, const char *path, const char *name, struct engine **out)
{
	struct client *cl = client_new(CODEC_OWN, name);
	char short_path[SOCKET_PATH_MAX];
	int r = socket_path(c, path, short_path, &cl->dir);

	return client_connect(cl, c, r, short_path, path, out);
}

int
client_open_url(struct call *c, const struct client_options *o, struct engine **out)
{
	struct client *cl = client_new(CODEC_FOREIGN, url_shown(&c->arena, o->url));

	cl->who = o->who == NULL ? NULL : mem_string(o->who);
	return finish_opening(cl, c,
			      &(struct post_options){.url = o->url,
						     .streams_url = o->streams_url,
						     .credential = o->credential,
						     .region = o->region},
			      out);
}
