/*
 * codec_account - DescribeContinuousBackups, UpdateContinuousBackups, DescribeLimits, DescribeEndpoints
 *
 * Backups that can be taken at any time are always on; what is switched is
 * point-in-time recovery.
 */
#include "store/wire/codec_int.h"

#define SPECIFICATION "PointInTimeRecoverySpecification"

/* ------------------------------------------------------------ backups: the answer of both */

static void
write_recovery(struct codec_writer *w, const struct recovery *v)
{
	codec_open(w, "ContinuousBackupsDescription", '{');
	codec_put_string(w, "ContinuousBackupsStatus", SLICE("ENABLED"));
	codec_open(w, "PointInTimeRecoveryDescription", '{');
	codec_put_string(w, "PointInTimeRecoveryStatus",
			 v->enabled ? SLICE("ENABLED") : SLICE("DISABLED"));
	if (v->enabled) {
		codec_put_uint(w, "RecoveryPeriodInDays", v->days);
		codec_put_seconds(w, "EarliestRestorableDateTime", v->earliest_ms);
		codec_put_seconds(w, "LatestRestorableDateTime", v->latest_ms);
	}
	json_close(&w->json);
	json_close(&w->json);
}

static int
read_recovery(struct codec_reader *r, const struct json *root, struct recovery *v)
{
	const struct json *all = NULL;
	const struct json *json = NULL;
	struct slice word = {0};
	uint64_t days = 0;
	int status = codec_struct(r, root, "ContinuousBackupsDescription",
				  "ContinuousBackupsDescription", &all);

	if (status == 0) {
		status = codec_struct(r, all, "PointInTimeRecoveryDescription",
				      "PointInTimeRecoveryDescription", &json);
	}
	if (status == 0) {
		status = codec_string(r, json, "PointInTimeRecoveryStatus", &word);
	}
	if (status == 0) {
		status = codec_uint(r, json, "RecoveryPeriodInDays", &days);
	}
	if (status == 0) {
		status = codec_seconds(r, json, "EarliestRestorableDateTime", &v->earliest_ms);
	}
	if (status == 0) {
		status = codec_seconds(r, json, "LatestRestorableDateTime", &v->latest_ms);
	}
	v->enabled = slice_is(word, "ENABLED");
	v->days = (uint32_t)days;
	return status;
}

/* ------------------------------------------------------------ DescribeContinuousBackups */

int
codec_read_describe_continuous_backups_in(struct codec_reader *r, const struct json *root,
					  struct describe_continuous_backups_in *in)
{
	return codec_table_name(r, root, &in->table);
}

void
codec_write_describe_continuous_backups_in(struct codec_writer *w,
					   const struct describe_continuous_backups_in *in)
{
	codec_put_string(w, "TableName", in->table);
}

void
codec_write_describe_continuous_backups_out(struct codec_writer *w,
					    const struct describe_continuous_backups_in *in,
					    const struct describe_continuous_backups_out *out)
{
	(void)in;
	write_recovery(w, &out->recovery);
}

int
codec_read_describe_continuous_backups_out(struct codec_reader *r, const struct json *root,
					   const struct describe_continuous_backups_in *in,
					   struct describe_continuous_backups_out *out)
{
	(void)in;
	return read_recovery(r, root, &out->recovery);
}

/* ------------------------------------------------------------ UpdateContinuousBackups */

static int
read_specification(struct codec_reader *r, const struct json *root,
		   struct update_continuous_backups_in *in)
{
	const struct json *spec = NULL;
	int status = codec_struct(r, root, SPECIFICATION, SPECIFICATION, &spec);

	if (status < 0) {
		return status;
	}
	if (spec == NULL) {
		codec_null(r, SPECIFICATION);
		return 0;
	}
	r->prefix = SLICE("pointInTimeRecoverySpecification.");
	status = codec_bool(r, spec, "PointInTimeRecoveryEnabled", &in->enabled);
	if (status == 0) {
		status = codec_limit(r, spec, "RecoveryPeriodInDays", 1, &in->has_days, &in->days);
	}
	if (codec_is_null(json_get(spec, "PointInTimeRecoveryEnabled"))) {
		codec_null(r, "PointInTimeRecoveryEnabled");
	}
	r->prefix = (struct slice){0};
	return status;
}

int
codec_read_update_continuous_backups_in(struct codec_reader *r, const struct json *root,
					struct update_continuous_backups_in *in)
{
	int status = codec_table_name(r, root, &in->table);

	return status < 0 ? status : read_specification(r, root, in);
}

void
codec_write_update_continuous_backups_in(struct codec_writer *w,
					 const struct update_continuous_backups_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_open(w, SPECIFICATION, '{');
	json_name(&w->json, "PointInTimeRecoveryEnabled");
	json_bool(&w->json, in->enabled);
	if (in->has_days) {
		codec_put_uint(w, "RecoveryPeriodInDays", in->days);
	}
	json_close(&w->json);
}

void
codec_write_update_continuous_backups_out(struct codec_writer *w,
					  const struct update_continuous_backups_in *in,
					  const struct update_continuous_backups_out *out)
{
	(void)in;
	write_recovery(w, &out->recovery);
}

int
codec_read_update_continuous_backups_out(struct codec_reader *r, const struct json *root,
					 const struct update_continuous_backups_in *in,
					 struct update_continuous_backups_out *out)
{
	(void)in;
	return read_recovery(r, root, &out->recovery);
}

/* ------------------------------------------------------------ DescribeLimits */

int
codec_read_describe_limits_in(struct codec_reader *r, const struct json *root,
			      struct describe_limits_in *in)
{
	(void)r;
	(void)root;
	(void)in;
	return 0;
}

void
codec_write_describe_limits_in(struct codec_writer *w, const struct describe_limits_in *in)
{
	(void)w;
	(void)in;
}

void
codec_write_describe_limits_out(struct codec_writer *w, const struct describe_limits_in *in,
				const struct describe_limits_out *out)
{
	(void)in;
	codec_put_uint(w, "AccountMaxReadCapacityUnits", out->account_read_units);
	codec_put_uint(w, "AccountMaxWriteCapacityUnits", out->account_write_units);
	codec_put_uint(w, "TableMaxReadCapacityUnits", out->table_read_units);
	codec_put_uint(w, "TableMaxWriteCapacityUnits", out->table_write_units);
}

int
codec_read_describe_limits_out(struct codec_reader *r, const struct json *root,
			       const struct describe_limits_in *in, struct describe_limits_out *out)
{
	int status = codec_uint(r, root, "AccountMaxReadCapacityUnits", &out->account_read_units);

	(void)in;
	if (status == 0) {
		status = codec_uint(r, root, "AccountMaxWriteCapacityUnits",
				    &out->account_write_units);
	}
	if (status == 0) {
		status = codec_uint(r, root, "TableMaxReadCapacityUnits", &out->table_read_units);
	}
	return status < 0
		       ? status
		       : codec_uint(r, root, "TableMaxWriteCapacityUnits", &out->table_write_units);
}

/* ------------------------------------------------------------ DescribeEndpoints */

/* The host is the door's to know: a header says it. */
int
codec_read_describe_endpoints_in(struct codec_reader *r, const struct json *root,
				 struct describe_endpoints_in *in)
{
	(void)r;
	(void)root;
	(void)in;
	return 0;
}

void
codec_write_describe_endpoints_in(struct codec_writer *w, const struct describe_endpoints_in *in)
{
	(void)w;
	(void)in;
}

void
codec_write_describe_endpoints_out(struct codec_writer *w, const struct describe_endpoints_in *in,
				   const struct describe_endpoints_out *out)
{
	(void)in;
	codec_open(w, "Endpoints", '[');
	json_open(&w->json, '{');
	codec_put_string(w, "Address", out->address);
	codec_put_uint(w, "CachePeriodInMinutes", out->minutes);
	json_close(&w->json);
	json_close(&w->json);
}

/* The first of them. */
int
codec_read_describe_endpoints_out(struct codec_reader *r, const struct json *root,
				  const struct describe_endpoints_in *in,
				  struct describe_endpoints_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "Endpoints", &list);

	(void)in;
	if (status < 0 || list == NULL || list->n == 0) {
		return status;
	}
	status = codec_element(r, list->child, "Endpoint");
	if (status == 0) {
		status = codec_string(r, list->child, "Address", &out->address);
	}
	return status < 0 ? status
			  : codec_uint(r, list->child, "CachePeriodInMinutes", &out->minutes);
}
