/* ctl - see ctl.h */
#include "tools/session/ctl.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/stat.h>

#include "store/base/core/utf8.h"
#include "store/base/text/json.h"
#include "store/base/text/near.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/engine/guard.h"
#include "store/engine/meter.h"
#include "store/mark.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"
#include "store/open.h"

#include "tools/cli/commands.h"
#include "tools/cli/pasted.h"
#include "tools/out/out.h"
#include "tools/out/show.h"
#include "tools/session/dry.h"
#include "tools/session/impatient.h"
#include "tools/session/spending.h"
#include "tools/system/find_store.h"
#include "tools/system/input.h"
#include "tools/system/no_file.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

/* The AWS command line also uses this endpoint.  The note helps a user who expects another store. */
static void
ctl_endpoint_of(struct ctl *ctl, struct call *c, const char *variable)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	const char *url = ctl->store == NULL ? getenv(variable) : NULL;

	if (url != NULL && *url != '\0') {
		ctl->store = url;
		if (isatty(STDERR_FILENO)) {
			ctl_note(ctl, "store: %s (%s)", url_shown(&c->arena, url), variable);
		}
	}
}

void
ctl_endpoint(struct ctl *ctl, struct call *c)
{
	ctl_endpoint_of(ctl, c, "AWS_ENDPOINT_URL_DYNAMODB");
	ctl_endpoint_of(ctl, c, "AWS_ENDPOINT_URL");
}

/* Use the only store in the directory.  Not for restore, which makes another store, nor for why with a path. */
static void
ctl_lone_store(struct ctl *ctl)
{
	if (ctl->store != NULL || command_is(ctl->command, COMMAND_RESTORE) ||
	    (command_is(ctl->command, COMMAND_WHY) && ctl->words.n > 0)) {
		return;
	}
	ctl->store = find_store_lone();
	ctl->store_typed = ctl->store;
	if (ctl->store != NULL) {
		ctl_note(ctl, "store: %s", ctl->store);
	}
}

/* Fail, with a suggestion for AWS_PROFILE, which alone does not select DynamoDB: it may be for other programs. */
static int
ctl_no_store(const struct ctl *ctl, struct call *c)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	const char *profile = getenv("AWS_PROFILE");
	const char *name = ctl->command == NULL ? "" : ctl->command->name;
	struct buf b = {.arena = &c->arena};

	if (ctl->store != NULL) {
		return call_fail(c, ERR_USAGE, "-s has an empty value: is its variable set?");
	}
	if (profile != NULL && *profile != '\0') {
		buf_fmt(&b, "; for DynamoDB as AWS_PROFILE says: itemctl --profile %s %s%s",
			profile, name, ctl->words.n == 0 ? "" : " ...");
	}
	return call_fail(c, ERR_USAGE,
			 "no store: name one with -s STORE or ITEMFS_STORE, or change to the "
			 "directory of a mount or of a single store%.*s",
			 SLICE_ARG(buf_view(&b)));
}

int
ctl_named_store(struct ctl *ctl, struct call *c)
{
	int r = ctl->store == NULL ? find_store_here(c, &ctl->store) : 0;

	if (r < 0) {
		return r;
	}
	ctl_endpoint(ctl, c);
	ctl_lone_store(ctl);
	ctl->unopened = ctl->store == NULL || *ctl->store == '\0';
	return ctl->unopened ? ctl_no_store(ctl, c) : 0;
}

bool
ctl_store_is_new(const struct ctl *ctl, struct call *c)
{
	struct stat st;
	struct slice format = fmt_slice(&c->arena, "%s/FORMAT", ctl->store);

	return !store_is_remote(ctl->store) && stat(format.at, &st) != 0;
}

/* Open the dry run.  It keeps writes from the store below, so a marked store must be refused here. */
static void
ctl_open_dry(struct ctl *ctl, struct call *c)
{
	const char *why = store_mark(c, ctl->store);

	ctl->engine = dry_open(ctl->engine, ctl->dry);
	if (why != NULL) {
		ctl->engine = guard_refuse(ctl->engine, why);
	}
}

int
ctl_open_store(struct ctl *ctl, struct call *c, bool create)
{
	int r;

	if (ctl->engine != NULL) {
		return 0;
	}
	r = ctl_named_store(ctl, c);
	if (r == 0 && create && ctl->dry != NULL && ctl_store_is_new(ctl, c)) {
		r = call_fail(c, ERR_USAGE,
			      "there is no store at %s: without --dry-run this command creates one",
			      ctl->store);
	}
	if (r == 0) {
		struct impatience i;

		impatient_begin(&i, ctl, c, false);
		i.opens = true;
		r = ctl->reads_input ? input_open(c, ctl->store, create, &ctl->engine)
				     : store_open(c, ctl->store, create, &ctl->engine);
		r = impatient_end(&i, c, r);
	}
	ctl->unopened = r < 0;
	if (r < 0) {
		return r;
	}
	if (ctl->spending != NULL) {
		ctl->engine = spending_open(ctl->spending, ctl->store, ctl->engine);
	}
	ctl->engine = impatient_open(ctl, ctl->engine);
	if (ctl->dry != NULL) {
		ctl_open_dry(ctl, c);
	}
	if (ctl->meter != NULL) {
		ctl->engine = meter_open(ctl->engine, ctl->meter);
	}
	return 0;
}

struct ctl
ctl_of_store(const struct ctl *ctl, const char *store)
{
	struct ctl other = *ctl;

	other.store = store;
	other.store_given = true;
	other.engine = NULL;
	return other;
}

bool
ctl_may_look(const struct ctl *ctl)
{
	return !ctl->quiet && ctl->fill == NULL &&
	       (!url_is_far(ctl->store) || isatty(STDERR_FILENO));
}

bool
ctl_owns(const struct ctl *ctl)
{
	return engine_feed(ctl->engine) != NULL;
}

int
ctl_schema(const struct ctl *ctl, struct call *c, struct slice table, const struct schema **out)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out answer = {0};

	int r = engine_describe_table(ctl->engine, c, &in, &answer);

	*out = r < 0 ? *out : answer.table.schema;
	return r;
}

struct slice
ctl_other_indexes(struct call *c, const struct schema *s, const char *name)
{
	struct near near = near_start(slice_from(name));
	struct buf names = {.arena = &c->arena};

	for (size_t i = 0; i < s->n_index; i++) {
		near_try(&near, s->index[i].name);
		buf_str(&names, i == 0 ? "; there are " : ", ");
		buf_slice(&names, s->index[i].name);
	}
	if (near.best.len > 0) {
		buf_clear(&names);
		typed_line_near(&names, &near, "");
	}
	return buf_view(&names);
}

int
ctl_index(struct call *c, const struct schema *s, const char *name, const struct index **out)
{
	*out = schema_index(s, slice_from(name));
	if (*out != NULL) {
		return 0;
	}
	struct slice others =
		s->n_index > 0 ? ctl_other_indexes(c, s, name)
			       : fmt_slice(&c->arena,
					   "; it has none: itemctl alter %.*s --add-gsi %s=PK,SK",
					   SLICE_ARG(s->table), name);

	return call_fail(c, ERR_NO_INDEX, "The table does not have the specified index: %s%.*s",
			 name, SLICE_ARG(others));
}

int
ctl_readable(struct ctl *ctl, struct call *c, struct slice table, const char *index)
{
	const struct schema *schema = NULL;
	const struct index *found = NULL;

	int r = ctl_schema(ctl, c, table, &schema);
	if (r < 0 || index == NULL) {
		return r;
	}
	assert(schema != NULL);
	return ctl_index(c, schema, index, &found);
}

int
ctl_time_to_live(struct ctl *ctl, struct call *c, struct slice table, struct slice *out)
{
	struct describe_time_to_live_in in = {.table = table};
	struct describe_time_to_live_out answer = {0};
	call_scope(own, c->now_ms);
	int r = engine_describe_time_to_live(ctl->engine, &own, &in, &answer);

	*out = slice_copy(&c->arena, answer.attribute);
	if (r == -ERR_ACCESS) {
		ctl_note(ctl, "time to live of %.*s: AccessDenied: %s", SLICE_ARG(table),
			 own.error.message);
		r = 0;
	}
	if (r < 0) {
		r = r == -ERR_UNKNOWN_OPERATION ? 0 : ctl_adopt(c, &own);
	}
	return r;
}

int
ctl_check_jobs(struct call *c, const struct opt_count *jobs)
{
	if (jobs->given && (jobs->n == 0 || jobs->n > 64)) {
		return call_fail(c, ERR_USAGE, "--jobs must be 1 to 64");
	}
	return 0;
}

unsigned
ctl_jobs(const struct opt_count *jobs)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (jobs->given) {
		return (unsigned)jobs->n;
	}
	return n < 1 ? 1 : (unsigned)n;
}

unsigned
ctl_requests(const struct ctl *ctl, const struct opt_count *jobs)
{
	enum { REMOTE = 16 };

	return !jobs->given && store_is_remote(ctl->store) ? REMOTE : ctl_jobs(jobs);
}

void
ctl_empty(const struct ctl *ctl)
{
	if (ctl->out.format == OUT_TABLE && ctl->out.n == 0) {
		ctl_note(ctl, "no items");
	}
}

void
ctl_put_said(struct buf *b, const struct ctl *ctl, struct slice said)
{
	cleanup(buf_release) struct buf lines = {0};

	pasted_put(&lines, said, ctl->store_typed);
	show_put(b, buf_view(&lines));
}

int
ctl_end_answer(struct ctl *ctl, struct call *c)
{
	int r = out_close(&ctl->out, c);

	if (r == 0 && ctl->first != NULL) {
		out_open_first(&ctl->out, ctl->first);
	} else if (r == 0) {
		out_open(&ctl->out, STDOUT_FILENO, ctl->format);
	}
	return r;
}

void
ctl_note(const struct ctl *ctl, const char *fmt, ...)
{
	va_list ap;
	char *said = NULL;

	if (ctl->quiet) {
		return;
	}
	va_start(ap, fmt);
	if (vasprintf(&said, fmt, ap) < 0) {
		abort();
	}
	va_end(ap);
	cleanup(buf_release) struct buf b = {0};
	buf_str(&b, ctl->dry == NULL ? "" : "(dry run) ");
	ctl_put_said(&b, ctl, slice_from(said));
	(void)fwrite(b.at, 1, b.len, stderr);
	free(said);
}

int
ctl_adopt(struct call *c, const struct call *from)
{
	int r = call_adopt(c, from);

	if (from->error.item != NULL && c->error.item == NULL) {
		struct item *item = arena_new(&c->arena, struct item, 1);

		*item = item_copy(&c->arena, from->error.item);
		c->error.item = item;
	}
	return r;
}

/* The position in a text that is read. */
struct text_read {
	size_t lines; /* complete lines */
	size_t bytes; /* length of the incomplete line so far */
};

/* Check the length of @text, whose last @n bytes are new, and of its lines. */
static int
ctl_check_length(struct call *c, const char *name, struct slice text, size_t n, struct text_read *t)
{
	for (const char *at = text.at + text.len - n, *end = text.at + text.len; at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		t->bytes += (size_t)((newline == NULL ? end : newline) - at);
		if (t->bytes > CTL_LINE_MAX) {
			return call_fail(c, ERR_USAGE, "%s: line %zu: over %d MiB", name,
					 t->lines + 1, CTL_LINE_MAX / (1024 * 1024));
		}
		if (newline == NULL) {
			break;
		}
		t->lines++;
		t->bytes = 0;
		at = newline + 1;
	}
	return text.len <= CTL_TEXT_MAX
		       ? 0
		       : call_fail(c, ERR_USAGE, "%s: over %d MiB at line %zu; split it", name,
				   CTL_TEXT_MAX / (1024 * 1024), t->lines + 1);
}

int
ctl_read_file(struct call *c, const char *name, struct slice *out)
{
	enum { PIECE = 64 * 1024 };
	struct text_read t = {0};
	bool standard = strcmp(name, "-") == 0;
	cleanup(cleanup_fd) int file = standard ? -1 : open(name, O_RDONLY | O_CLOEXEC);
	int fd = standard ? STDIN_FILENO : file;

	if (fd < 0) {
		return no_file(c, name);
	}
	name = standard ? "standard input" : name;
	struct buf b = {.arena = &c->arena};
	for (;;) {
		ssize_t n = read(fd, buf_room(&b, PIECE), PIECE);

		if (n > 0) {
			b.len += (size_t)n;
			int r = ctl_check_length(c, name, buf_view(&b), (size_t)n, &t);

			if (r < 0) {
				return r;
			}
		} else if (n == 0) {
			break;
		} else if (errno != EINTR) {
			return no_file(c, name);
		}
	}
	*out = buf_view(&b);
	return 0;
}

int
ctl_read_text(struct call *c, const char *name, struct slice *out)
{
	int r = ctl_read_file(c, name, out);

	if (r == 0) {
		*out = utf8_past_mark(*out);
	}
	return r;
}

int
ctl_item(struct call *c, struct slice text, struct item *out)
{
	const struct json *json = NULL;

	int r = json_parse(c, text, JSON_STRICT, &json);
	return r < 0 ? r : item_from_json(c, json, out);
}
