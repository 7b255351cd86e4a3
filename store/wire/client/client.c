/*
 * client - the remote engine: encodes a request, sends it (post.c), decodes the answer
 *
 * Requests are repeated here and, for the next owner of a store, in shared.c.  Each wait before a repetition
 * is a random part of a time that doubles.
 */
#include "store/wire/client/client.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/random.h>

#include "store/base/core/clock.h"
#include "store/base/core/pause.h"
#include "store/base/system/say.h"
#include "store/base/system/socket_path.h"
#include "store/base/text/random_token.h"
#include "store/base/text/url.h"
#include "store/op/op.h"
#include "store/op/validate.h"
#include "store/wire/client/aws_keys.h"
#include "store/wire/client/page_cycle.h"
#include "store/wire/client/post.h"
#include "store/wire/codec/codec.h"
#include "store/wire/proto/endpoint.h"
#include "store/wire/proto/wire.h"

enum {
	DELAY_MS = 25,       /* doubled for each try so far: limit of the wait before the next */
	DELAY_MAX_MS = 1000, /* limit of all waits */
	MS_PER_S = 1000,
};

/* Time limit of operations at foreign servers, see client_answer_within(); 0: none. */
static atomic_uint time_limit_s;

struct client {
	struct engine engine;
	enum codec_peer peer;
	struct post *post;
	struct page_cycles *cycles; /* of a foreign server's pages; NULL if it is itemfs */
	const char *name;           /* heap: for messages */
	struct aws_keys *keys;      /* NULL: requests are not signed */
	int dir;                    /* descriptor in the path of the socket, or -1 */
};

/* ------------------------------------------------------------ signatures */

/* The state for all tries of one request.  Each way to correct a refused signature is used once. */
struct signing {
	struct aws_key key;
	bool another_key; /* another key has been asked for */
	bool right_time;  /* the server's time has been taken from an answer */
};

/* Return whether the server did not accept a signature. */
static bool
signing_failed(enum err code)
{
	return code == ERR_EXPIRED_TOKEN || code == ERR_UNKNOWN_CLIENT || code == ERR_BAD_SIGNATURE;
}

/* If the time of the signature was wrong, use the server's from now on.  Return whether it was. */
static bool
signing_correct(struct aws_keys *keys, const char *name, const struct call *c,
		const struct post_answer *a)
{
	if (c->error.code != ERR_BAD_SIGNATURE || a->date_ms == 0 ||
	    !aws_keys_correct(keys, a->date_ms)) {
		return false;
	}
	int64_t ahead = aws_keys_ahead_ms(keys);

	say("this machine's clock is %ld s %s that of %s: requests are signed with its time",
	    (long)((ahead < 0 ? -ahead : ahead) / 1000), ahead < 0 ? "ahead of" : "behind", name);
	return true;
}

/*
 * After an error answer, change the clock or the key if that may help; @c has the error.  Return whether to send the
 * request again.  Nothing of it was carried out in that case.
 */
static bool
signing_mend(struct aws_keys *keys, const char *name, struct call *c, const struct post_answer *a,
	     struct signing *s)
{
	if (a->fate != POST_ANSWERED || keys == NULL || s->key.credential.id.len == 0) {
		return false;
	}
	if (!s->right_time && signing_correct(keys, name, c, a)) {
		s->right_time = true;
		return true;
	}
	if (s->another_key || !signing_failed(c->error.code)) {
		return false;
	}
	s->another_key = true;
	struct aws_key refused = s->key;

	return aws_keys_after(keys, c, &refused, &s->key);
}

/* If the error in @c is about the signature, add whose key it was.  Return the error's -ERR_*. */
static int
signing_say_who(const struct aws_keys *keys, struct call *c, const struct signing *s)
{
	struct error e = c->error;

	if (keys == NULL || (!signing_failed(e.code) && e.code != ERR_NO_SIGNATURE &&
			     e.code != ERR_SIGNATURE_PARTS)) {
		return -(int)e.code;
	}
	c->error = (struct error){0};
	return call_fail(c, e.code, "%s (%s)", e.message, s->key.who);
}

/* ------------------------------------------------------------ repetitions */

/*
 * See store/DESIGN.md, "Requests that a client repeats".
 *
 * Reads and requests with a token (ClientRequestToken) may be carried out twice.  A write whose fate is not known is
 * left to the caller: a second PutItem could undo a change that another client has made in between.
 */

/* The kinds of failures that may be repeated, with the number of tries in all. */
enum {
	TRIES_TOO_SOON = 6, /* throttled or 503, so not carried out; see came_too_soon() */
	TRIES_NOT_SENT = 3, /* not sent completely */
	TRIES_SERVER = 6,   /* 5xx of a foreign server, or the first request is in progress */
	TRIES_LOST = 3,     /* no answer, or a damaged one */
};

/* Return the member that makes a second request the same as the first, or NULL if there is none. */
static const struct slice *
retry_token(const struct op_in *in)
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

/* Return whether the outcome is the same if the request is carried out twice. */
static bool
retry_is_safe(const struct op_in *in)
{
	const struct slice *token = retry_token(in);

	return !op_writes(in) || (token != NULL && token->len > 0);
}

/* Return whether a request was refused only because it came too soon.  Streams have an error of their own for that. */
static bool
came_too_soon(enum codec_peer peer, const struct call *c, const struct op_in *in,
	      const struct post_answer *a)
{
	return error_throttled(c->error.code) || a->status == 503 ||
	       (peer == CODEC_FOREIGN && c->error.code == ERR_LIMIT &&
		op_group(in->type) == OP_STREAMS);
}

/* Return whether to send a request again; @a: the result of the last try, whose error is in @c; @tries: so far */
static bool
retry_is_worthwhile(enum codec_peer peer, const struct call *c, const struct op_in *in,
		    const struct post_answer *a, int tries)
{
	assert(c->error.code != ERR_NONE && tries >= 1);
	if (a->fate == POST_NOT_SENT) {
		return a->passing && tries < TRIES_NOT_SENT;
	}
	if (a->fate == POST_LOST) {
		return a->passing && tries < TRIES_LOST && retry_is_safe(in);
	}
	if (came_too_soon(peer, c, in, a)) {
		return !c->comes_again && tries < TRIES_TOO_SOON;
	}
	return peer == CODEC_FOREIGN && (a->status >= 500 || c->error.code == ERR_IN_PROGRESS) &&
	       tries < TRIES_SERVER && retry_is_safe(in);
}

/* ------------------------------------------------------------ pauses and time limits */

/* Sleep a random part of a time that doubles with each try.  Return false if the call was given up. */
static bool
back_off(const struct call *c, int tries)
{
	unsigned most = DELAY_MS << tries;
	unsigned random = most;

	(void)!getrandom(&random, sizeof(random), GRND_NONBLOCK);
	return pause_ms(c, random % ((most < DELAY_MAX_MS ? most : DELAY_MAX_MS) + 1));
}

/* Fail because there is no answer, or none that can be used. */
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
			 lost ? "; it is not known whether the change was made" : "");
}

/* Return the time by which an operation that begins now must have its answer; 0: no limit. */
static uint64_t
time_limit(const struct client *cl)
{
	unsigned seconds = cl->peer == CODEC_FOREIGN ? time_limit_s : 0;

	return seconds == 0 ? 0 : clock_steady_ms() + (uint64_t)seconds * MS_PER_S;
}

static bool
is_past(uint64_t until_ms)
{
	return until_ms != 0 && clock_steady_ms() >= until_ms;
}

/*
 * Reword an error of a foreign server: name the operation that it does not know, since its message may be empty; and
 * replace an error that makes no sense for the operation, so that no caller acts on it.
 * @name: of an operation that op.def does not have, or NULL
 */
static void
client_reword(const struct client *cl, struct call *c, const struct op_in *in, const char *name)
{
	struct error e = c->error;
	const char *said = e.message == NULL ? "" : e.message;
	bool silent = said[0] == '\0' || strcmp(said, error_wire(e.code)) == 0;

	if (cl->peer != CODEC_FOREIGN) {
		return;
	}
	if (e.code == ERR_UNKNOWN_OPERATION) {
		c->error = (struct error){0};
		(void)!call_fail(c, e.code, "%s has no operation %s%s%s", cl->name,
				 name != NULL ? name : op_name(in->type), silent ? "" : ": ",
				 silent ? "" : said);
	} else if (name == NULL && error_posix(e.code) == EEXIST && !op_may_conflict(in)) {
		c->error = (struct error){0};
		(void)!call_fail(c, ERR_CORRUPT, "%s answers %s with %s: %s", cl->name,
				 op_name(in->type), error_wire(e.code), said);
	}
}

static int
post_until_answered(struct client *cl, struct call *c, const struct op_in *in,
		    struct post_request rq, struct slice *answer)
{
	uint64_t until_ms = time_limit(cl);
	struct signing signing = {0};
	int r = cl->keys == NULL ? 0 : aws_keys_get(cl->keys, c, &signing.key);

	if (r < 0) {
		return r;
	}
	for (int tries = 1;; tries++) {
		struct post_answer a;

		rq.key = signing.key.credential.id.len > 0 ? &signing.key.credential : NULL;
		rq.ahead_ms = rq.key == NULL ? 0 : aws_keys_ahead_ms(cl->keys);
		post_send(cl->post, c, &rq, until_ms, &a);
		*answer = a.body;
		if (a.fate == POST_ANSWERED && a.status == 200) {
			return 0;
		}
		(void)(a.fate == POST_ANSWERED ? codec_decode_error(c, a.body, (int)a.status)
					       : fail_unanswered(cl, c, in, &a));
		client_reword(cl, c, in, rq.name);
		if (!signing_mend(cl->keys, cl->name, c, &a, &signing) &&
		    (!retry_is_worthwhile(cl->peer, c, in, &a, tries) || is_past(until_ms) ||
		     !back_off(c, tries))) {
			return signing_say_who(cl->keys, c, &signing);
		}
		c->error = (struct error){0};
	}
}

/* ------------------------------------------------------------ one operation */

/* Decode the answer.  An answer that makes no sense is an error of the server, not of the request. */
static int
read_answer(const struct client *cl, struct call *c, struct slice body, const struct op_in *in,
	    struct op_out *out)
{
	int r = codec_decode_out(c, body, in, out);
	struct post_answer bad = {.fate = POST_LOST,
				  .problem = "its answer names a next page that was already read"};

	if (cl->peer == CODEC_OWN || (r == 0 && !page_cycles_closed(cl->cycles, in, out))) {
		return r;
	}
	if (r < 0) {
		bad.problem =
			arena_print(&c->arena, "its answer cannot be read: %s", c->error.message);
		c->error = (struct error){0};
	}
	/* Sending the request again would not help. */
	return op_writes(in) ? fail_unanswered(cl, c, in, &bad)
			     : call_fail(c, ERR_CORRUPT, "%s: %s", cl->name, bad.problem);
}

/*
 * Give a transaction for a foreign server a token, so that it may be sent twice, as the SDKs do.  An export gets none,
 * because its description would show it.
 */
static struct op_in
with_token(const struct client *cl, struct call *c, const struct op_in *in)
{
	struct op_in out = *in;
	struct slice *token = (struct slice *)retry_token(&out);
	struct buf text;

	buf_init(&text, &c->arena);
	if (cl->peer == CODEC_FOREIGN && token != NULL && token->len == 0 &&
	    in->type != OP_EXPORT_TABLE && token_put(&text)) {
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
		return call_fail(c, ERR_VALIDATION,
				 "the request has %zu bytes; at most 16 MB are allowed", bytes);
	}
	r = post_until_answered(cl, c, &sent,
				(struct post_request){.type = in->type,
						      .body = buf_view(&body),
						      .once = !retry_is_safe(&sent)},
				&answer);

	buf_release(&body);
	return r < 0 ? r : read_answer(cl, c, answer, in, out);
}

/* Treat an unknown operation as a write. */
static int
client_pass(struct engine *e, struct call *c, const char *name, struct slice body,
	    struct slice *answer)
{
	enum op_type type = op_find(slice_from(name));
	const struct op_in in = {.type = type == OP_COUNT ? OP_PUT_ITEM : type};
	const struct post_request rq = {.type = in.type,
					.name = type == OP_COUNT ? name : NULL,
					.body = body,
					.once = !retry_is_safe(&in)};

	return op_group(in.type) == OP_ITEMFS
		       ? ENGINE_NO_PASS
		       : post_until_answered((struct client *)e, c, &in, rq, answer);
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
	free((char *)cl->name);
	aws_keys_free(cl->keys);
	free(cl);
}

static const struct engine_ops client_ops = {.execute = client_execute, .close = client_close};
static const struct engine_ops client_foreign_ops = {
	.execute = client_execute, .pass = client_pass, .close = client_close};

static struct client *
client_new(enum codec_peer peer, const char *name)
{
	struct client *cl = mem_new(struct client);

	cl->engine.ops = peer == CODEC_FOREIGN ? &client_foreign_ops : &client_ops;
	cl->peer = peer;
	cl->cycles = peer == CODEC_FOREIGN ? page_cycles_new() : NULL;
	cl->name = mem_string(name);
	cl->dir = -1;
	return cl;
}

/* Open the connections; @r: the result so far, and if it is an error, close @cl */
static int
finish_opening(struct client *cl, struct call *c, int r, const struct client_options *o,
	       struct engine **out)
{
	r = r < 0 ? r : post_open(c, o, &cl->post);
	if (r < 0) {
		client_close(&cl->engine);
		return r;
	}
	*out = &cl->engine;
	return 0;
}

int
client_open_below(struct call *c, int dir, const char *socket, const char *name,
		  struct engine **out)
{
	struct client *cl = client_new(CODEC_OWN, name);
	char path[SOCKET_PATH_MAX];

	cl->dir = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	int r = cl->dir < 0 ? call_fail(c, ERR_IO, "%s: %m", name)
			    : socket_path_below(c, cl->dir, socket, path);

	if (r == 0) {
		errno = endpoint_connect(path);
		r = errno == 0 ? 0
			       : call_fail(c, errno == EACCES ? ERR_IO : ERR_GONE, "%s/%s: %m",
					   name, socket);
	}
	const struct client_options o = {.url = "http://localhost/", .socket = path};

	return finish_opening(cl, c, r, &o, out);
}

void
client_answer_within(unsigned seconds)
{
	time_limit_s = seconds;
}

int
client_open_url(struct call *c, const struct client_options *o, struct engine **out)
{
	struct client *cl = client_new(CODEC_FOREIGN, url_shown(&c->arena, o->url));

	cl->keys = o->keys;
	return finish_opening(cl, c, 0, o, out);
}
