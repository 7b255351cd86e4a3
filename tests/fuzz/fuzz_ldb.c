/*
 * ldb - fuzzes our readers of LevelDB's own files: tables, manifests, logs
 *
 *   input   = reader:u8 part*       reader: 0 table, 1 manifest, 2 log; table + 128: the input has the footer, 40 bytes
 *   part    = kind:u8 length:u16 bytes      + 128: its checksum is wrong; missing bytes are zeros
 *
 * Each part becomes a block of a table, or a fragment of a record in a log.  The checksums are computed here, because a
 * fuzzer cannot guess them.  Unless the input has a footer, the footer of a table refers to the last two blocks.
 */
#include <fcntl.h>
#include <sys/mman.h>

#include "store/base/system/folder.h"
#include "store/base/system/write_all.h"
#include "store/kv/ldb_log.h"
#include "store/kv/ldb_manifest.h"
#include "store/kv/ldb_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { READ_TABLE, READ_MANIFEST, READ_LOG, READERS };

enum {
	FLAG = 128,
	FILE_MAX = 1 << 20,
	FOOT_HANDLES = 40,
	LOG_HEAD = 7,
	TABLE_TAIL = 5,
};

struct part {
	uint8_t kind;
	bool wrong; /* the checksum is wrong */
	size_t length;
	struct slice bytes; /* the bytes in the input */
};

static bool
take_part(struct slice *rest, struct part *out)
{
	enum { HEAD = 3 };

	if (rest->len < HEAD) {
		return false;
	}
	const unsigned char *head = (const unsigned char *)rest->at;

	*out = (struct part){.kind = head[0] % FLAG,
			     .wrong = head[0] >= FLAG,
			     .length = head[1] | (size_t)head[2] << 8};
	*rest = slice_skip(*rest, HEAD);
	out->bytes = slice_of(rest->at, out->length < rest->len ? out->length : rest->len);
	*rest = slice_skip(*rest, out->bytes.len);
	return true;
}

static void
put_zeros(struct buf *b, size_t n)
{
	for (; n > 0; n--) {
		buf_char(b, 0);
	}
}

static void
put_little(struct buf *b, uint64_t v, size_t bytes)
{
	for (; bytes > 0; bytes--, v >>= 8) {
		buf_char(b, (char)(v & 0xff));
	}
}

static uint32_t
checksum(const struct part *p, const char *at, size_t n)
{
	return ldb_log_checksum((const unsigned char *)at, n) ^ p->wrong;
}

/* ------------------------------------------------------------ tables */

struct place {
	uint64_t at;
	uint64_t bytes;
};

static void
put_block(struct buf *file, const struct part *p)
{
	size_t begin = file->len;

	buf_slice(file, p->bytes);
	put_zeros(file, p->length - p->bytes.len);
	buf_char(file, (char)p->kind);
	put_little(file, checksum(p, file->at + begin, p->length + 1), 4);
}

static void
put_varint(struct buf *b, uint64_t v)
{
	for (; v >= FLAG; v >>= 7) {
		buf_char(b, (char)(v | FLAG));
	}
	buf_char(b, (char)v);
}

static void
make_table(struct buf *file, struct slice rest, bool foot_given)
{
	static const uint64_t magic = 0xdb4775248b80fb57;
	struct slice foot = {0};
	struct place last[2] = {{0}};
	struct part p;

	if (foot_given) {
		foot = slice_of(rest.at, rest.len < FOOT_HANDLES ? rest.len : FOOT_HANDLES);
		rest = slice_skip(rest, foot.len);
	}
	while (file->len < FILE_MAX && take_part(&rest, &p)) {
		last[0] = last[1];
		last[1] = (struct place){file->len, p.length};
		put_block(file, &p);
	}
	size_t begin = file->len;

	buf_slice(file, foot);
	for (size_t i = 0; i < 2 && !foot_given; i++) {
		put_varint(file, last[i].at);
		put_varint(file, last[i].bytes);
	}
	put_zeros(file, FOOT_HANDLES - (file->len - begin));
	put_little(file, magic, sizeof(magic));
}

static void
read_table(int fd, size_t bytes)
{
	struct ldb_table_damage foot = {0};
	struct ldb_table_damage all = {0};
	enum ldb_table_state end = ldb_table_foot(fd, bytes, &foot);
	enum ldb_table_state state = ldb_table_check(fd, bytes, &all);

	assert(end != LDB_TABLE_FAILED && state != LDB_TABLE_FAILED);
	assert(end == LDB_TABLE_WHOLE || state == LDB_TABLE_DAMAGED);
	assert(foot.place >= 0 && (size_t)foot.place <= bytes && foot.others == 0);
	assert(all.place >= 0 && (size_t)all.place <= bytes);
	assert(all.others <= bytes / TABLE_TAIL); /* no block is checked twice */
	/* A table without its last byte is never valid. */
	assert(ldb_table_check(fd, bytes - 1, &all) == LDB_TABLE_DAMAGED);
}

/* ------------------------------------------------------------ logs */

static void
put_log_part(struct buf *file, const struct part *p)
{
	size_t left = LDB_LOG_BLOCK - file->len % LDB_LOG_BLOCK;

	if (left < LOG_HEAD) {
		put_zeros(file, left);
	}
	size_t begin = file->len;

	put_little(file, 0, 4);
	put_little(file, p->length, 2);
	buf_char(file, (char)p->kind);
	buf_slice(file, p->bytes);
	put_zeros(file, p->length - p->bytes.len);
	uint32_t sum = checksum(p, file->at + begin + LOG_HEAD - 1, p->length + 1);

	for (size_t i = 0; i < 4; i++) {
		file->at[begin + i] = (char)(sum >> (8 * i) & 0xff);
	}
}

static void
make_log(struct buf *file, struct slice rest)
{
	struct part p;

	while (file->len < FILE_MAX && take_part(&rest, &p)) {
		put_log_part(file, &p);
	}
	buf_slice(file, rest); /* a torn end */
}

static void
read_log(int fd, size_t bytes)
{
	static struct ldb_log log;
	struct buf record;
	off_t place = 0;
	int r;

	buf_init(&record, NULL);
	ldb_log_begin(&log, fd);
	while ((r = ldb_log_next(&log, &record)) == 1) {
		assert(ldb_log_place(&log) > place && record.len < bytes);
		place = ldb_log_place(&log);
		assert((size_t)place <= bytes);
	}
	assert(r == 0);
	r = ldb_log_torn(&log);
	assert(r == 0 || r == 1);
	buf_release(&record);
	r = ldb_log_find_mark(&log, fd, place / 2, 0);
	assert(r == 0 || r == 1);
}

/* ------------------------------------------------------------ manifests */

static void
write_file(int dir, const char *name, struct slice bytes)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0 || write_all(fd, bytes) != 0 || close(fd) != 0) {
		abort();
	}
}

static void
read_manifest(struct slice bytes)
{
	char path[] = "/tmp/itemfs-fuzz-XXXXXX";
	struct ldb_dir dir = {.path = mkdtemp(path)};
	struct ldb_manifest m;
	struct ldb_manifest earlier;
	struct call c;

	dir.fd = dir.path == NULL ? -1 : open(dir.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir.fd < 0) {
		abort();
	}
	write_file(dir.fd, "CURRENT", SLICE("MANIFEST-000001\n"));
	write_file(dir.fd, "MANIFEST-000001", bytes);
	call_open(&c, 0, 64 << 20);
	int r = ldb_manifest_read(&c, dir, &m);

	assert(r == 1 || r == -ERR_CORRUPT);
	assert(r < 0 || m.next > 0);
	for (size_t i = 1; r == 1 && i < m.n; i++) {
		assert(m.files[i - 1].number < m.files[i].number);
	}
	if (r == 1) {
		r = ldb_manifest_read_before(&c, dir, &m, &earlier);
		assert(r == -ERR_CORRUPT || (r == 1 && earlier.valid_end == m.last));
	}
	call_close(&c);
	(void)close(dir.fd);
	folder_remove(path);
}

/* ------------------------------------------------------------ all readers */

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0) {
		return 0;
	}
	struct slice rest = slice_of((const char *)data + 1, size - 1);
	struct buf file;
	unsigned reader = data[0] % FLAG % READERS;

	buf_init(&file, NULL);
	if (reader == READ_TABLE) {
		make_table(&file, rest, data[0] >= FLAG);
	} else {
		make_log(&file, rest);
	}
	if (reader == READ_MANIFEST) {
		read_manifest(buf_view(&file));
		buf_release(&file);
		return 0;
	}
	cleanup(cleanup_fd) int fd = memfd_create("ldb", MFD_CLOEXEC);

	if (fd < 0 || write_all(fd, buf_view(&file)) != 0) {
		abort();
	}
	if (reader == READ_TABLE) {
		read_table(fd, file.len);
	} else {
		read_log(fd, file.len);
	}
	buf_release(&file);
	return 0;
}
