/*
 * codec - operations, answers and errors as DynamoDB JSON, in both directions
 *
 * Server: decode_in, engine, encode_out or encode_error.
 * Client: encode_in, HTTP, decode_out or decode_error.
 * decode.c and encode.c are the two tables; codec_table.c, codec_item.c,
 * codec_query.c, codec_batch.c, codec_transact.c and codec_own.c hold one
 * family of operations each, codec_error.c the errors.
 *
 * Between two ends of ours (the store's socket) a body may have one more
 * member, "ItemFS": an object with what op.h knows and DynamoDB has no name
 * for (Seq, MTime, Existed, Relaxed, Partitions, Code, Place).  A foreign end
 * never gets it, and from a foreign client it is an unknown member: ignored.
 */
#ifndef STORE_WIRE_CODEC_CODEC_H
#define STORE_WIRE_CODEC_CODEC_H

#include "store/base/core/buf.h"
#include "store/op/op.h"

/* Who is at the other end. */
enum codec_peer {
	CODEC_FOREIGN, /* any DynamoDB client or server */
	CODEC_OWN,     /* another itemfs: the member "ItemFS" is understood */
};

/**
 * codec_decode_in - a request body
 * @body: borrowed until the call closes
 * @in:   type is set by the caller; the rest is filled
 *
 * Errors:  -ERR_SERIALIZATION  not JSON, or a member of the wrong JSON type
 *          -ERR_VALIDATION     a required member is missing, a value of the wrong shape (DynamoDB's
 *                              messages)
 *          -ERR_NOT_SUPPORTED  a parameter whose feature does not exist yet
 */
int codec_decode_in(struct call *c, enum codec_peer peer, struct slice body, struct op_in *in)
	__attribute__((warn_unused_result));

/**
 * codec_encode_ahead - begin the answer's body before the operation, if the engine can go on with it
 *
 * A page of Query or Scan is then written while it is read.
 * @body: empty; borrowed by @in.  codec_encode_out() finishes it; of an operation that failed it must be cleared.
 */
void codec_encode_ahead(struct buf *body, struct op_in *in);

/** codec_encode_out - the answer's body; what is in it already is dropped, or was begun by codec_encode_ahead(); @region: that ARNs name, see arn.h */
void codec_encode_out(struct buf *body, enum codec_peer peer, struct slice region,
		      const struct op_in *in, const struct op_out *out);

/** codec_encode_in - append the request's body */
void codec_encode_in(struct buf *body, enum codec_peer peer, const struct op_in *in);

/**
 * codec_unknown - is there a member in a request that the operation does not have?
 * @path: the first one is appended, "TransactItems[0].Putt: did you mean Put?"
 */
bool codec_unknown(enum op_type type, const struct json *body, struct buf *path);

/** codec_member - the name of a request's member number @i, from 0; empty: there are no more */
struct slice codec_member(enum op_type type, size_t i);

/**
 * codec_decode_out - the answer's body, which any server may have sent
 *
 * A struct of op.h that was decoded is safe to use:
 *   - a pointer to a struct is set, unless op.h says "NULL: ...";
 *   - a list has as many elements as its count says, none where the answer lacks it;
 *   - a name, an id and a key are not empty; a key has a partition key, of its own operations not always as
 *     many values as the schema says: place_list_entries() and the like compare them;
 *   - where there is more to read, there is an element to go on behind, or a token.
 * tests/wire/test_answer.c takes each member of each answer away and changes its type.
 *
 * Errors:  -ERR_SERIALIZATION  not JSON, or a member of the wrong JSON type
 *          -ERR_VALIDATION     a member is missing that one of these needs
 */
int codec_decode_out(struct call *c, struct slice body, const struct op_in *in, struct op_out *out)
	__attribute__((warn_unused_result));

/** codec_encode_error - append {"__type":...,"message":...} with CancellationReasons and Item where
 * they belong */
void codec_encode_error(struct buf *body, enum codec_peer peer, const struct error *e);

/** codec_decode_error - put the error of an answer into the call; Return: -ERR_* of it, never 0 */
int codec_decode_error(struct call *c, struct slice body, int http_status);

/** codec_encode_schema - append CreateTable's JSON (TableName, AttributeDefinitions, KeySchema,
 * indexes) */
void codec_encode_schema(struct buf *body, const struct schema *s);

/**
 * codec_decode_create_table - CreateTable's JSON as a file has it
 *
 * As a request's, but without BillingMode and ProvisionedThroughput it means PAY_PER_REQUEST.
 */
int codec_decode_create_table(struct call *c, struct slice body, struct create_table_in *in)
	__attribute__((warn_unused_result));

#endif
