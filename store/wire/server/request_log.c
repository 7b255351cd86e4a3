/* request_log - formats and appends the lines of the request log */
#include "store/wire/server/request_log.h"

#include <fcntl.h>

#include "store/base/core/escape.h"
#include "store/base/system/say.h"
#include "store/base/system/write_all.h"
#include "store/base/text/json.h"
#include "store/op/op.h"
#include "store/wire/server/access.h"

enum { REQUEST_LOG_BUDGET = 64 * 1024 * 1024 };

int
request_log_open(struct call *c, const char *path, int *fd)
{
	*fd = path == NULL ? -1 : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	return path == NULL || *fd >= 0
		       ? 0
		       : call_fail(c, ERR_IO, "request_log %s: %s", path, strerrordesc_np(errno));
}

/* Append a line with one write.  A failure is ignored. */
static void
request_log_put(const struct server *s, struct slice text)
{
	cleanup(buf_release) struct buf line = {0};
	char when[SAY_TIME];

	buf_fmt(&line, "%s ", say_time(when));
	(void)escape_put(&line, text, SIZE_MAX);
	buf_char(&line, '\n');
	(void)!write_all(s->log, buf_view(&line));
}

/* Append the names of the tables in a request, or "-" if there are none. */
static void
request_log_table(struct buf *b, struct call *own, struct slice body)
{
	const struct json *json = NULL;
	bool read = json_parse(own, body, JSON_LAST_WINS, &json) == 0;
	const struct json *name = read ? json_get(json, "TableName") : NULL;
	const char *comma = "";

	if (name != NULL && name->type == JSON_STRING) {
		buf_slice(b, name->text);
		return;
	}
	json_each (table, read ? json_get(json, "RequestItems") : NULL) {
		buf_fmt(b, "%s%.*s", comma, SLICE_ARG(table->name));
		comma = ",";
	}
	buf_str(b, *comma == '\0' ? "-" : "");
}

void
request_log_operation(const struct request *r)
{
	const struct error *e = &r->c.error;
	cleanup(buf_release) struct buf b = {0};
	struct call own;

	if (r->s->log < 0) {
		return;
	}
	call_open(&own, r->c.now_ms, REQUEST_LOG_BUDGET);
	buf_fmt(&b, "%s ",
		r->in.type != OP_COUNT ? op_name(r->in.type)
				       : access_header(r->connection, "X-Amz-Target"));
	request_log_table(&b, &own, buf_view(&r->body.bytes));
	buf_fmt(&b, " %u %lu ms%s%s", r->answer.status,
		(unsigned long)(r->s->now_ms() - r->c.now_ms), r->answer.status < 400 ? "" : " ",
		r->answer.status < 400 ? "" : error_wire(e->code));
	request_log_put(r->s, buf_view(&b));
	call_close(&own);
}

void
request_log_other(const struct request *r, const char *method, const char *url)
{
	cleanup(buf_release) struct buf b = {0};

	if (r->s->log >= 0) {
		buf_fmt(&b, "%s %s %u", method, url, r->answer.status);
		request_log_put(r->s, buf_view(&b));
	}
}
