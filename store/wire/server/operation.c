/*
 * operation - executes the operation of a request: decodes its body, passes it to the engine, encodes the answer
 *
 * The engine accepts an operation without waiting (engine_submit), or a worker executes it.  If it has not ended when
 * the loop returns to the request, the loop suspends the connection (http_request.c), and the thread that ends the
 * operation resumes it.  So while several clients are connected, the loop waits for no commit and no scan, and the
 * answers of one commit are sent together.  With a single connection, the loop itself executes Query and, if no mount
 * listens to the feed, single writes and TransactWriteItems.
 *
 * This file does not know the meaning of operations; see codec.c and engine.h.
 */
#include <strings.h>

#include "store/base/core/workers.h"
#include "store/base/text/json.h"
#include "store/engine/engine.h"
#include "store/engine/feed.h"
#include "store/model/limits.h"
#include "store/op/op.h"
#include "store/wire/codec/codec.h"
#include "store/wire/proto/gzip.h"
#include "store/wire/proto/sigv4.h"
#include "store/wire/proto/wire.h"
#include "store/wire/server/access.h"
#include "store/wire/server/advice.h"
#include "store/wire/server/body.h"
#include "store/wire/server/connections.h"
#include "store/wire/server/http_answer.h"
#include "store/wire/server/http_request.h"
#include "store/wire/server/request_log.h"

enum {
	REQUEST_BUDGET = 256 * 1024 * 1024, /* bytes of memory for one request */
	PAGE_BYTES = 8 * 1024 * 1024,       /* memory for a page of 1 MB, with its answer */
	BATCH_BYTES = 48 * 1024 * 1024,     /* likewise for a batch of 16 MB */
};

static void
no_longer_under_way(struct server *s)
{
	lock_scope(&s->lock);
	assert(s->under_way > 0);
	s->under_way--;
	(void)pthread_cond_broadcast(&s->fewer);
}

void
operation_hand_back(struct request *r)
{
	struct server *s = r->s;

	assert(r->counted && atomic_load(&r->stage) != ARRIVING &&
	       atomic_load(&r->stage) != ANSWERED);
	answer_seal(&r->answer);
	request_log_operation(r);
	call_close(&r->c);
	/* After the stage is ANSWERED, the loop may free a request that is not suspended. */
	struct MHD_Connection *connection = r->connection;

	if (atomic_exchange(&r->stage, ANSWERED) == SUSPENDED) {
		MHD_resume_connection(connection);
	}
	no_longer_under_way(s);
}

/* ------------------------------------------------------------ memory for answers */

bool
operation_keeps(struct request *r, bool must)
{
	struct server *s = r->s;
	struct answer *a = &r->answer;

	if (connection_keep(s->connections, r->place, a->body.len, must)) {
		return true;
	}
	buf_release(&a->body);
	a->packed = false;
	answer_refuse(s, a, ERR_BUSY, ANSWERS_OVERLOAD);
	return false;
}

/* Return the largest size of the answer to a write, apart from a small constant. */
static size_t
answer_of_write(const struct request *r)
{
	const struct op_in *in = &r->in;

	switch ((int)in->type) {
	case OP_PUT_ITEM:
		return in->put_item.write.return_values == RETURN_NONE ? 0 : LIMIT_ITEM_BYTES;
	case OP_UPDATE_ITEM:
		return in->update_item.write.return_values == RETURN_NONE ? 0 : LIMIT_ITEM_BYTES;
	case OP_DELETE_ITEM:
		return in->delete_item.write.return_values == RETURN_NONE ? 0 : LIMIT_ITEM_BYTES;
	case OP_BATCH_WRITE_ITEM: /* unprocessed items are sent back */
		return r->body.bytes.len;
	case OP_EXECUTE_STATEMENT:
		return LIMIT_ITEM_BYTES;
	case OP_BATCH_EXECUTE_STATEMENT:
		return in->batch_execute_statement.n_statements * LIMIT_ITEM_BYTES;
	default:
		return 0;
	}
}

/* Reserve memory for the answer to a write, which begins only if there is room for it. */
static int
reserve_answer(struct request *r)
{
	return !op_writes(&r->in) || connection_keep(r->s->connections, r->place,
						     answer_of_write(r), false)
		       ? 0
		       : call_fail(&r->c, ERR_BUSY, ANSWERS_OVERLOAD);
}

/* ------------------------------------------------------------ end of an operation */

static void
hand_over(struct request *r, void (*run)(struct work *w))
{
	r->work.run = run;
	workers_add(r->s->workers, &r->work);
}

/* Add a read to the few readers, since its answer may be large.  Writes, which may wait for mounts, and GetItem go to
 * the workers. */
static void
hand_to_reader(struct request *r, void (*run)(struct work *w))
{
	bool small = op_writes(&r->in) || r->in.type == OP_GET_ITEM;

	r->work.run = run;
	workers_add(small ? r->s->workers : r->s->readers, &r->work);
}

static void
work_pack(struct work *w)
{
	struct request *r = request_of_work(w);

	answer_pack(&r->answer);
	(void)operation_keeps(r, true);
	operation_hand_back(r);
}

static void
answer_operation(struct request *r, int result)
{
	struct answer *a = &r->answer;

	if (result < 0) {
		buf_clear(&a->body);
		answer_error(r->s, a, &r->c.error);
		a->status = r->body.too_large ? MHD_HTTP_CONTENT_TOO_LARGE : a->status;
	} else {
		codec_encode_out(&a->body, r->s->peer, r->c.region, &r->in, &r->out);
	}
	bool kept = operation_keeps(r, result == 0 && op_writes(&r->in));

	if (kept && answer_worth_packing(a)) {
		hand_over(r, work_pack);
	} else {
		operation_hand_back(r);
	}
}

static void
work_advise(struct work *w)
{
	struct request *r = request_of_work(w);

	advice_say(r->s, &r->c.error, r->in.type,
		   slice_from(access_header(r->connection, "X-Amz-Target")),
		   buf_view(&r->body.bytes));
	answer_operation(r, -(int)r->c.error.code);
}

/* End an operation with @result; in any thread. */
static void
end_operation(struct request *r, int result)
{
	if (result < 0 && advice_suits(r->s, &r->c.error)) {
		hand_over(r, work_advise);
	} else {
		answer_operation(r, result);
	}
}

/*
 * Return whether the answer to a write must wait for mounts: a program that reads through a mount after the answer must
 * see the change.  The wait ends when the mounts have notified the kernel of all changes.  A worker waits, and no mount
 * waits for a worker.  The loop waits only if a mount joins while the loop executes a write (is_for_the_loop()).
 */
static bool
mounts_must_hear(const struct request *r)
{
	struct feed *feed = op_writes(&r->in) ? engine_feed(r->s->e) : NULL;

	return feed != NULL && feed_listening(feed);
}

static void
wait_for_mounts(const struct request *r)
{
	struct feed *feed = engine_feed(r->s->e);

	(void)feed_wait(feed, feed_newest(feed), NULL, (int)r->s->fresh_ms);
}

static void
work_heard(struct work *w)
{
	struct request *r = request_of_work(w);

	wait_for_mounts(r);
	end_operation(r, 0);
}

/* Called by the engine when an operation of engine_submit() has ended. */
static void
submitted(void *arg, int result)
{
	struct request *r = arg;

	if (result == 0 && mounts_must_hear(r)) {
		hand_over(r, work_heard);
	} else {
		end_operation(r, result);
	}
}

/* Unpack the body; not in the loop. */
static int
unpack(struct request *r)
{
	struct call *c = &r->c;

	if (r->coding == GZIP_PLAIN) {
		return 0;
	}
	if (r->coding == GZIP_UNKNOWN || !body_unpack(&r->body, r->coding, &r->s->bodies)) {
		return call_fail(
			c, ERR_CODING,
			"the body is not encoded as its Content-Encoding says, or that is neither gzip "
			"nor deflate");
	}
	if (r->body.too_large) {
		return call_fail(c, ERR_VALIDATION, BODY_TOO_LARGE);
	}
	return r->body.overload ? call_fail(c, ERR_BUSY, BODY_OVERLOAD) : 0;
}

/*
 * Check that the body is JSON: the service checks that before the operation's name and the signature.  An empty body is
 * accepted here, and refused later if the operation has to read it.
 */
static int
unpack_json(struct request *r)
{
	const struct json *json = NULL;
	int result = unpack(r);

	return result < 0 || r->body.bytes.len == 0
		       ? result
		       : json_parse(&r->c, buf_view(&r->body.bytes), JSON_LAST_WINS, &json);
}

/* Return the error of the access check, unless the body is no JSON.  A missing body is reported after the signature. */
static int
refuse_access(struct request *r, int refused)
{
	struct error why = r->c.error;

	if (r->body.bytes.len == 0) {
		return refused;
	}
	r->c.error = (struct error){0};
	int result = unpack_json(r);

	if (result == 0) {
		r->c.error = why;
	}
	return result < 0 ? result : refused;
}

static int
no_such_operation(struct request *r)
{
	struct call *c = &r->c;
	struct slice target = slice_from(access_header(r->connection, "X-Amz-Target"));
	int result = unpack_json(r);

	return result < 0 ? result
			  : call_fail(c, ERR_UNKNOWN_OPERATION, "%s%.*s",
				      target.len == 0 ? "the header X-Amz-Target is missing"
						      : "there is no operation ",
				      SLICE_ARG(target));
}

static int
operation_decode(struct request *r)
{
	if (r->in.type == OP_COUNT) {
		return no_such_operation(r);
	}
	/* The signature covers the body as sent, so check it before unpacking. */
	int result = access_check(r->s, &r->c, &r->headers);

	result = result < 0 ? refuse_access(r, result) : unpack(r);
	if (result == 0) {
		result = codec_decode_in(&r->c, r->s->peer, buf_view(&r->body.bytes), &r->in);
	}
	if (result == 0 && r->in.type == OP_DESCRIBE_ENDPOINTS) {
		r->in.describe_endpoints.host = slice_from(access_header(r->connection, "Host"));
	}
	codec_encode_ahead(&r->answer.body, &r->in);
	return result < 0 ? result : reserve_answer(r);
}

static int
operation_execute(struct request *r)
{
	struct server *s = r->s;

	if (r->in.type == OP_REFUSED && s->refused != NULL) {
		return s->refused(s->refused_arg, &r->c, &r->in.refused, &r->out.refused);
	}
	int result = engine_execute(s->e, &r->c, &r->in, &r->out);

	if (result == 0 && mounts_must_hear(r)) {
		wait_for_mounts(r);
	}
	return result;
}

/* Return the memory that a read needs at most until its answer is complete. */
static size_t
memory_of(const struct op_in *in)
{
	switch ((int)in->type) {
	case OP_BATCH_GET_ITEM:
	case OP_TRANSACT_GET_ITEMS:
	case OP_BATCH_EXECUTE_STATEMENT:
	case OP_EXECUTE_TRANSACTION:
		return BATCH_BYTES;
	default:
		return PAGE_BYTES;
	}
}

/* A read begins only if there is memory for all reads in progress, so that none of them runs out of memory. */
static void
work_execute(struct work *w)
{
	struct request *r = request_of_work(w);
	struct server *s = r->s;
	size_t bytes = op_writes(&r->in) ? 0 : memory_of(&r->in);

	size_t all = atomic_fetch_add(&s->taking, bytes) + bytes;
	bool enough = bytes == 0 || mem_enough(all);

	end_operation(r, enough ? operation_execute(r) : call_fail(&r->c, ERR_BUSY, MEM_LOW));
	atomic_fetch_sub(&s->taking, bytes);
}

static void
work_decode_and_execute(struct work *w)
{
	struct request *r = request_of_work(w);

	if (operation_decode(r) < 0) {
		end_operation(r, -1);
	} else {
		hand_to_reader(r, work_execute);
	}
}

/* Return the operation that X-Amz-Target names, or OP_COUNT. */
static enum op_type
target_operation(const struct server *s, struct slice target)
{
	if (slice_starts(target, SLICE(WIRE_TARGET_DYNAMODB))) {
		return op_from_name(OP_DYNAMODB,
				    slice_skip(target, sizeof(WIRE_TARGET_DYNAMODB) - 1));
	}
	if (slice_starts(target, SLICE(WIRE_TARGET_STREAMS))) {
		return op_from_name(OP_STREAMS,
				    slice_skip(target, sizeof(WIRE_TARGET_STREAMS) - 1));
	}
	if (s->peer == CODEC_OWN && slice_starts(target, SLICE(WIRE_TARGET_ITEMFS))) {
		return op_from_name(OP_ITEMFS, slice_skip(target, sizeof(WIRE_TARGET_ITEMFS) - 1));
	}
	return OP_COUNT;
}

/*
 * Return whether the loop executes the operation itself: it takes little time, and no other client waits.  Waking
 * another thread and then this one would take as long as a query of a few items, or a quarter of a synced put.
 */
static bool
is_for_the_loop(const struct request *r)
{
	switch ((int)r->in.type) {
	case OP_QUERY:
		return connections_one(r->s->connections);
	case OP_PUT_ITEM:
	case OP_UPDATE_ITEM:
	case OP_DELETE_ITEM:
	case OP_TRANSACT_WRITE_ITEMS:
		return connections_one(r->s->connections) && !mounts_must_hear(r);
	default:
		return false;
	}
}

/* end_operation() is called exactly once, maybe before the return. */
void
operation_begin(struct request *r, const char *path)
{
	struct server *s = r->s;
	struct slice target = slice_from(access_header(r->connection, "X-Amz-Target"));

	assert(r->counted);
	r->in.type = target_operation(s, target);
	r->out.type = r->in.type;
	call_open(&r->c, s->now_ms(), REQUEST_BUDGET);
	arena_lend(&r->c.arena, &r->memory);
	r->c.origin = s;
	r->headers = (struct sigv4_request){
		.method = "POST", .path = path, .body = buf_view(&r->body.bytes)};
	access_gather(s, &r->c, r->connection, &r->headers);
	r->coding = gzip_coding(access_header(r->connection, "Content-Encoding"));
	r->answer.accepted = gzip_accepted(access_header(r->connection, "Accept-Encoding"));
	atomic_store(&r->stage, UNDER_WAY);
	if (!mem_enough(0)) {
		end_operation(r, call_fail(&r->c, ERR_BUSY, MEM_LOW));
	} else if (r->coding != GZIP_PLAIN || r->body.bytes.len > BODY_SMALL) {
		hand_over(r, work_decode_and_execute);
	} else if (operation_decode(r) < 0) {
		end_operation(r, -1);
	} else if (is_for_the_loop(r)) {
		work_execute(&r->work);
	} else if (!engine_submit(s->e, &r->c, &r->in, &r->out, submitted, r)) {
		hand_to_reader(r, work_execute);
	}
}
