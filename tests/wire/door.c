#include "tests/wire/door.h"

#include <stdio.h>
#include <stdlib.h>

#include "store/engine/feed.h"

struct door door;

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
door_open(void)
{
	call_open(&door.c, 0, 1 << 20);
	door.folder = wire_folder();
	(void)snprintf(door.path, sizeof(door.path), "%s/socket", door.folder);
	fake_engine_init(&door.fake);
	door.asked_refused = false;

	struct server_options on_socket = {.socket = door.path,
					   .refused = tell_refused,
					   .refused_arg = &door.asked_refused,
					   .limits = {.stop_ms = DOOR_STOP_MS}};
	struct server_options on_tcp = {.listen = "127.0.0.1:0",
					.limits = {.stop_ms = DOOR_STOP_MS}};

	if (server_start(&door.c, &door.fake.engine, &on_socket, &door.local) != 0 ||
	    server_start(&door.c, &door.fake.engine, &on_tcp, &door.tcp) != 0) {
		printf("%s\n", door.c.error.message);
		abort();
	}
}

void
door_close(void)
{
	server_stop(door.local);
	server_stop(door.tcp);
	feed_free(door.fake.feed);
	fake_engine_release(&door.fake);
	wire_folder_remove(door.folder);
	call_close(&door.c);
}

const char *
door_post(const char *target, const char *body)
{
	struct buf b;

	buf_init(&b, &door.c.arena);
	buf_fmt(&b,
		"POST / HTTP/1.1\r\nHost: localhost\r\n" DOOR_TYPE
		"X-Amz-Target: %s\r\nContent-Length: %zu\r\n\r\n%s",
		target, strlen(body), body);
	buf_char(&b, '\0');
	return b.at;
}

unsigned
door_say(const char *bytes)
{
	(void)wire_talk(door.path, 0, bytes, strlen(bytes), door.answer, sizeof(door.answer));
	return door_status();
}

unsigned
door_say_tcp(const char *bytes)
{
	(void)wire_talk(NULL, server_port(door.tcp), bytes, strlen(bytes), door.answer,
			sizeof(door.answer));
	return door_status();
}

unsigned
door_status(void)
{
	bool http = strncmp(door.answer, "HTTP/1.1 ", 9) == 0;

	return http ? (unsigned)strtoul(door.answer + 9, NULL, 10) : 0;
}

const char *
door_body(void)
{
	const char *end = strstr(door.answer, "\r\n\r\n");

	return end == NULL ? "" : end + 4;
}

const char *
door_header(const char *name)
{
	struct buf line;

	buf_init(&line, &door.c.arena);
	buf_fmt(&line, "\r\n%s: ", name);
	buf_char(&line, '\0');
	const char *at = strcasestr(door.answer, line.at);

	if (at == NULL) {
		return "";
	}
	at += strlen(line.at);
	return slice_cstr(&door.c.arena, slice_of(at, strcspn(at, "\r")));
}

bool
door_saw(enum op_type type, const char *body)
{
	return door.fake.type == type && slice_is(buf_view(&door.fake.seen), body);
}
