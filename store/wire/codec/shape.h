/*
 * shape - the members of a JSON object as rows of a table
 *
 * "Shape" and "member" are the terms of the AWS API models: a shape describes
 * one JSON object and the C struct that holds it, a member one of its fields.
 * Three functions share the rows:
 *
 *   shape_read()   fills the struct.  JSON of a wrong type fails with the message of the
 *                  service's deserializer; unknown members and nulls are ignored.
 *   shape_judge()  records each violated constraint of a request, in the order of the
 *                  rows, with its full path.  It is not called for answers.
 *   shape_write()  is the inverse of shape_read().
 *
 * So the same table reads a request strictly and an answer leniently.
 *
 * If the JSON and the struct of op.h differ too much for rows, the rows describe a draft: a struct that mirrors the
 * JSON.  The function .unpack converts it to the struct of op.h, and .pack does the inverse.
 *
 * An answer is refused if a member marked SHAPE_ANSWERED is absent, null, an empty string or list, or a word that is
 * not in the set.  Names, ids and keys are marked, and each struct with an .unpack.  See codec_decode_out() for the
 * guarantees that follow.
 */
#ifndef STORE_WIRE_CODEC_SHAPE_H
#define STORE_WIRE_CODEC_SHAPE_H

#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"

/* The kind of a member: the C type of its field, and its form in JSON. */
enum shape_kind {
	SHAPE_STRING, /* struct slice; if it is not UTF-8, '?' replaces each byte above 7F in JSON */
	SHAPE_BOOL,   /* bool */
	SHAPE_INTEGER, /* uint32_t; Java's Integer: truncated to an integer and clamped to INT32_MAX */
	SHAPE_LONG,    /* uint64_t; Java's Long */
	SHAPE_TIME,    /* uint64_t, milliseconds of Unix time; in JSON seconds with a fraction */
	SHAPE_ENUM,    /* an enum; the row has .words */
	SHAPE_FLAG,    /* bool: one of .words, alternately false and true, beginning with false */
	SHAPE_VALUE,    /* struct value: an attribute value */
	SHAPE_ITEM,     /* struct item: a map of attribute values */
	SHAPE_STRUCT,   /* the struct of .of, embedded */
	SHAPE_LIST,     /* T *, elements of .of; the field at .count has their number */
	SHAPE_ONE,      /* likewise, but in JSON the only element, without a list around it */
	SHAPE_MAP,      /* likewise; the element's field at .of->key takes the name */
	SHAPE_REFUSED,  /* no field: -ERR_NOT_SUPPORTED in a request, ignored in an answer */
	SHAPE_CONSTANT, /* no field: always written with .constant, never read */
	SHAPE_REGION,   /* no field: always written with the region of the request, never read */
	SHAPE_CUSTOM,   /* .custom reads and writes it */
};

enum shape_flags {
	SHAPE_REQUIRED = 1 << 0, /* a request without it is refused */
	SHAPE_ALWAYS = 1 << 1,   /* written even if zero or empty */
	SHAPE_NULLABLE = 1 << 2, /* a list or string: written even if empty, but not if NULL */
	SHAPE_NAMED = 1 << 3,    /* a bad value in the item may be reported with its name (":v") */
	SHAPE_LIMIT = 1 << 4,    /* a SHAPE_LONG: -1 in JSON is 0, which means no limit */
	SHAPE_NEWER = 1 << 5,    /* faults are in the newer form: "Value at 'Limit' ..." */
	SHAPE_ANY_WORD = 1 << 6, /* an enum: a word outside of the set violates no constraint */
	SHAPE_FIRST = 1 << 7,    /* required, and reported alone: "The parameter ... is required" */
	SHAPE_QUOTED = 1 << 8,   /* a number that may be in quotes: see codec_reader.quoted */
	SHAPE_LAST =
		1
		<< 9, /* judged only if no fault was recorded before it, or if it lacks a member */
	SHAPE_ANSWERED = 1 << 10, /* an answer without it is refused, see the head of this file */
	SHAPE_OPPOSITE = 1 << 11, /* a bool that is true in the struct if it is false in JSON */
};

/* A pattern that a string must match. */
struct shape_pattern {
	const char *text; /* as faults print it */
	bool (*fits)(struct slice value);
};

/* Constraints of a member; 0 and NULL: none. */
struct shape_rule {
	bool name; /* letters, digits, '_', '-', '.'; an ARN is checked elsewhere */
	const struct shape_pattern *pattern;
	uint32_t min;         /* bytes, elements or entries */
	uint32_t max;         /* likewise */
	uint32_t most_of_own; /* replaces max in a request with the member "ItemFS"; 0: max */
	int64_t least;        /* a number */
	int64_t most;         /* likewise */
	bool tables;          /* a map: its keys are names of tables */
	bool filled;          /* a map: no entry is an empty list; faults print it as Java would */
};

/* The words of an enum. */
struct shape_words {
	/* NULL-terminated, in the order of the enum; "" for a value without a word */
	const char *const *at;
	/* as faults print them: "[A, B]" */
	const char *set;
	/* the whole message of the current layer; NULL: the same as that of the older one */
	const char *newer;
	/* error message for a word that is not in @at, reported after all constraints; NULL: such a word is a fault */
	const char *wrong;
};

/*
 * A member that no kind fits.  @field: the member's field; in .read() of a request, NULL means to check only JSON types.
 * It is written if its row says so, or if the size_t at .count is not 0.
 */
struct shape_custom {
	int (*read)(struct codec_reader *r, const struct json *json, void *field) must_check;
	void (*write)(struct codec_writer *w, const void *field);
};

struct shape;

struct shape_member {
	struct slice name; /* in JSON */
	enum shape_kind kind;
	unsigned flags;   /* enum shape_flags */
	unsigned part;    /* enum order_part; ORDER_ITEM: that of the enclosing member */
	uint32_t at;      /* offset of the field */
	uint32_t count;   /* SHAPE_LIST, SHAPE_MAP, SHAPE_CUSTOM: offset of a size_t */
	uint32_t given;   /* offset + 1 of a bool that tells whether the member is there; 0: none */
	uint32_t pointed; /* a pointer, which may be NULL: size of its target; 0: none */
	uint32_t tag_at;  /* offset + 1 of an enum that tells which of several members is there */
	int tag;          /* the value of that enum for this member */
	const struct shape *of;
	const struct shape_words *words;
	const char *constant;
	const struct shape_rule *rule;
	const struct shape_custom *custom;
};

/* How the violated constraints of a request are reported. */
enum shape_layer {
	SHAPE_OLDER,             /* all together */
	SHAPE_CURRENT,           /* only the first; all together if a required member is missing */
	SHAPE_CURRENT_JOINS,     /* likewise, but all together if the table's name is valid */
	SHAPE_CURRENT_JOINS_ALL, /* likewise, and all together in the older form if it is not */
	SHAPE_OLDER_WORDS, /* all together, except for an enum with a newer form: that alone and bare */
};

struct shape {
	const char *
		java_class; /* of a request: for messages about JSON of another type; of an answer: NULL */
	const struct shape_member *members;
	size_t n;
	size_t size;  /* of the struct */
	uint32_t key; /* element of a map: offset of the slice that takes its name */
	bool bare;    /* no object: the JSON value is that of the only member */
	/* of a body: the members of "ItemFS", in the same struct; or NULL */
	const struct shape *own;
	enum shape_layer layer; /* of a request */

	/* Called after the members have been read; may be NULL. */
	int (*finish)(struct codec_reader *r, const struct json *json, void *out) must_check;
	/* Called before the members are written; may be NULL. */
	void (*also)(struct codec_writer *w, const void *in);

	/* If rows, .own, .finish and .also describe a draft: its size, and its conversions; otherwise 0 and NULL. */
	size_t draft;
	int (*unpack)(struct codec_reader *r, const void *draft, void *out) must_check;
	void (*pack)(struct codec_writer *w, const void *in, void *draft);
};

#define SHAPE_CLASS(name) "com.amazonaws.dynamodb.v20120810." name

/* A row: a field of a struct, its name in JSON, its kind, and then further fields of struct shape_member. */
#define SHAPE_ROW(type, field, name_, ...) \
	{ \
		.name = SLICE_INIT(name_), .at = offsetof(type, field), .kind = __VA_ARGS__ \
	}

/* A member whose own members are fields of the same struct; then further fields of struct shape_member. */
#define SHAPE_INNER(name_, shape, ...) \
	{ \
		.name = SLICE_INIT(name_), .kind = SHAPE_STRUCT, .of = (shape), __VA_ARGS__ \
	}

/* One of several members that share the fields of @type; the enum @field is @value if it is this one. */
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

/* The words of an enum, in its order. */
#define SHAPE_WORDS(...) \
	.at = (const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

/* A member that is always the same word. */
#define SHAPE_FIXED(name_, word) \
	{ \
		.name = SLICE_INIT(name_), .kind = SHAPE_CONSTANT, .constant = (word) \
	}

#define SHAPE_COUNT(type, field) .count = offsetof(type, field)
#define SHAPE_POINTER(type, field) .pointed = sizeof(*((type *)NULL)->field)
#define SHAPE_GIVEN(type, field) .given = (offsetof(type, field) + 1)

/* A row of elements; the field @n_ of @type has their number. */
#define SHAPE_ROW_LIST(type, field, n_, name, shape, ...) \
	SHAPE_ROW(type, field, name, SHAPE_LIST, SHAPE_COUNT(type, n_), .of = (shape), __VA_ARGS__)
#define SHAPE_ROW_MAP(type, field, n_, name, shape, ...) \
	SHAPE_ROW(type, field, name, SHAPE_MAP, SHAPE_COUNT(type, n_), .of = (shape), __VA_ARGS__)

/* The fields of a shape whose rows are the array @rows. */
#define SHAPE_MEMBERS(type, rows) \
	.members = (rows), .n = sizeof(rows) / sizeof((rows)[0]), .size = sizeof(type)

/* Likewise for a shape with a draft; @type is the struct of op.h. */
#define SHAPE_DRAFT(type, draft_, rows, unpack_, pack_) \
	.members = (rows), .n = sizeof(rows) / sizeof((rows)[0]), .size = sizeof(type), \
	.draft = sizeof(draft_), .unpack = (unpack_), .pack = (pack_)

/* Define the shape @name of @type, which has the rows NAME_members, @java_class_ and further fields of struct shape. */
#define SHAPE_DEFINE(name, type, java_class_, ...) \
	static SHAPE_SHARE(name, type, java_class_, __VA_ARGS__)

/* Likewise, a shape that other files use. */
#define SHAPE_SHARE(name, type, java_class_, ...) \
	const struct shape name = { \
		.java_class = (java_class_), SHAPE_MEMBERS(type, name##_members), __VA_ARGS__};

/* Likewise, with a draft of the type @draft_. */
#define SHAPE_DEFINE_DRAFT(name, type, draft_, unpack_, pack_) \
	static const struct shape name = { \
		SHAPE_DRAFT(type, draft_, name##_members, unpack_, pack_)};

/**
 * shape_read - fill @out from @json
 * @out: a zeroed struct of the shape; NULL: check only that each JSON value has the right type
 *
 * A bad attribute value does not end reading: see codec_defer().
 * Errors:  -ERR_SERIALIZATION  a wrong JSON type, or lists that need too much memory
 *          -ERR_VALIDATION     an answer lacks a member
 */
int shape_read(struct codec_reader *r, const struct shape *s, const struct json *json, void *out)
	must_check;

/** shape_find - Return: the row of this name, or NULL */
const struct shape_member *shape_find(const struct shape *s, struct slice name);

/**
 * shape_leaf_read - read a member of a kind that contains no other members, see shape_read()
 * @out: the field, or NULL
 */
int shape_leaf_read(struct codec_reader *r, const struct shape_member *m, const struct json *j,
		    void *out) must_check;

/**
 * shape_take_fault - turn a deferred -ERR_VALIDATION into a fault of one element of a request
 * @s:    the shape of the element
 * @json: the element
 * @why:  receives the error message; unchanged if there is none
 *
 * Errors:  -ERR_SERIALIZATION  a wrong JSON type in the element, which is reported before a bad value
 */
int shape_take_fault(struct codec_reader *r, const struct shape *s, const struct json *json,
		     struct slice *why) must_check;

/** shape_judge - record the constraints that @json, the body of a request, violates; shape_read() has accepted it */
void shape_judge(struct codec_reader *r, const struct shape *s, const struct json *json);

/** shape_read_request - read the body of a request, then judge it; Errors: as shape_read() */
int shape_read_request(struct codec_reader *r, const struct shape *s, const struct json *json,
		       void *in) must_check;

/**
 * shape_dump - format @json as the service prints it in a message, as toString() of its Java objects
 * @m: the row of the member with this value
 *
 * "[KeySchemaElement(attributeName=a, keyType=HASH)]".  Elements of a long value are omitted.
 */
struct slice shape_dump(struct codec_reader *r, const struct shape_member *m,
			const struct json *json);

/** shape_choices - Return: the number of SHAPE_CHOICE() members that @json has */
size_t shape_choices(const struct shape *s, const struct json *json);

/** shape_write - append the members of @in; the caller writes the braces */
void shape_write(struct codec_writer *w, const struct shape *s, const void *in);

/* Define the shapes of an operation (codec_int.h), given the shapes of its request and its answer. */
#define SHAPE_OPERATION(name, in_shape, out_shape) \
	SHAPE_REQUEST(name, in_shape) \
	SHAPE_ANSWER(name, out_shape)

#define SHAPE_REQUEST(name, in_shape) \
	const struct shape *const codec_request_to_##name = (in_shape);
#define SHAPE_ANSWER(name, out_shape) \
	const struct shape *const codec_answer_to_##name = (out_shape);

/* Likewise, given the rows codec_NAME_in_members and codec_NAME_out_members. */
#define SHAPE_ROWS(name) SHAPE_ROWS_IN(name) SHAPE_ROWS_OUT(name)
#define SHAPE_ROWS_IN(name) \
	SHAPE_DEFINE(codec_##name##_in, struct name##_in, NULL) \
	SHAPE_REQUEST(name, &codec_##name##_in)
#define SHAPE_ROWS_OUT(name) \
	SHAPE_DEFINE(codec_##name##_out, struct name##_out, NULL) \
	SHAPE_ANSWER(name, &codec_##name##_out)

/** shape_of_request - Return: the shape of an operation's NAME_in struct; shape_nothing for OP_COUNT */
const struct shape *shape_of_request(enum op_type type);

/** shape_of_answer - Return: the shape of an operation's NAME_out struct; shape_nothing for OP_COUNT */
const struct shape *shape_of_answer(enum op_type type);

/* A shape without members. */
extern const struct shape shape_nothing;

/* Elements that are a string, an item and an attribute value. */
extern const struct shape shape_strings;
extern const struct shape shape_items;
extern const struct shape shape_values;

#endif
