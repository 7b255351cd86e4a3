/* shapes_int - what the files of shapes share: a sample of items, and the nodes of their keys' templates */
#ifndef STORE_PAGE_SHAPES_INT_H
#define STORE_PAGE_SHAPES_INT_H

#include "store/page/shapes.h"

/* Byte strings as numbers from 1 on. */
struct shapes_names {
	struct slice *at; /* at[0] is empty */
	size_t n;
	size_t room;
	uint32_t *slots; /* open hashing; 0: free */
	size_t n_slots;
};

/* One attribute of an item's signature. */
struct shapes_seen {
	uint32_t name; /* in sample->names */
	uint32_t type;
};

/* An item of the sample. */
struct shapes_item {
	struct item keys; /* the key in the view, then the rest of the table's key */
	uint32_t *
		said; /* for each key attribute of the view, bit i: an attribute has segment i as its value */
	uint64_t indexes;   /* bit i: the index schema->index[i] has the item */
	uint32_t signature; /* in sample->signatures: its attributes */
	uint32_t entity;    /* in sample->names: what an attribute says that it is; 0: none does */
	uint32_t unseen;    /* attributes beyond those of the signature */
	uint32_t node;      /* the last node of its key's template */
	uint32_t kind;
	bool first; /* of its collection */
};

/* What a node of a template stands for. */
enum shapes_piece {
	PIECE_FIXED, /* .text */
	PIECE_ID,    /* what no other says; .looks has more */
	PIECE_DATE,
	PIECE_UUID,
	PIECE_EMAIL,
	PIECE_URL,
	PIECE_BINARY,
};

/* How the values of a PIECE_ID look, bits; all of them are so when it is the only bit. */
enum {
	LOOK_WORD = 1,
	LOOK_TEXT = 2, /* it has spaces */
	LOOK_N = 4,
	LOOK_TIME = 8, /* seconds or milliseconds since 1970 */
	LOOK_ULID = 16,
	LOOK_KSUID = 32,
	LOOK_HASH = 64,
	LOOK_MIXED = 128, /* dates and words, say */
};

/* A step of a template: templates with the same beginning share its nodes. */
struct shapes_node {
	uint32_t parent; /* 0: none */
	enum shapes_piece piece;
	struct slice text; /* PIECE_FIXED */
	unsigned looks;    /* PIECE_ID */
	char separator;    /* that follows it; 0: none */
	uint8_t attribute; /* of the key, from 0 on */
};

struct shapes_sample {
	struct arena arena; /* of everything here */
	const struct schema *schema;
	const struct index *index;
	const struct key_schema *key; /* of the view */
	struct totals totals;         /* of the view, about */
	struct shapes_item *items;
	size_t n;
	size_t room;
	struct shapes_names names;
	struct shapes_names signatures; /* arrays of struct shapes_seen as bytes */
	struct shapes_node *nodes;      /* nodes[0] is the root */
	size_t n_nodes;
	size_t nodes_room;
	uint64_t bytes; /* of the items that were read */
	bool whole;     /* nothing was left unread */
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
	uint32_t into; /* itself, or the kind that it is part of now */
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
	uint32_t *where;             /* for each name: 1 + its place in the attributes of a kind */
	bool *is_key;                /* for each name: is it a key of an index? */
	size_t left_out;
	uint64_t items_left_out;
};

/* What stands before a place in a key. */
enum shapes_state { STATE_START, STATE_FIXED, STATE_VARIES };

enum shapes_token_kind {
	TOKEN_EMPTY,    /* an empty segment */
	TOKEN_TAG,      /* a word before a separator */
	TOKEN_NUMBERED, /* capitals before digits: "EMPLOYEE" of "EMPLOYEE7" */
	TOKEN_PREFIX,   /* other letters before '-', '_' or digits, at the start: "user-" */
	TOKEN_WORD,     /* a word at the end */
	TOKEN_VARIES,   /* recognised */
};

struct shapes_token {
	enum shapes_token_kind kind;
	enum shapes_piece piece; /* when it varies */
	unsigned looks;
	struct slice text;
	size_t end;         /* offset after the token and its separator */
	size_t segment_end; /* likewise of its segment */
	char separator;     /* that follows the token */
	char segment_separator;
};

/** shapes_name - the number of a byte string, copied when it is new */
uint32_t shapes_name(struct arena *a, struct shapes_names *names, struct slice text);

/** shapes_read - fill @s from the table; Errors: those of Scan */
int shapes_read(struct call *c, struct engine *e, const struct table_info *table, size_t most,
		struct shapes_sample *s) __attribute__((warn_unused_result));

/** shapes_take - add an item; one without the view's key, as a server elsewhere may answer, is none */
void shapes_take(struct shapes_sample *s, const struct item *it);

/** shapes_token_at - the piece of a key that begins at @at; @last: all that is left is one piece */
struct shapes_token shapes_token_at(const struct value *v, size_t at, enum shapes_state state,
				    bool last);

/** shapes_is_caps - capitals, digits and what joins them, a letter first: PROFILE, HR-CONFIDENTIAL */
bool shapes_is_caps(struct slice word);

/** shapes_is_tag - may it stand before a separator as a name? No space, and it begins with no digit */
bool shapes_is_tag(struct slice word);

/** shapes_segments - the segments of a key's text; Return: how many */
size_t shapes_segments(struct slice text, struct slice *out, size_t most);

/** shapes_same_collection - of two items' .keys */
bool shapes_same_collection(const struct shapes_sample *s, const struct item *a,
			    const struct item *b);

/** shapes_split - find the template of each item's key: its .node */
void shapes_split(struct shapes_sample *s);

/** shapes_kinds_find - all kinds, the most frequent first; those without items are none */
void shapes_kinds_find(struct shapes_kinds *k);

#endif
