/* unpack - see unpack.h */
#include "store/base/text/unpack.h"

#include <zlib.h>

enum { INPUT = 128 * 1024, GZIP_WINDOW = 15 + 16 };

enum state {
	UNPACK_BEGIN,
	UNPACK_PLAIN,
	UNPACK_PART,  /* inside a gzip part */
	UNPACK_AFTER, /* after a part */
	UNPACK_REST,  /* zeros after the last part, the padding of tapes */
};

struct unpack {
	int fd;
	enum state state;
	bool packed;
	bool ended;   /* read(2) has reported the end; input may be left */
	uint64_t got; /* bytes read from the file */
	z_stream z;   /* its input is in in[] */
	Bytef in[INPUT];
};

struct unpack *
unpack_open(int fd)
{
	struct unpack *u = mem_new(struct unpack);

	u->fd = fd;
	u->z.next_in = u->in;
	u->z.zalloc = mem_for_zlib;
	u->z.zfree = mem_free_for_zlib;
	if (inflateInit2(&u->z, GZIP_WINDOW) != Z_OK) {
		abort();
	}
	return u;
}

void
unpack_close(struct unpack *u)
{
	if (u != NULL) {
		(void)inflateEnd(&u->z);
		(void)close(u->fd);
		free(u);
	}
}

bool
unpack_packed(const struct unpack *u)
{
	return u->packed;
}

uint64_t
unpack_bytes(const struct unpack *u)
{
	return u->got - u->z.avail_in;
}

static ssize_t
unpack_read_file(struct unpack *u, void *at, size_t size)
{
	ssize_t n = read(u->fd, at, size);

	u->ended = n == 0;
	u->got += n > 0 ? (uint64_t)n : 0;
	return n < 0 ? UNPACK_IO : n;
}

/* Reads until at least @least bytes of input are available, or less at the end of the file. */
static int
need(struct unpack *u, size_t least)
{
	assert(least <= INPUT);
	if (u->z.avail_in < least) {
		memmove(u->in, u->z.next_in, u->z.avail_in);
		u->z.next_in = u->in;
	}
	while (u->z.avail_in < least && !u->ended) {
		ssize_t n = unpack_read_file(u, u->in + u->z.avail_in, INPUT - u->z.avail_in);

		if (n < 0) {
			return UNPACK_IO;
		}
		u->z.avail_in += (uInt)n;
	}
	return 0;
}

void
unpack_give(struct unpack *u, struct slice bytes)
{
	assert(bytes.len <= INPUT && u->got == 0 && u->state == UNPACK_BEGIN);
	if (bytes.len > 0) {
		memcpy(u->in, bytes.at, bytes.len);
	}
	u->z.avail_in = (uInt)bytes.len;
	u->got = bytes.len;
}

struct slice
unpack_peek(struct unpack *u, size_t n)
{
	(void)need(u, n);
	return slice_of((const char *)u->z.next_in, u->z.avail_in < n ? u->z.avail_in : n);
}

void
unpack_plain(struct unpack *u)
{
	assert(u->state == UNPACK_BEGIN);
	u->state = UNPACK_PLAIN;
}

int
unpack_fd(const struct unpack *u)
{
	return u->fd;
}

bool
unpack_waits(const struct unpack *u)
{
	return u->z.avail_in == 0 && !u->ended;
}

/* Determines the state at the beginning of the file or after a part. */
static int
unpack_look(struct unpack *u)
{
	assert(u->state == UNPACK_BEGIN || u->state == UNPACK_AFTER);
	int r = need(u, 2);

	if (r < 0) {
		return r;
	}
	if (u->z.avail_in >= 2 && u->z.next_in[0] == 0x1f && u->z.next_in[1] == 0x8b) {
		(void)inflateReset(&u->z);
		u->packed = true;
		u->state = UNPACK_PART;
	} else {
		u->state = u->state == UNPACK_BEGIN ? UNPACK_PLAIN : UNPACK_REST;
	}
	return 0;
}

static ssize_t
unpack_read_plain(struct unpack *u, char *at, size_t size)
{
	size_t n = u->z.avail_in < size ? u->z.avail_in : size;

	if (n == 0) {
		return u->ended ? 0 : unpack_read_file(u, at, size);
	}
	memcpy(at, u->z.next_in, n);
	u->z.next_in += n;
	u->z.avail_in -= (uInt)n;
	return (ssize_t)n;
}

/* Unpacks some bytes of a part. Returns 0 if there are none yet, which can mean the end of the part. */
static ssize_t
unpack_read_part(struct unpack *u, char *at, size_t size)
{
	int r = need(u, 1);

	if (r < 0) {
		return r;
	}
	if (u->z.avail_in == 0) {
		return UNPACK_DAMAGED;
	}
	u->z.next_out = (Bytef *)at;
	u->z.avail_out = (uInt)size;
	int e = inflate(&u->z, Z_NO_FLUSH);

	if (e == Z_MEM_ERROR) {
		abort();
	}
	if (e == Z_STREAM_END) {
		u->state = UNPACK_AFTER;
	} else if (e != Z_OK) {
		return UNPACK_DAMAGED;
	}
	return (ssize_t)(size - u->z.avail_out);
}

/* Reads zeros up to the end; anything else is damage. */
static int
read_rest(struct unpack *u)
{
	int r;

	while ((r = need(u, 1)) == 0 && u->z.avail_in > 0) {
		if (*u->z.next_in != 0) {
			return UNPACK_DAMAGED;
		}
		u->z.next_in++;
		u->z.avail_in--;
	}
	return r;
}

ssize_t
unpack_read(struct unpack *u, char *at, size_t size)
{
	ssize_t n = 0;

	while (n == 0) {
		if (u->state == UNPACK_PLAIN) {
			return unpack_read_plain(u, at, size);
		}
		if (u->state == UNPACK_REST) {
			return read_rest(u);
		}
		n = u->state == UNPACK_PART ? unpack_read_part(u, at, size) : unpack_look(u);
	}
	return n;
}
