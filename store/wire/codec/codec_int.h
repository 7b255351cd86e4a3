/*
 * codec_int - internal interface of the codec: reads members with the service's error messages, writes members, and
 * declares the functions and shapes of each operation
 */
#ifndef STORE_WIRE_CODEC_CODEC_INT_H
#define STORE_WIRE_CODEC_CODEC_INT_H

#include "store/base/text/json.h"
#include "store/op/order.h"
#include "store/wire/codec/codec.h"

/* ------------------------------------------------------------ reading */

enum { FAULTS_MAX = 10 }; /* largest number of faults that the service reports together */

/*
 * One body being read.  A wrong JSON type ends it immediately.  Missing members and values outside of their set are
 * collected as faults, since the service reports them together.
 */
struct codec_reader {
	struct call *c;
	const struct json *own; /* the member "ItemFS", or NULL */
	bool file;              /* a file, not a request: see codec_decode_create_table() */
	struct slice missing;   /* a required member that the service reports before all others */
	struct buf faults;      /* "Value ... failed to satisfy constraint: ...; ..." */
	unsigned n_faults;
	unsigned n_absent; /* number of them that are required members which are absent */
	size_t one_fault;  /* length of @faults with the first one, if there are more */
	size_t all_faults; /* likewise with the first FAULTS_MAX */
	bool current;      /* use the newer form of faults that have one */
	bool bare;         /* report the fault without "1 validation error detected: " */
	bool deep;         /* so deeply nested that the current layer answers like the older one */
	struct error quoted;    /* a number in quotes, as dynamodb-admin sends it: an error only
				 * together with other faults; code 0: none */
	struct error deferred;  /* a bad attribute value, reported after the faults; code 0: none */
	enum order_part part;   /* the part of the request that contains that value */
	enum order_part now;    /* the part being read */
	const struct op_in *in; /* reading an answer: the request; otherwise NULL */
};

/**
 * codec_defer - record that an attribute value could not be read, so that reading can continue
 * @status: 0 or -ERR_*, with the error in the call, which is cleared
 *
 * Keeps the failure with the smallest @part, the first one of several.
 * Return: 0
 */
int codec_defer(struct codec_reader *r, enum order_part part, int status);

/**
 * codec_reader_open - parse a body and initialize @r
 * @root: receives the object in it
 *
 * Errors:  -ERR_SERIALIZATION
 */
int codec_reader_open(struct codec_reader *r, struct call *c, enum codec_peer peer,
		      struct slice body, const struct json **root) must_check;

/** codec_reader_end - report the collected faults, or else the deferred failure; Return: 0 or its -ERR_* */
int codec_reader_end(struct codec_reader *r) must_check;

/** codec_is_null - Return: whether a member is absent or null, which mean the same */
static inline bool
codec_is_null(const struct json *j)
{
	return j == NULL || j->type == JSON_NULL;
}

/** codec_amount - as codec_whole(), for a quantity that cannot be negative: a negative number is read as 0 */
int codec_amount(struct codec_reader *r, struct slice text, int power, uint64_t *out) must_check;

/** codec_digits - convert @text to a number; Return: false if it has other characters than digits, or does not fit */
bool codec_digits(struct slice text, uint64_t *out);

/** codec_whole - convert the number @text times ten to the @power; truncated to an integer and clamped to int64 */
int codec_whole(const struct codec_reader *r, struct slice text, int power, int64_t *out)
	must_check;

/** codec_text - read the string @j, a member or an element; Errors: -ERR_SERIALIZATION if it is no string */
int codec_text(struct codec_reader *r, const struct json *j, struct slice *out) must_check;

/* ------------------------------------------------------------ writing */

struct codec_writer {
	struct json_writer json;
	enum codec_peer peer;
	const void *in;      /* writing an answer: the struct of the request */
	struct slice region; /* writing an answer: the region in ARNs, see arn.h */
	struct arena arena;  /* for drafts; dropped when the body is written */
};

/** codec_by_hand - begin a value; Return: the body, to which the caller appends it */
struct buf *codec_by_hand(struct codec_writer *w);

/* ------------------------------------------------------------ operations */

/* The shapes of the request and the answer of each operation. */
struct shape;
#define OP(NAME, name, Name, kind, group, meter, check) \
	extern const struct shape *const codec_request_to_##name; \
	extern const struct shape *const codec_answer_to_##name;
#include "store/op/op.def"
#undef OP

#endif
