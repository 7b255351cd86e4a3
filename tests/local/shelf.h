/*
 * shelf - a store in a directory with the table "tab" and its backups
 *
 * Every operation starts with a cleared error and returns the engine's result; the error stays in shelf.c.error.
 */
#ifndef TESTS_LOCAL_SHELF_H
#define TESTS_LOCAL_SHELF_H

#include "store/local/records/local_int.h"

struct shelf {
	struct call c;
	char dir[128];
	struct engine *e;
};

extern struct shelf shelf;

/** shelf_open, shelf_close - setup and teardown of a suite */
void shelf_open(void);
void shelf_close(void);

/** shelf_start - open the store; shelf_restart - close it and open it again */
void shelf_start(void);
void shelf_restart(void);

struct local *shelf_local(void);

/** shelf_definition - definition of a table with the key pk: S */
struct schema shelf_definition(const char *table);

/** shelf_fill - create "tab" with the items "a" and "b" */
void shelf_fill(void);

/** shelf_has - return true if @table has the item "b" as shelf_fill() put it */
bool shelf_has(const char *table);

int shelf_create(struct create_backup_out *out);
int shelf_describe(const char *arn, struct describe_backup_out *out);
int shelf_delete(const char *arn);
int shelf_delete_table(const char *table);
int shelf_restore(const char *arn, const char *table);

/** shelf_listed - number of backups that ListBackups returns */
size_t shelf_listed(void);

/** shelf_backup - create a backup, wait until it is complete, and return its ARN */
const char *shelf_backup(void);

/** shelf_arn - ARN of a backup of "tab" */
const char *shelf_arn(const struct archive *a);

/** shelf_file - path of the file of the backup with this ARN */
const char *shelf_file(const char *arn);

/** shelf_wait_backup - wait until the backup is AVAILABLE */
void shelf_wait_backup(const char *arn);

/** shelf_state - status of a table: enum table_status, or -1 if there is no such table */
int shelf_state(const char *table);
void shelf_wait(const char *table, int state);

#endif
