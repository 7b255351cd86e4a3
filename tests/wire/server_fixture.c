#include "tests/wire/server_fixture.h"

#include "store/engine/feed.h"

#include "tests/support/unit.h"

struct server_fixture server_fixture;

static int
tell_refused(void *arg, struct call *c, const struct refused_in *in, struct refused_out *out)
{
	static const struct slice line = SLICE_INIT("a line");

	(void)c;
	(void)in;
	*(bool *)arg = true;
	*out = (struct refused_out){&line, 1};
	return 0;
}

void
server_fixture_open(void)
{
	call_open(&server_fixture.c, 0, 1 << 20);
	server_fixture.folder = wire_folder();
	(void)snprintf(server_fixture.path, sizeof(server_fixture.path), "%s/socket",
		       server_fixture.folder);
	fake_engine_init(&server_fixture.fake);
	server_fixture.asked_refused = false;

	struct server_options on_socket = {.socket = server_fixture.path,
					   .refused = tell_refused,
					   .refused_arg = &server_fixture.asked_refused,
					   .limits = {.stop_ms = SERVER_FIXTURE_STOP_MS}};
	struct server_options on_tcp = {.listen = "127.0.0.1:0",
					.limits = {.stop_ms = SERVER_FIXTURE_STOP_MS}};

	if (server_start(&server_fixture.c, &server_fixture.fake.engine, &on_socket,
			 &server_fixture.local) != 0 ||
	    server_start(&server_fixture.c, &server_fixture.fake.engine, &on_tcp,
			 &server_fixture.tcp) != 0) {
		printf("%s\n", server_fixture.c.error.message);
		abort();
	}
}

void
server_fixture_close(void)
{
	server_stop(server_fixture.local);
	server_stop(server_fixture.tcp);
	feed_free(server_fixture.fake.feed);
	fake_engine_release(&server_fixture.fake);
	wire_folder_remove(server_fixture.folder);
	call_close(&server_fixture.c);
}

void
server_fixture_restart(const struct server_options *o)
{
	server_stop(server_fixture.tcp);
	server_fixture.tcp = NULL;
	int r = server_start(&server_fixture.c, &server_fixture.fake.engine, o,
			     &server_fixture.tcp);

	CU_ASSERT_EQUAL_FATAL(r, 0);
}

const char *
server_fixture_post(const char *target, const char *body)
{
	struct buf b;

	buf_init(&b, &server_fixture.c.arena);
	buf_fmt(&b,
		"POST / HTTP/1.1\r\nHost: localhost\r\n" SERVER_FIXTURE_TYPE
		"X-Amz-Target: %s\r\nContent-Length: %zu\r\n\r\n%s",
		target, strlen(body), body);
	buf_char(&b, '\0');
	return b.at;
}

unsigned
server_fixture_say(const char *bytes)
{
	(void)wire_talk(server_fixture.path, 0, bytes, strlen(bytes), server_fixture.answer,
			sizeof(server_fixture.answer));
	return server_fixture_status();
}

unsigned
server_fixture_say_tcp(const char *bytes)
{
	(void)wire_talk(NULL, server_port(server_fixture.tcp), bytes, strlen(bytes),
			server_fixture.answer, sizeof(server_fixture.answer));
	return server_fixture_status();
}

unsigned
server_fixture_status(void)
{
	bool http = strncmp(server_fixture.answer, "HTTP/1.1 ", 9) == 0;

	return http ? (unsigned)strtoul(server_fixture.answer + 9, NULL, 10) : 0;
}

const char *
server_fixture_body(void)
{
	const char *end = strstr(server_fixture.answer, "\r\n\r\n");

	return end == NULL ? "" : end + 4;
}

const char *
server_fixture_header(const char *name)
{
	struct buf line;

	buf_init(&line, &server_fixture.c.arena);
	buf_fmt(&line, "\r\n%s: ", name);
	buf_char(&line, '\0');
	const char *at = strcasestr(server_fixture.answer, line.at);

	if (at == NULL) {
		return "";
	}
	at += strlen(line.at);
	return slice_cstr(&server_fixture.c.arena, slice_of(at, strcspn(at, "\r")));
}

bool
server_fixture_saw(enum op_type type, const char *body)
{
	return server_fixture.fake.type == type &&
	       slice_is(buf_view(&server_fixture.fake.seen), body);
}
