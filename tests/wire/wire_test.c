#include "tests/wire/wire_test.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/engine/feed.h"
#include "store/model/item_json.h"

#include "tests/support/unit.h"

/* An error in the text of a test ends the program. */
static void
must(int r)
{
	if (r != 0) {
		abort();
	}
}

struct item
wire_item(struct call *c, const char *typed)
{
	const struct json *json;
	struct item it = {0};

	must(json_parse(c, slice_from(typed), JSON_STRICT, &json));
	must(item_from_typed_json(c, json, &it));
	return it;
}

struct value
wire_value(struct call *c, const char *typed)
{
	const struct json *json;
	struct value v = {0};

	must(json_parse(c, slice_from(typed), JSON_STRICT, &json));
	must(value_from_typed_json(c, json, &v));
	return v;
}

int
wire_put(struct call *c, struct engine *e)
{
	struct put_item_out out;

	return engine_put_item(
		e, c,
		&(struct put_item_in){.write = {.table = SLICE("abc"),
						.item = wire_item(c, "{\"PK\":{\"S\":\"x\"}}")}},
		&out);
}

int
wire_get(struct call *c, struct engine *e)
{
	struct get_item_out out;

	return engine_get_item(e, c,
			       &(struct get_item_in){.table = SLICE("abc"),
						     .key = wire_item(c, "{\"PK\":{\"S\":\"x\"}}")},
			       &out);
}

void
wire_forget(struct call *c)
{
	c->error = (struct error){0};
}

struct slice
wire_vector(struct call *c, const char *name, const char *kind)
{
	char path[128];
	struct buf text;

	(void)snprintf(path, sizeof(path), "vectors/wire/%s.%s.json", name, kind);
	FILE *f = fopen(path, "r");

	buf_init(&text, &c->arena);
	if (f == NULL) {
		perror(path);
		abort();
	}
	text.len = fread(buf_room(&text, 65536), 1, 65536, f);
	(void)fclose(f);
	return buf_view(&text);
}

static bool same(const struct json *a, const struct json *b);

static bool
same_children(const struct json *a, const struct json *b)
{
	const struct json *other = b->child;

	json_each (child, a) {
		if (a->type == JSON_OBJECT) {
			other = b->child;
			while (other != NULL && !slice_eq(other->name, child->name)) {
				other = other->next;
			}
		}
		if (other == NULL || !same(child, other)) {
			return false;
		}
		other = other->next;
	}
	return true;
}

static bool
same(const struct json *a, const struct json *b)
{
	bool equal = a->type == b->type && a->n == b->n && slice_eq(a->text, b->text) &&
		     same_children(a, b);

	if (!equal) {
		printf("differs at \"%.*s\"\n", SLICE_ARG(a->name));
	}
	return equal;
}

bool
wire_same_json(struct call *c, struct slice a, struct slice b)
{
	const struct json *one;
	const struct json *two;

	must(json_parse(c, a, JSON_STRICT, &one));
	must(json_parse(c, b, JSON_STRICT, &two));
	return same(one, two);
}

const char *
wire_folder(void)
{
	char *folder = malloc(UNIT_FOLDER_BYTES);

	if (folder == NULL) {
		abort();
	}
	unit_make_folder(folder, "wire");
	return folder;
}

void
wire_folder_remove(const char *folder)
{
	unit_remove_folder(folder);
	free((char *)folder);
}

/* ------------------------------------------------------------ raw HTTP */

int
wire_connect(const char *socket_path, int port)
{
	struct sockaddr_un local = {.sun_family = AF_UNIX};
	struct sockaddr_in remote = {.sin_family = AF_INET,
				     .sin_port = htons((uint16_t)port),
				     .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(socket_path == NULL ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (socket_path != NULL) {
		(void)snprintf(local.sun_path, sizeof(local.sun_path), "%s", socket_path);
	}
	int r = socket_path == NULL ? connect(fd, (const struct sockaddr *)&remote, sizeof(remote))
				    : connect(fd, (const struct sockaddr *)&local, sizeof(local));

	if (r < 0) {
		(void)close(fd);
		return -1;
	}
	/* A server that hangs makes the test fail instead of hanging it. */
	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &(struct timeval){.tv_sec = 120},
			 sizeof(struct timeval));
	return fd;
}

bool
wire_is_complete(const char *text, size_t n)
{
	const char *end = strstr(text, "\r\n\r\n");
	const char *length = strcasestr(text, "\r\nContent-Length:");

	if (end == NULL || length == NULL || length > end) {
		return false;
	}
	return n >= (size_t)(end + 4 - text) + strtoul(length + 17, NULL, 10);
}

size_t
wire_read(int fd, char *out, size_t size)
{
	size_t n = 0;

	out[0] = '\0';
	while (n + 1 < size && !wire_is_complete(out, n)) {
		ssize_t got = recv(fd, out + n, size - 1 - n, 0);

		if (got <= 0) {
			break;
		}
		n += (size_t)got;
		out[n] = '\0';
	}
	return n;
}

size_t
wire_talk(const char *socket_path, int port, const char *bytes, size_t n, char *out, size_t size)
{
	int fd = wire_connect(socket_path, port);

	if (fd < 0) {
		return 0;
	}
	while (n > 0) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);

		if (sent < 0) {
			break;
		}
		bytes += sent;
		n -= (size_t)sent;
	}
	size_t got = wire_read(fd, out, size);

	(void)close(fd);
	return got;
}

/* ------------------------------------------------------------ the fake engine */

static const struct schema fake_schema = {
	.table = SLICE_INIT("abc"),
	.key = {.pk = {{SLICE_INIT("PK"), VALUE_S}}},
};

static int
fake_answer(struct fake_engine *f, struct call *c, const struct op_in *in, struct op_out *out)
{
	size_t bytes = f->answer_bytes;

	out->type = in->type;
	if (in->type == OP_CREATE_TABLE || in->type == OP_DESCRIBE_TABLE ||
	    in->type == OP_UPDATE_TABLE || in->type == OP_DELETE_TABLE) {
		/* The four answers begin with the same member. */
		out->describe_table.table.schema = &fake_schema;
	}
	if (in->type == OP_CREATE_BACKUP || in->type == OP_DESCRIBE_BACKUP ||
	    in->type == OP_DELETE_BACKUP) {
		/* So do these three. */
		out->create_backup.backup =
			(struct archive){.schema = &fake_schema, .id = SLICE("1")};
	}
	if (in->type == OP_EXPORT_TABLE || in->type == OP_DESCRIBE_EXPORT) {
		out->export_table.exported = (struct transfer){
			.table = SLICE("abc"), .id = SLICE("1"), .place.bucket = SLICE("acme")};
	}
	if (in->type == OP_IMPORT_TABLE || in->type == OP_DESCRIBE_IMPORT) {
		out->import_table.import = (struct transfer){.table = SLICE("abc"),
							     .id = SLICE("1"),
							     .place.bucket = SLICE("acme"),
							     .schema = &fake_schema};
	}
	if (in->type == OP_RESTORE_TABLE) {
		out->restore_table.table.schema = &fake_schema;
	}
	if (in->type == OP_DESCRIBE_STREAM) {
		out->describe_stream =
			(struct describe_stream_out){.name.arn = SLICE("arn:1"), .pk = SLICE("PK")};
	}
	if (in->type == OP_GET_SHARD_ITERATOR) {
		out->get_shard_iterator.iterator = SLICE("1");
	}
	if (in->type == OP_TRANSACT_GET_ITEMS) {
		size_t n = in->transact_get_items.n_gets;

		out->transact_get_items = (struct transact_get_items_out){
			.responses = arena_new(&c->arena, struct item_response, n),
			.n_responses = n};
	}
	if (in->type == OP_GET_ITEM && bytes > 0) {
		char *text = arena_new(&c->arena, char, bytes);
		struct attr *a = arena_new(&c->arena, struct attr, 1);

		memset(text, 'x', bytes);
		*a = (struct attr){SLICE("text"), value_string(slice_of(text, bytes))};
		out->get_item = (struct get_item_out){.found = true, .item = {a, 1}};
	}
	return 0;
}

static int
fake_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct fake_engine *f = (struct fake_engine *)e;

	lock_scope(&f->lock);
	(void)snprintf(f->region, sizeof(f->region), "%.*s", SLICE_ARG(c->region));
	f->calls++;
	f->thread = pthread_self();
	f->type = in->type;
	buf_clear(&f->seen);
	codec_encode_in(&f->seen, CODEC_OWN, in);
	f->inside++;
	(void)pthread_cond_broadcast(&f->gate);
	f->most_inside = f->inside > f->most_inside ? f->inside : f->most_inside;
	while (f->hold) {
		(void)pthread_cond_wait(&f->gate, &f->lock);
	}
	f->inside--;
	if (in->type == OP_SCAN && in->scan.read.text.out != NULL) {
		buf_str(in->scan.read.text.out, "half an item");
	}
	if (f->fail != ERR_NONE && (f->fail_first == 0 || f->calls <= f->fail_first)) {
		return call_fail(c, f->fail, "the fake engine fails");
	}
	if (f->feed != NULL && op_writes(in)) {
		feed_committed(f->feed, f->calls);
		feed_publish(f->feed, &(struct change){.seq = f->calls, .table = SLICE("abc")});
	}
	return fake_answer(f, c, in, out);
}

/* An operation that is completed later. */
struct later {
	struct engine *e;
	struct call *c;
	const struct op_in *in;
	struct op_out *out;
	engine_done_fn *done;
	void *arg;
};

static void *
do_later(void *arg)
{
	struct later l = *(struct later *)arg;

	free(arg);
	l.done(l.arg, fake_execute(l.e, l.c, l.in, l.out));
	return NULL;
}

static bool
fake_submit(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
	    engine_done_fn *done, void *arg)
{
	struct fake_engine *f = (struct fake_engine *)e;
	pthread_t thread;

	if (f->submit == FAKE_AT_ONCE) {
		done(arg, fake_execute(e, c, in, out));
	} else if (f->submit == FAKE_LATER) {
		struct later *l = malloc(sizeof(*l));

		*l = (struct later){e, c, in, out, done, arg};
		(void)pthread_create(&thread, NULL, do_later, l);
		(void)pthread_detach(thread);
	}
	return f->submit != FAKE_NOT_TAKEN;
}

static struct feed *
fake_feed(struct engine *e)
{
	return ((struct fake_engine *)e)->feed;
}

static const struct engine_ops fake_ops = {
	.execute = fake_execute, .submit = fake_submit, .feed = fake_feed};

void
fake_engine_hold(struct fake_engine *f)
{
	lock_scope(&f->lock);
	f->hold = true;
}

void
fake_engine_wait_inside(struct fake_engine *f, unsigned n)
{
	enum { MOST_S = 60 };
	uint64_t until = clock_steady_ns() + MOST_S * NS_PER_S;

	lock_scope(&f->lock);
	while (f->inside < n && thread_cond_until(&f->gate, &f->lock, until)) {
	}
	CU_ASSERT_TRUE(f->inside >= n);
}

void
fake_engine_open(struct fake_engine *f)
{
	lock_scope(&f->lock);
	f->hold = false;
	(void)pthread_cond_broadcast(&f->gate);
}

void
fake_engine_init(struct fake_engine *f)
{
	*f = (struct fake_engine){.engine.ops = &fake_ops};
	buf_init(&f->seen, NULL);
	(void)pthread_mutex_init(&f->lock, NULL);
	thread_cond_init(&f->gate);
}

void
fake_engine_release(struct fake_engine *f)
{
	buf_release(&f->seen);
	(void)pthread_mutex_destroy(&f->lock);
	(void)pthread_cond_destroy(&f->gate);
}
