/*
 * ldb_log - LevelDB's log format, read: blocks of 32 KiB, records cut to fit, CRC-32C
 *
 * Both its logs of batches and its manifest are written so.  Nothing here knows
 * what stands in a record, but for the mark (ldb_log_find_mark()).
 */
#ifndef STORE_KV_LDB_LOG_H
#define STORE_KV_LDB_LOG_H

#include <sys/types.h>

#include "store/base/core/buf.h"

enum { LDB_LOG_BLOCK = 32768 };

/* What every batch begins with: its first sequence number and how many entries it has. */
enum { LDB_BATCH_HEAD = 12 };

struct ldb_log {
	int fd;       /* borrowed */
	off_t base;   /* of the block in the file */
	size_t len;   /* of the block; less than all only at the end of the file */
	size_t place; /* next byte of the block to look at */
	unsigned char block[LDB_LOG_BLOCK];
};

/** ldb_log_begin - from the start of the file */
void ldb_log_begin(struct ldb_log *l, int fd);

/**
 * ldb_log_next - the next record
 *
 * Return: 1; 0 at the end and where nothing sound follows, which look alike; -1 with errno.
 */
int ldb_log_next(struct ldb_log *l, struct buf *record);

/** ldb_log_place - offset in the file behind the last record */
off_t ldb_log_place(const struct ldb_log *l);

/**
 * ldb_log_torn - after ldb_log_next() returned 0: is the rest what a crash leaves?
 *
 * The rest may be nothing, zeros, or a part that the file's end cuts off.  LevelDB ignores these, too.
 *
 * Return: 1; 0: no, the file is damaged; -1 with errno
 */
int ldb_log_torn(struct ldb_log *l);

/**
 * ldb_log_last - after ldb_log_torn() returned 0: does no sound part of a record follow?
 *
 * Each byte is tried as the beginning of one: the caller bounds how many there are.
 *
 * Return: 1, 0, -1 with errno
 */
int ldb_log_last(struct ldb_log *l);

/**
 * ldb_log_find_mark - does a batch that begins at @from or behind it carry the mark?
 * @after: a batch with a higher sequence number than that
 *
 * The mark is a first entry that deletes the empty key; kv_leveldb.c sets it.
 * Damage may stand before the batch and in it: each byte is tried as the
 * beginning of a record whose checksum is right.  A batch whose head is cut by
 * the end of a block is missed.
 * Return: 1, 0, -1 with errno.
 */
int ldb_log_find_mark(struct ldb_log *l, int fd, off_t from, uint64_t after);

/** ldb_log_checksum - CRC-32C as LevelDB stores it: turned and offset */
uint32_t ldb_log_checksum(const unsigned char *at, size_t n);

/* Little-endian, as LevelDB writes. */
static inline uint64_t
ldb_log_u64(const char *at)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < 8; i++) {
		v |= (uint64_t)(unsigned char)at[i] << (8 * i);
	}
	return v;
}

static inline uint32_t
ldb_log_u32(const char *at)
{
	uint32_t v = 0;

	for (unsigned i = 0; i < 4; i++) {
		v |= (uint32_t)(unsigned char)at[i] << (8 * i);
	}
	return v;
}

#endif
