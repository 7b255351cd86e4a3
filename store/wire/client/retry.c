/*
 * retry - the table of store/DESIGN.md, "Requests that a client repeats"
 *
 * Reads and requests with a token (ClientRequestToken) may be carried out twice.  A write whose fate is not known is
 * left to the caller: a second PutItem could undo a change that another client has made in between.
 */
#include "store/wire/client/retry.h"

#include <assert.h>

#include "store/base/core/error.h"
#include "store/op/op.h"

/* The kind of a failure. */
enum fault {
	FAULT_FINAL,
	FAULT_TOO_SOON, /* not carried out: throttled, or 503; for streams also LimitExceededException */
	FAULT_NOT_SENT, /* not sent completely */
	FAULT_SERVER, /* a foreign server failed: 5xx, or the first request is still in progress */
	FAULT_LOST,   /* no answer, or a damaged one */
};

static const struct retry {
	int times;      /* tries in all */
	bool only_safe; /* only for requests that may be carried out twice */
} retries[] = {
	[FAULT_FINAL] = {1, false}, [FAULT_TOO_SOON] = {6, false}, [FAULT_NOT_SENT] = {3, false},
	[FAULT_SERVER] = {6, true}, [FAULT_LOST] = {3, true},
};

const struct slice *
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

bool
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

static enum fault
fault_of(enum codec_peer peer, const struct call *c, const struct op_in *in,
	 const struct post_answer *a)
{
	if (a->fate != POST_ANSWERED) {
		return !a->passing                ? FAULT_FINAL
		       : a->fate == POST_NOT_SENT ? FAULT_NOT_SENT
						  : FAULT_LOST;
	}
	if (came_too_soon(peer, c, in, a)) {
		return FAULT_TOO_SOON;
	}
	return peer == CODEC_FOREIGN && (a->status >= 500 || c->error.code == ERR_IN_PROGRESS)
		       ? FAULT_SERVER
		       : FAULT_FINAL;
}

bool
retry_is_worthwhile(enum codec_peer peer, const struct call *c, const struct op_in *in,
		    const struct post_answer *a, int tries)
{
	enum fault fault = fault_of(peer, c, in, a);

	assert(c->error.code != ERR_NONE && tries >= 1);
	if (fault == FAULT_TOO_SOON && c->comes_again) {
		return false;
	}
	return tries < retries[fault].times && (!retries[fault].only_safe || retry_is_safe(in));
}
