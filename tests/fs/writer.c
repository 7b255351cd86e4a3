#include "tests/fs/writer.h"

#include "fs/file/file.h"
#include "fs/file/handle.h"
#include "fs/place/place.h"

#include "tests/support/unit.h"

struct handle *
writer_create(struct mount *m, const char *path, bool exclusive, int *result)
{
	struct handle *h = handle_open(m, &fixture.c, mount_fixture_node(m, path), true);
	struct call *c = mount_fixture_clean();
	struct place p;
	int r = place_of(m, c, h->node, &p);

	CU_ASSERT_EQUAL(r, 0);
	r = file_create(m, c, h, exclusive ? &p : NULL);

	if (result != NULL) {
		*result = r;
	} else {
		CU_ASSERT_EQUAL(r, 0);
	}
	return h;
}

struct handle *
writer_open(struct mount *m, const char *path, bool truncate)
{
	struct handle *h = handle_open(m, &fixture.c, mount_fixture_node(m, path), true);

	if (truncate) {
		file_truncate_open(m, mount_fixture_clean(), h);
	}
	return h;
}

int
writer_write(struct mount *m, struct handle *h, size_t offset, const char *text)
{
	return file_write(m, mount_fixture_clean(), h, offset, slice_from(text));
}

int
writer_append(struct mount *m, struct handle *h, const char *text)
{
	return writer_write(m, h, h->file->buffer.text.len, text);
}

int
writer_flush(struct mount *m, struct handle *h)
{
	uint64_t seq = 0;

	return file_flush(m, mount_fixture_clean(), h->file, false, &seq);
}

void
writer_release(struct mount *m, struct handle *h)
{
	(void)file_finish(m, mount_fixture_clean(), h);
	handle_close(m, h);
}

size_t
writer_rejected(const char *text)
{
	struct slice *names;
	struct call *c = mount_fixture_clean();
	size_t n = rejected_list(&mount_fixture.hub->rejected, &c->arena,
				 &(struct refused_reader){0}, &names);

	if (n > 0 && text != NULL) {
		char kept[64] = {0};
		int fd = rejected_open(&mount_fixture.hub->rejected, &fixture.c.arena,
				       &(struct refused_reader){0}, names[n - 1], NULL);

		CU_ASSERT_TRUE(fd >= 0 && read(fd, kept, sizeof(kept) - 1) >= 0);
		CU_ASSERT_STRING_EQUAL(kept, text);
		(void)close(fd);
	}
	return n;
}

size_t
writer_refused(void)
{
	struct refused_out out;

	refused_list(&mount_fixture.hub->refused, mount_fixture_clean(),
		     &(struct refused_reader){0}, &out);
	return out.n_lines;
}
