/*
 * backup_fixture - a store in a directory with the table "tab" and its backups
 *
 * Every operation starts with a cleared error and returns the engine's result; the error stays in backup_fixture.c.error.
 */
#ifndef TESTS_LOCAL_BACKUP_FIXTURE_H
#define TESTS_LOCAL_BACKUP_FIXTURE_H

#include "store/local/records/local_int.h"

struct backup_fixture {
	struct call c;
	char dir[128];
	struct engine *e;
};

extern struct backup_fixture backup_fixture;

/** backup_fixture_open, backup_fixture_close - setup and teardown of a suite */
void backup_fixture_open(void);
void backup_fixture_close(void);

/** backup_fixture_start - open the store; backup_fixture_restart - close it and open it again */
void backup_fixture_start(void);
void backup_fixture_restart(void);

struct local *backup_fixture_local(void);

/** backup_fixture_definition - definition of a table with the key pk: S */
struct schema backup_fixture_definition(const char *table);

/** backup_fixture_fill - create "tab" with the items "a" and "b" */
void backup_fixture_fill(void);

/** backup_fixture_has - return true if @table has the item "b" as backup_fixture_fill() put it */
bool backup_fixture_has(const char *table);

int backup_fixture_create(struct create_backup_out *out);
int backup_fixture_describe(const char *arn, struct describe_backup_out *out);
int backup_fixture_delete(const char *arn);
int backup_fixture_delete_table(const char *table);
int backup_fixture_restore(const char *arn, const char *table);

/** backup_fixture_listed - number of backups that ListBackups returns */
size_t backup_fixture_listed(void);

/** backup_fixture_backup - create a backup, wait until it is complete, and return its ARN */
const char *backup_fixture_backup(void);

/** backup_fixture_arn - ARN of a backup of "tab" */
const char *backup_fixture_arn(const struct archive *a);

/** backup_fixture_file - path of the file of the backup with this ARN */
const char *backup_fixture_file(const char *arn);

/** backup_fixture_wait_backup - wait until the backup is AVAILABLE */
void backup_fixture_wait_backup(const char *arn);

/** backup_fixture_state - status of a table: enum table_status, or -1 if there is no such table */
int backup_fixture_state(const char *table);
void backup_fixture_wait(const char *table, int state);

#endif
