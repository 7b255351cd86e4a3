/* await - see await.h */
#include "tools/session/await.h"

#include "store/engine/engine.h"
#include "store/model/arn.h"
#include "store/model/schema.h"
#include "store/open.h"

#include "tools/session/ctl.h"
#include "tools/system/stop.h"

enum {
	PAUSE_MS = 20,  /* between two polls */
	MOST_MS = 1000, /* longest pause for a remote store, whose pauses double */
	DOUBT = 100,    /* polls between two checks that the store can still be written */
	PATIENCE_S = 1, /* before a note says that the command waits */
	MS_PER_S = 1000,
};

/* ------------------------------------------------------------ waiting */

static int
look_once(struct ctl *ctl, struct call *c, await_look_fn *look, void *arg, bool *busy)
{
	call_scope(own, c->now_ms);
	int r = look(ctl, &own, arg, busy);

	return r < 0 ? ctl_adopt(c, &own) : 0;
}

/* Fail if the store can no longer be written: then the work will not continue.  Ignore all other errors. */
static int
check_alive(struct ctl *ctl, struct call *c)
{
	struct sync_out answer;
	call_scope(own, c->now_ms);
	int r = engine_sync(ctl->engine, &own, &(struct sync_in){0}, &answer);

	return r == -ERR_READ_ONLY || r == -ERR_IO ? ctl_adopt(c, &own) : 0;
}

/* Poll once more after a signal, because some await_look_fn report the progress of the work. */
static int
await_interrupted(struct ctl *ctl, struct call *c, await_look_fn *look, void *arg)
{
	bool busy = true;

	c->error = (struct error){0};
	int r = look_once(ctl, c, look, arg, &busy);

	return r < 0 || !busy ? r : stop_check(c);
}

int
await(struct ctl *ctl, struct call *c, await_look_fn *look, void *arg)
{
	bool remote = ctl->store != NULL && store_is_remote(ctl->store);
	unsigned ms = PAUSE_MS;
	bool busy = true;
	int r = look_once(ctl, c, look, arg, &busy);

	for (unsigned n = 1; r == 0 && busy && stop_asked() == 0; n++) {
		if (n % DOUBT == 0) {
			r = check_alive(ctl, c);
		}
		if (stop_pause(ms)) {
			ms = remote && 2 * ms < MOST_MS ? 2 * ms : remote ? MOST_MS : PAUSE_MS;
			r = r < 0 ? r : look_once(ctl, c, look, arg, &busy);
		}
	}
	return stop_asked() != 0 && busy && (r == 0 || r == -ERR_BUSY)
		       ? await_interrupted(ctl, c, look, arg)
		       : r;
}

/* ------------------------------------------------------------ the jobs of the API */

struct job {
	const char *what;  /* subject of messages: "the export" */
	struct slice name; /* a table or an ARN */
	int (*look)(struct ctl *ctl, struct call *own, const struct job *j, bool *busy);
	unsigned looks; /* polls so far */
};

static int
has_failed(struct call *own, const struct job *j, const struct transfer *t)
{
	return call_fail(own, ERR_IO, "%s has failed: %.*s: %.*s", j->what,
			 SLICE_ARG(t->failure_code), SLICE_ARG(t->failure));
}

static int
look_at_export(struct ctl *ctl, struct call *own, const struct job *j, bool *busy)
{
	struct describe_export_out out = {0};
	int r = engine_describe_export(ctl->engine, own, &(struct describe_export_in){j->name},
				       &out);

	*busy = out.exported.status == TRANSFER_RUNNING;
	return r == 0 && out.exported.status == TRANSFER_FAILED ? has_failed(own, j, &out.exported)
								: r;
}

static int
look_at_import(struct ctl *ctl, struct call *own, const struct job *j, bool *busy)
{
	struct describe_import_out out = {0};
	int r = engine_describe_import(ctl->engine, own, &(struct describe_import_in){j->name},
				       &out);

	*busy = out.import.status == TRANSFER_RUNNING;
	return r == 0 && out.import.status == TRANSFER_FAILED ? has_failed(own, j, &out.import) : r;
}

/* DescribeBackup fails for a failed backup, and the message has the reason. */
static int
look_at_backup(struct ctl *ctl, struct call *own, const struct job *j, bool *busy)
{
	struct describe_backup_out out = {0};
	int r = engine_describe_backup(ctl->engine, own, &(struct describe_backup_in){j->name},
				       &out);

	*busy = out.backup.status == ARCHIVE_RUNNING;
	return r;
}

/* If the restore has failed, the table does not exist and the error has the reason. */
static int
await_look_at_table(struct ctl *ctl, struct call *own, const struct job *j, bool *busy)
{
	struct describe_table_out out = {0};
	int r = engine_describe_table(ctl->engine, own, &(struct describe_table_in){j->name}, &out);

	*busy = r == 0 &&
		(out.table.status == TABLE_CREATING || schema_busy(out.table.schema) != NULL);
	return r;
}

static int
look_until_gone(struct ctl *ctl, struct call *own, void *arg, bool *busy)
{
	struct describe_table_out out = {0};
	const struct slice *table = arg;
	int r = engine_describe_table(ctl->engine, own, &(struct describe_table_in){*table}, &out);

	*busy = r == 0;
	return r == -ERR_NO_TABLE ? 0 : r;
}

static int
look_until_active(struct ctl *ctl, struct call *own, void *arg, bool *busy)
{
	struct describe_table_out out = {0};
	const struct slice *table = arg;
	int r = engine_describe_table(ctl->engine, own, &(struct describe_table_in){*table}, &out);

	*busy = r == 0 &&
		(out.table.status != TABLE_ACTIVE || schema_busy(out.table.schema) != NULL);
	return r;
}

static int
await_remote(struct ctl *ctl, struct call *c, await_look_fn *look, struct slice table)
{
	int r = 0;

	if (ctl->store == NULL || !store_is_remote(ctl->store)) {
		return 0;
	}
	call_scope(own, c->now_ms);
	r = await(ctl, &own, look, &table);
	if (r == -ERR_ACCESS) {
		ctl_note(ctl, "not waiting for table %.*s: AccessDenied: %s", SLICE_ARG(table),
			 own.error.message);
		r = 0;
	}
	return r < 0 ? ctl_adopt(c, &own) : 0;
}

int
await_table(struct ctl *ctl, struct call *c, struct slice table)
{
	return await_remote(ctl, c, look_until_active, table);
}

int
await_gone(struct ctl *ctl, struct call *c, struct slice table)
{
	return await_remote(ctl, c, look_until_gone, table);
}

static struct slice
arn_of(struct call *c, struct slice table, const char *kind, struct slice id)
{
	struct buf arn = {.arena = &c->arena};

	arn_put_table(&arn, SLICE(""), table);
	buf_fmt(&arn, "%s%.*s", kind, SLICE_ARG(id));
	return buf_view(&arn);
}

/* The job that @in has started; job.look is NULL if it starts none. */
static struct job
job_of(struct call *c, const struct op_in *in, const struct op_out *out)
{
	const struct transfer *exported = &out->export_table.exported;
	const struct transfer *import = &out->import_table.import;
	const struct archive *backup = &out->create_backup.backup;

	switch ((int)in->type) {
	case OP_EXPORT_TABLE:
		return (struct job){"the export",
				    arn_of(c, exported->table, "/export/", exported->id),
				    look_at_export, 0};
	case OP_IMPORT_TABLE:
		return (struct job){"the import", arn_of(c, import->table, "/import/", import->id),
				    look_at_import, 0};
	case OP_CREATE_BACKUP:
		return (struct job){"the backup",
				    arn_of(c, backup->schema->table, "/backup/", backup->id),
				    look_at_backup, 0};
	case OP_RESTORE_TABLE:
		return (struct job){"the restore", in->restore_table.table, await_look_at_table, 0};
	case OP_UPDATE_TABLE:
		return (struct job){"the index", in->update_table.table, await_look_at_table, 0};
	}
	return (struct job){0};
}

static int
look_at_job(struct ctl *ctl, struct call *own, void *arg, bool *busy)
{
	struct job *j = arg;

	if (j->looks++ == PATIENCE_S * MS_PER_S / PAUSE_MS) {
		ctl_note(ctl,
			 "waiting for %s, since no other process has the store open; if you "
			 "interrupt it, the next process that opens the store continues it",
			 j->what);
	}
	return j->look(ctl, own, j, busy);
}

int
await_job(struct ctl *ctl, struct call *c, const struct op_in *in, const struct op_out *out)
{
	struct job j = job_of(c, in, out);

	return j.look != NULL && ctl_owns(ctl) ? await(ctl, c, look_at_job, &j) : 0;
}
