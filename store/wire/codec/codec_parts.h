/*
 * codec_parts - drafts of the parts of a table's definition
 *
 * Requests, table descriptions, backups and imports share these structs, which mirror the JSON (see shape.h on
 * drafts), and their rows.  codec_schema.c converts them to the structs of model/schema.h and back.
 */
#ifndef STORE_WIRE_CODEC_CODEC_PARTS_H
#define STORE_WIRE_CODEC_CODEC_PARTS_H

#include "store/wire/codec/codec_rows.h"

/* Some arguments are types or nested fields, which cannot be in parentheses. */
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
	uint64_t decreases; /* only in a description */
};

/* Projection */
struct codec_projection {
	bool given;
	unsigned type; /* enum projection_type, from 1; 0: not given */
	struct slice *include;
	size_t n_include;
	bool include_given;
};

/* A secondary index in a request or an answer; of @of: its name, on_demand and warm. */
struct codec_index {
	struct index of;
	struct codec_key key;
	struct codec_projection projection;
	struct codec_units units;
	bool warm_given;

	/* only in a description */
	bool state_given;
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

/* SSESpecification, or SSEDescription in a description */
struct codec_encryption {
	bool given;
	bool enabled;
	unsigned type; /* index in codec_encryption_words of codec_parts.c */
	struct slice key;
};

/* StreamSpecification */
struct codec_stream {
	bool given;
	bool enabled;
	bool enabled_given;
	struct slice view;
};

/*
 * The definition of a new table in CreateTable and ImportTable; the other members are converted to those of @of with
 * their names
 */
struct codec_new_table {
	struct schema of;
	struct codec_definitions definitions;
	struct codec_key key;
	struct codec_indexes indexes[2]; /* LSIs, GSIs */
	enum billing_change mode;        /* BILLING_KEPT: not given */
	struct codec_units units;
	struct codec_encryption encryption;
	struct codec_stream stream; /* only in CreateTable */
};

/* ------------------------------------------------------------ shapes and rows */

extern const struct shape codec_definition_shape;  /* struct key_attr, a list's element */
extern const struct shape codec_key_shape;         /* struct codec_key_element, a list's element */
extern const struct shape codec_units_shape;       /* struct codec_units */
extern const struct shape codec_on_demand_shape;   /* struct on_demand */
extern const struct shape codec_warm_shape;        /* struct warm in a request */
extern const struct shape codec_warmed_shape;      /* struct warm in a description */
extern const struct shape codec_projection_shape;  /* struct codec_projection */
extern const struct shape codec_local_shape;       /* struct codec_index, an LSI in a request */
extern const struct shape codec_global_shape;      /* struct codec_index, a GSI in CreateTable */
extern const struct shape codec_create_shape;      /* struct codec_index, a GSI in UpdateTable */
extern const struct shape codec_stream_shape;      /* struct codec_stream */
extern const struct shape codec_encryption_shape;  /* struct codec_encryption */
extern const struct shape_words codec_mode_words;  /* enum billing_change */
extern const struct shape_words codec_class_words; /* enum table_class */
extern const struct shape_words codec_projection_words; /* enum projection_type, from 1 */
extern const struct shape_rule codec_new_name_rule;     /* for a new table or index */
extern const struct shape_rule codec_table_key_rule;
extern const struct shape_rule codec_backup_arn_rule;

#define CODEC_ROW_DEFINITIONS(type, field, flags_) \
	SHAPE_ROW_LIST(type, field.at, field.n, "AttributeDefinitions", &codec_definition_shape, \
		       .flags = (flags_))
#define CODEC_ROW_KEY_SCHEMA(type, field, rule_) \
	SHAPE_ROW_LIST(type, field.at, field.n, "KeySchema", &codec_key_shape, \
		       .flags = SHAPE_REQUIRED | SHAPE_ANSWERED, .rule = (rule_))
/* Optional, since the answer of DeleteTable has no key. */
#define CODEC_ROW_KEY_SCHEMA_IF_ANY(type, field) \
	SHAPE_ROW_LIST(type, field.at, field.n, "KeySchema", &codec_key_shape)
#define CODEC_ROW_UNITS(type, field, name, flags_) \
	SHAPE_ROW(type, field, name, SHAPE_STRUCT, SHAPE_GIVEN(type, field.given), \
		  .of = &codec_units_shape, .flags = (flags_))
#define CODEC_ROW_PROJECTION(type, field) \
	SHAPE_ROW(type, field, "Projection", SHAPE_STRUCT, SHAPE_GIVEN(type, field.given), \
		  .of = &codec_projection_shape, .flags = SHAPE_REQUIRED)
#define CODEC_ROW_INDEXES(type, field, name, shape) \
	SHAPE_ROW_LIST(type, field.at, field.n, name, shape, SHAPE_GIVEN(type, field.given))
#define CODEC_ROW_NEW_INDEX \
	SHAPE_ROW(struct codec_index, of.name, "IndexName", SHAPE_STRING, \
		  .flags = SHAPE_REQUIRED | SHAPE_ANSWERED, .rule = &codec_new_name_rule)
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
#define CODEC_ROW_WARM(type, field, given_, shape) \
	SHAPE_ROW(type, field, "WarmThroughput", SHAPE_STRUCT, SHAPE_GIVEN(type, given_), \
		  .of = (shape))
#define CODEC_ROW_REFUSED(name_) \
	{ \
		.name = SLICE_INIT(name_), .kind = SHAPE_REFUSED \
	}

/* Rows that CreateTable and ImportTable share, except lists of indexes. */
#define CODEC_ROWS_BILLING(type) \
	CODEC_ROW_MODE(type, mode, "BillingMode"), \
		CODEC_ROW_UNITS(type, units, "ProvisionedThroughput", 0), \
		CODEC_ROW_ENCRYPTION(type, encryption, "SSESpecification"), \
		CODEC_ROW_ON_DEMAND(type, of.on_demand, "OnDemandThroughput")

/* ------------------------------------------------------------ from JSON */

/**
 * codec_unpack_key - convert a key of a request
 * @d:       types of its attributes; NULL: unknown
 * @several: allow several partition and sort attributes, up to KEY_PART_MAX each, as in a GSI
 *
 * Errors:  -ERR_VALIDATION  the struct cannot hold the key, or an attribute is not defined
 */
int codec_unpack_key(struct call *c, const struct codec_key *k, const struct codec_definitions *d,
		     bool several, struct key_schema *out) must_check;

/**
 * codec_unpack_projection - convert a Projection; Errors: -ERR_VALIDATION if its type is missing or takes no
 * NonKeyAttributes
 */
int codec_unpack_projection(struct call *c, const struct codec_projection *p, struct index *out)
	must_check;

/**
 * codec_unpack_index_key - convert an index of a request, except its projection; its key may be absent
 *
 * Errors:  as codec_unpack_key()
 */
int codec_unpack_index_key(struct call *c, const struct codec_index *ix,
			   const struct codec_definitions *d, bool global, struct index *out)
	must_check;

/** codec_unpack_index - convert an index of a request; Errors: as codec_unpack_key() and codec_unpack_projection() */
int codec_unpack_index(struct call *c, const struct codec_index *ix,
		       const struct codec_definitions *d, bool global, struct index *out)
	must_check;

/** codec_unpack_mode - check the mode and the units; Errors: -ERR_VALIDATION if they do not go together */
int codec_unpack_mode(struct call *c, enum billing_change mode, const struct codec_units *units)
	must_check;

enum codec_stream_request { CODEC_STREAM_CREATED, CODEC_STREAM_CHANGED };

/** codec_unpack_stream - convert a StreamSpecification; Errors: -ERR_VALIDATION if it contradicts itself */
int codec_unpack_stream(struct call *c, const struct codec_stream *stream,
			enum codec_stream_request request, enum stream_view *out) must_check;

/**
 * codec_unpack_new_table - convert a struct codec_new_table to a struct create_table_in; its errors are deferred, see
 * codec_defer()
 */
int codec_unpack_new_table(struct codec_reader *r, const void *draft, void *in) must_check;

/** codec_unpack_encryption - convert a specification; without Enabled the rest of it is dropped */
struct encryption codec_unpack_encryption(const struct codec_encryption *e);

/**
 * codec_accept_key - convert a key of an answer
 * @k: may be empty if the answer may lack it
 *
 * Drops attributes that the struct has no room for.  An attribute without a definition gets the type S.
 * Errors:  -ERR_VALIDATION  the key has attributes, but no partition key
 */
int codec_accept_key(struct call *c, const struct codec_key *k, const struct codec_definitions *d,
		     struct key_schema *out) must_check;

/** codec_accept_table_key - the same for a table, whose key has one partition key and at most one sort key; Errors: likewise */
int codec_accept_table_key(struct call *c, const struct codec_key *k,
			   const struct codec_definitions *d, struct key_schema *out) must_check;

/** codec_accept_indexes - convert the local and the global indexes of an answer; Errors: as codec_accept_key() */
int codec_accept_indexes(struct call *c, const struct codec_indexes lists[2],
			 const struct codec_definitions *d, struct schema *out) must_check;

/** codec_accept_new_table - convert the table of an import or a backup in an answer; Errors: as codec_accept_key() */
int codec_accept_new_table(struct call *c, const struct codec_new_table *t, struct schema *out)
	must_check;

/* ------------------------------------------------------------ to JSON; the memory is in the writer's arena */

struct codec_key codec_pack_key(struct codec_writer *w, const struct key_schema *k);

/** codec_pack_definitions - @given, @n attributes, or if there are none, the attributes of the keys of @s */
struct codec_definitions codec_pack_definitions(struct codec_writer *w, const struct schema *s,
						const struct key_attr *given, size_t n);

struct codec_index codec_pack_index(struct codec_writer *w, const struct index *ix);
struct codec_indexes codec_pack_indexes(struct codec_writer *w, const struct index *at, size_t n,
					bool global);
struct codec_stream codec_pack_stream(enum stream_view view);
struct codec_encryption codec_pack_encryption(const struct encryption *e);

/** codec_pack_new_table - the inverse of codec_unpack_new_table() */
void codec_pack_new_table(struct codec_writer *w, const void *in, void *draft);

/** codec_pack_arn - the ARN of a table, followed by @kind and @id unless @kind is NULL */
struct slice codec_pack_arn(struct codec_writer *w, struct slice table, const char *kind,
			    struct slice id);

/* NOLINTEND(bugprone-macro-parentheses) */
#endif
