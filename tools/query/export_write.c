/* export_write - see export_write.h */
#include "tools/query/export_write.h"

#include <sys/stat.h>

#include "store/base/core/clock.h"
#include "store/base/core/escape.h"
#include "store/base/core/utf8.h"
#include "store/base/system/descriptors.h"
#include "store/base/system/folder.h"
#include "store/base/text/sha256.h"
#include "store/engine/engine.h"
#include "store/model/export_folder.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/manifest.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/out/out.h"
#include "tools/out/sink.h"
#include "tools/out/spool.h"
#include "tools/query/result_printer.h"
#include "tools/session/ctl.h"
#include "tools/session/lead.h"
#include "tools/system/source_form.h"
#include "tools/system/target.h"
#include "tools/text/fmt.h"

enum {
	SPLIT_WRITER_FILES_MAX = 1000, /* all files are open at the same time */
	SLOTS = 4096, /* slots of the hash table of names: a power of two, well over SPLIT_WRITER_FILES_MAX */
	NAME_MAX_ = 180,  /* bytes of a name; longer names are cut */
	DIGEST_SHOWN = 8, /* bytes of the digest after a name that was cut */
};

struct split_writer_file {
	const char *name;     /* NULL: free */
	enum value_type type; /* of the value */
	int fd;
	struct out out;
};

/*
 * Writes items to the files of a folder, one for each value of an attribute.
 *
 * The name of a file is the text of the value.  If a value of another type with the same text came first, the type is
 * appended ("7%S").  Items without the attribute go to "%none".
 */
struct split_writer {
	struct folder *folder;
	struct slice attribute;
	const struct out *form; /* format and first columns of each file */
	struct arena names;
	struct buf name; /* file name for the current item */
	struct split_writer_file *slots;
	size_t n;
};

/* Create a writer without files; all is borrowed; @form: has the format and lead of all files */
static struct split_writer *
split_writer_new(struct folder *folder, struct slice attribute, const struct out *form)
{
	struct split_writer *f = mem_new(struct split_writer);

	*f = (struct split_writer){.folder = folder, .attribute = attribute, .form = form};
	f->slots = mem_zeroed(SLOTS, sizeof(*f->slots));
	arena_init(&f->names, SIZE_MAX);
	buf_init(&f->name, NULL);
	descriptors_raise(); /* up to two for each file: CSV keeps its rows in a temporary file */
	return f;
}

/* Close open files, which stay incomplete, and free @f. */
static void
split_writer_free(struct split_writer *f)
{
	for (size_t i = 0; i < SLOTS; i++) {
		if (f->slots[i].name != NULL) {
			out_drop(&f->slots[i].out);
			if (f->slots[i].fd >= 0) {
				(void)close(f->slots[i].fd);
			}
		}
	}
	free(f->slots);
	buf_release(&f->name);
	arena_drop(&f->names);
	free(f);
}

/* ------------------------------------------------------------ names */

static bool
split_writer_keeps(char ch)
{
	return (unsigned char)ch >= ' ' && ch != '/' && ch != '%' && ch != 0x7f;
}

/* Append @text as a file name: write '/', '%', control characters and a first '.' or '-' as %XX, no text as "%". */
static void
split_writer_put_escaped(struct buf *out, struct slice text)
{
	if (text.len == 0) {
		buf_str(out, "%");
	} else if (text.at[0] == '.' || text.at[0] == '-') {
		buf_fmt(out, "%%%02X", text.at[0]);
		text = slice_skip(text, 1);
	}
	escape_percent(out, text, split_writer_keeps);
}

static void
split_writer_cut(struct buf *name)
{
	uint8_t digest[SHA256_BYTES];

	sha256(buf_view(name), digest);
	name->len = utf8_cut(buf_view(name), NAME_MAX_).len;
	buf_char(name, '~');
	for (size_t i = 0; i < DIGEST_SHOWN; i++) {
		buf_fmt(name, "%02x", digest[i]);
	}
}

/* Set f->name for @v; @typed: append the type, so that it differs from the name of any other value. */
static void
split_writer_name_of(struct split_writer *f, const struct value *v, bool typed)
{
	struct buf json = {0};

	buf_clear(&f->name);
	if (v == NULL) {
		buf_str(&f->name, "%none");
	} else if (v->type == VALUE_S || v->type == VALUE_N) {
		split_writer_put_escaped(&f->name, v->text);
	} else {
		value_put_json(&json, v, ITEM_PLAIN);
		split_writer_put_escaped(&f->name, buf_view(&json));
		buf_release(&json);
	}
	if (typed) {
		buf_fmt(&f->name, "%%%s", value_type_name(v->type));
	}
	if (f->name.len > NAME_MAX_) {
		split_writer_cut(&f->name);
	}
	buf_str(&f->name, f->form->format == OUT_CSV    ? ".csv"
			  : f->form->format == OUT_TSV  ? ".tsv"
			  : f->form->format == OUT_JSON ? ".json"
							: ".jsonl");
}

/* ------------------------------------------------------------ files */

static size_t
hash(struct slice s)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < s.len; i++) {
		h = (h ^ (uint8_t)s.at[i]) * UINT64_C(0x100000001b3);
	}
	return (size_t)(h ^ (h >> 32)) % SLOTS;
}

static int
split_writer_open_file(struct split_writer *f, struct call *c, struct split_writer_file *file)
{
	const char *name = slice_cstr(&f->names, buf_view(&f->name));

	if (f->n == SPLIT_WRITER_FILES_MAX) {
		return call_fail(c, ERR_LIMIT, "%.*s has more than %d different values",
				 SLICE_ARG(f->attribute), SPLIT_WRITER_FILES_MAX);
	}
	file->fd = folder_file(c, f->folder, name);
	if (file->fd < 0) {
		return file->fd;
	}
	file->name = name;
	out_open(&file->out, file->fd, f->form->format);
	file->out.lead = f->form->lead;
	file->out.n_lead = f->form->n_lead;
	f->n++;
	return 0;
}

/* Return the file f->name, or a free slot for it. */
static struct split_writer_file *
split_writer_find(const struct split_writer *f)
{
	size_t at = hash(buf_view(&f->name));

	while (f->slots[at].name != NULL && !slice_is(buf_view(&f->name), f->slots[at].name)) {
		at = (at + 1) % SLOTS;
	}
	return &f->slots[at];
}

/* choose() of struct result_printer: return the output for an item; @arg: the split writer; NULL after an error */
static struct out *
split_writer_choose(void *arg, struct call *c, const struct item *it)
{
	struct split_writer *f = arg;
	const struct value *v = item_get(it, f->attribute);

	split_writer_name_of(f, v, false);
	struct split_writer_file *file = split_writer_find(f);

	if (v != NULL && file->name != NULL && file->type != v->type) {
		split_writer_name_of(f, v, true); /* a value of another type with the same text */
		file = split_writer_find(f);
	}
	if (file->name == NULL && split_writer_open_file(f, c, file) < 0) {
		return NULL;
	}
	if (v != NULL) {
		file->type = v->type;
	}
	return &file->out;
}

/* Complete and sync all files; then only split_writer_free() is allowed. */
static int
split_writer_close(struct split_writer *f, struct call *c)
{
	int r = 0;

	for (size_t i = 0; i < SLOTS && r == 0; i++) {
		struct split_writer_file *file = &f->slots[i];

		if (file->name != NULL) {
			int fd = file->fd;

			r = out_close(&file->out, c);
			if (r == 0) {
				file->fd = -1;
				r = folder_done(c, file->name, fd);
			}
		}
	}
	return r;
}

/* ------------------------------------------------------------ exports */

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
		ctl_note(e->ctl, "%zu file%s in %s", split_writer->n,
			 split_writer->n == 1 ? "" : "s", folder->name);
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
