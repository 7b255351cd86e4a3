/* start_say - standard output of a start: the address of the server, shell commands, hints */
#include "store/base/core/clock.h"
#include "store/base/system/folder.h"
#include "store/base/text/shell_word.h"
#include "store/wire/proto/credentials.h"
#include "store/wire/proto/endpoint.h"
#include "store/wire/proto/wire.h"

#include "fs/daemon/options.h"
#include "fs/daemon/start.h"

enum { CREDENTIALS_BUDGET = 4 * 1024 * 1024 }; /* bytes to read the credentials file */

/* The URL of the server at @address for clients on this machine. */
static const char *
start_url(struct start *s, const char *address)
{
	bool any = slice_starts(slice_from(address), SLICE("0.0.0.0:")) ||
		   slice_starts(slice_from(address), SLICE("[::]:"));

	return arena_print(&s->call.arena, "http://%s%s", any ? "localhost" : "",
			   any ? strrchr(address, ':') : address);
}

/* Say so if the port is not the first of a range. */
static void
start_say_port(const struct start *s, const char *address)
{
	int first = endpoint_first_port(s->options.listen);

	if (first != 0 && first != endpoint_first_port(address)) {
		(void)printf("# Port %d is taken: this is the next free one.\n", first);
	}
}

/* Print an unset command for variables that would give an SDK another endpoint or, with @keys, other keys. */
static void
start_say_unset(bool keys)
{
	static const char *const names[] = {
		"AWS_PROFILE",
		"AWS_DEFAULT_PROFILE",
		"AWS_SESSION_TOKEN",
		"AWS_SECURITY_TOKEN",
		"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
		"AWS_USE_FIPS_ENDPOINT",
		"AWS_USE_DUALSTACK_ENDPOINT",
		"AWS_ACCESS_KEY_ID",
		"AWS_SECRET_ACCESS_KEY", /* only with @keys */
	};
	size_t n = sizeof(names) / sizeof(names[0]) - (keys ? 0 : 2);
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread changes the environment */
		if (getenv(names[i]) != NULL) {
			(void)printf("%s %s", any ? "" : "unset", names[i]);
			any = true;
		}
	}
	(void)fputs(any ? "\n" : "", stdout);
}

/* A region for the exports: that of the environment if it can be pasted safely.  The server accepts any. */
static const char *
start_region(void)
{
	static const char *const names[] = {"AWS_REGION", "AWS_DEFAULT_REGION"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): no thread changes the environment */
		const char *region = getenv(names[i]);

		if (region != NULL && *region != '\0' &&
		    region[strspn(region, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0') {
			return region;
		}
	}
	return "us-east-1";
}

/* Print the variables with which SDKs find the first key of the file of credentials. */
static void
start_say_credentials(struct start *s)
{
	const char *file = s->options.credentials;
	struct credentials known = {0};
	struct call own;
	struct buf b;

	call_open(&own, clock_now_ms(), CREDENTIALS_BUDGET);
	buf_init(&b, &own.arena);
	if (credentials_read(&own, file, &known) == 0 &&
	    credentials_of_profile(&known, SLICE("default")) == NULL) {
		buf_str(&b, " AWS_PROFILE=");
		shell_word(&b, known.all[0].profile);
	}
	buf_str(&b, " AWS_SHARED_CREDENTIALS_FILE=");
	shell_word(&b, slice_from(file));
	(void)printf("export%.*s\n", SLICE_ARG(buf_view(&b)));
	call_close(&own);
}

/* Print shell commands that make SDKs and itemctl use the server at @url. */
static void
start_say_exports(struct start *s, const char *url)
{
	const char *region = start_region();

	(void)puts("");
	start_say_unset(s->options.credentials != NULL);
	(void)printf("export AWS_ENDPOINT_URL_DYNAMODB=%s\n"
		     "export AWS_ENDPOINT_URL_DYNAMODB_STREAMS=%s\n",
		     url, url);
	if (s->options.credentials == NULL) {
		(void)fputs("export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local", stdout);
	} else {
		start_say_credentials(s);
		(void)fputs("export", stdout);
	}
	(void)printf(" AWS_REGION=%s AWS_DEFAULT_REGION=%s\n"
		     "export ITEMFS_STORE=%s\n",
		     region, region, url);
	if (s->options.note != NULL) {
		(void)puts(s->options.note);
	}
}

/* Print the URL of the pages for a browser, if the server has them. */
static void
start_say_page(const struct start *s, const char *url)
{
	if (s->options.token != NULL) {
		(void)printf("# In a browser: %s/%s/\n", url, s->options.token);
	} else if (s->options.credentials == NULL && !s->options.quiet) {
		(void)printf("# In a browser: %s/\n", url);
	}
}

/* Print the number of rejected texts that are kept, of this mount and earlier ones. */
static void
start_say_kept(struct start *s)
{
	const char *entry;
	size_t n = 0;
	const char *path =
		arena_print(&s->call.arena, "%s/rejected", s->state == NULL ? s->store : s->state);
	cleanup(cleanup_dir) DIR *dir = opendir(path);

	while ((entry = folder_next(dir)) != NULL) {
		n += entry[0] != '.';
	}
	if (n > 0) {
		(void)printf("not stored, but kept: %zu text%s in %s\n", n, n == 1 ? "" : "s",
			     path);
	}
}

/* Print hints for a user who mounts by hand. */
static void
start_say_hints(struct start *s)
{
	const struct options *o = &s->options;

	/* With -o write the reason is printed even without a terminal. */
	if (o->ro_why != NULL && (o->write || isatty(STDOUT_FILENO))) {
		(void)fprintf(o->write ? stderr : stdout, "%s: %s\n",
			      s->point == NULL ? s->store : s->point, o->ro_why);
	}
	if (s->fresh && s->point != NULL && !o->helper) {
		(void)printf(
			"%s is empty; to create a table: itemctl -s %s create-table NAME --key PK,SK; for "
			"help: %s/.itemfs/README\n",
			s->point, s->point, s->point);
	}
	if (s->point == NULL || o->helper || !isatty(STDOUT_FILENO)) {
		return;
	}
	(void)printf(
		"%s: %s .index (a table's indexes) and .itemfs/README\n"
		"a query is a path: ls PARTITION/.begins_with/X, .filter/EXPR; see itemctl help paths\n",
		s->point, s->options.dotdirs ? "also listed:" : "not listed:");
	start_say_kept(s);
}

/* The file gets its name when it is complete. */
static void
start_write_port(struct start *s, const char *address)
{
	const char *file = s->options.port_file;
	const char *part = arena_print(&s->call.arena, "%s.part-%d", file, (int)getpid());
	FILE *f = fopen(part, "we");
	bool written = f != NULL && fprintf(f, "%s\n", strrchr(address, ':') + 1) > 0;

	written = f != NULL && fclose(f) == 0 && written;
	if (!written || rename(part, file) != 0) {
		(void)fprintf(stderr, "itemfs: %s: %m\n", file);
		(void)unlink(part);
	}
}

void
start_say_address(struct start *s, const char *address)
{
	if (address[0] != '\0') {
		const char *url = start_url(s, address);

		if (s->options.port_file != NULL) {
			start_write_port(s, address);
		}
		(void)printf("listening on %s\n", address);
		if (s->point == NULL && !s->options.quiet) {
			start_say_exports(s, url);
			start_say_port(s, address);
		}
		start_say_page(s, url);
	} else if (s->point == NULL) {
		(void)printf("listening on %s/" WIRE_SOCKET "\n", s->store);
	}
	start_say_hints(s);
	(void)fflush(stdout);
}
