/* codec_transfer - what exports and imports have in common; @kind is "/export/" or "/import/" */
#ifndef STORE_WIRE_CODEC_TRANSFER_H
#define STORE_WIRE_CODEC_TRANSFER_H

#include "store/wire/codec_int.h"

/* By enum transfer_status. */
extern const char *const transfer_statuses[];

/* ClientToken. */
int transfer_read_token(struct codec_reader *r, const struct json *root, struct slice *out)
	__attribute__((warn_unused_result));

/* S3Bucket, S3BucketOwner, and the member @prefix. */
int transfer_read_place(struct codec_reader *r, const struct json *obj, const char *prefix,
			struct bucket_place *out) __attribute__((warn_unused_result));
void transfer_write_place(struct codec_writer *w, const struct bucket_place *p, const char *prefix);

/** transfer_write_arn - of the table, @kind NULL, or of the transfer itself */
void transfer_write_arn(struct codec_writer *w, const char *name, const struct transfer *t,
			const char *kind);

/** transfer_read_arn - a request's only member */
int transfer_read_arn(struct codec_reader *r, const struct json *root, const char *name,
		      struct slice *out) __attribute__((warn_unused_result));

/** transfer_read_state - the members @arn_name and @status_name of an answer */
int transfer_read_state(struct codec_reader *r, const struct json *obj, const char *arn_name,
			const char *kind, const char *status_name, struct transfer *out)
	__attribute__((warn_unused_result));

/* StartTime, EndTime, and how it failed. */
void transfer_write_times(struct codec_writer *w, const struct transfer *t);
int transfer_read_times(struct codec_reader *r, const struct json *obj, struct transfer *t)
	__attribute__((warn_unused_result));

/* TableArn, NextToken, and the member @limit. */
int transfer_read_query(struct codec_reader *r, const struct json *root, const char *limit,
			struct transfer_query *out) __attribute__((warn_unused_result));
void transfer_write_query(struct codec_writer *w, const char *limit,
			  const struct transfer_query *q);

#endif
