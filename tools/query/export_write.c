/* export_write - see export_write.h */
#include "tools/query/export_write.h"

#include <assert.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/system/folder.h"
#include "store/engine/engine.h"
#include "store/model/export_folder.h"
#include "store/model/manifest.h"
#include "store/model/schema.h"

#include "tools/out/out.h"
#include "tools/out/sink.h"
#include "tools/out/spool.h"
#include "tools/query/result_printer.h"
#include "tools/query/split_writer.h"
#include "tools/session/ctl.h"
#include "tools/session/lead.h"
#include "tools/system/source_form.h"
#include "tools/system/target.h"
#include "tools/text/fmt.h"

/* Print the items to @out, or to the files of @split if it is given. */
static int
export_write_items(struct exporting *e, struct call *c, struct out *out, struct split_writer *split)
{
	struct result_printer a = {.ctl = e->ctl,
				   .out = out,
				   .choose = split == NULL ? NULL : split_writer_choose,
				   .arg = split,
				   .progress = &e->progress,
				   .requests = &e->request,
				   .n = 1,
				   .patient = true,
				   .jobs = ctl_jobs(&e->o->jobs)};

	return result_printer_print(&a, c);
}

/* Print the items to @out, which is open, and close it. */
static int
export_write_close(struct exporting *e, struct call *c, struct out *out)
{
	int r = export_write_items(e, c, out, NULL);

	r = r != 0 ? r : out_close(out, c);
	e->items = out->n;
	out_drop(out);
	return r;
}

/* The index that is exported; NULL: the table */
static const struct index *
export_write_index(const struct exporting *e)
{
	return e->o->index == NULL ? NULL : schema_index(e->table->schema, slice_from(e->o->index));
}

int
export_write_file(struct exporting *e, struct call *c)
{
	struct ctl *ctl = e->ctl;
	struct target target = {0};
	struct out out;
	struct stat st;
	int r = target_open(c, e->to, &target);

	if (r < 0) {
		return r;
	}
	e->replaces = target.part != NULL && stat(target.name, &st) == 0 && st.st_size > 0;
	out_open(&out, target.fd, e->format);
	lead_key(&out, c, e->table->schema, export_write_index(e));
	if (e->o->safe) {
		spool_safe(out.spool);
	}
	if (source_is_gz(e->to)) {
		sink_compress(&out.sink);
	}
	r = target_close(c, &target, export_write_close(e, c, &out));
	ctl->out.sink.failed = target.name == NULL ? out.sink.failed : 0;
	return r;
}

/* Write a file for each value of the attribute of --split-by. */
static int
export_write_split(struct exporting *e, struct call *c, struct folder *folder)
{
	struct out form = {.format = e->format}; /* nothing is written to it */

	lead_key(&form, c, e->table->schema, export_write_index(e));
	struct split_writer *split_writer =
		split_writer_new(folder, slice_from(e->o->split_by), &form);
	int r = export_write_items(e, c, &form, split_writer);
	r = r != 0 ? r : split_writer_close(split_writer, c);
	e->items = e->ctl->counted.count;
	if (r == 0) {
		ctl_note(e->ctl, "%zu file%s in %s", split_writer_files(split_writer),
			 split_writer_files(split_writer) == 1 ? "" : "s", folder->name);
	}
	split_writer_free(split_writer);
	return r;
}

/* Write data and manifests in the layout of an export of DynamoDB. */
static int
export_write_dynamodb(struct exporting *e, struct call *c, const struct folder *folder)
{
	struct export_folder f = {.dir = folder->fd, .mode = 0777};
	struct slice id = fmt_slice(&c->arena, "%014llu-%08x", (unsigned long long)c->now_ms,
				    (unsigned)getpid());
	cleanup(cleanup_fd) int fd = export_folder_data(c, &f, id);
	struct out out;

	if (fd < 0) {
		return fd;
	}
	out_open(&out, fd, OUT_EXPORT);
	int r = export_write_close(e, c, &out);

	if (r < 0) {
		return r;
	}
	struct manifest m = {
		.table = e->table->schema->table,
		.uuid = e->table->schema->uuid,
		.id = id,
		.started_ms = c->now_ms,
		.ended_ms = clock_now_ms(),
		.items = e->items,
		.bytes = e->table->totals.bytes,
	};

	return export_folder_done(c, &f, fd, &m);
}

int
export_write_folder(struct exporting *e, struct call *c)
{
	struct folder folder;

	assert(e->to != NULL && e->table != NULL);
	assert(e->format == OUT_EXPORT || e->o->split_by != NULL);
	int r = folder_open(c, e->to, 0777, (uint64_t)getpid(), &folder);

	if (r < 0) {
		return r;
	}
	r = e->format == OUT_EXPORT ? export_write_dynamodb(e, c, &folder)
				    : export_write_split(e, c, &folder);
	return folder_close(c, &folder, r);
}
