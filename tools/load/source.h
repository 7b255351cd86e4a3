/*
 * source - files of items, read one after the other, as chunks of records
 *
 * One thread reads; a chunk is then parsed by any other.  What is compressed
 * is unpacked on the way. A file of YAML is read as a whole and becomes JSON.
 */
#ifndef TOOLS_LOAD_SOURCE_H
#define TOOLS_LOAD_SOURCE_H

#include "store/base/text/unpack.h"

#include "tools/cli/opts.h"
#include "tools/load/source_csv.h"
#include "tools/load/split.h"
#include "tools/system/source_form.h"
#include "tools/system/unpacker.h"
#include "tools/text/utf16.h"

enum {
	SOURCE_RECORDS = 1000,                /* of one chunk at most */
	SOURCE_BYTES = 1024 * 1024,           /* a chunk ends when it has so many */
	SOURCE_RECORD_MAX = SPLIT_RECORD_MAX, /* a longer record is none */
};

/* One record: where it stands in its chunk, and in its file. */
struct record {
	size_t at;
	size_t len;
	uint64_t line;
	uint64_t lines; /* csv: how many it has, newlines within quotes; else 1 */
	bool unended;   /* csv: no newline is behind it */
	bool too_long;  /* over SOURCE_RECORD_MAX: it is passed over, and not in the chunk */
};

struct chunk {
	struct buf bytes; /* heap */
	struct record records[SOURCE_RECORDS];
	size_t n;
	const char *file; /* NULL: standard input */
	enum source_form form;
	const struct csv_columns *columns; /* csv */
	uint64_t ticket;                   /* chunks count up from 0 */
	uint64_t read;                     /* bytes of all files, up to here, as they are on disk */
};

struct source {
	const struct words *files; /* none: standard input */
	enum source_form form;     /* SOURCE_AUTO: by each file's name */
	const struct schema *schema;
	struct source_csv csv;     /* csv */
	bool skip;                 /* records that are too long are no error */
	struct slice ahead;        /* what has been read of standard input */
	bool alone;                /* that is all of it */
	size_t next;               /* the file to be opened next */
	struct unpack *unpack;     /* the one that is read, compressed or not; NULL: none */
	struct unpacker *unpacker; /* a program that unpacks it; NULL: none is needed */
	const char *member;        /* what it unpacks is called, in an archive; else NULL */
	const char *file;          /* its name */
	enum source_form current;
	struct utf16 utf16; /* what its bytes are, if they are that */
	struct splitter splitter;
	const struct csv_columns *columns;
	struct buf in; /* heap: read and not yet cut, from @done on */
	size_t done;
	bool whole;     /* the file's end is in @in */
	bool begun;     /* its first bytes have been read */
	uint64_t line;  /* of in.at[done], from 1 */
	uint64_t bytes; /* of the files before this one, as they are on disk */
	uint64_t ticket;
};

void source_init(struct source *s, const struct words *files, enum source_form form,
		 const struct schema *schema);
void source_release(struct source *s);

/** source_size - bytes of all files together; 0 when one of them is no regular file */
uint64_t source_size(const struct words *files);

enum { SOURCE_END = 1 };

/**
 * source_next - fill one chunk with the next records
 *
 * Return:  0, or SOURCE_END.
 * Errors:  -ERR_IO, -ERR_SERIALIZATION, -ERR_USAGE, -ERR_BUSY (interrupted)  "FILE:LINE: ..."
 */
int source_next(struct source *s, struct call *c, struct chunk *out)
	__attribute__((warn_unused_result));

/** source_too_long - say that of a record */
int source_too_long(struct call *c) __attribute__((warn_unused_result));

/** source_where - append "FILE:LINE", "FILE:FIRST-LAST", without a file "line LINE" */
void source_where(struct buf *out, const char *file, uint64_t line, uint64_t lines);

#endif
