/*
 * codec_int - what the files of the codec share: reading members with the service's complaints,
 * writing members, and what each operation defines
 */
#ifndef STORE_WIRE_CODEC_CODEC_INT_H
#define STORE_WIRE_CODEC_CODEC_INT_H

#include "store/base/text/json.h"
#include "store/op/order.h"
#include "store/wire/codec/codec.h"

/* ------------------------------------------------------------ reading */

/*
 * One body being read.  Wrong JSON types end it at once; missing members and
 * values outside of their set are gathered, as the service reports them together.
 */
enum { FAULTS_MAX = 10 }; /* so many the service tells at once */

struct codec_reader {
	struct call *c;
	const struct json *own; /* the member "ItemFS", or NULL */
	bool file;              /* a file, not a request: see codec_decode_create_table() */
	struct slice missing;   /* a required member that the service names before all others */
	struct buf faults;      /* "Value ... failed to satisfy constraint: ...; ..." */
	unsigned n_faults;
	size_t one_fault;    /* bytes of the first one, when there are more */
	size_t all_faults;   /* likewise of the first FAULTS_MAX */
	bool current;        /* faults are in the newer form, where there is one */
	bool bare;           /* the fault has no envelope */
	bool deep;           /* so deeply nested that the current layer answers as the older one */
	struct error quoted; /* a number in quotes, as dynamodb-admin's form sends it: an error
				 * only beside other faults; code 0: none */
	struct error deferred;  /* a bad attribute value, reported after the faults; code 0: none */
	enum order_part part;   /* in which that value is */
	enum order_part now;    /* the part that is being read */
	const struct op_in *in; /* of an answer: the request; else NULL */
};

/**
 * codec_defer - record that an attribute value could not be read, and go on
 * @status: 0 or -ERR_*, with the error in the call, where it is cleared
 *
 * The failure with the smallest @part is kept, of several the first.
 */
int codec_defer(struct codec_reader *r, enum order_part part, int status);

/**
 * codec_reader_open - parse a body
 * @root: the object in it
 *
 * Errors:  -ERR_SERIALIZATION
 */
int codec_reader_open(struct codec_reader *r, struct call *c, enum codec_peer peer,
		      struct slice body, const struct json **root)
	__attribute__((warn_unused_result));

/** codec_reader_end - -ERR_VALIDATION when something was gathered */
int codec_reader_end(struct codec_reader *r) __attribute__((warn_unused_result));

/** codec_is_null - absent or null, which is the same */
static inline bool
codec_is_null(const struct json *j)
{
	return j == NULL || j->type == JSON_NULL;
}

/*
 * Members of @obj.  An absent or null one leaves @out as it is and returns 0.
 * Errors: -ERR_SERIALIZATION for another JSON type; what else is said there.
 */

int codec_string(struct codec_reader *r, const struct json *obj, const char *name,
		 struct slice *out) __attribute__((warn_unused_result));

/**
 * codec_amount - @text, a number, times ten to the @power: cut to a whole number and to int64
 *
 * Of what cannot be less than 0: that is read as 0.
 */
int codec_amount(struct codec_reader *r, struct slice text, int power, uint64_t *out)
	__attribute__((warn_unused_result));

/** codec_digits - @text as a number, if it has only digits and fits */
bool codec_digits(struct slice text, uint64_t *out);

/** codec_whole - likewise, with its sign */
int codec_whole(const struct codec_reader *r, struct slice text, int power, int64_t *out)
	__attribute__((warn_unused_result));

/** codec_uint - a count or size of an answer of ours */
int codec_uint(struct codec_reader *r, const struct json *obj, const char *name, uint64_t *out)
	__attribute__((warn_unused_result));

/** codec_list - an array member; @out is NULL when there is none */
int codec_list(struct codec_reader *r, const struct json *obj, const char *name,
	       const struct json **out) __attribute__((warn_unused_result));

/** codec_map - a member with names of the user's choice; @element: class of its values */
int codec_map(struct codec_reader *r, const struct json *obj, const char *name, const char *element,
	      const struct json **out) __attribute__((warn_unused_result));

/** codec_struct - a member with fixed names; @class: its Java class, for the complaint */
int codec_struct(struct codec_reader *r, const struct json *obj, const char *name,
		 const char *class, const struct json **out) __attribute__((warn_unused_result));

/** codec_element - is @j, an element of a list or map, an object? */
int codec_element(struct codec_reader *r, const struct json *j, const char *class)
	__attribute__((warn_unused_result));

/** codec_text - is @j, an element of a list or map, a string? */
int codec_text(struct codec_reader *r, const struct json *j, struct slice *out)
	__attribute__((warn_unused_result));

/** codec_item - a map of attribute values; Errors: -ERR_VALIDATION as item_from_typed_json() */
int codec_item(struct codec_reader *r, const struct json *obj, const char *name, struct item *out)
	__attribute__((warn_unused_result));

/** codec_items - a list of items */
int codec_items(struct codec_reader *r, const struct json *obj, const char *name, struct item **out,
		size_t *n) __attribute__((warn_unused_result));

/* ------------------------------------------------------------ writing */

struct codec_writer {
	struct json_writer json;
	enum codec_peer peer;
	const void *in;      /* of an answer: the request's struct */
	struct slice region; /* of an answer: that ARNs name, see arn.h */
	struct arena arena;  /* for drafts; dropped when the body is written */
};

/* Append a member; a slice only when it is not empty. */
void codec_put_string(struct codec_writer *w, const char *name, struct slice s);
void codec_put_uint(struct codec_writer *w, const char *name, uint64_t v);
void codec_put_time(struct codec_writer *w, uint64_t ms); /* the value alone */
void codec_put_item(struct codec_writer *w, const char *name, const struct item *it);
void codec_put_items(struct codec_writer *w, const char *name, const struct item *items, size_t n);

/* Append an item or a value as an array's element. */
void codec_put_element(struct codec_writer *w, const struct item *it);
void codec_put_member(struct codec_writer *w, const struct value *v);

/** codec_put_text - a JSON string of bytes that may not be UTF-8: those above 7F become '?' then */
void codec_put_text(struct codec_writer *w, struct slice s);

/** codec_open - append a member and open its container */
void codec_open(struct codec_writer *w, const char *name, char bracket);

/* The member "ItemFS": true when it may be written; then codec_put_*() and json_close(). */
bool codec_open_own(struct codec_writer *w);

/** codec_says_nothing - is the answer an empty body, without even braces? */
bool codec_says_nothing(enum op_type type);

/* ------------------------------------------------------------ shared by families */

/* The members with indexes of a table; by "is it global?". */
extern const char *const codec_index_lists[2];

/* Of each operation: its request is read and written by two functions, its answer by its shape. */
struct shape;
#define OP(NAME, name, Name, kind, group, meter) \
	int codec_read_##name##_in(struct codec_reader *r, const struct json *root, \
				   struct name##_in *in) __attribute__((warn_unused_result)); \
	void codec_write_##name##_in(struct codec_writer *w, const struct name##_in *in); \
	extern const struct shape *const codec_request_to_##name; \
	extern const struct shape *const codec_answer_to_##name;
#include "store/op/op.def"
#undef OP

#endif
