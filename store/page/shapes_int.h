/* shapes_int - structs and functions that the shapes files share: the sample, and the templates of its keys */
#ifndef STORE_PAGE_SHAPES_INT_H
#define STORE_PAGE_SHAPES_INT_H

#include "store/page/shapes.h"

/* A set of byte strings, which are numbered from 1 on. */
struct shapes_names {
	struct slice *at; /* at[0] is empty */
	size_t n;
	size_t room;
	uint32_t *slots; /* hash table with open addressing; 0: free */
	size_t n_slots;  /* a power of 2 */
};

/* One attribute of an item's signature. */
struct shapes_seen {
	uint32_t name; /* in sample->names */
	uint32_t type;
};

/* An item of the sample. */
struct shapes_item {
	struct item keys; /* the key in the view, then the rest of the table's key */
	/* For each key attribute of the view; bit i: another attribute has segment i of the key as its value. */
	uint32_t *said;
	uint64_t indexes;   /* bit i: schema->index[i] contains the item */
	uint32_t signature; /* in sample->signatures: its attributes */
	uint32_t entity; /* in sample->names: value of an attribute such as EntityType; 0: none */
	uint32_t unseen; /* number of attributes that are not in the signature */
	uint32_t node;   /* the last node of its key's template */
	uint32_t kind;
	bool first; /* in its collection */
};

/* The piece of a key that a node of a template represents. */
enum shapes_piece {
	PIECE_FIXED, /* .text */
	PIECE_ID,    /* any other value; .looks has more */
	PIECE_DATE,
	PIECE_UUID,
	PIECE_EMAIL,
	PIECE_URL,
	PIECE_BINARY,
};

/* Bits: how the values of a PIECE_ID look. */
enum {
	LOOK_WORD = 1,
	LOOK_TEXT = 2, /* with spaces */
	LOOK_N = 4,
	LOOK_TIME = 8, /* seconds or milliseconds since 1970 */
	LOOK_ULID = 16,
	LOOK_KSUID = 32,
	LOOK_HASH = 64,
	LOOK_MIXED = 128, /* for example dates and words */
};

/* A node of the tree of templates: templates with the same beginning share its nodes. */
struct shapes_node {
	uint32_t parent; /* 0: the root */
	enum shapes_piece piece;
	struct slice text; /* of PIECE_FIXED */
	unsigned looks;    /* of PIECE_ID */
	char separator;    /* after the piece; 0: none */
	uint8_t attribute; /* index of the key attribute */
};

struct shapes_sample {
	struct arena arena; /* memory of everything here */
	const struct schema *schema;
	const struct index *index;
	const struct key_schema *key; /* of the view */
	struct totals totals;         /* of the view; approximate */
	struct shapes_item *items;
	size_t n;
	size_t room;
	struct shapes_names names;
	struct shapes_names signatures; /* arrays of struct shapes_seen as bytes */
	struct shapes_node *nodes;      /* nodes[0] is the root */
	size_t n_nodes;
	size_t nodes_room;
	uint64_t bytes; /* size of the items that were read */
	bool whole;     /* everything was read */
};

/* How often a kind has an attribute. */
struct shapes_kind_attr {
	uint32_t name;
	uint32_t items;
	uint32_t types[VALUE_TYPES];
};

struct shapes_kind {
	struct shapes_node *pieces;
	size_t n;
	uint32_t into; /* its own number, or that of the kind that it was joined with */
	uint32_t entity;
	uint64_t items;
	struct shapes_item **members;   /* of shapes.sorted */
	struct shapes_kind_attr *attrs; /* by name */
	size_t n_attrs;
};

struct shapes_kinds {
	struct shapes_sample *sample;
	struct shapes_kind *at;
	size_t n;
	size_t room;
	struct shapes_item **sorted; /* by kind, then by entity */
	uint32_t *where;             /* for each name: 1 + its index in the attributes of a kind */
	bool *is_key;                /* for each name: it is a key of an index */
	size_t left_out;
	uint64_t items_left_out;
};

/* The piece before a position in a key. */
enum shapes_state { STATE_START, STATE_FIXED, STATE_VARIES };

enum shapes_token_kind {
	TOKEN_EMPTY,    /* an empty segment */
	TOKEN_TAG,      /* a word before a separator */
	TOKEN_NUMBERED, /* capitals before digits: "EMPLOYEE" of "EMPLOYEE7" */
	TOKEN_PREFIX,   /* other letters before '-', '_' or digits, at the start: "user-" */
	TOKEN_WORD,     /* a word at the end */
	TOKEN_VARIES,   /* a recognised value */
};

struct shapes_token {
	enum shapes_token_kind kind;
	enum shapes_piece piece; /* of TOKEN_VARIES */
	unsigned looks;
	struct slice text;
	size_t end;         /* offset after the token and its separator */
	size_t segment_end; /* offset after its segment and that separator */
	char separator;     /* after the token; 0: none */
	char segment_separator;
};

/** shapes_name - Return: the number of a byte string; a new one is copied and added */
uint32_t shapes_name(struct arena *a, struct shapes_names *names, struct slice text);

/** shapes_read - read at most @most items of the table into @s;  Return: 0; errors of Scan; -ERR_BUSY: given up */
int shapes_read(struct call *c, struct engine *e, const struct table_info *table, size_t most,
		struct shapes_sample *s) must_check;

/** shapes_take - add an item to the sample; ignore one without the view's key, which a foreign server may return */
void shapes_take(struct shapes_sample *s, const struct item *it);

/** shapes_token_at - Return: the token of a key that begins at offset @at; @last: take the whole rest as one token */
struct shapes_token shapes_token_at(const struct value *v, size_t at, enum shapes_state state,
				    bool last);

/** shapes_is_caps - Return: whether @word has only capitals, digits and -_., a capital first: HR-CONFIDENTIAL */
bool shapes_is_caps(struct slice word);

/** shapes_is_tag - Return: whether @word can be a name before a separator: no space, and no digit at its start */
bool shapes_is_tag(struct slice word);

/** shapes_segments - find the first @most segments of a key's text;  Return: their number */
size_t shapes_segments(struct slice text, struct slice *out, size_t most);

/** shapes_same_collection - Return: whether two items are in one collection; @a, @b: their shapes_item.keys */
bool shapes_same_collection(const struct shapes_sample *s, const struct item *a,
			    const struct item *b);

/** shapes_split - find the template of each item's key, and set its .node */
void shapes_split(struct shapes_sample *s);

/** shapes_kinds_find - find all kinds, most frequent first; those that were joined into others are last, without items */
void shapes_kinds_find(struct shapes_kinds *k);

/** shapes_join - join similar kinds, in several passes; sets .into of the kinds that are joined into others */
void shapes_join(struct shapes_kinds *k);

/**
 * shapes_alike - Return: whether two kinds have similar attributes
 * @common: set to the number of attributes that both have
 */
bool shapes_alike(const struct shapes_kinds *k, const struct shapes_kind *a,
		  const struct shapes_kind *b, size_t *common);

/** shapes_kinds_gather - set items, members and attributes of each kind from the .kind of each item */
void shapes_kinds_gather(struct shapes_kinds *k);

#endif
