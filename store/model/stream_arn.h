/*
 * stream_arn - ARNs and labels of streams, and sequence numbers as text
 *
 * The form is arn:aws:dynamodb:REGION:ACCOUNT:table/NAME/stream/LABEL. As for tables (arn.h), ARNs with any region and
 * account are read.
 */
#ifndef STORE_MODEL_STREAM_ARN_H
#define STORE_MODEL_STREAM_ARN_H

#include "store/base/core/base.h"

/** stream_arn_read_label - read a label, the time at which a stream began; return false if clock_put() never writes it */
bool stream_arn_read_label(struct slice label, uint64_t *label_ms);

/** stream_arn_put - append the ARN of a stream; @region: as in arn_put_table() */
void stream_arn_put(struct buf *out, struct slice region, struct slice table, uint64_t label_ms);

/**
 * stream_arn_read - get the table and the label of a stream's ARN
 * @table: set to a name borrowed from @arn
 *
 * Return: false if @arn is no ARN of a stream
 */
bool stream_arn_read(struct slice arn, struct slice *table, uint64_t *label_ms);

/** stream_seq - return a sequence number as the service shows it, with 21 digits; in @a */
struct slice stream_seq(struct arena *a, uint64_t seq);

/** stream_read_seq - read a sequence number of any length; return false if it is no number of 64 bits */
bool stream_read_seq(struct slice text, uint64_t *seq);

#endif
