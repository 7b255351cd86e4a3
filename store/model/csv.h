/*
 * csv - items as records of CSV (RFC 4180), with types in the header so that nothing is lost
 *
 *   PK,Total:N,Tags:JSON         a cell of "Total" is a number, a cell of "Tags" plain JSON
 *
 * A column without a type has strings, or values of the key's type if csv_adopt() finds that it is a key attribute. An
 * empty cell is no attribute; "" is the empty string.
 */
#ifndef STORE_MODEL_CSV_H
#define STORE_MODEL_CSV_H

#include "store/model/schema.h"

enum csv_kind { CSV_TEXT, CSV_NUMBER, CSV_BINARY, CSV_JSON, CSV_GUESS };

/* In a header. An item has fewer attributes, because each takes some of its 400 KB. */
enum { CSV_COLUMNS_MAX = 100000 };

struct csv_column {
	struct slice name;
	enum csv_kind kind;
	bool untyped; /* the header has no type: see csv_adopt() */
	bool open;    /* csv_declare(): it has no value yet, and the first one decides its kind */
};

struct csv_columns {
	struct csv_column *at;
	size_t n;
	size_t cap;     /* csv_note(): size of the array at */
	char delimiter; /* between cells; '\0': a comma */
	bool exact;     /* read records as ImportTable: see csv_header() */
	bool untyped;   /* write names without types, for people */
	bool safe;      /* write an apostrophe before text that a spreadsheet would run */
};

/** csv_delimiter - return the delimiter of the header at the start of @text: a comma, else its first tab, ";" or "|" */
char csv_delimiter(struct slice text);

/**
 * csv_header - read a header record
 * @delimiter: between cells; '\0': use csv_delimiter()
 * @exact:     as ImportTable: at most LIMIT_CSV_HEADERS names, without types; each record has a cell for each column,
 *             and only cells in quotes have quotes
 * @out:       in the call's arena
 *
 * Errors: -ERR_VALIDATION  a name twice, or none, or a type such as :BOOL; over CSV_COLUMNS_MAX; lines that end in CR
 *         alone;  those of cells_next()
 */
int csv_header(struct call *c, struct slice record, char delimiter, bool exact,
	       struct csv_columns *out) must_check;

/** csv_named - set @out to exact columns without types; names are borrowed; @n 0: none, out->at is NULL */
void csv_named(struct arena *a, const struct slice *names, size_t n, char delimiter,
	       struct csv_columns *out);

/**
 * csv_adopt - give untyped columns that are key attributes of @s the type of the key
 * @infer: in other untyped columns, read a cell without quotes that is true, false or a JSON number without exponent as
 *         such a value
 */
void csv_adopt(struct csv_columns *columns, const struct schema *s, bool infer);

enum { CSV_NO_ITEM = 1 };

/**
 * csv_item - read one record as an item
 *
 * Return: 0; exact columns: CSV_NO_ITEM: the call has the reason, and the next record may be an item
 * Errors: -ERR_VALIDATION, -ERR_SERIALIZATION; exact columns: the record cannot be divided into cells
 */
int csv_item(struct call *c, const struct csv_columns *columns, struct slice record,
	     struct item *out) must_check;

/**
 * csv_note - make sure that every attribute of @it has a column
 * @a: memory of the columns and of copies of their names
 *
 * A new name becomes the last column. A column with values of several types becomes a JSON column.
 * Return: true if a column was added or changed
 */
bool csv_note(struct csv_columns *columns, struct arena *a, const struct item *it);

/** csv_declare - add @name as the last column, unless it exists, before an item has it */
void csv_declare(struct csv_columns *columns, struct arena *a, struct slice name);

/** csv_has - return true if every attribute of @it has a column of its kind, or a JSON column */
bool csv_has(const struct csv_columns *columns, const struct item *it);

/** csv_suffix - return what follows the name of a column of @kind in the header, such as ":N"; not for CSV_GUESS */
const char *csv_suffix(enum csv_kind kind);

/** csv_looks_typed - return true if @name ends like a type, so that a text column must have one in the header */
bool csv_looks_typed(struct slice name);

/** csv_put_header - append the header record; the columns must come from csv_note() or csv_declare() */
void csv_put_header(struct buf *out, const struct csv_columns *columns);

/** csv_put_item - append one record; attributes without a column are not written */
void csv_put_item(struct buf *out, const struct csv_columns *columns, const struct item *it);

#endif
