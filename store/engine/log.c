/* log - an operation goes straight through; its name, time and failure go to a line */
#include "store/engine/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/base/core/clock.h"
#include "store/base/core/error.h"
#include "store/engine/engine.h"
#include "store/op/op.h"

struct log {
	struct engine engine;
	int fd;
};

enum { LINE_BYTES = 512 };

/* Control characters of a message would break the line. */
static void
clean_line(char *line, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)line[i] < ' ') {
			line[i] = ' ';
		}
	}
}

/* A log that cannot be written stops no request. */
static void
log_line(const struct log *l, const struct call *c, enum op_type type, uint64_t start_ns, int r)
{
	unsigned long long us = (clock_steady_ns() - start_ns) / 1000;
	char line[LINE_BYTES];
	int len;

	if (r < 0) {
		len = snprintf(line, sizeof(line) - 1, "%s %llu us %s: %s (%s:%d)", op_name(type),
			       us, error_wire(c->error.code), c->error.message, c->error.file,
			       c->error.line);
	} else {
		len = snprintf(line, sizeof(line) - 1, "%s %llu us", op_name(type), us);
	}
	size_t n = len < 0 ? 0 : (size_t)len;

	n = n < sizeof(line) - 2 ? n : sizeof(line) - 2;
	clean_line(line, n);
	line[n++] = '\n';
	if (write(l->fd, line, n) < 0) {
		return;
	}
}

static int
log_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	const struct log *l = (const struct log *)e;
	uint64_t start = clock_steady_ns();
	int r = e->below->ops->execute(e->below, c, in, out);

	log_line(l, c, in->type, start, r);
	return r;
}

/* One that the engine below was given. */
struct submitted {
	const struct log *log;
	const struct call *c;
	enum op_type type;
	uint64_t start_ns;
	engine_done_fn *done;
	void *arg;
};

static void
submitted_done(void *arg, int r)
{
	const struct submitted *s = arg;

	log_line(s->log, s->c, s->type, s->start_ns, r);
	s->done(s->arg, r);
}

static bool
log_submit(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
	   engine_done_fn *done, void *arg)
{
	const struct log *l = (const struct log *)e;
	struct submitted *s = arena_new(&c->arena, struct submitted, 1);

	*s = (struct submitted){l, c, in->type, clock_steady_ns(), done, arg};
	return engine_submit(e->below, c, in, out, submitted_done, s);
}

static const struct engine_ops log_ops = {
	.execute = log_execute,
	.submit = log_submit,
	.feed = engine_below_feed,
	.view_open = engine_below_view_open,
	.view_close = engine_below_view_close,
	.flow_open = engine_below_flow_open,
	.close = engine_below_close,
};

struct engine *
log_open(struct engine *below, int fd)
{
	struct log *l = calloc(1, sizeof(*l));

	if (l == NULL) {
		abort();
	}
	l->engine = (struct engine){&log_ops, below};
	l->fd = fd;
	return &l->engine;
}
