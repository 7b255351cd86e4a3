/*
 * shape - the members of a JSON object as rows of a table
 *
 * "Shape" and "member" are the terms of the AWS API models: a shape describes
 * one JSON object and the C struct that holds it, a member one of its fields.
 * Three functions share the rows:
 *
 *   shape_read()   fills the struct.  JSON of a wrong type fails in the words of the
 *                  service's deserializer; unknown members and nulls are passed over.
 *   shape_judge()  of a request: records each violated constraint, in the order of
 *                  the rows, with its full path.  Answers are never judged.
 *   shape_write()  is the inverse of shape_read().
 *
 * Where JSON and the struct of op.h differ too much for rows, these describe a
 * draft: a struct as the JSON is, that .unpack turns into the one of op.h, and
 * .pack makes of it.
 *
 * So a request is read strictly and an answer liberally by the same table.
 *
 * An answer is refused if it lacks a row marked SHAPE_ANSWERED: null, an empty string or list, and a word
 * that is not in the set count as lacking.  Marked are names, ids and keys, and each struct with an .unpack.
 * What that guarantees to users of an answer, codec_decode_out() says.
 */
#ifndef STORE_WIRE_CODEC_SHAPE_H
#define STORE_WIRE_CODEC_SHAPE_H

#include <assert.h>
#include <stddef.h>

#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"

/* What a member holds: the C type of its field, and how it looks in JSON. */
enum shape_kind {
	SHAPE_STRING,  /* struct slice */
	SHAPE_BOOL,    /* bool */
	SHAPE_INTEGER, /* uint32_t; Java's Integer: fractions are cut off, greater numbers clamped */
	SHAPE_LONG,    /* uint64_t; Java's Long */
	SHAPE_TIME,    /* uint64_t, milliseconds of Unix time; in JSON seconds with a fraction */
	SHAPE_ENUM,    /* an enum; the row has .words */
	SHAPE_FLAG,    /* bool: one of .words, the first is false, the second true, and so on */
	SHAPE_VALUE,   /* struct value: an attribute value */
	SHAPE_VALUE_AT, /* const struct value *; NULL: not given */
	SHAPE_ITEM,     /* struct item: a map of attribute values */
	SHAPE_ITEM_AT,  /* const struct item *; NULL: not given */
	SHAPE_STRUCT,   /* the struct of .of, embedded */
	SHAPE_LIST,     /* T *, elements of .of; .count has their number */
	SHAPE_MAP,      /* likewise; the element's field at .of->key takes the name */
	SHAPE_REFUSED,  /* no field: -ERR_NOT_SUPPORTED in a request, passed over in an answer */
	SHAPE_CONSTANT, /* no field: always written with .words->set, never read */
	SHAPE_REGION,   /* no field: always written with the region that is asked, never read */
	SHAPE_CUSTOM,   /* what .custom does with it */
};

enum shape_flags {
	SHAPE_REQUIRED = 1 << 0, /* a request without it is refused */
	SHAPE_ALWAYS = 1 << 1,   /* written also when it is zero or empty */
	SHAPE_NULLABLE =
		1 << 2,       /* a list or string: written also when it is empty, not when NULL */
	SHAPE_NAMED = 1 << 3, /* a bad value in the item may be reported with its name (":v") */
	SHAPE_BYTES = 1 << 4, /* a string that may not be UTF-8: see codec_put_text() */
	SHAPE_ANY_WORD =
		1 << 6,        /* of an enum: a word outside of the set is no violated constraint */
	SHAPE_NEWER = 1 << 5,  /* complaints are in the newer form: "Value at 'Limit' ..." */
	SHAPE_FIRST = 1 << 7,  /* required, and reported alone: "The parameter ... is required" */
	SHAPE_QUOTED = 1 << 8, /* a number that may stand in quotes: see codec_reader.quoted */
	SHAPE_LAST = 1 << 9, /* judged if no constraint before was violated, or it lacks a member */
	SHAPE_ANSWERED = 1 << 10, /* an answer without it is refused, see below */
};

/* What a string has to look like. */
struct shape_pattern {
	const char *text; /* as complaints print it */
	bool (*fits)(struct slice value);
};

/* Constraints of a member; 0 and NULL: none. */
struct shape_rule {
	bool name; /* letters, digits, '_', '-', '.'; an ARN is judged elsewhere */
	const struct shape_pattern *pattern;
	uint32_t min;         /* bytes, elements or entries */
	uint32_t max;         /* likewise */
	uint32_t most_of_own; /* as max, of a request with the member "ItemFS"; 0: max */
	int64_t least;        /* of a number */
	int64_t most;         /* likewise */
	bool tables;          /* of a map: its keys are names of tables */
	bool filled; /* of a map: no entry is an empty list; complaints print it as Java would */
};

/* The words of an enum. */
struct shape_words {
	const char *const
		*at; /* NULL-terminated, in the order of the enum; "" for a value without a word */
	const char *set; /* as complaints print them: "[A, B]" */
	const char *
		newer; /* the whole complaint of the current layer; NULL: the same as the older one's */
	const char *
		wrong; /* what a request with another word is told, after all constraints; NULL: it violates one */
};

/* A member that no kind fits.  @field: of the row; when read, NULL: look at types only. */
struct shape_custom {
	int (*read)(struct codec_reader *r, const struct json *json, void *field)
		__attribute__((warn_unused_result));
	bool (*given)(const void *field); /* is there something to write? */
	void (*write)(struct codec_writer *w, const void *field);
};

struct shape;

struct shape_member {
	struct slice name; /* in JSON */
	enum shape_kind kind;
	unsigned flags; /* enum shape_flags */
	unsigned part; /* enum order_part: of the request, unless it is that of the member around */
	uint32_t at;   /* offset of the field */
	uint32_t count;  /* SHAPE_LIST, SHAPE_MAP: offset of a size_t */
	uint32_t given;  /* offset + 1 of a bool: is the member there?  0: nobody asks */
	uint32_t tag_at; /* offset + 1 of an enum that says which of several members is there */
	int tag;         /* its value when it is this one */
	const struct shape *of;
	const struct shape_words *words;
	const struct shape_rule *rule;
	const struct shape_custom *custom;
};

/* How the violated constraints of a request are reported. */
enum shape_layer {
	SHAPE_OLDER,   /* all together */
	SHAPE_CURRENT, /* the first one alone; all together when a required member is missing */
	SHAPE_CURRENT_JOINS,     /* likewise, but all together when the table's name is right */
	SHAPE_CURRENT_JOINS_ALL, /* likewise, and all together in the older form when it is wrong */
	SHAPE_OLDER_WORDS, /* all together, but for an enum with a newer form: that alone, without an envelope */
};

struct shape {
	const char *class; /* Java class, for the complaint about JSON of another type */
	const struct shape_member *members;
	size_t n;
	size_t size;  /* of the struct */
	uint32_t key; /* element of a map: offset of the slice that takes its name */
	bool bare;    /* no object: the JSON value is that of the only member */
	const struct shape
		*own; /* of a body: what its member "ItemFS" has, in the same struct; or NULL */
	enum shape_layer layer; /* of a request */

	/* What no row can say; NULL: nothing.  After the members were read, and before they are written. */
	int (*finish)(struct codec_reader *r, const struct json *json, void *out)
		__attribute__((warn_unused_result));
	void (*also)(struct codec_writer *w, const void *in);

	/* Where rows, .own, .finish and .also are about a draft: its size, and how it is made and read. */
	size_t draft;
	int (*unpack)(struct codec_reader *r, const void *draft, void *out)
		__attribute__((warn_unused_result));
	void (*pack)(struct codec_writer *w, const void *in, void *draft);
};

#define SHAPE_CLASS(name) "com.amazonaws.dynamodb.v20120810." name

/* A row: the field of a struct, its name in JSON, its kind, then further fields of struct shape_member. */
#define SHAPE_ROW(type, field, name_, ...) \
	{ \
		.name = SLICE_INIT(name_), .at = offsetof(type, field), .kind = __VA_ARGS__ \
	}

/* One of several members whose fields are those of @type itself; the enum @field is then @value. */
#define SHAPE_CHOICE(type, field, value, name_, shape) \
	{ \
		.name = SLICE_INIT(name_), .kind = SHAPE_STRUCT, .of = (shape), \
		.tag_at = offsetof(type, field) + 1, .tag = (value) \
	}

/* The only row of a bare shape. */
#define SHAPE_BARE(type, field, ...) \
	{ \
		.at = offsetof(type, field), .kind = __VA_ARGS__ \
	}

#define SHAPE_COUNT(type, field) .count = offsetof(type, field)
#define SHAPE_GIVEN(type, field) .given = (offsetof(type, field) + 1)

/* The fields of a shape whose rows are the array @rows. */
#define SHAPE_MEMBERS(type, rows) \
	.members = (rows), .n = sizeof(rows) / sizeof((rows)[0]), .size = sizeof(type)

/* Likewise of a draft; @type is the struct of op.h. */
#define SHAPE_DRAFT(type, draft_, rows, unpack_, pack_) \
	.members = (rows), .n = sizeof(rows) / sizeof((rows)[0]), .size = sizeof(type), \
	.draft = sizeof(draft_), .unpack = (unpack_), .pack = (pack_)

/**
 * shape_read - fill @out from @json
 * @out: a zeroed struct of the shape; NULL: look only whether each JSON value has the right type
 *
 * A bad attribute value does not end it: see codec_defer().
 * Errors: -ERR_SERIALIZATION
 */
int shape_read(struct codec_reader *r, const struct shape *s, const struct json *json, void *out)
	__attribute__((warn_unused_result));

/**
 * shape_take_fault - a bad value in @json, an element of a request, becomes a matter of that element alone
 * @s:   its shape
 * @why: the sentence; not touched when its values are good
 *
 * Errors:  -ERR_SERIALIZATION  a wrong JSON type in it, which comes before a bad value
 */
int shape_take_fault(struct codec_reader *r, const struct shape *s, const struct json *json,
		     struct slice *why) __attribute__((warn_unused_result));

/** shape_judge - record the constraints that @json, the body of a request, violates */
void shape_judge(struct codec_reader *r, const struct shape *s, const struct json *json);

/** shape_read_request - read a body, then judge it; as shape_read() */
int shape_read_request(struct codec_reader *r, const struct shape *s, const struct json *json,
		       void *in) __attribute__((warn_unused_result));

/**
 * shape_dump - @json as the service prints it in a complaint: as Java prints its objects
 * @m: the row that it is the value of
 *
 * "[KeySchemaElement(attributeName=a, keyType=HASH)]".  What is long is cut off.
 */
struct slice shape_dump(struct codec_reader *r, const struct shape_member *m,
			const struct json *json);

/** shape_choices - how many of the members with a tag has @json? */
size_t shape_choices(const struct shape *s, const struct json *json);

/** shape_write - append the members of @in; the braces around them are the caller's */
void shape_write(struct codec_writer *w, const struct shape *s, const void *in);

/* What an operation defines (codec_int.h), by the shapes of its request and of its answer. */
#define SHAPE_OPERATION(name, in_shape, out_shape) \
	SHAPE_REQUEST(name, in_shape) \
	SHAPE_ANSWER(name, out_shape)

/* Likewise, by their rows: codec_NAME_in_members and codec_NAME_out_members. */
#define SHAPE_ROWS(name) \
	static const struct shape codec_##name##_in = { \
		SHAPE_MEMBERS(struct name##_in, codec_##name##_in_members)}; \
	static const struct shape codec_##name##_out = { \
		SHAPE_MEMBERS(struct name##_out, codec_##name##_out_members)}; \
	SHAPE_OPERATION(name, &codec_##name##_in, &codec_##name##_out)

#define SHAPE_REQUEST(name, in_shape) \
	const struct shape *const codec_request_to_##name = (in_shape); \
	int codec_read_##name##_in(struct codec_reader *r, const struct json *root, \
				   struct name##_in *in) \
	{ \
		return shape_read_request(r, (in_shape), root, in); \
	} \
	void codec_write_##name##_in(struct codec_writer *w, const struct name##_in *in) \
	{ \
		shape_write(w, (in_shape), in); \
	}

#define SHAPE_ANSWER(name, out_shape) \
	const struct shape *const codec_answer_to_##name = (out_shape);

/** shape_of_request - likewise of the request */
const struct shape *shape_of_request(enum op_type type);

/** shape_of_answer - the shape of the answer to an operation: of the struct in op.h */
const struct shape *shape_of_answer(enum op_type type);

/* What has no members. */
extern const struct shape shape_nothing;

/* Elements that are a string, an item, an attribute value. */
extern const struct shape shape_strings;
extern const struct shape shape_items;
extern const struct shape shape_values;

#endif
