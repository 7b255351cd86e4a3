/*
 * manifest - the texts of an export in DynamoDB's format, which tell what files belong to it
 *
 *   manifest-summary.json   one object: which table, when, how many items
 *   manifest-files.json     a line for each file of data
 *   data/NAME.json.gz       {"Item":{...}} a line; of an incremental export in ../data, and other lines (tools/write/apply.h)
 *   *.md5                   of each manifest, in base64
 *
 * Source: Developer Guide, "DynamoDB table export output format"
 */
#ifndef STORE_MODEL_MANIFEST_H
#define STORE_MODEL_MANIFEST_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/base/text/md5.h"

#define MANIFEST_SUMMARY "manifest-summary"
#define MANIFEST_FILES "manifest-files"
#define MANIFEST_DATA "data"

struct manifest {
	struct slice table; /* name */
	struct slice uuid;  /* TableId; may be empty */
	struct slice id;    /* of the export */
	struct slice bucket;
	struct slice prefix;
	struct slice files; /* key of manifest-files.json */
	uint64_t started_ms;
	uint64_t ended_ms;
	uint64_t items;
	uint64_t bytes; /* by DynamoDB's count */
};

/** manifest_put_summary - append manifest-summary.json */
void manifest_put_summary(struct buf *out, const struct manifest *m);

/* A file of data. */
struct manifest_file {
	struct slice key; /* in the bucket */
	uint64_t items;
	uint8_t md5[MD5_BYTES];
};

/** manifest_put_file - append a line of manifest-files.json */
void manifest_put_file(struct buf *out, const struct manifest_file *f);

/** manifest_put_md5 - append the content of the .md5 of a manifest */
void manifest_put_md5(struct buf *out, struct slice manifest);

/** manifest_check_md5 - is @sum the .md5 of @manifest?  Errors: -ERR_VALIDATION */
int manifest_check_md5(struct call *c, struct slice manifest, struct slice sum)
	__attribute__((warn_unused_result));

/**
 * manifest_check_summary - is it of DynamoDB JSON?
 * @incremental: of changes; else of a whole table
 * @items: how many lines it has, of all files
 *
 * Errors: -ERR_VALIDATION, -ERR_SERIALIZATION
 */
int manifest_check_summary(struct call *c, struct slice text, bool incremental, uint64_t *items)
	__attribute__((warn_unused_result));

/** manifest_read_file - one line of manifest-files.json; Errors: likewise */
int manifest_read_file(struct call *c, struct slice line, struct manifest_file *out)
	__attribute__((warn_unused_result));

#endif
