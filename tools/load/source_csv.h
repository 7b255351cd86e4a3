/*
 * source_csv - what a file of cells is read by: the columns of its first line, or those that are given
 */
#ifndef TOOLS_LOAD_SOURCE_CSV_H
#define TOOLS_LOAD_SOURCE_CSV_H

#include "store/model/csv.h"

#include "tools/load/derive.h"

struct source_csv {
	bool infer;                  /* columns without a type hold what their cells look like */
	char delimiter;              /* between cells; 0: the header tells */
	const char *columns;         /* as a header with commas; NULL: the first record is one */
	const struct derive *derive; /* attributes that are made of cells; NULL: none */
	char numbers
		[64]; /* without infer: the first column without a type that begins with a number; else empty */
};

/** source_csv_delimiter - of --delimiter; Errors: -ERR_USAGE */
int source_csv_delimiter(struct call *c, const char *text, char *out)
	__attribute__((warn_unused_result));

/** source_csv_looks - does a first line name the partition key of @s, or what makes it, as no item of JSON does? */
bool source_csv_looks(const struct source_csv *o, struct slice line, const struct schema *s);

/**
 * source_csv_header - the columns that a file's first record names
 *
 * Errors: those of csv_header()
 */
int source_csv_header(struct call *c, const struct source_csv *o, struct slice record,
		      char delimiter, const struct schema *s, const struct csv_columns **out)
	__attribute__((warn_unused_result));

/**
 * source_csv_given - the columns that --columns names
 * @delimiter: 0: the one that cuts @first into so many cells
 * @first: the file's first line, which must not name them again; may be empty
 *
 * Errors: those of csv_header()
 */
int source_csv_given(struct call *c, const struct source_csv *o, struct slice first, char delimiter,
		     const struct schema *s, const struct csv_columns **out)
	__attribute__((warn_unused_result));

/** source_csv_item - a record as an item; @unended: no newline is behind it; Errors: as csv_item(), and of a record that is cut short */
int source_csv_item(struct call *c, const struct csv_columns *columns, struct slice record,
		    bool unended, struct item *out) __attribute__((warn_unused_result));

/** source_csv_see - note in o->numbers whether a column that is read as text begins with a number in @record */
void source_csv_see(struct source_csv *o, const struct csv_columns *columns, struct slice record,
		    const struct schema *s);

#endif
