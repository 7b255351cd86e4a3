/* split_writer - see split_writer.h */
#include "tools/query/split_writer.h"

#include <stdlib.h>
#include <unistd.h>

#include "store/base/core/escape.h"
#include "store/base/core/mem.h"
#include "store/base/core/utf8.h"
#include "store/base/system/descriptors.h"
#include "store/base/system/folder.h"
#include "store/base/text/sha256.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/value.h"

#include "tools/out/out.h"

enum {
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

struct split_writer {
	struct folder *folder;
	struct slice attribute;
	const struct out *form; /* format and first columns of each file */
	struct arena names;
	struct buf name; /* file name for the current item */
	struct split_writer_file *slots;
	size_t n;
};

struct split_writer *
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

void
split_writer_free(struct split_writer *f)
{
	if (f == NULL) {
		return;
	}
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

size_t
split_writer_files(const struct split_writer *f)
{
	return f->n;
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
	struct buf json;

	buf_clear(&f->name);
	if (v == NULL) {
		buf_str(&f->name, "%none");
	} else if (v->type == VALUE_S || v->type == VALUE_N) {
		split_writer_put_escaped(&f->name, v->text);
	} else {
		buf_init(&json, NULL);
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

struct out *
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

int
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
