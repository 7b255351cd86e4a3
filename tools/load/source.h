/*
 * source - item files, read one after the other as chunks of records
 *
 * One thread reads; any thread may then parse a chunk.  Compressed files are decompressed.  A YAML file is read as a
 * whole and converted to JSON.
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
	SOURCE_RECORDS = 1000,                /* limit of records in a chunk */
	SOURCE_BYTES = 1024 * 1024,           /* a chunk ends if it has at least this size */
	SOURCE_RECORD_MAX = SPLIT_RECORD_MAX, /* bytes; a longer record is an error */
};

/* A record, with its place in the chunk and in the file. */
struct record {
	size_t at; /* in chunk->bytes */
	size_t len;
	uint64_t line;  /* from 1 */
	uint64_t lines; /* csv: number of lines, more than 1 with newlines in quotes; else 1 */
	bool unended;   /* csv: no newline follows */
	bool too_long;  /* over SOURCE_RECORD_MAX: skipped, so its bytes are not in the chunk */
};

struct chunk {
	struct buf bytes; /* heap */
	struct record records[SOURCE_RECORDS];
	size_t n;
	const char *file; /* NULL: standard input */
	enum source_form form;
	const struct csv_columns *columns; /* csv */
	uint64_t ticket; /* number of the chunk, from 0; set by import_pipeline.c */
	uint64_t read;   /* bytes of all files on disk, up to the end of the chunk */
};

struct source {
	const struct words *files; /* if there are none: standard input */
	enum source_form form;     /* SOURCE_AUTO: detected for each file */
	const struct schema *schema;
	struct source_csv csv; /* csv */
	bool skip;          /* skip records that are too long, if possible; else they are errors */
	struct slice ahead; /* bytes of standard input that were read before */
	bool alone;         /* @ahead is all of standard input */
	size_t next;        /* index of the file to open next */
	struct unpack *unpack;     /* the open file, compressed or not; NULL: none */
	struct unpacker *unpacker; /* the program that decompresses it; NULL: none */
	const char *member;        /* the name of the file in an archive; else NULL */
	const char *file;          /* the name of the open file; NULL: standard input */
	enum source_form current;
	struct utf16 utf16; /* the decoder, if the file is UTF-16 */
	struct splitter splitter;
	const struct csv_columns *columns;
	struct buf in; /* heap: text of the file; the part from @done on was not split yet */
	size_t done;
	bool whole;      /* @in has the end of the file */
	bool begun;      /* the format of the file is known */
	uint64_t line;   /* of in.at[done], from 1 */
	uint64_t bytes;  /* on disk, of the files before this one */
	uint64_t chunks; /* returned so far */
};

/** source_init - initialize; the caller may then set csv, skip, ahead, alone; borrows @files and @schema */
void source_init(struct source *s, const struct words *files, enum source_form form,
		 const struct schema *schema);

/** source_release - close the open file, and free the memory of @s */
void source_release(struct source *s);

/** source_size - return the bytes of all files on disk; 0: one of them is not a regular file */
uint64_t source_size(const struct words *files);

enum { SOURCE_END = 1 };

/**
 * source_next - fill one chunk with the next records
 *
 * Return:  0: there is at least one record; SOURCE_END
 * Errors:  -ERR_IO, -ERR_SERIALIZATION, -ERR_USAGE, -ERR_BUSY (interrupted)  "FILE:LINE: ..."; the chunk may have
 *          records before the error
 */
int source_next(struct source *s, struct call *c, struct chunk *out) must_check;

/** source_too_long - fail because a record is too long; Errors: -ERR_USAGE */
int source_too_long(struct call *c) must_check;

/** source_where - append "FILE:LINE" or "FILE:FIRST-LAST"; without a @file, "line LINE" */
void source_where(struct buf *out, const char *file, uint64_t line, uint64_t lines);

#endif
