/* writer - open writers of a stage's mount, as CREATE, OPEN, WRITE, FLUSH and RELEASE make and end them */
#ifndef TESTS_FS_WRITER_H
#define TESTS_FS_WRITER_H

#include "tests/fs/stage.h"

/** writer_create - CREATE; *result: what came of it; NULL: it succeeds */
struct handle *writer_create(struct mount *m, const char *path, bool exclusive, int *result);

/** writer_open - OPEN for writing, with O_TRUNC or without */
struct handle *writer_open(struct mount *m, const char *path, bool truncate);

/** writer_write - WRITE of @text at @offset */
int writer_write(struct mount *m, struct handle *h, size_t offset, const char *text)
	__attribute__((warn_unused_result));

/** writer_append - WRITE at the end of its text */
int writer_append(struct mount *m, struct handle *h, const char *text)
	__attribute__((warn_unused_result));

int writer_flush(struct mount *m, struct handle *h) __attribute__((warn_unused_result));
void writer_release(struct mount *m, struct handle *h);

/** writer_rejected - how many texts are in rejected/; expects that the newest is @text, unless that is NULL */
size_t writer_rejected(const char *text);

/** writer_refused - how many lines .itemfs/errors has */
size_t writer_refused(void);

#endif
