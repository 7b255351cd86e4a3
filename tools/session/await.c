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
	const char *what; /* subject of messages: "the export"; NULL: no message */
	struct op_in in;  /* asks for its state */
	bool gone;        /* the table is to be deleted */
	unsigned looks;   /* polls so far */
};

static int
await_look(struct ctl *ctl, struct call *own, void *arg, bool *busy)
{
	struct job *j = arg;
	struct op_out out = {.type = j->in.type};
	const struct table_info *table = &out.describe_table.table;
	const struct transfer *t = j->in.type == OP_DESCRIBE_EXPORT ? &out.describe_export.exported
								    : &out.describe_import.import;

	if (j->looks++ == PATIENCE_S * MS_PER_S / PAUSE_MS && j->what != NULL) {
		ctl_note(ctl,
			 "waiting for %s, since no other process has the store open; if you "
			 "interrupt it, the next process that opens the store continues it",
			 j->what);
	}
	int r = engine_execute(ctl->engine, own, &j->in, &out);

	switch ((int)j->in.type) {
	case OP_DESCRIBE_TABLE: /* fails for a failed restore; the message has the reason */
		*busy = r == 0 && (j->gone || table->status != TABLE_ACTIVE ||
				   schema_busy(table->schema) != NULL);
		return j->gone && r == -ERR_NO_TABLE ? 0 : r;
	case OP_DESCRIBE_BACKUP: /* likewise for a failed backup */
		*busy = out.describe_backup.backup.status == ARCHIVE_RUNNING;
		return r;
	default:
		*busy = t->status == TRANSFER_RUNNING;
		return r < 0 || t->status != TRANSFER_FAILED
			       ? r
			       : call_fail(own, ERR_IO, "%s has failed: %.*s: %.*s", j->what,
					   SLICE_ARG(t->failure_code), SLICE_ARG(t->failure));
	}
}

static struct op_in
await_table_in(struct slice table)
{
	return (struct op_in){.type = OP_DESCRIBE_TABLE, .describe_table.table = table};
}

static int
await_remote(struct ctl *ctl, struct call *c, struct job j)
{
	if (ctl->store == NULL || !store_is_remote(ctl->store)) {
		return 0;
	}
	call_scope(own, c->now_ms);
	int r = await(ctl, &own, await_look, &j);

	if (r == -ERR_ACCESS) {
		ctl_note(ctl, "not waiting for table %.*s: AccessDenied: %s",
			 SLICE_ARG(j.in.describe_table.table), own.error.message);
		return 0;
	}
	return r < 0 ? ctl_adopt(c, &own) : 0;
}

int
await_table(struct ctl *ctl, struct call *c, struct slice table)
{
	return await_remote(ctl, c, (struct job){.in = await_table_in(table)});
}

int
await_gone(struct ctl *ctl, struct call *c, struct slice table)
{
	return await_remote(ctl, c, (struct job){.in = await_table_in(table), .gone = true});
}

static struct slice
arn_of(struct call *c, struct slice table, const char *kind, struct slice id)
{
	struct buf arn = {.arena = &c->arena};

	arn_put_table(&arn, SLICE(""), table);
	buf_fmt(&arn, "%s%.*s", kind, SLICE_ARG(id));
	return buf_view(&arn);
}

/* The job that @in has started; without @what if it starts none. */
static struct job
job_of(struct call *c, const struct op_in *in, const struct op_out *out)
{
	const struct transfer *exported = &out->export_table.exported;
	const struct transfer *import = &out->import_table.import;
	const struct archive *backup = &out->create_backup.backup;
	struct job j = {0};

	switch ((int)in->type) {
	case OP_EXPORT_TABLE:
		j.what = "the export";
		j.in.type = OP_DESCRIBE_EXPORT;
		j.in.describe_export.arn = arn_of(c, exported->table, "/export/", exported->id);
		break;
	case OP_IMPORT_TABLE:
		j.what = "the import";
		j.in.type = OP_DESCRIBE_IMPORT;
		j.in.describe_import.arn = arn_of(c, import->table, "/import/", import->id);
		break;
	case OP_CREATE_BACKUP:
		j.what = "the backup";
		j.in.type = OP_DESCRIBE_BACKUP;
		j.in.describe_backup.arn = arn_of(c, backup->schema->table, "/backup/", backup->id);
		break;
	case OP_RESTORE_TABLE:
		j.what = "the restore";
		j.in = await_table_in(in->restore_table.table);
		break;
	case OP_UPDATE_TABLE:
		j.what = "the index";
		j.in = await_table_in(in->update_table.table);
		break;
	}
	return j;
}

int
await_job(struct ctl *ctl, struct call *c, const struct op_in *in, const struct op_out *out)
{
	struct job j = job_of(c, in, out);

	return j.what != NULL && ctl_owns(ctl) ? await(ctl, c, await_look, &j) : 0;
}
