/*
 * stream_arn - numbers of changes, and names of streams: arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL
 *
 * As with tables (arn.h), those of any region and account are understood.
 */
#ifndef STORE_MODEL_STREAM_ARN_H
#define STORE_MODEL_STREAM_ARN_H

#include "store/base/core/buf.h"

/** stream_arn_put_label - append a stream's label, the time at which it began: 2015-05-20T20:51:10.252 */
void stream_arn_put_label(struct buf *out, uint64_t label_ms);

/** stream_arn_read_label - the inverse of stream_arn_put_label(); false for what that never writes */
bool stream_arn_read_label(struct slice label, uint64_t *label_ms);

/** stream_arn_put - append the ARN of a stream; @region: as in arn_put_table() */
void stream_arn_put(struct buf *out, struct slice region, struct slice table, uint64_t label_ms);

/**
 * stream_arn_read - the inverse; false for what is no stream's ARN
 * @table: borrows @arn
 */
bool stream_arn_read(struct slice arn, struct slice *table, uint64_t *label_ms);

/** stream_seq - a sequence number as the service shows it: 21 digits */
struct slice stream_seq(struct arena *a, uint64_t seq);

/** stream_read_seq - the inverse, of any number of digits; false: it is no number of 64 bits */
bool stream_read_seq(struct slice text, uint64_t *seq);

#endif
