/*
 * out - writes items to standard output or a file, in the chosen format
 *
 *   jsonl   plain JSON, one item per line       typed   DynamoDB JSON, one item per line
 *   json    one array                           csv     a header, then one line per item
 *   yaml    a list, or the attributes of a single item
 *   tsv     as csv, with tabs                   md      a table in Markdown
 *   text    values between tabs, one item per line, no header
 *   table   for people: columns, up to 500 rows at a time
 *   export  as DynamoDB exports: {"Item":typed} per line, compressed
 *
 * One thread uses a struct out; only out_put_line() may be called by any thread.
 */
#ifndef TOOLS_OUT_OUT_H
#define TOOLS_OUT_OUT_H

#include "store/op/op.h"

#include "tools/out/out_yaml.h"
#include "tools/out/sink.h"

enum out_format {
	OUT_AUTO,
	OUT_JSONL,
	OUT_JSON,
	OUT_TYPED,
	OUT_CSV,
	OUT_TABLE,
	OUT_YAML,
	OUT_TEXT,
	OUT_TSV,
	OUT_MD,
	OUT_EXPORT
};

struct spool;
struct out_table;

struct out {
	enum out_format format;
	struct sink sink;
	bool list;  /* print [] if there are no items, in json and yaml; out_open() clears it */
	uint64_t n; /* items so far, with the missing ones */
	uint64_t missing;        /* items of out_missing() that were printed as null */
	struct spool *spool;     /* csv, tsv, md: rows kept until all columns are known */
	struct out_cells cells;  /* text: its columns */
	struct out_table *table; /* table: rows that are not printed yet */
	const struct slice
		*lead; /* leading columns, borrowed, see lead.h; set before the first item */
	size_t n_lead;
	bool ordered; /* they also lead in JSON and YAML */
};

#define OUT_FORMATS "jsonl, json, typed, csv, tsv, yaml, md, text or table"

/** out_format_is_columns - return true if the format has rows of columns for programs (not for the format table) */
static inline bool
out_format_is_columns(enum out_format format)
{
	return format == OUT_CSV || format == OUT_TSV || format == OUT_MD || format == OUT_TEXT;
}

/** out_format_named - the format called @name; OUT_AUTO if there is none */
enum out_format out_format_named(const char *name);

/** out_format_name - the name of a format, which must not be OUT_EXPORT */
const char *out_format_name(enum out_format format);

/**
 * out_open - begin the output; out_close() or out_drop() must follow
 * @fd:     borrowed until then
 * @format: OUT_AUTO: a table on a terminal, else JSON Lines
 */
void out_open(struct out *o, int fd, enum out_format format);

/** out_open_first - begin JSON Lines whose first line is appended to @first; nothing is written */
void out_open_first(struct out *o, struct buf *first);

/** out_is_lines - return true if each item is JSON on a line of its own */
static inline bool
out_is_lines(const struct out *o)
{
	return o->format == OUT_JSONL || o->format == OUT_TYPED || o->format == OUT_EXPORT;
}

/** out_text - how a page of items must be rendered for out_page(); false: this output does not take pages */
bool out_text(const struct out *o, struct page_text *text);

/** out_page - write @n items that were rendered as out_text() says; Return: as out_item() */
bool out_page(struct out *o, struct slice text, size_t n);

/** out_put_line - append an item as a line to @b; only if out_is_lines(); any thread */
void out_put_line(struct buf *b, const struct out *o, const struct item *it);

/** out_item - write an item; Return: false once a write has failed; the caller should stop then */
bool out_item(struct out *o, const struct item *it);

/** out_missing - write null for a missing item, but not in csv, tsv, md and table; Return: as out_item() */
bool out_missing(struct out *o);

/** out_one - write the only item: one line per attribute in a table, indented in JSON; Return: as out_item() */
bool out_one(struct out *o, const struct item *it);

/** out_line - write one item that was rendered by out_put_line(); Return: as out_item() */
static inline bool
out_line(struct out *o, struct slice line)
{
	o->n++;
	buf_slice(&o->sink.buf, line);
	return sink_drain(&o->sink);
}

/**
 * out_close - write the rest and free everything
 *
 * Errors:  -ERR_IO  a write has failed (the message says why)
 */
int out_close(struct out *o, struct call *c) must_check;

/** out_drop - free everything without writing the rest, see sink_release(); harmless after out_close() */
void out_drop(struct out *o);

#endif
