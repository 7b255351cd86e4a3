/* heat_file - the file STORE/heat, and the operation DescribeHeat, which reports key usage */
#include "store/local/meter/heat_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/utf8.h"
#include "store/base/system/regular.h"
#include "store/base/system/write_all.h"
#include "store/local/meter/heat.h"
#include "store/local/meter/heat_text.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/local_int.h"

static const char name[] = "heat";
static const char new_name[] = "heat.new";

enum {
	FILE_MAX = 2 * HEAT_TEXT, /* a file that would become larger is rewritten */
	READ_MAX = 2 * FILE_MAX,  /* no file of this program is larger */
};

/* The size of the file; -1 if there is none. */
static off_t
heat_file_size_of(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 ? st.st_size : -1;
}

static void
heat_file_read_all(int fd, struct buf *out)
{
	ssize_t n = 1;
	size_t left = READ_MAX;

	while (left > 0 && (n > 0 || (n < 0 && errno == EINTR))) {
		n = read(fd, buf_room(out, left < BUFSIZ ? left : BUFSIZ),
			 left < BUFSIZ ? left : BUFSIZ);
		out->len += n > 0 ? (size_t)n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
}

static void
read_at(int dir, struct buf *out)
{
	cleanup(cleanup_fd) int fd = regular_open(dir, name);

	if (heat_file_size_of(fd) > 0) {
		heat_file_read_all(fd, out);
	}
}

void
heat_file_read(int dir, struct buf *out)
{
	read_at(dir, out);
	/* The last line may have been cut off. */
	buf_char(out, '\n');
}

/* Replace the file by a shorter one with its newest lines and @lines. */
static void
write_anew(int dir, struct slice lines, uint64_t minute)
{
	struct buf text = {0};

	read_at(dir, &text);
	buf_char(&text, '\n');
	buf_slice(&text, lines);
	heat_text_shrink(&text, minute, HEAT_TEXT);
	(void)unlinkat(dir, new_name, 0);
	cleanup(cleanup_fd) int fd = regular_open_for(dir, new_name, O_WRONLY | O_CREAT | O_EXCL);

	if (heat_file_size_of(fd) == 0 && write_all(fd, buf_view(&text)) == 0) {
		(void)renameat(dir, new_name, dir, name);
	}
	buf_release(&text);
}

/* A single write. It begins with a newline, because a crash may have cut off the last line of the file. */
void
heat_file_append(int dir, struct slice lines, uint64_t minute)
{
	cleanup(cleanup_fd) int fd = regular_open_for(dir, name, O_WRONLY | O_APPEND | O_CREAT);
	off_t size = heat_file_size_of(fd);

	if (size < 0) {
		return;
	}
	if ((size_t)size + lines.len > FILE_MAX) {
		write_anew(dir, lines, minute);
		return;
	}
	struct buf text = {0};

	buf_char(&text, '\n');
	buf_slice(&text, lines);
	(void)!write_all(fd, buf_view(&text));
	buf_release(&text);
}

/* ------------------------------------------------------------ DescribeHeat */

enum { LIMIT = 100, MINUTE_S = 60 };

/* The request, bound; ix is NULL for the table. */
struct asked {
	const struct schema *schema;
	const struct index *ix;
	uint64_t since_s;
	uint32_t limit;
};

static int
heat_describe_bind(struct local *l, struct call *c, const struct describe_heat_in *in,
		   struct asked *out)
{
	out->since_s = in->since_s == 0 ? HEAT_SINCE_S : in->since_s;
	out->limit = in->limit == 0 ? LIMIT : in->limit;
	int r = catalog_find_index(l->catalog, c, in->table, in->index, &out->schema, &out->ix);

	if (r == 0 && out->ix != NULL && !out->ix->global) {
		r = call_fail(
			c, ERR_VALIDATION,
			"%.*s is a local index: it has the partitions of the table, ask for that",
			SLICE_ARG(in->index));
	}
	return r;
}

static struct heat_use
use_of(const struct heat_rate *r)
{
	return (struct heat_use){.halves = r->sum, .peak_halves = r->peak};
}

/* Whether all strings are valid UTF-8; others must not get into an answer in JSON. */
static bool
legible(const struct values *pk)
{
	for (size_t i = 0; i < pk->n; i++) {
		if (pk->at[i].type == VALUE_S && !utf8_valid(pk->at[i].text)) {
			return false;
		}
	}
	return true;
}

/* Decode one key's usage. Return: false if it is no key of this table: the file may have any content */
static bool
tell_key(struct call *c, const struct asked *a, const struct heat_key *k, struct heat_of_key *out)
{
	struct buf key;

	*out = (struct heat_of_key){0};
	buf_init(&key, &c->arena);
	keyspace_partitions(&key, a->schema, a->ix);
	buf_slice(&key, k->key);
	out->pk.at = arena_new(&c->arena, struct value, KEY_VALUES_MAX);
	if (keyspace_parse_partition(c, a->schema, a->ix, buf_view(&key), &out->pk) < 0) {
		c->error = (struct error){0};
		return false;
	}
	if (!legible(&out->pk)) {
		return false;
	}
	out->read = use_of(&k->rate[THROTTLE_READ]);
	out->write = use_of(&k->rate[THROTTLE_WRITE]);
	return true;
}

static void
heat_describe_tell(struct call *c, const struct asked *a, const struct heat_key *keys, size_t n,
		   struct describe_heat_out *out)
{
	struct heat_of_key *told = arena_new(&c->arena, struct heat_of_key, n);

	for (size_t i = 0; i < n; i++) {
		struct arena_mark before = arena_mark(&c->arena);
		struct heat_of_key one;

		if (keys[i].key.len == 0) {
			out->read = use_of(&keys[i].rate[THROTTLE_READ]);
			out->write = use_of(&keys[i].rate[THROTTLE_WRITE]);
			continue;
		}
		bool known = tell_key(c, a, &keys[i], &one);

		out->known += known;
		if (known && out->n_keys < a->limit) {
			told[out->n_keys++] = one;
		} else {
			arena_reset(&c->arena, before);
		}
	}
	out->keys = told;
}

int
local_exec_describe_heat(struct local *l, struct call *c, const struct describe_heat_in *in,
			 struct describe_heat_out *out)
{
	struct asked a = {0};
	struct buf lines;
	size_t n;
	int r = heat_describe_bind(l, c, in, &a);

	*out = (struct describe_heat_out){0};
	if (r < 0) {
		return r;
	}
	buf_init(&lines, NULL);
	uint64_t now = heat_lines(l->heat, c, &lines);
	struct heat_filter f = {
		.from = now > a.since_s ? (now - a.since_s) / MINUTE_S : 0,
		.to = now / MINUTE_S,
		.one = true,
		.table = a.schema->id,
		.index = a.ix == NULL ? KEYSPACE_BASE : a.ix->id,
	};
	struct heat_key *keys = heat_text_read(&c->arena, buf_view(&lines), &f, &n);

	buf_release(&lines);
	out->seconds = now - f.from * MINUTE_S + 1;
	heat_describe_tell(c, &a, keys, n, out);
	return 0;
}
