/* validate_stream - checks the operations on streams, without looking up the stream */
#include "store/model/arn.h"
#include "store/op/validate_int.h"

/* Lengths of identifiers that the service assigns. */
enum { SHARD_MIN = 28, SHARD_MAX = 65, SEQ_MIN = 21, SEQ_MAX = 40 };

/* @too_many: part of the message. */
static int
check_limit(struct call *c, uint32_t limit, uint32_t max, const char *too_many)
{
	return limit <= max ? 0
			    : call_fail(c, ERR_VALIDATION,
					"One or more parameter values were invalid: Limit %s %u",
					too_many, max);
}

/* Checks the form of a stream's ARN, not whether the stream exists. */
static int
check_stream(struct call *c, struct slice arn)
{
	struct slice table;
	struct slice label;

	return arn_read(arn, "/stream/", &table, &label)
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "Invalid StreamArn");
}

int
validate_list_streams(struct call *c, const struct list_streams_in *in)
{
	int r = arn_is(in->table) ? validate_table_name(c, in->table) : 0;

	if (r == 0 && in->start.len > 0) {
		r = check_stream(c, in->start);
	}
	return r < 0 ? r
		     : check_limit(c, in->limit, LIMIT_LIST_STREAMS,
				   "cannot be greater than the maximum allowed size:");
}

int
validate_describe_stream(struct call *c, const struct describe_stream_in *in)
{
	int r = check_stream(c, in->stream);

	if (r == 0) {
		r = check_limit(c, in->limit, LIMIT_LIST_STREAMS,
				"cannot be greater than the maximum:");
	}
	if (r == 0 && in->start_shard.len > 0) {
		r = validate_length(c, in->start_shard, "exclusiveStartShardId", SHARD_MIN,
				    SHARD_MAX);
	}
	return r;
}

static int
check_number(struct call *c, const struct get_shard_iterator_in *in)
{
	bool wanted = in->type == ITERATOR_AT_SEQUENCE_NUMBER ||
		      in->type == ITERATOR_AFTER_SEQUENCE_NUMBER;
	int r = in->seq.len == 0 ? 0
				 : validate_length(c, in->seq, "sequenceNumber", SEQ_MIN, SEQ_MAX);

	if (r < 0) {
		return r;
	}
	if (!wanted && in->seq.len > 0) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values were invalid: SequenceNumber should "
				 "not be passed for this iterator type");
	}
	return !wanted || (in->seq.len > 0 && ascii_digits_end(in->seq, 0) == in->seq.len)
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "One or more parameter values were invalid: Invalid "
				   "SequenceNumber");
}

int
validate_get_shard_iterator(struct call *c, const struct get_shard_iterator_in *in)
{
	if (in->shard.len == 0) {
		return call_fail(c, ERR_VALIDATION, "No ShardId specified.");
	}
	if (in->type == ITERATOR_NONE) {
		return call_fail(c, ERR_VALIDATION, "Invalid ShardIteratorType.");
	}
	int r = check_stream(c, in->stream);

	return r < 0 ? r : check_number(c, in);
}

int
validate_get_records(struct call *c, const struct get_records_in *in)
{
	if (in->iterator.len == 0) {
		return call_fail(c, ERR_VALIDATION, "Invalid ShardIterator");
	}
	return check_limit(c, in->limit, LIMIT_RECORDS, "should be less than or equal to");
}
