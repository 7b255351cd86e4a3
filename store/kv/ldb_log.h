/*
 * ldb_log - reads LevelDB's log format: blocks of 32 KiB, records cut into parts that fit, CRC-32C
 *
 * LevelDB's logs of batches and its manifest have this format. Except for ldb_log_find_mark(), nothing here interprets
 * the records.
 */
#ifndef STORE_KV_LDB_LOG_H
#define STORE_KV_LDB_LOG_H

#include <endian.h>

#include "store/base/core/base.h"

enum { LDB_LOG_BLOCK = 32768 };

/* Every batch begins with its first sequence number (8 bytes) and the number of its entries (4 bytes). */
enum { LDB_BATCH_HEAD = 12 };

struct ldb_log {
	int fd;       /* borrowed */
	off_t base;   /* offset of the block in the file */
	size_t len;   /* bytes in the block; less than LDB_LOG_BLOCK only at the end of the file */
	size_t place; /* offset in the block of the next part */
	unsigned char block[LDB_LOG_BLOCK];
};

/** ldb_log_begin - set @l to the start of the file @fd */
void ldb_log_begin(struct ldb_log *l, int fd);

/**
 * ldb_log_next - read the next record
 * @record: cleared, then set to the record; only complete if 1 is returned
 *
 * Return: 1; 0 at the end of the file, and also if no valid record follows; -1 with errno
 */
int ldb_log_next(struct ldb_log *l, struct buf *record);

/** ldb_log_place - return the offset in the file after the last valid part of a record */
off_t ldb_log_place(const struct ldb_log *l);

/**
 * ldb_log_torn - after ldb_log_next() returned 0, check whether the rest of the file is what a crash leaves
 *
 * A crash leaves nothing, zeros, or a part that the end of the file cuts off. LevelDB ignores these, too. The function
 * moves @l past blocks of zeros.
 *
 * Return: 1; 0 if the file is damaged; -1 with errno
 */
int ldb_log_torn(struct ldb_log *l);

/**
 * ldb_log_last - after ldb_log_torn() returned 0, check that no valid part of a record follows
 *
 * Each byte is tried as the beginning of a part, so the caller should limit the length of the rest. The function moves
 * @l forward.
 *
 * Return: 1 if none follows; 0 if one does; -1 with errno
 */
int ldb_log_last(struct ldb_log *l);

/**
 * ldb_log_find_mark - find a batch with the mark at or after the offset @from
 * @l:     need not be initialized; its position is lost
 * @after: only batches with a greater sequence number count
 *
 * The mark is a first entry that deletes the empty key; ldb_write.c sets it. The file may be damaged before the batch
 * and in it: each byte is tried as the beginning of a part with a valid checksum. A batch is missed if the end of a
 * block cuts its head.
 *
 * Return: 1 if there is one; 0; -1 with errno
 */
int ldb_log_find_mark(struct ldb_log *l, int fd, off_t from, uint64_t after);

/** ldb_log_checksum - return the CRC-32C as LevelDB stores it: rotated and offset ("masked") */
uint32_t ldb_log_checksum(const unsigned char *at, size_t n);

/**
 * ldb_log_take_varint - take a number of variable length (7 bits in each byte) from the start of @rest
 *
 * Return: false if @rest ends in it, or if it does not have the shortest form
 */
bool ldb_log_take_varint(struct slice *rest, uint64_t *out);

/* ldb_log_u64, ldb_log_u32 - read a little-endian number, as LevelDB writes it */
static inline uint64_t
ldb_log_u64(const char *at)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return le64toh(v);
}

static inline uint32_t
ldb_log_u32(const char *at)
{
	uint32_t v;

	memcpy(&v, at, sizeof(v));
	return le32toh(v);
}

#endif
