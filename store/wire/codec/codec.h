/*
 * codec - operations, answers and errors as DynamoDB JSON, in both directions
 *
 * Server: decode_in, engine, encode_out or encode_error.
 * Client: encode_in, HTTP, decode_out or decode_error.
 *
 * When both ends are itemfs (the store's socket), a body may have an additional member "ItemFS": an object with the
 * fields of op.h that DynamoDB has no name for (Seq, MTime, Existed, Relaxed, Partitions, Code, Place).  It is never
 * sent to a foreign end, and ignored as an unknown member in a request of a foreign client.
 */
#ifndef STORE_WIRE_CODEC_CODEC_H
#define STORE_WIRE_CODEC_CODEC_H

#include "store/op/op.h"

/* The kind of program at the other end. */
enum codec_peer {
	CODEC_FOREIGN, /* any DynamoDB client or server */
	CODEC_OWN,     /* another itemfs: the member "ItemFS" is understood */
};

/**
 * codec_decode_in - decode a request body
 * @body: borrowed until the call closes
 * @in:   the caller sets the type; the function fills the rest
 *
 * Errors:  -ERR_SERIALIZATION  not JSON, or a member of the wrong JSON type
 *          -ERR_VALIDATION     a required member is missing, or a value violates a constraint (DynamoDB's messages)
 *          -ERR_NOT_SUPPORTED  a parameter of a feature that is not implemented
 */
int codec_decode_in(struct call *c, enum codec_peer peer, struct slice body, struct op_in *in)
	must_check;

/**
 * codec_encode_ahead - begin the answer's body before the operation, so that the engine can append items to it
 * @body: empty; borrowed by @in
 *
 * The engine then writes a page of Query or Scan while it reads it.  Other operations leave @body empty.
 * codec_encode_out() finishes the body; if the operation fails, the caller must clear it.
 */
void codec_encode_ahead(struct buf *body, struct op_in *in);

/**
 * codec_encode_out - write the answer's body, or finish the one that codec_encode_ahead() began
 * @body:   other content is dropped
 * @region: the region in ARNs, see arn.h
 */
void codec_encode_out(struct buf *body, enum codec_peer peer, struct slice region,
		      const struct op_in *in, const struct op_out *out);

/** codec_encode_in - append the body of a request to @body */
void codec_encode_in(struct buf *body, enum codec_peer peer, const struct op_in *in);

/**
 * codec_unknown - Return: whether a request has a member that the operation does not know
 * @path: receives the first one, "TransactItems[0].Putt: did you mean Put?"
 */
bool codec_unknown(enum op_type type, const struct json *body, struct buf *path);

/** codec_member - Return: the name of member @i (from 0) of a request, or an empty slice after the last one */
struct slice codec_member(enum op_type type, size_t i);

/**
 * codec_decode_out - decode the body of an answer, which may come from any server
 *
 * A decoded struct of op.h is safe to use:
 *   - a pointer to a struct is set, unless op.h says "NULL: ...";
 *   - a list has as many elements as its count says, none if the answer lacks it;
 *   - names, ids and keys are not empty.  A key has a partition key; in answers of itemfs's own operations it may
 *     have another number of values than the schema says, so place_list_entries() and the like compare them;
 *   - if there is more to read, there is an element or a token to continue after.
 * tests/wire/test_answer.c removes each member of each answer and changes its type.
 *
 * Errors:  -ERR_SERIALIZATION  not JSON, or a member of the wrong JSON type
 *          -ERR_VALIDATION     a member that these guarantees need is missing
 */
int codec_decode_out(struct call *c, struct slice body, const struct op_in *in, struct op_out *out)
	must_check;

/** codec_encode_error - append {"__type":...,"message":...}, and CancellationReasons and Item if @e has them */
void codec_encode_error(struct buf *body, enum codec_peer peer, const struct error *e);

/** codec_decode_error - record the error of an answer in the call; Return: its -ERR_*, never 0 */
int codec_decode_error(struct call *c, struct slice body, int http_status);

/**
 * codec_decode_create_table - decode CreateTable's JSON from a file
 *
 * As codec_decode_in(), but a table without BillingMode and ProvisionedThroughput is PAY_PER_REQUEST.
 */
int codec_decode_create_table(struct call *c, struct slice body, struct create_table_in *in)
	must_check;

#endif
