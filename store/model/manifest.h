/*
 * manifest - writes and checks the manifest files of an export in DynamoDB's format
 *
 *   manifest-summary.json   one object: table, times, number of items
 *   manifest-files.json     one line for each data file
 *   data/NAME.json.gz       one {"Item":{...}} per line; an incremental export has ../data, and other lines, see
 *                           tools/write/apply.h
 *   *.md5                   the MD5 of each manifest, in base64
 *
 * Source: Developer Guide, "DynamoDB table export output format"
 */
#ifndef STORE_MODEL_MANIFEST_H
#define STORE_MODEL_MANIFEST_H

#include "store/base/text/md5.h"

#define MANIFEST_SUMMARY "manifest-summary"
#define MANIFEST_FILES "manifest-files"
#define MANIFEST_DATA "data"

struct manifest {
	struct slice table; /* name */
	struct slice uuid;  /* TableId; may be empty */
	struct slice id;    /* ID of the export */
	struct slice bucket;
	struct slice prefix;
	struct slice files; /* key of manifest-files.json */
	uint64_t started_ms;
	uint64_t ended_ms;
	uint64_t items;
	uint64_t bytes; /* size of the items as DynamoDB counts it */
};

/** manifest_put_summary - append manifest-summary.json */
void manifest_put_summary(struct buf *out, const struct manifest *m);

/* A data file. */
struct manifest_file {
	struct slice key; /* in the bucket */
	uint64_t items;
	uint8_t md5[MD5_BYTES];
};

/** manifest_put_file - append a line of manifest-files.json */
void manifest_put_file(struct buf *out, const struct manifest_file *f);

/** manifest_put_md5 - append the content of the .md5 file for the text @manifest */
void manifest_put_md5(struct buf *out, struct slice manifest);

/** manifest_check_md5 - check that @sum is the content of the .md5 file for @manifest; Errors: -ERR_VALIDATION */
int manifest_check_md5(struct call *c, struct slice manifest, struct slice sum) must_check;

/**
 * manifest_check_summary - check that a manifest-summary.json is of an export that can be imported
 * @incremental: an incremental export is expected; else one of a whole table
 * @items:       set to the number of lines in all data files
 *
 * Errors: -ERR_VALIDATION, -ERR_SERIALIZATION
 */
int manifest_check_summary(struct call *c, struct slice text, bool incremental, uint64_t *items)
	must_check;

/** manifest_read_file - read one line of manifest-files.json; Errors: -ERR_VALIDATION, -ERR_SERIALIZATION */
int manifest_read_file(struct call *c, struct slice line, struct manifest_file *out) must_check;

#endif
