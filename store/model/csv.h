/*
 * csv - RFC 4180, with types in the header so that items survive
 *
 *   PK,Total:N,Tags:JSON         a cell of "Total" is a number's digits, one of "Tags" plain JSON
 *
 * A column without a type holds strings (on import a key attribute: of the
 * key's type).  An empty cell is no attribute; "" is the empty string.
 */
#ifndef STORE_MODEL_CSV_H
#define STORE_MODEL_CSV_H

#include "store/base/core/buf.h"
#include "store/model/schema.h"

enum csv_kind { CSV_TEXT, CSV_NUMBER, CSV_BINARY, CSV_JSON, CSV_GUESS };

enum {
	CSV_COLUMNS_MAX = 100000
}; /* of a header; an item has fewer attributes, as each takes some of its 400 KB */

struct csv_column {
	struct slice name;
	enum csv_kind kind;
	bool untyped; /* the header says nothing: the key's type, if it is one */
	bool open;    /* csv_declare(): no value yet, the first one decides its kind */
};

struct csv_columns {
	struct csv_column *at;
	size_t n;
	size_t cap;     /* csv_note(): @at has room for so many */
	char delimiter; /* between cells; 0: a comma */
	bool untyped;   /* written for people: names without types */
	bool safe;      /* written for a spreadsheet: an apostrophe before text that it would run */
};

/** csv_delimiter - of the header that @text begins with: a comma; where it has none its first tab, semicolon or pipe (|) */
char csv_delimiter(struct slice text);

/**
 * csv_header - the columns that a header record names
 * @delimiter: 0: csv_delimiter() of it
 *
 * Errors: -ERR_VALIDATION  a name twice, or none, or :BOOL; over CSV_COLUMNS_MAX; lines that end in CR alone
 */
int csv_header(struct call *c, struct slice record, char delimiter, struct csv_columns *out)
	__attribute__((warn_unused_result));

/**
 * csv_adopt - give untyped columns that are keys of @s the key's type
 * @infer: the other ones hold numbers, true, false where a cell without quotes is one as JSON has it, without exponent
 */
void csv_adopt(struct csv_columns *columns, const struct schema *s, bool infer);

/** csv_item - one record as an item; Errors: -ERR_VALIDATION, -ERR_SERIALIZATION */
int csv_item(struct call *c, const struct csv_columns *columns, struct slice record,
	     struct item *out) __attribute__((warn_unused_result));

/**
 * csv_note - see to it that every attribute of @it has a column
 *
 * A new name becomes the last column; one whose values are of several types holds JSON.
 * Return: was there anything new?
 * Memory: columns and names are copied to @a.
 */
bool csv_note(struct csv_columns *columns, struct arena *a, const struct item *it);

/** csv_declare - make @name the last column, unless it is there, before an item has it */
void csv_declare(struct csv_columns *columns, struct arena *a, struct slice name);

/** csv_has - does every attribute of @it have a column, of its kind? */
bool csv_has(const struct csv_columns *columns, const struct item *it);

/** csv_put_header - append the header record */
void csv_put_header(struct buf *out, const struct csv_columns *columns);

/** csv_put_item - append one record; attributes that are no column are not written */
void csv_put_item(struct buf *out, const struct csv_columns *columns, const struct item *it);

#endif
