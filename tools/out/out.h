/*
 * out - items to standard output or a file, in the form that was asked for
 *
 *   jsonl   plain JSON, one item a line         typed   DynamoDB JSON, one item a line
 *   json    one array                           csv     one line an item below a header
 *   yaml    a list, or for one item alone its attributes
 *   tsv     the same between tabs               md      a table in Markdown
 *   text    values between tabs, one item a line, no header
 *   table   for people: columns, some hundred rows at a time
 *   export  as DynamoDB exports: {"Item":typed} a line, compressed
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

struct sheet;
struct out_table;

struct out {
	enum out_format format;
	struct sink sink;
	bool list;                /* no item is an empty array then; of out_open() on: no */
	uint64_t n;               /* items so far, with the missing ones */
	uint64_t missing;         /* out_missing() of lines and JSON */
	struct sheet *sheet;      /* csv, tsv, md: rows kept until all columns are known */
	struct out_cells cells;   /* text: its columns */
	struct out_table *table;  /* table: rows that wait to be printed */
	const struct slice *lead; /* columns that come first, see lead.h */
	size_t n_lead;
	bool ordered;     /* in JSON and YAML, too */
	struct attr *led; /* heap: room for an item in that order */
	size_t led_room;
};

#define OUT_FORMATS "jsonl, json, typed, csv, tsv, yaml, md, text or table"

/** out_format_is_columns - does it write rows of columns, and nothing but that? */
static inline bool
out_format_is_columns(enum out_format format)
{
	return format == OUT_CSV || format == OUT_TSV || format == OUT_MD || format == OUT_TEXT;
}

/** out_format_named - OUT_AUTO for a name that there is not */
enum out_format out_format_named(const char *name);

/** out_format_name - the inverse, of all but OUT_EXPORT */
const char *out_format_name(enum out_format format);

/**
 * out_open - begin
 * @fd:     borrowed until out_close()
 * @format: OUT_AUTO: a table on a terminal, else JSON Lines
 */
void out_open(struct out *o, int fd, enum out_format format);

/** out_open_first - begin an answer in lines, of which @first gets the first one and nothing is written */
void out_open_first(struct out *o, struct buf *first);

/** out_is_lines - does each item stand on a line of its own? */
static inline bool
out_is_lines(const struct out *o)
{
	return o->format == OUT_JSONL || o->format == OUT_TYPED || o->format == OUT_EXPORT;
}

/** out_text - how items are written that are printed with out_page(); false: not in this form */
bool out_text(const struct out *o, struct page_text *text);

/** out_page - @n items already written as out_text() has it; Return: as out_item() */
bool out_page(struct out *o, struct slice text, size_t n);

/** out_put_line - append an item as such a line */
void out_put_line(struct buf *b, const struct out *o, const struct item *it);

/** out_item - one item; Return: false once writing has failed: stop then */
bool out_item(struct out *o, const struct item *it);

/** out_missing - in place of an item that does not exist: null, where lines are counted */
bool out_missing(struct out *o);

/** out_one - the only item of an answer: a table stands upright, JSON is indented */
bool out_one(struct out *o, const struct item *it);

/** out_line - one item already rendered by out_put_line() */
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
 * Errors:  -ERR_IO  a write has failed (message says why)
 */
int out_close(struct out *o, struct call *c) __attribute__((warn_unused_result));

/** out_drop - free everything, write nothing more; harmless after out_close() */
void out_drop(struct out *o);

#endif
