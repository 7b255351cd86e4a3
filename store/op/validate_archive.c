/* validate_archive - requests for backups; their ARNs are looked at where they are looked up */
#include "store/base/core/ascii.h"
#include "store/model/arn.h"
#include "store/op/validate_int.h"

static bool
validate_archive_is_name(struct slice name)
{
	for (size_t i = 0; i < name.len; i++) {
		char ch = name.at[i];

		if (!ascii_word(ch) && ch != '-' && ch != '.') {
			return false;
		}
	}
	return name.len >= LIMIT_BACKUP_NAME_MIN && name.len <= LIMIT_BACKUP_NAME_MAX;
}

int
validate_create_backup(struct call *c, const struct create_backup_in *in)
{
	int r = validate_table_name(c, in->table);

	if (r == 0 && !validate_archive_is_name(in->name)) {
		r = call_fail(c, ERR_VALIDATION,
			      "BackupName must be at least %d characters long and at most %d "
			      "characters long, of a-z, A-Z, 0-9, '_', '-' and '.'",
			      LIMIT_BACKUP_NAME_MIN, LIMIT_BACKUP_NAME_MAX);
	}
	return r;
}

int
validate_describe_backup(struct call *c, const struct describe_backup_in *in)
{
	(void)c;
	(void)in;
	return 0;
}

int
validate_delete_backup(struct call *c, const struct delete_backup_in *in)
{
	(void)c;
	(void)in;
	return 0;
}

int
validate_list_backups(struct call *c, const struct list_backups_in *in)
{
	int r = in->table.len == 0 ? 0 : validate_table_name(c, in->table);

	return r < 0 ? r : validate_page(c, in->limit, LIMIT_LIST_BACKUPS);
}

int
validate_restore_table(struct call *c, const struct restore_table_in *in)
{
	if (arn_is(in->table)) {
		return call_fail(c, ERR_VALIDATION,
				 CONSTRAINT "Member must satisfy regular expression pattern: "
					    "[a-zA-Z0-9_.-]+",
				 slice_cstr(&c->arena, in->table), "targetTableName");
	}
	return validate_table_name(c, in->table);
}
