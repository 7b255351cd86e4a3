/* backup - CreateBackup, DescribeBackup, ListBackups, DeleteBackup, RestoreTableFromBackup */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/local/archive.h"
#include "store/local/catalog_int.h"
#include "store/local/jobs.h"
#include "store/local/tables.h"
#include "store/model/arn.h"
#include "store/model/limits.h"

/* ------------------------------------------------------------ by name */

static int
no_backup(struct call *c, struct slice arn, const struct archive *a)
{
	return a == NULL ? call_fail(c, ERR_BACKUP_NOT_FOUND, "Backup not found: %.*s",
				     SLICE_ARG(arn))
			 : call_fail(c, ERR_BACKUP_NOT_FOUND,
				     "Backup not found: %.*s (it failed: %.*s)", SLICE_ARG(arn),
				     SLICE_ARG(a->failure));
}

/* A backup that is there or on its way. */
static int
find(struct local *l, struct call *c, struct slice arn, struct archive *out)
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

/* ------------------------------------------------------------ CreateBackup */

static int
make_directory(const struct local *l, struct call *c)
{
	struct buf path;

	if (l->dir == NULL) {
		return call_fail(c, ERR_NOT_SUPPORTED, "a store in memory has no backups");
	}
	buf_init(&path, &c->arena);
	buf_fmt(&path, "%s/backups", l->dir);
	if (mkdir(path.at, 0777) < 0 && errno != EEXIST) {
		return call_fail(c, ERR_IO, "%s: %s", path.at, strerrordesc_np(errno));
	}
	return 0;
}

struct creation {
	struct local *local;
	const struct create_backup_in *in;
	struct archive *archive;
	struct kv_snapshot *at;
};

/* What is committed before this has its place in the backup: the group ends here. */
static int
run_creation(struct txn *t, struct call *c, void *arg)
{
	struct creation *cr = arg;
	const struct schema *s = catalog_get(cr->local->catalog, c, cr->in->table);
	struct archive *a = cr->archive;
	struct table_info info;
	struct buf id;
	struct buf key;
	struct buf record;

	if (s == NULL || s->creating) {
		return call_fail(c, ERR_NO_SUCH_TABLE, "Table not found: %.*s",
				 SLICE_ARG(cr->in->table));
	}
	int r = table_describe(t, c, s, &info);

	buf_init(&id, &c->arena);
	buf_init(&key, &c->arena);
	buf_init(&record, &c->arena);
	buf_fmt(&id, "%014llu-%08x", (unsigned long long)c->now_ms, (uint32_t)txn_seq(t));
	*a = (struct archive){
		.id = buf_view(&id),
		.name = cr->in->name,
		.schema = s,
		.started_ms = c->now_ms,
		.items = info.totals.items,
		.item_bytes = info.totals.bytes,
	};
	archive_key(&key, a->id);
	archive_encode(&record, a);
	txn_put(t, buf_view(&key), buf_view(&record));
	return r;
}

static void
creation_committed(void *arg)
{
	struct creation *cr = arg;

	cr->at = cr->local->kv->ops->snapshot_new(cr->local->kv);
}

int
local_exec_create_backup(struct local *l, struct call *c, const struct create_backup_in *in,
			 struct create_backup_out *out)
{
	struct creation cr = {.local = l, .in = in, .archive = &out->backup};
	int r = make_directory(l, c);

	if (r == 0) {
		r = txn_run_last(l->queue, c, run_creation, creation_committed, &cr);
	}
	if (r == 0) {
		jobs_backup(l->jobs, c, &out->backup, cr.at);
	}
	return r;
}

/* ------------------------------------------------------------ DescribeBackup, DeleteBackup */

int
local_exec_describe_backup(struct local *l, struct call *c, const struct describe_backup_in *in,
			   struct describe_backup_out *out)
{
	return find(l, c, in->arn, &out->backup);
}

int
local_exec_delete_backup(struct local *l, struct call *c, const struct delete_backup_in *in,
			 struct delete_backup_out *out)
{
	int r = find(l, c, in->arn, &out->backup);

	if (r < 0) {
		return r;
	}
	if (out->backup.status == ARCHIVE_RUNNING) {
		return call_fail(c, ERR_BACKUP_IN_USE, "Backup is being created: %.*s",
				 SLICE_ARG(in->arn));
	}
	r = archive_forget(l, c, out->backup.id);
	if (r == 0) {
		(void)unlink(archive_path(l, c, out->backup.id));
		out->backup.status = ARCHIVE_DELETED;
	}
	return r;
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
take(void *arg, struct call *c, const struct archive *a)
{
	struct listing *ls = arg;
	const struct list_backups_in *in = ls->in;

	(void)c;
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
	int r = archive_each(l, c, id, take, &ls);

	if (r == 0) {
		*out = (struct list_backups_out){ls.at, ls.n, ls.more};
	}
	return r;
}

/* ------------------------------------------------------------ RestoreTableFromBackup */

/* The table's definition as it is made again: without what is no part of a backup, as with the
 * service, and without indexes that were on their way out. */
static struct schema
definition_again(struct call *c, const struct archive *a, const struct restore_table_in *in)
{
	struct schema s = *a->schema;

	s.table = in->table;
	s.creating = true;
	s.protected = false;
	s.ttl = slice_of(NULL, 0);
	s.n_tags = 0;
	s.stream = (struct stream_setting){0};
	s.index = arena_new(&c->arena, struct index, a->schema->n_index);
	s.n_index = 0;
	for (size_t i = 0; i < a->schema->n_index; i++) {
		if (a->schema->index[i].state != INDEX_DELETING) {
			s.index[s.n_index++] = a->schema->index[i];
		}
	}
	if (in->override_billing) {
		s.provisioned = in->provisioned;
		s.read_units = in->read_units;
		s.write_units = in->write_units;
	}
	return s;
}

int
local_exec_restore_table(struct local *l, struct call *c, const struct restore_table_in *in,
			 struct restore_table_out *out)
{
	struct archive a = {0};
	int r = find(l, c, in->arn, &a);

	if (r < 0) {
		return r;
	}
	if (a.status == ARCHIVE_RUNNING) {
		return call_fail(c, ERR_BACKUP_IN_USE, "Backup is being created: %.*s",
				 SLICE_ARG(in->arn));
	}
	if (catalog_get(l->catalog, c, in->table) != NULL) {
		return call_fail(c, ERR_TABLE_EXISTS, "Table already exists: %.*s",
				 SLICE_ARG(in->table));
	}
	struct schema s = definition_again(c, &a, in);

	r = table_create(l, c, &s, &out->table);
	if (r == 0) {
		jobs_restore(l->jobs, c, &a, in->table);
	}
	return r;
}
