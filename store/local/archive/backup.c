/* backup - CreateBackup, DescribeBackup, ListBackups, DeleteBackup, RestoreTableFromBackup */
#include "store/local/archive/archive.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/tables/tables.h"
#include "store/model/arn.h"
#include "store/model/limits.h"

/* ------------------------------------------------------------ backups by ARN */

static int
no_backup(struct call *c, struct slice arn, const struct archive *a)
{
	return a == NULL ? call_fail(c, ERR_BACKUP_NOT_FOUND, "Backup not found: %.*s",
				     SLICE_ARG(arn))
			 : call_fail(c, ERR_BACKUP_NOT_FOUND,
				     "Backup not found: %.*s (it failed: %.*s)", SLICE_ARG(arn),
				     SLICE_ARG(a->failure));
}

/* Find a backup that is complete or being written. */
static int
backup_find(struct local *l, struct call *c, struct slice arn, struct archive *out)
{
	struct slice table;
	struct slice id;

	if (!arn_read(arn, "/backup/", &table, &id)) {
		return no_backup(c, arn, NULL);
	}
	int r = archive_find(l, c, id, out);

	if (r < 0) {
		return r;
	}
	if (r == KV_ABSENT || !slice_eq(out->schema->table, table)) {
		return no_backup(c, arn, NULL);
	}
	return out->status == ARCHIVE_FAILED ? no_backup(c, arn, out) : 0;
}

/* ------------------------------------------------------------ in use */

static int
in_use(struct call *c, const char *doing, struct slice arn)
{
	return call_fail(c, ERR_BACKUP_IN_USE, "Backup is being %s: %.*s", doing, SLICE_ARG(arn));
}

/* Inside an operation of the queue: check that a backup that was found before still exists and is complete. */
static int
still_whole(struct txn *t, struct call *c, struct slice arn, struct slice id, struct archive *out)
{
	struct slice record;
	int r = txn_get(t, c, keyspace_name(&c->arena, KEYSPACE_ARCHIVE, id), &record);

	if (r == 0) {
		r = archive_decode(c, id, slice_copy(&c->arena, record), out);
	}
	if (r == KV_ABSENT) {
		return no_backup(c, arn, NULL);
	}
	return r == 0 && out->status == ARCHIVE_RUNNING ? in_use(c, "created", arn) : r;
}

/* ------------------------------------------------------------ CreateBackup */

struct creation {
	struct local *local;
	const struct create_backup_in *in;
	struct archive *archive;
	struct kv_snapshot *at;
};

/* This operation ends its group, so the snapshot contains exactly what was committed before it. */
static int
backup_run_creation(struct txn *t, struct call *c, void *arg)
{
	struct creation *cr = arg;
	const struct schema *s = catalog_get(cr->local->catalog, c, cr->in->table);
	struct archive *a = cr->archive;
	struct table_info info;
	struct buf id = {.arena = &c->arena};

	if (s == NULL) {
		return fail_no_such_table(c, arn_table(cr->in->table));
	}
	if (s->creating) {
		return call_fail(c, ERR_TABLE_BUSY, "Table is being created: %.*s",
				 SLICE_ARG(s->table));
	}
	int r = table_describe(t, c, s, &info);

	buf_fmt(&id, "%014llu-%08x", (unsigned long long)c->now_ms, (uint32_t)txn_seq(t));
	*a = (struct archive){
		.id = buf_view(&id),
		.name = cr->in->name,
		.schema = s,
		.started_ms = c->now_ms,
		.items = info.totals.items,
		.item_bytes = info.totals.bytes,
	};
	archive_put(t, c, a);
	return r;
}

static void
backup_creation_committed(void *arg)
{
	struct creation *cr = arg;

	cr->at = cr->local->kv->ops->snapshot_new(cr->local->kv);
}

int
local_exec_create_backup(struct local *l, struct call *c, const struct create_backup_in *in,
			 struct create_backup_out *out)
{
	struct creation cr = {.local = l, .in = in, .archive = &out->backup};
	struct job *job = NULL;
	cleanup(cleanup_fd) int folder = -1;
	int r = archive_folder(l, c, true, &folder);

	if (r == 0) {
		const struct job_needs needs = {.table = arn_table(in->table), .snapshot = true};

		r = backup_jobs_enter(l, &needs, c, &job);
	}
	if (r < 0) {
		return r;
	}
	r = txn_run_last(l->queue, c, backup_run_creation, backup_creation_committed, &cr);
	if (r == 0) {
		backup_jobs_backup(job, &out->backup, cr.at);
	} else {
		jobs_leave(job);
	}
	return r;
}

/* ------------------------------------------------------------ DescribeBackup, DeleteBackup */

int
local_exec_describe_backup(struct local *l, struct call *c, const struct describe_backup_in *in,
			   struct describe_backup_out *out)
{
	return backup_find(l, c, in->arn, &out->backup);
}

struct deletion {
	struct local *local;
	struct slice arn;
	struct slice id;
};

static int
backup_run_deletion(struct txn *t, struct call *c, void *arg)
{
	const struct deletion *d = arg;
	struct archive a;
	int r = still_whole(t, c, d->arn, d->id, &a);

	if (r < 0) {
		return r;
	}
	if (jobs_need(d->local->jobs, &(struct job_needs){.backup = d->id})) {
		return in_use(c, "restored", d->arn);
	}
	a.status = ARCHIVE_DELETED;
	archive_put(t, c, &a);
	return 0;
}

/* If the file cannot be deleted, it stays: at each open of the store it is reported as unknown (recovery.c). */
int
local_exec_delete_backup(struct local *l, struct call *c, const struct delete_backup_in *in,
			 struct delete_backup_out *out)
{
	struct deletion d = {.local = l, .arn = in->arn};
	int r = backup_find(l, c, in->arn, &out->backup);

	if (r == 0) {
		d.id = out->backup.id;
		r = txn_run_last(l->queue, c, backup_run_deletion, NULL, &d);
	}
	if (r < 0) {
		return r;
	}
	out->backup.status = ARCHIVE_DELETED;
	cleanup(cleanup_fd) int folder = -1;

	if (archive_folder(l, c, false, &folder) == 0 &&
	    unlinkat(folder, archive_name(c, d.id), 0) == 0) {
		(void)(archive_settle(c, folder) < 0);
	}
	c->error = (struct error){0};
	return 0;
}

/* ------------------------------------------------------------ ListBackups */

struct listing {
	const struct list_backups_in *in;
	struct archive *at;
	size_t n;
	size_t limit;
	bool more;
};

static int
backup_take(void *arg, struct call *c, const struct archive *a)
{
	struct listing *ls = arg;
	const struct list_backups_in *in = ls->in;

	if (a == NULL) {
		return -(int)c->error.code;
	}
	if (in->none || a->status == ARCHIVE_FAILED || a->started_ms < in->from_ms ||
	    (in->to_ms != 0 && a->started_ms >= in->to_ms) ||
	    (in->table.len > 0 && !slice_eq(arn_table(in->table), a->schema->table))) {
		return 0;
	}
	ls->more = ls->n == ls->limit;
	if (!ls->more) {
		ls->at[ls->n++] = *a;
	}
	return ls->more;
}

int
local_exec_list_backups(struct local *l, struct call *c, const struct list_backups_in *in,
			struct list_backups_out *out)
{
	struct listing ls = {.in = in, .limit = in->limit == 0 ? LIMIT_LIST_BACKUPS : in->limit};
	struct slice table;
	struct slice id = {0};

	if (in->start.len > 0 && !arn_read(in->start, "/backup/", &table, &id)) {
		return call_fail(c, ERR_VALIDATION, "Invalid ExclusiveStartBackupArn");
	}
	ls.at = arena_new(&c->arena, struct archive, ls.limit);
	int r = archive_each(l, c, id, backup_take, &ls);

	if (r == 0) {
		*out = (struct list_backups_out){ls.at, ls.n, ls.more};
	}
	return r;
}

/* ------------------------------------------------------------ RestoreTableFromBackup */

static bool
same_index(const struct index *a, const struct index *b)
{
	bool same = slice_eq(a->name, b->name) && a->projection == b->projection &&
		    a->n_include == b->n_include;

	for (size_t i = 0; i < KEY_ATTRS_MAX && same; i++) {
		same = slice_eq(key_slot(&a->key, i)->name, key_slot(&b->key, i)->name);
	}
	for (size_t i = 0; i < a->n_include && same; i++) {
		same = slice_eq(a->include[i], b->include[i]);
	}
	return same;
}

/* Return: the index in @ch that is defined like @ix, or NULL. */
static const struct index *
chosen(const struct index_choice *ch, const struct index *ix)
{
	for (size_t i = 0; i < ch->n; i++) {
		if (same_index(&ch->at[i], ix)) {
			return &ch->at[i];
		}
	}
	return NULL;
}

static int
check_choice(struct call *c, const struct archive *a, const struct index_choice *ch, bool global)
{
	size_t n = 0;

	for (size_t i = 0; i < a->schema->n_index; i++) {
		const struct index *ix = &a->schema->index[i];

		n += ix->global == global && ix->state != INDEX_DELETING && chosen(ch, ix) != NULL;
	}
	return n == ch->n ? 0
			  : call_fail(c, ERR_VALIDATION,
				      "One or more parameter values were invalid: %s secondary "
				      "index overrides must be secondary indexes of the backup",
				      global ? "Global" : "Local");
}

/* Add @ix to @s if it is chosen; units in the choice replace those of the backup. */
static void
take_index(struct schema *s, const struct index *ix, const struct index_choice *ch)
{
	const struct index *as = ch->given ? chosen(ch, ix) : ix;

	if (as == NULL || ix->state == INDEX_DELETING) {
		return;
	}
	struct index *to = &s->index[s->n_index++];

	*to = *ix;
	if (as->read_units != 0) {
		to->read_units = as->read_units;
		to->write_units = as->write_units;
	}
}

/*
 * Return: the definition of the restored table.  As with the service, tags, time to live, streams, point-in-time
 * recovery and deletion protection are not restored; nor are indexes that were being dropped.
 */
static struct schema
definition_again(struct call *c, const struct archive *a, const struct restore_table_in *in)
{
	struct schema s = *a->schema;

	s.table = in->table;
	s.creating = true;
	s.restored = (struct restored){a->id, a->schema->table, a->started_ms};
	s.protected = false;
	s.ttl = slice_of(NULL, 0);
	s.n_tags = 0;
	s.recovery_ms = 0;
	s.recovery_days = 0;
	s.stream = (struct stream_setting){0};
	s.index = arena_new(&c->arena, struct index, a->schema->n_index);
	s.n_index = 0;
	for (size_t i = 0; i < a->schema->n_index; i++) {
		const struct index *ix = &a->schema->index[i];

		take_index(&s, ix, &in->indexes[ix->global]);
	}
	if (in->override_billing) {
		s.provisioned = in->provisioned;
		s.read_units = in->read_units;
		s.write_units = in->write_units;
	}
	s.on_demand = in->on_demand == NULL ? s.on_demand : *in->on_demand;
	s.encryption = in->encryption == NULL ? s.encryption : *in->encryption;
	return s;
}

struct restoring {
	struct local *local;
	const struct restore_table_in *in;
	struct slice id;
};

static int
check_restore(struct txn *t, struct call *c, const struct schema *s, void *arg)
{
	const struct restoring *rs = arg;
	struct archive a;
	int r = still_whole(t, c, rs->in->arn, rs->id, &a);

	if (r == 0 && catalog_get(rs->local->catalog, c, s->table) != NULL) {
		r = call_fail(c, ERR_TABLE_EXISTS, "Table already exists: %.*s",
			      SLICE_ARG(s->table));
	}
	return r;
}

int
local_exec_restore_table(struct local *l, struct call *c, const struct restore_table_in *in,
			 struct restore_table_out *out)
{
	static const struct schema none;
	struct restoring rs = {.local = l, .in = in};
	struct archive a = {.schema = &none};
	struct job *job = NULL;
	int r = backup_find(l, c, in->arn, &a);

	for (int global = 0; global < 2 && r == 0; global++) {
		r = check_choice(c, &a, &in->indexes[global], global == 1);
	}
	if (r < 0) {
		return r;
	}
	r = backup_jobs_enter(l, &(struct job_needs){.backup = a.id}, c, &job);
	if (r < 0) {
		return r;
	}
	struct schema s = definition_again(c, &a, in);

	rs.id = a.id;
	r = table_create(l, c, &s, check_restore, &rs, &out->table);
	if (r == 0) {
		backup_jobs_restore(job, &a, in->table);
	} else {
		jobs_leave(job);
	}
	return r;
}
