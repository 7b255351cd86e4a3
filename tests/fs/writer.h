/* writer - open writers in a stage's mount: the effects of CREATE, OPEN, WRITE, FLUSH and RELEASE */
#ifndef TESTS_FS_WRITER_H
#define TESTS_FS_WRITER_H

#include "tests/fs/mount_fixture.h"

/** writer_create - do a CREATE; *result gets its outcome; NULL @result: it must succeed */
struct handle *writer_create(struct mount *m, const char *path, bool exclusive, int *result);

/** writer_open - do an OPEN for writing, with or without O_TRUNC */
struct handle *writer_open(struct mount *m, const char *path, bool truncate);

/** writer_write - do a WRITE of @text at @offset */
int writer_write(struct mount *m, struct handle *h, size_t offset, const char *text) must_check;

/** writer_append - do a WRITE at the end of the text */
int writer_append(struct mount *m, struct handle *h, const char *text) must_check;

int writer_flush(struct mount *m, struct handle *h) must_check;
void writer_release(struct mount *m, struct handle *h);

/** writer_rejected - return the number of texts in rejected/; expect that the newest is @text unless @text is NULL */
size_t writer_rejected(const char *text);

/** writer_refused - return the number of lines of .itemfs/errors */
size_t writer_refused(void);

#endif
