/*
 * rewrite_table - CREATE, ALTER, DROP INDEX, INSERT ... SELECT and COPY as lines of itemctl
 *
 * Each function appends to @out and returns true if the line does all that the statement says.  If a function returns
 * false, @out may contain a part of a line, which the caller removes.  @text begins after the words of the statement
 * that the function is named after.
 */
#ifndef TOOLS_SQL_REWRITE_TABLE_H
#define TOOLS_SQL_REWRITE_TABLE_H

#include "tools/session/ctl.h"

/**
 * rewrite_table_from - copy or import everything from the source @text into @table
 * @text:  a table, 'FILE', or a function such as read_json('PATTERN')
 * @there: @table exists; then only files are read
 */
bool rewrite_table_from(struct slice table, struct slice text, bool there, struct buf *out);

/** rewrite_table_create - CREATE TABLE; without PRIMARY KEY the first column is the key */
bool rewrite_table_create(struct slice text, struct buf *out);

/**
 * rewrite_table_index - CREATE [UNIQUE] INDEX i ON t (a, b); @text includes these words
 * @of:      the table that the line in @out creates: the index becomes an option of that line; empty: none
 * @columns: the columns of @of with their types; empty: unknown
 */
bool rewrite_table_index(struct slice text, struct slice of, struct slice columns, struct buf *out);

/**
 * rewrite_table_drop_index - DROP INDEX i [ON t]; without ON, the only table that has such an index
 * @ctl: the store to search; NULL: ON is required
 */
bool rewrite_table_drop_index(struct ctl *ctl, struct call *c, struct slice text, struct buf *out);

/** rewrite_table_alter - ALTER TABLE t ADD INDEX, RENAME TO, RENAME COLUMN or DROP COLUMN */
bool rewrite_table_alter(struct slice text, struct buf *out);

/** rewrite_table_copy - COPY t TO 'file', COPY t FROM 'file', COPY (SELECT ...) TO 'file', with options after it */
bool rewrite_table_copy(struct slice text, struct buf *out);

/* ------------------------------------------------------------ the words of a statement, without a grammar */

/** rewrite_next - take the next word from *@text: a word, a text with its quotes, or any other single character */
struct slice rewrite_next(struct slice *text);

/** rewrite_take - take the words of @want from *@text, ignoring case; false: *@text is unchanged */
bool rewrite_take(struct slice *text, const char *want);

/** rewrite_bare - return a word without its quotes (single, double or backticks) */
struct slice rewrite_bare(struct slice word);

/** rewrite_ends - return true if @text has nothing but blanks and one semicolon */
bool rewrite_ends(struct slice text);

#endif
