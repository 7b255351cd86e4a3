/*
 * ldb_table - see ldb_table.h
 *
 *   file  = block* foot          blocks: data, a filter, the list of filters, the index of the data
 *   block = bytes kind:u8 checksum:u32                 kind: 0 uncompressed, 1 compressed by Snappy
 *   foot  = place and size of the list of filters, then of the index, zeros, magic:u64    48 bytes
 *
 * List, index and foot are at the end, in this order.
 *
 * Entries of an index: shared:varint rest:varint length:varint, rest of a key, a value. After the entries are the
 * restart places and their number. A value is place and size of a block, as varints.
 */
#include "store/kv/ldb_table.h"

#include <snappy-c.h>
#include <sys/stat.h>

#include "store/kv/ldb_log.h"

enum {
	FOOT_BYTES = 48,
	MAGIC_BYTES = 8,
	TAIL_BYTES = 5, /* kind and checksum after a block */
	KIND_PLAIN = 0,
	KIND_SNAPPY = 1,
	/*
	 * No block is larger, compressed or not: a block ends with the entry that makes it 4 KB, an entry is at
	 * most an item, and the index of a complete log of 64 MB takes some megabytes.
	 */
	BLOCK_MAX = 64 << 20,
};

static const uint64_t magic = 0xdb4775248b80fb57;

struct handle {
	uint64_t place;
	uint64_t bytes;
};

struct table {
	int fd;
	uint64_t bytes;
	struct handle list; /* of filters */
	struct handle index;
	uint64_t from; /* the next listed block must not begin before this */
	struct ldb_table_damage damage;
	bool damaged;
	struct buf block; /* on the heap; with its tail */
	struct buf entries;
};

/* Takes the handle of a block, which must end before the foot. */
static bool
ldb_table_take_handle(const struct table *t, struct slice *rest, struct handle *out)
{
	uint64_t end = t->bytes - FOOT_BYTES;

	return ldb_log_take_varint(rest, &out->place) && ldb_log_take_varint(rest, &out->bytes) &&
	       out->place <= end && out->bytes <= BLOCK_MAX && out->bytes <= end - out->place &&
	       end - out->place - out->bytes >= TAIL_BYTES;
}

/* ------------------------------------------------------------ blocks */

static enum ldb_table_state
ldb_table_damaged_at(struct table *t, uint64_t place)
{
	if (t->damaged) {
		t->damage.others++;
	} else {
		t->damage.place = (off_t)place;
	}
	t->damaged = true;
	return LDB_TABLE_DAMAGED;
}

static enum ldb_table_state
ldb_table_read_at(struct table *t, uint64_t place, size_t bytes, char *out)
{
	size_t done = 0;

	while (done < bytes) {
		ssize_t n = pread(t->fd, out + done, bytes - done, (off_t)(place + done));

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			return n < 0 ? LDB_TABLE_FAILED : ldb_table_damaged_at(t, place + done);
		}
		done += (size_t)n;
	}
	return LDB_TABLE_WHOLE;
}

/* Reads a block to t->block and verifies its checksum. */
static enum ldb_table_state
ldb_table_read_block(struct table *t, const struct handle *h)
{
	size_t bytes = h->bytes + TAIL_BYTES;

	buf_clear(&t->block);
	enum ldb_table_state state =
		ldb_table_read_at(t, h->place, bytes, buf_room(&t->block, bytes));

	if (state != LDB_TABLE_WHOLE) {
		return state;
	}
	t->block.len = bytes;
	return ldb_log_u32(t->block.at + h->bytes + 1) ==
			       ldb_log_checksum((const unsigned char *)t->block.at, h->bytes + 1)
		       ? LDB_TABLE_WHOLE
		       : ldb_table_damaged_at(t, h->place);
}

/* ------------------------------------------------------------ the foot */

/* The offset after the block and its tail. */
static uint64_t
ldb_table_end(const struct handle *h)
{
	return h->place + h->bytes + TAIL_BYTES;
}

static bool
ldb_table_zeros(struct slice s)
{
	for (size_t i = 0; i < s.len; i++) {
		if (s.at[i] != 0) {
			return false;
		}
	}
	return true;
}

static enum ldb_table_state
ldb_table_read_foot(struct table *t)
{
	char foot[FOOT_BYTES];
	struct stat st;

	if (fstat(t->fd, &st) < 0) {
		return LDB_TABLE_FAILED;
	}
	if (t->bytes < FOOT_BYTES || (uint64_t)st.st_size != t->bytes) {
		return ldb_table_damaged_at(
			t, (uint64_t)st.st_size < t->bytes ? (uint64_t)st.st_size : t->bytes);
	}
	enum ldb_table_state state = ldb_table_read_at(t, t->bytes - FOOT_BYTES, FOOT_BYTES, foot);

	if (state != LDB_TABLE_WHOLE) {
		return state;
	}
	struct slice rest = slice_of(foot, sizeof(foot) - MAGIC_BYTES);

	if (ldb_log_u64(foot + FOOT_BYTES - MAGIC_BYTES) != magic ||
	    !ldb_table_take_handle(t, &rest, &t->list) ||
	    !ldb_table_take_handle(t, &rest, &t->index) || !ldb_table_zeros(rest) ||
	    ldb_table_end(&t->list) != t->index.place ||
	    ldb_table_end(&t->index) != t->bytes - FOOT_BYTES) {
		return ldb_table_damaged_at(t, t->bytes - FOOT_BYTES);
	}
	return LDB_TABLE_WHOLE;
}

enum ldb_table_state
ldb_table_foot(int fd, uint64_t bytes, struct ldb_table_damage *out)
{
	struct table t = {.fd = fd, .bytes = bytes};
	enum ldb_table_state state = ldb_table_read_foot(&t);

	*out = t.damage;
	return state;
}

/* ------------------------------------------------------------ all of it */

static bool
ldb_table_unsnap(struct slice packed, struct buf *out)
{
	size_t bytes;

	buf_clear(out);
	if (snappy_uncompressed_length(packed.at, packed.len, &bytes) != SNAPPY_OK ||
	    bytes > BLOCK_MAX ||
	    snappy_uncompress(packed.at, packed.len, buf_room(out, bytes), &bytes) != SNAPPY_OK) {
		return false;
	}
	out->len = bytes;
	return true;
}

/* The entries of the block in t->block, without the restart places after them. */
static bool
ldb_table_unpack(struct table *t, struct slice *entries)
{
	assert(t->block.len >= TAIL_BYTES);
	size_t bytes = t->block.len - TAIL_BYTES;
	char kind = t->block.at[bytes];
	struct slice all = slice_of(t->block.at, bytes);

	if (kind == KIND_SNAPPY) {
		if (!ldb_table_unsnap(all, &t->entries)) {
			return false;
		}
		all = buf_view(&t->entries);
	}
	if (kind > KIND_SNAPPY || all.len < sizeof(uint32_t)) {
		return false;
	}
	uint64_t restarts = ldb_log_u32(all.at + all.len - sizeof(uint32_t));

	if ((restarts + 1) * sizeof(uint32_t) > all.len) {
		return false;
	}
	*entries = slice_of(all.at, all.len - (restarts + 1) * sizeof(uint32_t));
	return true;
}

static bool
ldb_table_take_entry(struct slice *rest, struct slice *value)
{
	uint64_t shared;
	uint64_t key;
	uint64_t bytes;

	if (!ldb_log_take_varint(rest, &shared) || !ldb_log_take_varint(rest, &key) ||
	    !ldb_log_take_varint(rest, &bytes) || key > rest->len || bytes > rest->len - key) {
		return false;
	}
	*value = slice_of(rest->at + key, bytes);
	*rest = slice_skip(*rest, key + bytes);
	return true;
}

/*
 * Checks the next block of @list. The blocks of the index must be in order, and those of the list of filters after
 * them, so no byte is read twice, however many entries there are.
 *
 * Return: false if the entry is not valid, which ends the list
 */
static bool
ldb_table_check_next(struct table *t, const struct handle *list, struct slice *rest,
		     enum ldb_table_state *state)
{
	struct slice value;
	struct handle h;

	if (!ldb_table_take_entry(rest, &value) || !ldb_table_take_handle(t, &value, &h) ||
	    h.place < t->from) {
		*state = ldb_table_damaged_at(t, list->place);
		return false;
	}
	t->from = ldb_table_end(&h);
	*state = ldb_table_read_block(t, &h);
	return true;
}

/* Checks the blocks that the block @list lists, also those after a damaged one. */
static enum ldb_table_state
ldb_table_check_listed(struct table *t, const struct handle *list)
{
	cleanup(buf_release) struct buf entries = {0};
	struct slice rest;
	enum ldb_table_state state = ldb_table_read_block(t, list);

	if (state != LDB_TABLE_WHOLE) {
		return state;
	}
	if (!ldb_table_unpack(t, &rest)) {
		return ldb_table_damaged_at(t, list->place);
	}
	buf_slice(&entries, rest);
	rest = buf_view(&entries);
	while (rest.len > 0 && ldb_table_check_next(t, list, &rest, &state) &&
	       state != LDB_TABLE_FAILED) {
	}
	return state;
}

enum ldb_table_state
ldb_table_check(int fd, uint64_t bytes, struct ldb_table_damage *out)
{
	struct table t = {.fd = fd, .bytes = bytes};
	enum ldb_table_state state = ldb_table_read_foot(&t);

	if (state == LDB_TABLE_WHOLE) {
		state = ldb_table_check_listed(&t, &t.index);
		if (state != LDB_TABLE_FAILED) {
			state = ldb_table_check_listed(&t, &t.list);
		}
	}
	if (t.damaged) {
		state = LDB_TABLE_DAMAGED; /* even if a later block cannot be read */
	}
	*out = t.damage;
	buf_release(&t.block);
	buf_release(&t.entries);
	return state;
}
