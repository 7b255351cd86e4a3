/*
 * codec_parts - the parts of a table's definition as JSON has them
 *
 * Requests, table descriptions, backups and imports share these structs and
 * their rows: see shape.h on drafts.  codec_schema.c turns them into those of
 * model/schema.h, and makes them of those.
 */
#ifndef STORE_WIRE_CODEC_CODEC_PARTS_H
#define STORE_WIRE_CODEC_CODEC_PARTS_H

#include "store/wire/codec/codec_rows.h"

/* Arguments are types, and fields of fields. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */

enum codec_key_kind { CODEC_KEY_NONE, CODEC_KEY_HASH, CODEC_KEY_RANGE };

struct codec_key_element {
	struct slice name;
	enum codec_key_kind kind;
};

/* KeySchema */
struct codec_key {
	const struct codec_key_element *at;
	size_t n;
};

/* AttributeDefinitions */
struct codec_definitions {
	const struct key_attr *at;
	size_t n;
};

/* ProvisionedThroughput */
struct codec_units {
	bool given;
	uint64_t reads;
	uint64_t writes;
	uint64_t decreases; /* of a description */
};

/* WarmThroughput */
struct codec_warm {
	bool given;
	struct warm of;
};

/* Projection */
struct codec_projection {
	bool given;
	unsigned type; /* enum projection_type, from 1; 0: not given */
	struct slice *include;
	size_t n_include;
	bool include_given;
};

/* A secondary index, of a request or of an answer. */
struct codec_index {
	struct slice name;
	struct codec_key key;
	struct codec_projection projection;
	struct codec_units units;
	struct on_demand on_demand;
	struct codec_warm warm;

	/* of a description */
	unsigned status; /* see codec_describe.c */
	bool backfilling;
	bool backfilling_given;
	uint64_t items;
	uint64_t bytes;
	struct slice arn;
};

/* LocalSecondaryIndexes, GlobalSecondaryIndexes */
struct codec_indexes {
	bool given;
	const struct codec_index *at;
	size_t n;
};

/* BillingMode */
enum codec_mode { CODEC_MODE_NONE, CODEC_MODE_PROVISIONED, CODEC_MODE_ON_DEMAND };

/* SSESpecification, or SSEDescription of a description */
struct codec_encryption {
	bool given;
	bool enabled;
	unsigned type; /* word of codec_encryption_types */
	struct slice key;
};

/* StreamSpecification */
struct codec_stream {
	bool given;
	bool enabled;
	bool enabled_given;
	struct slice view;
};

/* What CreateTable and ImportTable say of a new table. */
struct codec_new_table {
	struct slice name;
	struct codec_definitions definitions;
	struct codec_key key;
	struct codec_indexes indexes[2]; /* LSIs, GSIs */
	enum codec_mode mode;
	struct codec_units units;
	struct codec_encryption encryption;
	struct on_demand on_demand;

	/* of CreateTable only */
	struct codec_warm warm;
	bool protected;
	enum table_class class;
	struct codec_stream stream;
	struct tag *tags;
	size_t n_tags;
	bool throttle;
	uint64_t collection_limit;
};

/* ------------------------------------------------------------ shapes and rows */

extern const struct shape codec_definition_shape;   /* struct key_attr: of a list */
extern const struct shape codec_key_shape;          /* struct codec_key_element: of a list */
extern const struct shape codec_units_shape;        /* struct codec_units */
extern const struct shape codec_on_demand_shape;    /* struct on_demand */
extern const struct shape codec_warm_shape;         /* struct codec_warm: of a request */
extern const struct shape codec_warmed_shape;       /* likewise of a description */
extern const struct shape codec_projection_shape;   /* struct codec_projection */
extern const struct shape codec_local_shape;        /* struct codec_index: of a request */
extern const struct shape codec_global_shape;       /* likewise */
extern const struct shape codec_create_shape;       /* likewise, of UpdateTable */
extern const struct shape codec_stream_shape;       /* struct codec_stream */
extern const struct shape codec_encryption_shape;   /* struct codec_encryption */
extern const struct shape_words codec_mode_words;   /* enum codec_mode */
extern const struct shape_words codec_class_words;  /* enum table_class */
extern const struct shape_rule codec_new_name_rule; /* of a table or an index */
extern const struct shape_rule codec_table_key_rule;
extern const struct shape_rule codec_backup_arn_rule;

#define CODEC_ROW_DEFINITIONS(type, field, flags_) \
	SHAPE_ROW(type, field.at, "AttributeDefinitions", SHAPE_LIST, SHAPE_COUNT(type, field.n), \
		  .of = &codec_definition_shape, .flags = (flags_))
#define CODEC_ROW_KEY_SCHEMA(type, field, rule_) \
	SHAPE_ROW(type, field.at, "KeySchema", SHAPE_LIST, SHAPE_COUNT(type, field.n), \
		  .of = &codec_key_shape, .flags = SHAPE_REQUIRED | SHAPE_ANSWERED, \
		  .rule = (rule_))
/* DeleteTable's answer has none. */
#define CODEC_ROW_KEY_SCHEMA_IF_ANY(type, field) \
	SHAPE_ROW(type, field.at, "KeySchema", SHAPE_LIST, SHAPE_COUNT(type, field.n), \
		  .of = &codec_key_shape)
#define CODEC_ROW_UNITS(type, field, name, flags_) \
	SHAPE_ROW(type, field, name, SHAPE_STRUCT, SHAPE_GIVEN(type, field.given), \
		  .of = &codec_units_shape, .flags = (flags_))
#define CODEC_ROW_PROJECTION(type, field) \
	SHAPE_ROW(type, field, "Projection", SHAPE_STRUCT, SHAPE_GIVEN(type, field.given), \
		  .of = &codec_projection_shape, .flags = SHAPE_REQUIRED)
#define CODEC_ROW_INDEXES(type, field, name, shape) \
	SHAPE_ROW(type, field.at, name, SHAPE_LIST, SHAPE_COUNT(type, field.n), \
		  SHAPE_GIVEN(type, field.given), .of = (shape))
#define CODEC_ROW_MODE(type, field, name) \
	SHAPE_ROW(type, field, name, SHAPE_ENUM, .words = &codec_mode_words)
#define CODEC_ROW_STREAM(type, field) \
	SHAPE_ROW(type, field, "StreamSpecification", SHAPE_STRUCT, \
		  SHAPE_GIVEN(type, field.given), .of = &codec_stream_shape)
#define CODEC_ROW_ENCRYPTION(type, field, name) \
	SHAPE_ROW(type, field, name, SHAPE_STRUCT, SHAPE_GIVEN(type, field.given), \
		  .of = &codec_encryption_shape)
#define CODEC_ROW_ON_DEMAND(type, field, name) \
	SHAPE_ROW(type, field, name, SHAPE_STRUCT, SHAPE_GIVEN(type, field.given), \
		  .of = &codec_on_demand_shape)
#define CODEC_ROW_WARM(type, field, shape) \
	SHAPE_ROW(type, field, "WarmThroughput", SHAPE_STRUCT, SHAPE_GIVEN(type, field.given), \
		  .of = (shape))
#define CODEC_ROW_REFUSED(name_) \
	{ \
		.name = SLICE_INIT(name_), .kind = SHAPE_REFUSED \
	}

/* What CreateTable and ImportTable have in common, but for lists of indexes. */
#define CODEC_ROWS_BILLING(type) \
	CODEC_ROW_MODE(type, mode, "BillingMode"), \
		CODEC_ROW_UNITS(type, units, "ProvisionedThroughput", 0), \
		CODEC_ROW_ENCRYPTION(type, encryption, "SSESpecification"), \
		CODEC_ROW_ON_DEMAND(type, on_demand, "OnDemandThroughput")

/* ------------------------------------------------------------ from JSON */

/**
 * codec_unpack_key - a key of a request, whose attributes have the types of @d
 * @several: as a GSI's, of up to four attributes each
 *
 * Errors:  -ERR_VALIDATION  the struct cannot hold it, or an attribute is not defined
 */
int codec_unpack_key(struct call *c, const struct codec_key *k, const struct codec_definitions *d,
		     bool several, struct key_schema *out) __attribute__((warn_unused_result));

/** codec_unpack_projection - Errors: -ERR_VALIDATION without a type, or with names that it does not take */
int codec_unpack_projection(struct call *c, const struct codec_projection *p, struct index *out)
	__attribute__((warn_unused_result));

/** codec_unpack_index_key - an index of a request, but for its projection; Errors: as codec_unpack_key() */
int codec_unpack_index_key(struct call *c, const struct codec_index *ix,
			   const struct codec_definitions *d, bool global, struct index *out)
	__attribute__((warn_unused_result));

/** codec_unpack_index - likewise with it */
int codec_unpack_index(struct call *c, const struct codec_index *ix,
		       const struct codec_definitions *d, bool global, struct index *out)
	__attribute__((warn_unused_result));

/** codec_unpack_mode - Errors: -ERR_VALIDATION when the mode and the units do not go together */
int codec_unpack_mode(struct call *c, enum codec_mode mode, const struct codec_units *units)
	__attribute__((warn_unused_result));

enum codec_stream_request { CODEC_STREAM_CREATED, CODEC_STREAM_CHANGED };

/** codec_unpack_stream - Errors: -ERR_VALIDATION for a specification that contradicts itself */
int codec_unpack_stream(struct call *c, const struct codec_stream *stream,
			enum codec_stream_request request, enum stream_view *out)
	__attribute__((warn_unused_result));

/** codec_unpack_new_table - Errors: as all of these */
int codec_unpack_new_table(struct codec_reader *r, const struct codec_new_table *t,
			   struct create_table_in *out) __attribute__((warn_unused_result));

/** codec_unpack_encryption - what is remembered of a specification */
struct encryption codec_unpack_encryption(const struct codec_encryption *e);

/**
 * codec_accept_key - a key of an answer: what cannot be held, or is not defined, is passed over
 * @k: may be empty, where the answer may lack it
 *
 * Errors:  -ERR_VALIDATION  it has attributes, but no partition key
 */
int codec_accept_key(struct call *c, const struct codec_key *k, const struct codec_definitions *d,
		     struct key_schema *out) __attribute__((warn_unused_result));

/** codec_accept_indexes - likewise, of the two lists of indexes */
int codec_accept_indexes(struct call *c, const struct codec_indexes lists[2],
			 const struct codec_definitions *d, struct schema *out)
	__attribute__((warn_unused_result));

/** codec_accept_new_table - likewise, of what ImportTable or a backup says of a table */
int codec_accept_new_table(struct call *c, const struct codec_new_table *t, struct schema *out)
	__attribute__((warn_unused_result));

/* ------------------------------------------------------------ to JSON; memory is the writer's */

struct codec_key codec_pack_key(struct codec_writer *w, const struct key_schema *k);
struct codec_definitions codec_pack_definitions(struct codec_writer *w, const struct schema *s,
						const struct key_attr *given, size_t n);
struct codec_index codec_pack_index(struct codec_writer *w, const struct index *ix);
struct codec_indexes codec_pack_indexes(struct codec_writer *w, const struct index *at, size_t n,
					bool global);
struct codec_stream codec_pack_stream(enum stream_view view);
struct codec_encryption codec_pack_encryption(const struct encryption *e);
void codec_pack_new_table(struct codec_writer *w, const struct create_table_in *in,
			  struct codec_new_table *out);

/** codec_pack_arn - "PREFIX TABLE KIND ID" of an ARN: a table's when @kind is NULL */
struct slice codec_pack_arn(struct codec_writer *w, struct slice table, const char *kind,
			    struct slice id);

/* NOLINTEND(bugprone-macro-parentheses) */
#endif
