/* validate_archive - checks the operations on backups, exports and imports; their ARNs are checked when looked up */
#include "store/model/arn.h"
#include "store/model/schema.h"
#include "store/op/validate.h"
#include "store/op/validate_int.h"

int
validate_create_backup(struct call *c, const struct create_backup_in *in)
{
	int r = validate_table_name(c, in->table);

	if (r == 0 && (in->name.len < LIMIT_BACKUP_NAME_MIN ||
		       in->name.len > LIMIT_BACKUP_NAME_MAX || !schema_name_characters(in->name))) {
		r = call_fail(c, ERR_VALIDATION,
			      "BackupName must be at least %d characters long and at most %d "
			      "characters long, of a-z, A-Z, 0-9, '_', '-' and '.'",
			      LIMIT_BACKUP_NAME_MIN, LIMIT_BACKUP_NAME_MAX);
	}
	return r;
}

int
validate_list_backups(struct call *c, const struct list_backups_in *in)
{
	int r = in->table.len == 0 ? 0 : validate_table_name(c, in->table);

	return r < 0 ? r : validate_number(c, in->limit, "limit", 0, LIMIT_LIST_BACKUPS);
}

int
validate_restore_table(struct call *c, const struct restore_table_in *in)
{
	if (arn_is(in->table)) {
		return validate_fail_pattern(c, in->table, "targetTableName",
					     VALIDATE_NAME_PATTERN);
	}
	return validate_table_name(c, in->table);
}

/* ------------------------------------------------------------ parts of exports and imports */

static bool
is_alnum(char ch)
{
	return ascii_word(ch) && ch != '_';
}

bool
validate_bucket(struct slice name)
{
	return name.len >= 2 && schema_name_characters(name) && is_alnum(name.at[0]) &&
	       is_alnum(name.at[name.len - 1]);
}

static bool
is_account(struct slice id)
{
	return id.len == LIMIT_ACCOUNT_DIGITS && ascii_digits_end(id, 0) == id.len;
}

/* Accepts folders without "." and "..", and without empty names. A trailing slash is allowed. */
bool
validate_prefix(struct slice prefix)
{
	while (prefix.len > 0) {
		struct slice part = slice_take(&prefix, '/');

		if (part.len == 0 || slice_is(part, ".") || slice_is(part, "..") ||
		    slice_chr(part, '\0') != NULL) {
			return false;
		}
	}
	return true;
}

/* Names of the members of struct bucket_place in messages. */
struct place_words {
	const char *bucket;
	const char *owner;
	const char *prefix;
};

static int
validate_transfer_check_place(struct call *c, const struct bucket_place *p,
			      const struct place_words *words)
{
	int r = validate_length(c, p->bucket, words->bucket, 0, LIMIT_BUCKET_NAME);

	if (r == 0 && !validate_bucket(p->bucket)) {
		r = validate_fail_pattern(c, p->bucket, words->bucket,
					  "^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$");
	}
	if (r == 0 && p->owner.len > 0 && !is_account(p->owner)) {
		r = validate_fail_pattern(c, p->owner, words->owner, "[0-9]{12}");
	}
	if (r == 0) {
		r = validate_length(c, p->prefix, words->prefix, 0, LIMIT_BUCKET_PREFIX);
	}
	return r < 0 || validate_prefix(p->prefix)
		       ? r
		       : call_fail(c, ERR_VALIDATION,
				   CONSTRAINT "Member must be a path beneath the bucket, without "
					      "empty parts, '.' and '..'",
				   slice_cstr(&c->arena, p->prefix), words->prefix);
}

static int
validate_transfer_check_token(struct call *c, struct slice token)
{
	int r = validate_length(c, token, "clientToken", 0, LIMIT_TRANSFER_TOKEN);

	return r < 0 || token.len == 0 || slice_chr(token, '$') == NULL
		       ? r
		       : validate_fail_pattern(c, token, "clientToken", "^[^\\$]+$");
}

static int
check_table(struct call *c, struct slice arn)
{
	if (!arn_is(arn)) {
		return call_fail(c, ERR_VALIDATION,
				 "One or more parameter values were invalid: tableArn is not a "
				 "valid ARN");
	}
	return validate_name(arn_table(arn))
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "Invalid Request: Table ARN is invalid.");
}

static int
validate_transfer_check_query(struct call *c, const struct transfer_query *q, const char *limit)
{
	int r = q->table.len == 0 ? 0 : check_table(c, q->table);

	return r < 0 ? r : validate_number(c, q->limit, limit, 0, LIMIT_LIST_TRANSFERS);
}

/* ------------------------------------------------------------ exports and imports */

int
validate_export_table(struct call *c, const struct export_table_in *in)
{
	int r = validate_transfer_check_place(
		c, &in->place, &(struct place_words){"s3Bucket", "s3BucketOwner", "s3Prefix"});

	if (r == 0) {
		r = validate_transfer_check_token(c, in->token);
	}
	return r < 0 ? r : check_table(c, in->arn);
}

int
validate_list_exports(struct call *c, const struct list_exports_in *in)
{
	return validate_transfer_check_query(c, &in->query, "maxResults");
}

int
validate_import_table(struct call *c, const struct import_table_in *in)
{
	int r = validate_transfer_check_place(c, &in->place,
					      &(struct place_words){"s3BucketSource.s3Bucket",
								    "s3BucketSource.s3BucketOwner",
								    "s3BucketSource.s3KeyPrefix"});

	if (r == 0) {
		r = validate_transfer_check_token(c, in->token);
	}
	if (r == 0 && arn_is(in->table.schema->table)) {
		r = validate_fail_pattern(c, in->table.schema->table,
					  "tableCreationParameters.tableName",
					  VALIDATE_NAME_PATTERN);
	}
	return r < 0 ? r : validate_create_table(c, &in->table);
}

int
validate_list_imports(struct call *c, const struct list_imports_in *in)
{
	return validate_transfer_check_query(c, &in->query, "pageSize");
}
