/* source_file - one file of a source at a time: opened, decompressed, decoded to UTF-8, and its format detected */
#ifndef TOOLS_LOAD_SOURCE_FILE_H
#define TOOLS_LOAD_SOURCE_FILE_H

#include "tools/load/source.h"

enum { SOURCE_FILE_PIECE = 256 * 1024 }; /* bytes of one read */

/**
 * source_file_next - open the next file of the source; standard input is duplicated, and stays open
 *
 * Return:  0, or SOURCE_END if there is no other file
 * Errors:  those of no_file() and unpacker_open()
 */
int source_file_next(struct source *s, struct call *c) must_check;

/**
 * source_file_fill - read one more piece, and append it to the bytes of s->in that have not been used
 *
 * The first call for a file reads until the format is known, and sets s->current, s->begun and the columns if they are
 * given.  Sets s->whole at the end of the file.
 *
 * Errors:  -ERR_IO, -ERR_USAGE, -ERR_NOT_SUPPORTED (the encoding), -ERR_BUSY (interrupted); those of
 *          source_csv_given()
 */
int source_file_fill(struct source *s, struct call *c) must_check;

/** source_file_read_yaml - read the rest of a YAML file, and convert it to JSON; Errors: as source_file_fill() */
int source_file_read_yaml(struct source *s, struct call *c) must_check;

/** source_file_bytes - bytes of the open file on disk that have been read; 0: no file is open */
uint64_t source_file_bytes(const struct source *s);

/** source_file_close - close the open file, if there is one, and add its bytes to s->bytes */
void source_file_close(struct source *s);

#endif
