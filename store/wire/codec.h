/*
 * codec - operations, answers and errors as DynamoDB JSON, in both directions
 *
 * Server: decode_in, engine, encode_out or encode_error.
 * Client: encode_in, HTTP, decode_out or decode_error.
 * decode.c holds the two decoders' tables, encode.c the encoders'.
 */
#ifndef STORE_WIRE_CODEC_H
#define STORE_WIRE_CODEC_H

#include "store/base/buf.h"
#include "store/op/op.h"

/**
 * codec_decode_in - a request body
 * @body: borrowed until the call closes
 * @in:   type is set by the caller; the rest is filled
 *
 * Errors:  -ERR_SERIALIZATION  not JSON, or a member of the wrong JSON type
 *          -ERR_VALIDATION     a required member is missing, a value of the wrong shape (DynamoDB's
 * messages)
 */
int codec_decode_in(struct call *c, struct slice body, struct op_in *in)
	__attribute__((warn_unused_result));

/** codec_encode_out - append the answer's body */
void codec_encode_out(struct buf *body, const struct op_in *in, const struct op_out *out);

/** codec_encode_in - append the request's body */
void codec_encode_in(struct buf *body, const struct op_in *in);

/** codec_decode_out - the answer's body; Errors: -ERR_SERIALIZATION, -ERR_VALIDATION for a foreign
 * answer */
int codec_decode_out(struct call *c, struct slice body, const struct op_in *in, struct op_out *out)
	__attribute__((warn_unused_result));

/** codec_encode_error - append {"__type":...,"message":...} with CancellationReasons and Item where
 * they belong */
void codec_encode_error(struct buf *body, const struct error *e);

/** codec_decode_error - put the error of an answer into the call; Return: -ERR_* of it, never 0 */
int codec_decode_error(struct call *c, struct slice body, int http_status);

/** codec_encode_schema - append CreateTable's JSON (TableName, AttributeDefinitions, KeySchema,
 * indexes) */
void codec_encode_schema(struct buf *body, const struct schema *s);

/** codec_decode_create_table - CreateTable's JSON as a file or request has it */
int codec_decode_create_table(struct call *c, struct slice body, struct create_table_in *in)
	__attribute__((warn_unused_result));

#endif
