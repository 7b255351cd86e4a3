/* fuse_client - see fuse_client.h */
#include "tools/tree/fuse_client.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "store/base/core/mem.h"

enum {
	FUSE_CLIENT_MINOR = 34, /* without notifications that the mount writes itself (FUSE 7.44) */
	FUSE_CLIENT_REPLY = sizeof(struct fuse_out_header) + FUSE_CLIENT_PIECE,
	FUSE_CLIENT_LISTED = 32 * 1024, /* bytes per READDIR, as of the kernel */
};

/* A request: its header is filled in by fuse_client_send(). */
struct fuse_client_request {
	uint32_t code;
	uint64_t node;
	const void *in; /* its struct, or NULL */
	size_t in_len;
	struct slice name; /* ends with a zero byte in the message; or empty */
};

static int
fuse_client_send(struct fuse_client *f, const struct fuse_client_request *q)
{
	char zero = '\0';
	/* No pid, as from a process in another PID namespace: itemfs would look at the program and count its opens. */
	struct fuse_in_header h = {.opcode = q->code,
				   .unique = ++f->unique * 2,
				   .nodeid = q->node,
				   .uid = getuid(),
				   .gid = getgid()};
	struct iovec iov[] = {{&h, sizeof(h)},
			      {(void *)q->in, q->in_len},
			      {(void *)q->name.at, q->name.len},
			      {&zero, q->name.len > 0}};
	const struct msghdr msg = {.msg_iov = iov, .msg_iovlen = 4};

	h.len = (uint32_t)(sizeof(h) + q->in_len + q->name.len + (q->name.len > 0));
	ssize_t n;

	do {
		n = sendmsg(f->fd, &msg, MSG_NOSIGNAL);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? ENOTCONN : 0;
}

/* Send a request and wait for its reply.  *out: the data of the reply, valid until the next request */
static int
fuse_client_ask(struct fuse_client *f, const struct fuse_client_request *q, struct slice *out)
{
	struct fuse_out_header h;
	int e = fuse_client_send(f, q);
	ssize_t n;

	if (e != 0) {
		return e;
	}
	do {
		n = recv(f->fd, f->reply, FUSE_CLIENT_REPLY, 0);
	} while (n < 0 && errno == EINTR);
	if (n < (ssize_t)sizeof(h)) {
		return ENOTCONN;
	}
	memcpy(&h, f->reply, sizeof(h));
	if (h.unique != f->unique * 2 || h.len != (size_t)n) {
		return EPROTO;
	}
	*out = slice_of(f->reply + sizeof(h), (size_t)n - sizeof(h));
	return -h.error;
}

/* The errno for a node that was removed after its lookup.  The kernel looks the name up again after ESTALE. */
static int
fuse_client_gone(int e)
{
	return e == ESTALE ? ENOENT : e;
}

/* Send a request whose reply is a struct.  A shorter reply, of an older protocol, ends with zeros. */
static int
fuse_client_get(struct fuse_client *f, const struct fuse_client_request *q, void *out, size_t len)
{
	struct slice data;
	int e = fuse_client_ask(f, q, &data);

	memset(out, 0, len);
	if (e == 0) {
		memcpy(out, data.at, data.len < len ? data.len : len);
	}
	return fuse_client_gone(e);
}

/* ------------------------------------------------------------ begin and end */

int
fuse_client_open(struct fuse_client *f, int fd)
{
	const struct fuse_init_in in = {.major = FUSE_KERNEL_VERSION,
					.minor = FUSE_CLIENT_MINOR,
					.max_readahead = FUSE_CLIENT_PIECE,
					.flags = FUSE_ASYNC_READ | FUSE_BIG_WRITES |
						 FUSE_ATOMIC_O_TRUNC | FUSE_PARALLEL_DIROPS |
						 FUSE_DO_READDIRPLUS | FUSE_READDIRPLUS_AUTO |
						 FUSE_MAX_PAGES};
	struct fuse_init_out out;

	*f = (struct fuse_client){.fd = fd, .reply = mem_array(char, FUSE_CLIENT_REPLY)};
	return fuse_client_get(f, &(struct fuse_client_request){FUSE_INIT, 0, &in, sizeof(in), {0}},
			       &out, sizeof(out));
}

void
fuse_client_close(struct fuse_client *f)
{
	(void)shutdown(f->fd, SHUT_WR);
	while (recv(f->fd, f->reply, FUSE_CLIENT_REPLY, 0) > 0 || errno == EINTR) {
		errno = 0;
	}
	(void)close(f->fd);
	free(f->reply);
}

/* ------------------------------------------------------------ names and attributes */

int
fuse_client_lookup(struct fuse_client *f, uint64_t directory, struct slice name,
		   struct fuse_entry_out *out)
{
	int e = fuse_client_get(
		f, &(struct fuse_client_request){FUSE_LOOKUP, directory, NULL, 0, name}, out,
		sizeof(*out));

	return e == 0 && out->nodeid == 0 ? ENOENT : e; /* an absence that the kernel may cache */
}

void
fuse_client_forget(struct fuse_client *f, uint64_t node, uint64_t n)
{
	const struct fuse_forget_in in = {.nlookup = n};

	if (node != FUSE_ROOT_ID && n > 0) {
		/* It has no reply. */
		(void)fuse_client_send(
			f, &(struct fuse_client_request){FUSE_FORGET, node, &in, sizeof(in), {0}});
	}
}

int
fuse_client_attributes(struct fuse_client *f, uint64_t node, struct fuse_attr *out)
{
	const struct fuse_getattr_in in = {0};
	struct fuse_attr_out got;
	int e = fuse_client_get(
		f, &(struct fuse_client_request){FUSE_GETATTR, node, &in, sizeof(in), {0}}, &got,
		sizeof(got));

	*out = got.attr;
	return e;
}

/* ------------------------------------------------------------ files and directories */

static int
fuse_client_begin(struct fuse_client *f, uint32_t code, uint64_t node, struct fuse_client_file *out)
{
	const struct fuse_open_in in = {.flags = O_RDONLY |
						 (code == FUSE_OPENDIR ? O_DIRECTORY : 0)};
	struct fuse_open_out got;
	int e = fuse_client_get(f, &(struct fuse_client_request){code, node, &in, sizeof(in), {0}},
				&got, sizeof(got));

	*out = (struct fuse_client_file){.node = node,
					 .handle = got.fh,
					 .generated = (got.open_flags & FOPEN_DIRECT_IO) != 0};
	return e;
}

int
fuse_client_open_file(struct fuse_client *f, uint64_t node, struct fuse_client_file *out)
{
	return fuse_client_begin(f, FUSE_OPEN, node, out);
}

int
fuse_client_open_directory(struct fuse_client *f, uint64_t node, struct fuse_client_file *out)
{
	return fuse_client_begin(f, FUSE_OPENDIR, node, out);
}

void
fuse_client_close_file(struct fuse_client *f, struct fuse_client_file *file, bool directory)
{
	const struct fuse_release_in in = {.fh = file->handle, .flags = O_RDONLY};
	struct slice nothing;

	(void)fuse_client_ask(
		f,
		&(struct fuse_client_request){directory ? FUSE_RELEASEDIR : FUSE_RELEASE,
					      file->node,
					      &in,
					      sizeof(in),
					      {0}},
		&nothing);
}

static int
fuse_client_read_at(struct fuse_client *f, uint32_t code, const struct fuse_client_file *file,
		    uint32_t size, struct slice *out)
{
	/* With a lock owner, READ continues the version that the handle has begun; without one it fills the page cache. */
	const struct fuse_read_in in = {.fh = file->handle,
					.offset = file->at,
					.size = size,
					.read_flags = FUSE_READ_LOCKOWNER,
					.lock_owner = 1};

	int e = fuse_client_ask(
		f, &(struct fuse_client_request){code, file->node, &in, sizeof(in), {0}}, out);

	return file->at == 0 ? fuse_client_gone(e) : e;
}

int
fuse_client_read(struct fuse_client *f, struct fuse_client_file *file, struct slice *out)
{
	*out = SLICE("");
	if (file->over) {
		return 0;
	}
	int e = fuse_client_read_at(f, FUSE_READ, file, FUSE_CLIENT_PIECE, out);

	file->at += e == 0 ? out->len : 0;
	file->over = e == 0 && out->len < (file->generated ? 1 : FUSE_CLIENT_PIECE);
	return e;
}

int
fuse_client_entries(struct fuse_client *f, struct fuse_client_file *directory, bool plus,
		    struct slice *out)
{
	return fuse_client_read_at(f, plus ? FUSE_READDIRPLUS : FUSE_READDIR, directory,
				   FUSE_CLIENT_LISTED, out);
}

bool
fuse_client_entry(struct fuse_client_file *directory, struct slice *entries, bool plus,
		  struct fuse_client_entry *out)
{
	struct fuse_dirent d;
	size_t before = plus ? sizeof(out->found) : 0;
	const size_t fixed = before + offsetof(struct fuse_dirent, name);

	if (entries->len < fixed) {
		return false;
	}
	out->found = (struct fuse_entry_out){0};
	memcpy(&out->found, entries->at, before);
	memcpy(&d, entries->at + before, offsetof(struct fuse_dirent, name));
	size_t used = fixed + d.namelen;

	if (entries->len < used) {
		return false;
	}
	out->name = slice_of(entries->at + fixed, d.namelen);
	if (slice_is(out->name, ".") || slice_is(out->name, "..")) {
		out->found.nodeid = 0; /* not a lookup */
	}
	out->type = d.type;
	directory->at = d.off;
	used = FUSE_DIRENT_ALIGN(used);
	*entries = slice_skip(*entries, used < entries->len ? used : entries->len);
	return true;
}
