/* source_csv - columns of a CSV file, from its header or from --columns, and its records as items */
#ifndef TOOLS_LOAD_SOURCE_CSV_H
#define TOOLS_LOAD_SOURCE_CSV_H

#include "store/model/csv.h"

#include "tools/load/derive.h"

struct source_csv {
	bool infer;          /* the type of a cell in a column without a type depends on its text */
	char delimiter;      /* between cells; 0: detected in the header */
	const char *columns; /* a header with commas; NULL: the first record is the header */
	const struct derive *derive; /* attributes that are computed from others; NULL: none */
	char numbers
		[64]; /* without infer: a column without a type whose cell looks like a number; else empty */
};

/** source_csv_delimiter - parse the value of --delimiter; Errors: -ERR_USAGE */
int source_csv_delimiter(struct call *c, const char *text, char *out) must_check;

/**
 * source_csv_looks - return true if the first line of a file is a header of CSV, and no item in JSON
 * @s: one column must be its partition key, or, if a template makes that key, the first attribute that a template
 *     refers to.  If its key is empty, any header with at least two plain names is accepted
 */
bool source_csv_looks(const struct source_csv *o, struct slice line, const struct schema *s);

/**
 * source_csv_header - parse the first record of a file as the columns
 *
 * Errors: those of csv_header(); -ERR_VALIDATION  a key attribute of @s has neither a column nor a template
 */
int source_csv_header(struct call *c, const struct source_csv *o, struct slice record,
		      char delimiter, const struct schema *s, const struct csv_columns **out)
	must_check;

/**
 * source_csv_given - parse o->columns, the value of --columns
 * @first:     the first line of the file, which must not be the same header; may be empty
 * @delimiter: 0: detected, by the number of cells of @first
 *
 * Errors: those of csv_header(); -ERR_VALIDATION  a key attribute of @s has neither a column nor a template;
 *         -ERR_USAGE  the delimiter is not certain, or @first is the same header
 */
int source_csv_given(struct call *c, const struct source_csv *o, struct slice first, char delimiter,
		     const struct schema *s, const struct csv_columns **out) must_check;

/**
 * source_csv_item - parse a record as an item; a record may have fewer cells than columns
 * @unended: the file ends after the record without a newline; then it must have all cells, because a copy of the file
 *           may have been interrupted
 *
 * Runs in any thread.  Errors: those of csv_item(); -ERR_VALIDATION  the record is cut short
 */
int source_csv_item(struct call *c, const struct csv_columns *columns, struct slice record,
		    bool unended, struct item *out) must_check;

/** source_csv_see - set o->numbers if it is empty and a column that is read as text looks like a number in @record */
void source_csv_see(struct source_csv *o, const struct csv_columns *columns, struct slice record,
		    const struct schema *s);

#endif
