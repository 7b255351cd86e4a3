/*
 * codec_int - what the files of the codec share: reading members with the service's complaints,
 * writing members, and the four functions of each operation
 */
#ifndef STORE_WIRE_CODEC_INT_H
#define STORE_WIRE_CODEC_INT_H

#include "store/base/json.h"
#include "store/wire/codec.h"

/* ------------------------------------------------------------ reading */

/*
 * One body being read.  Wrong JSON types end it at once; missing members and
 * values outside of their set are gathered, as the service reports them together.
 */
struct codec_reader {
	struct call *c;
	const struct json *own; /* the member "ItemFS", or NULL */
	bool file;              /* a file, not a request: see codec_decode_create_table() */
	const char *missing;    /* a required member that the service names before all others */
	struct slice prefix;    /* of member names in complaints: "transactItems.1.member.put." */
	struct buf faults;      /* "Value ... failed to satisfy constraint: ...; ..." */
	unsigned n_faults;
};

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

/** codec_fault - gather "Value VALUE at 'member' failed to satisfy constraint: ..."; NULL: null */
#define codec_fault(r, value, member, ...) \
	(codec_blame((r), (value), (member)), buf_fmt(&(r)->faults, __VA_ARGS__))
void codec_blame(struct codec_reader *r, const char *value, const char *member);

/** codec_at_least - is @v not below @min?  Gathers a complaint if it is */
bool codec_at_least(struct codec_reader *r, const char *member, int64_t v, int64_t min);

/** codec_null - gather that @member must not be null */
void codec_null(struct codec_reader *r, const char *member);

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

/** codec_filled - likewise, and gathers a complaint about the empty one: the service wants @min bytes */
int codec_filled(struct codec_reader *r, const struct json *obj, const char *name, unsigned min,
		 struct slice *out) __attribute__((warn_unused_result));

int codec_bool(struct codec_reader *r, const struct json *obj, const char *name, bool *out)
	__attribute__((warn_unused_result));

/** codec_integer - a whole number; fractions are cut off, @type is "Integer" or "Long" */
int codec_integer(struct codec_reader *r, const struct json *obj, const char *name,
		  const char *type, int64_t *out) __attribute__((warn_unused_result));

/**
 * codec_amount - @text, a number, times ten to the @power: cut to a whole number and to int64
 *
 * Of what cannot be less than 0: that is read as 0.
 */
int codec_amount(struct codec_reader *r, struct slice text, int power, uint64_t *out)
	__attribute__((warn_unused_result));

/**
 * codec_seconds - a time: Unix time in seconds, with fractions
 *
 * What is no number is passed over; a time before 1970 is read as 1970.
 */
int codec_seconds(struct codec_reader *r, const struct json *obj, const char *name, uint64_t *ms)
	__attribute__((warn_unused_result));

/** codec_uint - a count or size of an answer of ours */
int codec_uint(struct codec_reader *r, const struct json *obj, const char *name, uint64_t *out)
	__attribute__((warn_unused_result));

/** codec_limit - Limit, Segment, ...: gathers a complaint about one below @min */
int codec_limit(struct codec_reader *r, const struct json *obj, const char *name, int64_t min,
		bool *given, uint32_t *out) __attribute__((warn_unused_result));

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

/** codec_need_item - as codec_item(), and gathers a complaint when it is absent */
int codec_need_item(struct codec_reader *r, const struct json *obj, const char *name,
		    struct item *out) __attribute__((warn_unused_result));

/** codec_items - a list of items */
int codec_items(struct codec_reader *r, const struct json *obj, const char *name, struct item **out,
		size_t *n) __attribute__((warn_unused_result));

/** codec_value - one attribute value; @out is NULL when there is none */
int codec_value(struct codec_reader *r, const struct json *obj, const char *name,
		const struct value **out) __attribute__((warn_unused_result));

/** codec_table_name - TableName, required */
int codec_table_name(struct codec_reader *r, const struct json *obj, struct slice *out)
	__attribute__((warn_unused_result));

/** codec_expression - an expression's text; -ERR_VALIDATION when it is given and empty */
int codec_expression(struct codec_reader *r, const struct json *obj, const char *name,
		     struct slice *out) __attribute__((warn_unused_result));

/** codec_names - ExpressionAttributeNames: of what only projects, which takes no values */
int codec_names(struct codec_reader *r, const struct json *obj, struct placeholders *out)
	__attribute__((warn_unused_result));

/** codec_placeholders - ExpressionAttributeNames and ExpressionAttributeValues */
int codec_placeholders(struct codec_reader *r, const struct json *obj, struct placeholders *out)
	__attribute__((warn_unused_result));

/* What came before expressions: conditions with their ConditionalOperator, updates, names. */
int codec_filter(struct codec_reader *r, const struct json *obj, const char *name,
		 struct conditions *out) __attribute__((warn_unused_result));
int codec_expected(struct codec_reader *r, const struct json *obj, struct conditions *out)
	__attribute__((warn_unused_result));
int codec_key_conditions(struct codec_reader *r, const struct json *obj, struct conditions *out)
	__attribute__((warn_unused_result));
int codec_updates(struct codec_reader *r, const struct json *obj, struct attribute_updates *out)
	__attribute__((warn_unused_result));
int codec_attributes(struct codec_reader *r, const struct json *obj, struct attributes_to_get *out)
	__attribute__((warn_unused_result));

/**
 * codec_enum - one word of a set
 * @set:   "[A, B, ...]" as the service prints it
 * @words: NULL-terminated; *out becomes the index of the one that was read
 *
 * Gathers a complaint about any other word.
 */
int codec_enum(struct codec_reader *r, const struct json *obj, const char *name, const char *set,
	       const char *const *words, int *out) __attribute__((warn_unused_result));

/** codec_return_values - ReturnValues, any of the five */
int codec_return_values(struct codec_reader *r, const struct json *obj, enum return_values *out)
	__attribute__((warn_unused_result));

/** codec_old_values - ReturnValues; what is not NONE or ALL_OLD is -ERR_VALIDATION */
int codec_old_values(struct codec_reader *r, const struct json *obj, enum return_values *out)
	__attribute__((warn_unused_result));

/** codec_failure_values - ReturnValuesOnConditionCheckFailure */
int codec_failure_values(struct codec_reader *r, const struct json *obj, enum return_values *out)
	__attribute__((warn_unused_result));

/** codec_capacity - ReturnConsumedCapacity */
int codec_capacity(struct codec_reader *r, const struct json *obj, enum capacity_level *out)
	__attribute__((warn_unused_result));

/** codec_collections - ReturnItemCollectionMetrics */
int codec_collections(struct codec_reader *r, const struct json *obj, bool *out)
	__attribute__((warn_unused_result));

/** codec_return_word - as ReturnValues writes it */
const char *codec_return_word(enum return_values v);

/**
 * codec_refuse - -ERR_NOT_SUPPORTED when one of @names is given
 * @names: NULL-terminated
 */
int codec_refuse(struct codec_reader *r, const struct json *obj, const char *const *names)
	__attribute__((warn_unused_result));

/* ------------------------------------------------------------ writing */

struct codec_writer {
	struct json_writer json;
	enum codec_peer peer;
};

/* Append a member; those of a slice, an item or true only where there is something to say. */
void codec_put_string(struct codec_writer *w, const char *name, struct slice s);
void codec_put_bool(struct codec_writer *w, const char *name, bool v);
void codec_put_uint(struct codec_writer *w, const char *name, uint64_t v);
void codec_put_seconds(struct codec_writer *w, const char *name, uint64_t ms);
void codec_put_limit(struct codec_writer *w, uint32_t limit); /* "Limit", unless it is 0 */
void codec_put_true(struct codec_writer *w, const char *name, bool v);
void codec_put_item(struct codec_writer *w, const char *name, const struct item *it);
void codec_put_value(struct codec_writer *w, const char *name, const struct value *v);
void codec_put_items(struct codec_writer *w, const char *name, const struct item *items, size_t n);
void codec_put_conditions(struct codec_writer *w, const char *name, const struct conditions *in);
void codec_put_updates(struct codec_writer *w, const struct attribute_updates *in);
void codec_put_attributes(struct codec_writer *w, const struct attributes_to_get *in);
void codec_put_placeholders(struct codec_writer *w, const struct placeholders *ph);
void codec_put_returns(struct codec_writer *w, enum return_values values,
		       enum return_values on_failure);

/* What is to be told besides the result: see op/capacity.h. */
void codec_put_capacity(struct codec_writer *w, enum capacity_level level);
void codec_put_asked(struct codec_writer *w, const struct write_asked *asked);

/* Append an item or a value as an array's element. */
void codec_put_element(struct codec_writer *w, const struct item *it);
void codec_put_member(struct codec_writer *w, const struct value *v);

/** codec_put_values, codec_values - an array of typed values; nothing where there are none */
void codec_put_values(struct codec_writer *w, const char *name, const struct values *v);
int codec_values(struct codec_reader *r, const struct json *obj, const char *name,
		 struct values *out) __attribute__((warn_unused_result));

/** codec_put_text - a JSON string of bytes that may not be UTF-8: those above 7F become '?' then */
void codec_put_text(struct codec_writer *w, struct slice s);

/** codec_open - append a member and open its container */
void codec_open(struct codec_writer *w, const char *name, char bracket);

/* The member "ItemFS": true when it may be written; then codec_put_*() and json_close(). */
bool codec_open_own(struct codec_writer *w);

/* ------------------------------------------------------------ shared by families */

/* Words and member names of tables; the second by "is it global?". */
extern const char *const codec_billing_modes[];
extern const char *const codec_table_classes[];
extern const char *const codec_index_lists[2];

/* The two functions of an answer that says nothing. */
#define CODEC_EMPTY_OUT(name) \
	void codec_write_##name##_out(struct codec_writer *w, const struct name##_in *in, \
				      const struct name##_out *out) \
	{ \
		(void)w; \
		(void)in; \
		(void)out; \
	} \
	int codec_read_##name##_out(struct codec_reader *r, const struct json *root, \
				    const struct name##_in *in, struct name##_out *out) \
	{ \
		(void)r; \
		(void)root; \
		(void)in; \
		(void)out; \
		return 0; \
	}

/** codec_put_responses - append Responses: an item each, {} where none was found */
void codec_put_responses(struct codec_writer *w, const struct item *items, const bool *found,
			 size_t n);

/** codec_responses - the inverse; @list: the array, or NULL */
int codec_responses(struct codec_reader *r, const struct json *list, const struct item **items,
		    const bool **found, size_t *n) __attribute__((warn_unused_result));

/** codec_has_index - is there a GSI (@global) or an LSI? */
bool codec_has_index(const struct schema *s, bool global);

/* Tags; CreateTable has them too. */
int codec_read_tags(struct codec_reader *r, const struct json *obj, struct tag **out, size_t *n)
	__attribute__((warn_unused_result));
void codec_write_tags(struct codec_writer *w, const struct tag *tags, size_t n);
/** codec_write_index_list - the GSIs (@global) or LSIs of @at, as CreateTable has them */
void codec_write_index_list(struct codec_writer *w, const char *name, const struct index *at,
			    size_t n, bool global);

/** codec_write_indexes - the list of GSIs (@global) or LSIs, if there are any, as CreateTable has it */
void codec_write_indexes(struct codec_writer *w, const struct schema *s, bool global);

/** codec_put_arn - append a table's ARN */
void codec_put_arn(struct codec_writer *w, const char *name, const struct schema *s);

/** codec_put_table_id - append TableId, if it is known */
void codec_put_table_id(struct codec_writer *w, const struct schema *s);

/* BackupArn of a request, required; the ARN of a backup. */
int codec_backup_arn(struct codec_reader *r, const struct json *root, struct slice *arn)
	__attribute__((warn_unused_result));
void codec_put_backup_arn(struct codec_writer *w, const char *name, struct slice table,
			  struct slice id);

/** codec_key_names - append the names of a KeySchema, as if they were defined: their types are not told */
void codec_key_names(struct codec_reader *r, const struct json *obj, struct key_attr **names,
		     size_t *n, size_t *cap);

/* RestoreSummary of a TableDescription, of a table that was made of a backup. */
int codec_read_restored(struct codec_reader *r, const struct json *table, struct schema *s)
	__attribute__((warn_unused_result));
void codec_write_restored(struct codec_writer *w, const struct schema *s);

/** codec_read_definitions - AttributeDefinitions, required */
int codec_read_definitions(struct codec_reader *r, const struct json *obj,
			   const struct key_attr **out, size_t *n)
	__attribute__((warn_unused_result));

/** codec_read_schema - TableName, KeySchema and both lists of indexes, LSIs first */
int codec_read_schema(struct codec_reader *r, const struct json *obj, const struct json *indexes,
		      struct schema *s, const struct key_attr *definitions, size_t n)
	__attribute__((warn_unused_result));

/** codec_read_index - one element of the lists of indexes; ix->global says of which */
int codec_read_index(struct codec_reader *r, const struct json *json, const struct key_attr *defs,
		     size_t n_defs, struct index *ix) __attribute__((warn_unused_result));

/**
 * codec_read_units - the member @name of @obj, a ProvisionedThroughput, if given; gathers complaints
 */
int codec_read_units(struct codec_reader *r, const struct json *obj, const char *name, bool *given,
		     uint64_t *reads, uint64_t *writes) __attribute__((warn_unused_result));
void codec_write_units(struct codec_writer *w, const char *name, uint64_t reads, uint64_t writes);

/* BillingMode (-1: not given) and the units of ProvisionedThroughput (0: not given). */
struct codec_billing {
	int mode;
	uint64_t read_units;
	uint64_t write_units;
};

int codec_read_billing(struct codec_reader *r, const struct json *root, struct codec_billing *out)
	__attribute__((warn_unused_result));

/** codec_read_class - TableClass: an enum table_class, or as it was when not given */
int codec_read_class(struct codec_reader *r, const struct json *root, int *out)
	__attribute__((warn_unused_result));

/**
 * codec_read_imported_table - TableCreationParameters: what CreateTable begins with, but for local indexes,
 * which the service does not look at there
 */
int codec_read_imported_table(struct codec_reader *r, const struct json *obj,
			      struct create_table_in *in) __attribute__((warn_unused_result));

/** codec_write_new_table - name, attributes, key, indexes and billing of a new table */
void codec_write_new_table(struct codec_writer *w, const struct create_table_in *in);

/** codec_write_attributes - AttributeDefinitions: @definitions, or what the keys use when @n is 0 */
void codec_write_attributes(struct codec_writer *w, const struct schema *s,
			    const struct key_attr *definitions, size_t n);
void codec_write_key(struct codec_writer *w, const struct key_schema *k);
void codec_write_projection(struct codec_writer *w, const struct index *ix);

/**
 * codec_read_stream - StreamSpecification
 * @view: STREAM_NONE asks for no stream
 */
int codec_read_stream(struct codec_reader *r, const struct json *obj, bool *given,
		      enum stream_view *view) __attribute__((warn_unused_result));

/** codec_write_stream - likewise, when there is a stream */
void codec_write_stream(struct codec_writer *w, enum stream_view view);

/* LatestStreamArn and LatestStreamLabel of a TableDescription. */
int codec_read_latest_stream(struct codec_reader *r, const struct json *table, struct schema *s)
	__attribute__((warn_unused_result));
void codec_write_latest_stream(struct codec_writer *w, const struct table_info *t);

/* A table's settings that only ItemFS has; inside of its own member. */
void codec_put_settings(struct codec_writer *w, const struct schema *s);
int codec_settings(struct codec_reader *r, struct schema *s) __attribute__((warn_unused_result));

/* TableDescription, under the name of the member that holds it. */
int codec_read_table(struct codec_reader *r, const struct json *root, const char *name,
		     struct table_info *t) __attribute__((warn_unused_result));
void codec_write_table(struct codec_writer *w, const char *name, const struct table_info *t);

/* ConsumedCapacity and ItemCollectionMetrics, of one table and of many. */
int codec_consumed(struct codec_reader *r, const struct json *root, struct consumed_list *out)
	__attribute__((warn_unused_result));
int codec_consumed_list(struct codec_reader *r, const struct json *root, struct consumed_list *out)
	__attribute__((warn_unused_result));
int codec_collection(struct codec_reader *r, const struct json *root, struct slice table,
		     struct collection_list *out) __attribute__((warn_unused_result));
int codec_collection_lists(struct codec_reader *r, const struct json *root,
			   struct collection_list *out) __attribute__((warn_unused_result));
void codec_put_consumed(struct codec_writer *w, const struct consumed_list *list);
void codec_put_consumed_list(struct codec_writer *w, const struct consumed_list *list);
void codec_put_collection(struct codec_writer *w, const struct collection_list *list);
void codec_put_collection_lists(struct codec_writer *w, const struct collection_list *list);

/* The four functions of each operation. */
#define OP(NAME, name, Name, kind, group, meter) \
	int codec_read_##name##_in(struct codec_reader *r, const struct json *root, \
				   struct name##_in *in) __attribute__((warn_unused_result)); \
	int codec_read_##name##_out(struct codec_reader *r, const struct json *root, \
				    const struct name##_in *in, struct name##_out *out) \
		__attribute__((warn_unused_result)); \
	void codec_write_##name##_in(struct codec_writer *w, const struct name##_in *in); \
	void codec_write_##name##_out(struct codec_writer *w, const struct name##_in *in, \
				      const struct name##_out *out);
#include "store/op/op.def"
#undef OP

#endif
