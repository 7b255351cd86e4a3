/*
 * ldb_log - see ldb_log.h
 *
 *   record = checksum:u32 length:u16 type:u8 bytes      little-endian; never across a block
 *
 * type: 1 whole, 2 first part, 3 middle part, 4 last part. The last bytes of a block are zero if they cannot hold a
 * head. The checksum covers type and bytes; see ldb_log_checksum().
 */
#include "store/kv/ldb_log.h"

#include <sys/stat.h>

enum { HEAD = 7, TYPE = 6 };

enum { PART_WHOLE = 1, PART_FIRST, PART_MIDDLE, PART_LAST };

/* ------------------------------------------------------------ CRC-32C */

/* Eight bytes at a time: crc_table[k] is for a byte that k more bytes follow. */
enum { CRC_BYTES = 8 };

static uint32_t crc_table[CRC_BYTES][256];

static void
make_crc_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;

		for (int bit = 0; bit < 8; bit++) {
			crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
		}
		crc_table[0][i] = crc;
	}
	for (uint32_t i = 0; i < 256; i++) {
		for (size_t k = 1; k < CRC_BYTES; k++) {
			uint32_t crc = crc_table[k - 1][i];

			crc_table[k][i] = crc_table[0][crc & 0xff] ^ crc >> 8;
		}
	}
}

static uint32_t
crc_eight(uint32_t crc, const unsigned char *at)
{
	uint32_t next = 0;

	crc ^= ldb_log_u32((const char *)at);
	for (size_t k = 0; k < 4; k++) {
		next ^= crc_table[CRC_BYTES - 1 - k][crc >> (8 * k) & 0xff];
		next ^= crc_table[CRC_BYTES / 2 - 1 - k][at[4 + k]];
	}
	return next;
}

static uint32_t
crc_by_table(const unsigned char *at, size_t n)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint32_t crc = UINT32_MAX;

	(void)pthread_once(&once, make_crc_table);
	for (; n >= CRC_BYTES; n -= CRC_BYTES, at += CRC_BYTES) {
		crc = crc_eight(crc, at);
	}
	for (; n > 0; n--, at++) {
		crc = crc_table[0][(crc ^ *at) & 0xff] ^ crc >> 8;
	}
	return ~crc;
}

#ifdef __x86_64__
/* SSE 4.2 has an instruction for CRC-32C, which is about eight times as fast. */
__attribute__((target("sse4.2"))) static uint32_t
crc_by_processor(const unsigned char *at, size_t n)
{
	uint64_t crc = UINT32_MAX;

	for (; n >= CRC_BYTES; n -= CRC_BYTES, at += CRC_BYTES) {
		uint64_t eight;

		memcpy(&eight, at, sizeof(eight));
		crc = __builtin_ia32_crc32di(crc, eight);
	}
	for (; n > 0; n--, at++) {
		crc = __builtin_ia32_crc32qi((uint32_t)crc, *at);
	}
	return ~(uint32_t)crc;
}

static uint32_t
crc_of(const unsigned char *at, size_t n)
{
	return __builtin_cpu_supports("sse4.2") ? crc_by_processor(at, n) : crc_by_table(at, n);
}
#else
static uint32_t
crc_of(const unsigned char *at, size_t n)
{
	return crc_by_table(at, n);
}
#endif

uint32_t
ldb_log_checksum(const unsigned char *at, size_t n)
{
	uint32_t crc = crc_of(at, n);

	return (crc >> 15 | crc << 17) + 0xa282ead8;
}

/* ------------------------------------------------------------ blocks and parts */

static int
ldb_log_read_block(struct ldb_log *l, off_t base)
{
	l->base = base;
	l->len = 0;
	l->place = 0;
	while (l->len < LDB_LOG_BLOCK) {
		ssize_t n = pread(l->fd, l->block + l->len, LDB_LOG_BLOCK - l->len,
				  base + (off_t)l->len);

		if (n < 0 && errno == EINTR) {
			continue;
		}
		if (n <= 0) {
			return n < 0 ? -1 : 0;
		}
		l->len += (size_t)n;
	}
	return 0;
}

static size_t
part_length(const unsigned char *head)
{
	return head[4] | (size_t)head[5] << 8;
}

/* Whether a valid part begins at @place of the block. */
static bool
valid_part(const struct ldb_log *l, size_t place)
{
	const unsigned char *head = l->block + place;

	return l->len - place >= HEAD && part_length(head) <= l->len - place - HEAD &&
	       ldb_log_u32((const char *)head) ==
		       ldb_log_checksum(head + TYPE, 1 + part_length(head));
}

void
ldb_log_begin(struct ldb_log *l, int fd)
{
	*l = (struct ldb_log){.fd = fd, .base = -LDB_LOG_BLOCK, .len = LDB_LOG_BLOCK};
	l->place = LDB_LOG_BLOCK;
}

/* Appends the next part to @record. Return: its type; 0: no valid part follows; -1 with errno */
static int
ldb_log_next_part(struct ldb_log *l, struct buf *record)
{
	while (l->len == LDB_LOG_BLOCK && l->len - l->place < HEAD) {
		if (ldb_log_read_block(l, l->base + LDB_LOG_BLOCK) < 0) {
			return -1;
		}
	}
	if (!valid_part(l, l->place)) {
		return 0;
	}
	const unsigned char *head = l->block + l->place;

	buf_put(record, head + HEAD, part_length(head));
	l->place += HEAD + part_length(head);
	return head[TYPE];
}

int
ldb_log_next(struct ldb_log *l, struct buf *record)
{
	buf_clear(record);

	int type = ldb_log_next_part(l, record);

	if (type <= 0 || type == PART_WHOLE) {
		return type;
	}
	if (type != PART_FIRST) {
		return 0;
	}
	do {
		type = ldb_log_next_part(l, record);
	} while (type == PART_MIDDLE);
	return type < 0 ? -1 : type == PART_LAST;
}

off_t
ldb_log_place(const struct ldb_log *l)
{
	return l->base + (off_t)l->place;
}

/* ------------------------------------------------------------ a torn end */

/* Whether a valid part begins at @place or later in the block. */
static bool
ldb_log_valid_from(const struct ldb_log *l, size_t place)
{
	for (; place < l->len; place++) {
		if (valid_part(l, place)) {
			return true;
		}
	}
	return false;
}

/* Whether the last block ends within the part at the present place, with no valid part after it. */
static bool
ldb_log_cut_part(const struct ldb_log *l)
{
	const unsigned char *head = l->block + l->place;
	size_t left = l->len - l->place;

	assert(l->place <= l->len);
	if (left >= HEAD && part_length(head) <= left - HEAD) {
		return false;
	}
	return !ldb_log_valid_from(l, l->place + 1);
}

/* Return: 1: all bytes from the present place to the end of the file are zero; 0; -1 with errno */
static int
ldb_log_zeros(struct ldb_log *l)
{
	while (l->len > 0) {
		for (size_t i = l->place; i < l->len; i++) {
			if (l->block[i] != 0) {
				return 0;
			}
		}
		if (ldb_log_read_block(l, l->base + LDB_LOG_BLOCK) < 0) {
			return -1;
		}
	}
	return 1;
}

int
ldb_log_torn(struct ldb_log *l)
{
	struct stat st;

	if (fstat(l->fd, &st) < 0) {
		return -1;
	}
	if (st.st_size <= l->base + (off_t)l->len && ldb_log_cut_part(l)) {
		return 1;
	}
	return ldb_log_zeros(l);
}

int
ldb_log_last(struct ldb_log *l)
{
	while (l->len > 0) {
		if (ldb_log_valid_from(l, l->place)) {
			return 0;
		}
		if (ldb_log_read_block(l, l->base + LDB_LOG_BLOCK) < 0) {
			return -1;
		}
	}
	return 1;
}

/* ------------------------------------------------------------ the mark */

/* Whether a batch with the mark, and a sequence number above @after, begins at @place of the block. */
static bool
begins_marked(const struct ldb_log *l, size_t place, uint64_t after)
{
	static const char mark[] = {0, 0}; /* delete; length of the key */
	const unsigned char *head = l->block + place;

	return l->len - place >= HEAD + LDB_BATCH_HEAD + sizeof(mark) &&
	       (head[TYPE] == PART_WHOLE || head[TYPE] == PART_FIRST) &&
	       part_length(head) >= LDB_BATCH_HEAD + sizeof(mark) &&
	       memcmp(head + HEAD + LDB_BATCH_HEAD, mark, sizeof(mark)) == 0 &&
	       ldb_log_u64((const char *)head + HEAD) > after && valid_part(l, place);
}

int
ldb_log_find_mark(struct ldb_log *l, int fd, off_t from, uint64_t after)
{
	size_t place = (size_t)(from % LDB_LOG_BLOCK);

	l->fd = fd;
	if (ldb_log_read_block(l, from - (off_t)place) < 0) {
		return -1;
	}
	while (l->len > 0) {
		for (; place < l->len; place++) {
			if (begins_marked(l, place, after)) {
				return 1;
			}
		}
		place = 0;
		if (ldb_log_read_block(l, l->base + LDB_LOG_BLOCK) < 0) {
			return -1;
		}
	}
	return 0;
}

/* ------------------------------------------------------------ numbers */

bool
ldb_log_take_varint(struct slice *rest, uint64_t *out)
{
	const unsigned char *at = (const unsigned char *)rest->at;
	const unsigned char *end = at + rest->len;

	if (!varint_read(&at, end, out)) {
		return false;
	}
	*rest = slice_of((const char *)at, (size_t)(end - at));
	return true;
}
