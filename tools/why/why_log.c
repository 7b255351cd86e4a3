/*
 * why_log - see why_log.h
 *
 * The process that owns a store reports the refusals of all mounts of the store.  Mounts of an endpoint share no
 * process: the file .itemfs/errors of each mount lists its own refusals.
 */
#include "tools/why/why_log.h"

#include <sys/stat.h>

#include "store/base/core/escape.h"
#include "store/base/system/mountinfo.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/open.h"

#include "tools/cli/pasted.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"

struct slice
why_log_pasted(const struct ctl *ctl, struct call *c, struct slice text)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	const char *named = getenv("ITEMFS_STORE");
	bool known = named != NULL && ctl->store != NULL && strcmp(named, ctl->store) == 0;
	struct buf b = {.arena = &c->arena};

	pasted_put(&b, text, known ? NULL : ctl->store);
	return buf_view(&b);
}

/* Suffix of a line: a later write of the same path was accepted. */
static const char settled[] = "\tsettled";

/*
 * Print a line of .itemfs/errors (fs/saved/refused.h) as an item.  The field "-" means that DynamoDB has no name for
 * the error; the field "x N" exists from the second occurrence on.  The item has the attribute Settled only if the line
 * has that suffix.
 */
static void
why_log_put(struct ctl *ctl, struct call *c, struct slice line)
{
	static const struct {
		const char *name;
		bool number;
	} fields[] = {{"Time", false},  {"Uid", true},      {"Path", false}, {"Errno", false},
		      {"Error", false}, {"Message", false}, {"Times", true}};
	enum { FIELDS = sizeof(fields) / sizeof(*fields), MESSAGE = 5 };
	struct attr attrs[FIELDS + 1];
	size_t n = 0;
	bool is_settled = slice_ends(line, slice_from(settled));

	line.len -= is_settled ? sizeof(settled) - 1 : 0;
	for (size_t i = 0; i < FIELDS && line.len > 0; i++) {
		struct slice field = slice_take(&line, '\t');

		if (slice_is(field, "-")) {
			continue;
		}
		if (i == FIELDS - 1 && slice_starts(field, SLICE("x "))) {
			field = slice_skip(field, 2);
		}
		attrs[n++] = (struct attr){
			.name = slice_from(fields[i].name),
			.value = {.type = fields[i].number ? VALUE_N : VALUE_S,
				  .text = i == MESSAGE ? why_log_pasted(ctl, c, field) : field},
		};
	}
	if (is_settled) {
		attrs[n++] = (struct attr){SLICE("Settled"), {.type = VALUE_BOOL, .truth = true}};
	}
	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = n});
}

/* Field @n of the line, counted from 0; empty if the line has fewer fields */
static struct slice
why_log_field(struct slice line, size_t n)
{
	while (n-- > 0) {
		(void)slice_take(&line, '\t');
	}
	return slice_take(&line, '\t');
}

/*
 * Return true for a remark about a file that no longer exists.  It does not help: programs write files and rename them.
 */
static bool
why_log_is_over(struct call *c, struct slice line)
{
	struct stat st;

	return slice_is(why_log_field(line, 3), "-") &&
	       lstat(slice_cstr(&c->arena, why_log_field(line, 2)), &st) != 0;
}

/*
 * Return true for a remark that why_path() repeats with a correction: one of fs/file/missed.h, or about a scratch file.
 */
static bool
why_log_is_of_path(struct slice line)
{
	static const char scratch[] = " is a scratch file, not an item";
	static const char quoted[] = "; a text needs quotes: ";
	struct slice sentence = why_log_field(line, 5);

	return slice_is(why_log_field(line, 4), "-") &&
	       (slice_is(why_log_field(line, 3), "ENOENT") ||
		memmem(sentence.at, sentence.len, scratch, sizeof(scratch) - 1) != NULL ||
		memmem(sentence.at, sentence.len, quoted, sizeof(quoted) - 1) != NULL);
}

/*
 * Print the lines and count them.  Those about one path are printed oldest first, because one refusal may have caused
 * the next; if @all is set, the newest is printed first.
 */
static void
why_log_put_all(struct ctl *ctl, struct call *c, const struct refused_out *log, bool all,
		struct why_found *found)
{
	for (size_t i = 0; i < log->n_lines; i++) {
		struct slice line = log->lines[all ? log->n_lines - 1 - i : i];

		if (!why_log_is_over(c, line) && (all || !why_log_is_of_path(line))) {
			why_log_put(ctl, c, line);
			found->lines++;
			bool is_open = !slice_ends(line, slice_from(settled));
			struct slice error = why_log_field(line, 3);

			found->open += is_open;
			found->written +=
				is_open && !slice_is(error, "-") && !slice_is(error, "ENOENT");
		}
	}
}

/* Print the lines of one mount about @path, or all unsettled lines if @path is empty. */
static void
why_log_ask_mount(struct ctl *ctl, struct call *c, const char *point, struct slice path,
		  struct why_found *found)
{
	FILE *errors = fopen(arena_print(&c->arena, "%s/.itemfs/errors", point), "re");
	struct slice *lines = NULL;
	size_t n = 0;
	size_t cap = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t len;

	if (errors == NULL) { /* the mount of another user */
		return;
	}
	while ((len = getline(&line, &room, errors)) > 0) {
		struct slice text = slice_of(line, (size_t)len - (line[len - 1] == '\n'));

		if (path.len == 0 ? !slice_ends(text, slice_from(settled))
				  : slice_eq(why_log_field(text, 2), path)) {
			lines = arena_room(&c->arena, lines, n, &cap);
			lines[n++] = slice_copy(&c->arena, text);
		}
	}
	free(line);
	(void)fclose(errors);
	why_log_put_all(ctl, c, &(struct refused_out){.lines = lines, .n_lines = n}, path.len == 0,
			found);
}

/* @name without slashes at its end */
static struct slice
why_log_plain(const char *name)
{
	struct slice s = slice_from(name);

	while (s.len > 0 && s.at[s.len - 1] == '/') {
		s.len--;
	}
	return s;
}

/* Print the refusals of all mounts of this endpoint. */
static void
why_log_ask_mounts(struct ctl *ctl, struct call *c, struct slice path, struct why_found *found)
{
	struct slice store = why_log_plain(url_shown(&c->arena, ctl->store));
	struct buf shown = {.arena = &c->arena}; /* the path as the lines show it */
	cleanup(mountinfo_close) struct mountinfo_list list;
	struct mountinfo m;

	(void)escape_put(&shown, path, SIZE_MAX);
	mountinfo_open(&list);
	while (mountinfo_next(&list, &m)) {
		if (m.itemfs && slice_eq(why_log_plain(m.source), store)) {
			why_log_ask_mount(ctl, c, m.point, buf_view(&shown), found);
		}
	}
}

/* Print the refusals of all mounts of this store directory. */
static int
why_log_ask_owner(struct ctl *ctl, struct call *c, struct slice path, struct why_found *found)
{
	struct refused_in in = {.path = path};
	struct refused_out answer = {0};
	call_scope(own, c->now_ms);
	int r = engine_refused(ctl->engine, &own, &in, &answer);

	if (r == -ERR_NOT_SUPPORTED || r == -ERR_UNKNOWN_OPERATION) {
		return 0; /* the store is not mounted, so nothing was refused */
	}
	if (r < 0) {
		return ctl_adopt(c, &own);
	}
	why_log_put_all(ctl, c, &answer, path.len == 0, found);
	return 0;
}

int
why_log_ask(struct ctl *ctl, struct call *c, struct slice path, struct why_found *found)
{
	int r = ctl_named_store(ctl, c);

	if (r == -ERR_USAGE && path.len > 0) {
		c->error = (struct error){0};
		ctl->unopened = false;
		return 0;
	}
	r = r < 0 ? r : ctl_open_store(ctl, c, false);
	if (r < 0) {
		return r;
	}
	if (store_is_remote(ctl->store)) {
		why_log_ask_mounts(ctl, c, path, found);
		return 0;
	}
	return why_log_ask_owner(ctl, c, path, found);
}

int
why_log_ask_path(struct ctl *ctl, struct call *c, struct slice path, struct why_found *found)
{
	int r = why_log_ask(ctl, c, path, found);

	/* The lookup by access() makes the mount write the line of a name that it refuses. */
	if (r == 0 && found->lines == 0 && access(slice_cstr(&c->arena, path), F_OK) != 0) {
		r = why_log_ask(ctl, c, path, found);
	}
	return r;
}
