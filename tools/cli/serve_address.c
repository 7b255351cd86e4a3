/* serve_address - see serve_address.h */
#include "tools/cli/serve_address.h"

#include "store/wire/proto/endpoint.h"

#include "tools/system/call_scope.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

enum { SERVE_PORTS = 100 }; /* number of ports that are tried, from ENDPOINT_PORT on */

int
serve_address_reach(struct call *c, const struct serve_address *a, bool anywhere, const char *store)
{
	if (a->listen == NULL || anywhere) {
		return 0;
	}
	call_scope(local, c->now_ms);
	call_scope(any, c->now_ms);
	if (endpoint_check_tcp(&local, a->listen, false) == 0 ||
	    endpoint_check_tcp(&any, a->listen, true) < 0) {
		return 0; /* an invalid address is refused later */
	}
	struct buf line = {.arena = &c->arena};
	if (!typed_line_insert(&line, SLICE("--"), SLICE("--credentials keys"))) {
		buf_str(&line, "itemctl ");
		if (store != NULL) {
			fmt_shell(&line, "-s % ", slice_from(store));
		}
		buf_fmt(&line, "serve --listen %s --credentials keys", a->listen);
	}
	return call_fail(
		c, ERR_USAGE,
		"%s can be reached from other machines, so it needs credentials: otherwise "
		"everybody there could change the store. To create a file of keys:\n"
		"(umask 077; printf '[default]\\naws_access_key_id = me\\naws_secret_access_key = "
		"%%s\\n' \"$(head -c 24 /dev/urandom | base64)\" >keys)\n"
		"%.*s\n"
		"or, if all programs in that network may read and change the store: --trust-network",
		a->listen, SLICE_ARG(buf_view(&line)));
}

/* The local address for a range of ports; itemfs listens on the first one that is free. */
static const char *
serve_address_ports(struct call *c, int first, int last)
{
	return arena_print(&c->arena, last == first ? "127.0.0.1:%d" : "127.0.0.1:%d-%d", first,
			   last);
}

/* Return true for a port alone, as in --listen 8000. */
static bool
serve_address_number(const char *text)
{
	struct slice s = slice_from(text);

	return s.len > 0 && ascii_digits_end(s, 0) == s.len;
}

int
serve_address_choose(struct call *c, struct serve_address *a)
{
	if (a->port.given && a->listen != NULL && strchr(a->listen, ':') == NULL &&
	    strcmp(a->listen, "none") != 0 && !serve_address_number(a->listen)) {
		a->listen = arena_print(&c->arena, "%s:%lu", a->listen, (unsigned long)a->port.n);
		return 0;
	}
	if (a->port.given && a->listen != NULL) {
		return call_fail(c, ERR_USAGE, "give only one of --port and --listen");
	}
	if (a->port.given && a->port.n > UINT16_MAX) {
		return call_fail(c, ERR_USAGE, "--port must be 0 to %d", UINT16_MAX);
	}
	if (a->port.given) {
		a->listen = serve_address_ports(c, (int)a->port.n, (int)a->port.n);
		return 0;
	}
	if (a->listen == NULL) {
		a->listen = serve_address_ports(c, ENDPOINT_PORT, ENDPOINT_PORT + SERVE_PORTS - 1);
		return 0;
	}
	a->listen = strcmp(a->listen, "none") == 0 ? NULL : endpoint_address(c, a->listen);
	return 0;
}

bool
serve_address_is(const char *word)
{
	struct slice s = slice_from(word);

	return strcmp(word, "localhost") == 0 || serve_address_number(word) ||
	       (strchr(word, '/') == NULL && strchr(word, ':') != NULL) ||
	       (ascii_digit(word[0]) && strspn(word, "0123456789.") == s.len);
}

int
serve_address_hosts(struct call *c, struct serve_address *a)
{
	struct buf names = {.arena = &c->arena};

	for (size_t i = 0; i < a->host.n; i++) {
		const char *word = a->host.at[i];
		const char *colon = strchr(word, ':');

		if (colon != NULL && colon == strrchr(word, ':') && !ascii_digit(word[0]) &&
		    ascii_word(word[0]) && strncmp(word, "localhost:", 10) != 0) {
			return call_fail(c, ERR_USAGE, "--host %s: give the name without a port",
					 word);
		}
		if (!serve_address_is(word)) {
			buf_str(&names, names.len == 0 ? "" : ":");
			buf_str(&names, word);
		} else if (a->listen != NULL) {
			return call_fail(c, ERR_USAGE, "give only one of --listen %s and --host %s",
					 a->listen, word);
		} else {
			a->listen = word;
		}
	}
	a->names = names.len == 0 ? NULL : slice_cstr(&c->arena, buf_view(&names));
	return a->names != NULL && a->listen != NULL && strcmp(a->listen, "none") == 0
		       ? call_fail(c, ERR_USAGE,
				   "--host %s does not go with --listen none, which has no address",
				   a->names)
		       : 0;
}

/* A free port above the port @taken; 0 if there is none */
static int
serve_address_free(struct call *c, const char *address, int taken, bool anywhere)
{
	const char *colon = strrchr(address, ':');
	int fd = -1;
	int port = 0;
	struct slice b = fmt_slice(&c->arena, "%.*s:%d-%d", (int)(colon - address), address,
				   taken + 1, taken + SERVE_PORTS);

	if (endpoint_listen_tcp(c, b.at, anywhere, &fd, &port) < 0) {
		return 0;
	}
	(void)close(fd);
	return port;
}

/* Replace the error for a port in use by one with the typed line and a free port, if possible. Return: -ERR_IO */
static int
serve_address_taken(struct call *c, const struct serve_address *a, bool anywhere)
{
	int taken = endpoint_first_port(a->listen);

	call_scope(own, c->now_ms);
	int port = serve_address_free(&own, a->listen, taken, anywhere);

	struct buf b = {.arena = &own.arena};

	if (port != 0 && typed_line_with(&b, fmt_slice(&own.arena, "%d", taken),
					 fmt_slice(&own.arena, "%d", port))) {
		c->error = (struct error){0};
		return call_fail(c, ERR_IO,
				 "cannot listen on %s: Address already in use; a free port: %.*s",
				 a->listen, SLICE_ARG(buf_view(&b)));
	}
	return -ERR_IO;
}

int
serve_address_check(struct call *c, const struct serve_address *a, bool anywhere)
{
	int fd = -1;
	int port;

	/* Servers that start at the same time would skip ports of a range because of each other's probes. */
	if (a->listen == NULL || strchr(a->listen, '-') != NULL) {
		return 0;
	}
	int r = endpoint_listen_tcp(c, a->listen, anywhere, &fd, &port);

	if (r == 0) {
		(void)close(fd);
	}
	return r == -ERR_IO && strstr(c->error.message, "already in use") != NULL
		       ? serve_address_taken(c, a, anywhere)
		       : r;
}
