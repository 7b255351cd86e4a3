/* ldb_refusal - see ldb_refusal.h */
#include "store/kv/ldb_refusal.h"

#include "store/base/text/shell_word.h"
#include "store/kv/ldb_durable.h"
#include "store/kv/ldb_manifest.h"

/* Appends the path of a file, quoted for a command line; @more: a suffix */
static void
ldb_refusal_path(struct buf *b, const struct recovery *rec, const char *name, const char *more)
{
	shell_word(b, slice_from(arena_print(&rec->c->arena, "%s/%s%s", rec->dir, name, more)));
}

int
ldb_refusal_first(const struct recovery *rec)
{
	uint64_t first = rec->manifest.log;

	if (rec->n > 0) {
		return call_fail(
			rec->c, ERR_CORRUPT,
			"%s/%06llu.log is missing, but %s exists: either that log was removed, or %s "
			"lost its end. Put the original back, or restore a backup",
			rec->dir, (unsigned long long)first, rec->logs[0].name, rec->manifest.name);
	}
	char name[LDB_NAME_BYTES];
	struct buf path;

	(void)snprintf(name, sizeof(name), "%06llu.log", (unsigned long long)first);
	buf_init(&path, &rec->c->arena);
	ldb_refusal_path(&path, rec, name, "");
	return call_fail(
		rec->c, ERR_CORRUPT,
		"%s/%s is missing: the newest writes were in it. Put it back, or restore a "
		"backup; or discard these writes with \"touch %.*s\", and check the rest with "
		"itemctl check",
		rec->dir, name, SLICE_ARG(buf_view(&path)));
}

/*
 * The commands that cut the damaged log and remove the later ones. The copy keeps owner and mode of the log, but not
 * its note (ldb_durable.h).
 */
static const char *
give_up(const struct recovery *rec)
{
	const char *name = rec->logs[rec->damaged].name;
	struct buf b;

	assert(rec->damaged < rec->n);
	buf_init(&b, &rec->c->arena);
	buf_str(&b, "cp -p ");
	ldb_refusal_path(&b, rec, name, "");
	buf_char(&b, ' ');
	ldb_refusal_path(&b, rec, name, ".new");
	buf_fmt(&b, " && truncate -s %lld ", (long long)rec->from);
	ldb_refusal_path(&b, rec, name, ".new");
	buf_str(&b, " && mv ");
	ldb_refusal_path(&b, rec, name, ".new");
	buf_char(&b, ' ');
	ldb_refusal_path(&b, rec, name, "");
	for (size_t i = rec->damaged + 1; i < rec->n; i++) {
		buf_str(&b, i == rec->damaged + 1 ? " && rm " : " ");
		ldb_refusal_path(&b, rec, rec->logs[i].name, "");
	}
	return slice_cstr(&rec->c->arena, buf_view(&b));
}

#define REFUSED_COPY \
	"If this is a copy of a store that was in use, make another with itemctl backup"

int
ldb_refusal_synced(const struct recovery *rec)
{
	return call_fail(
		rec->c, ERR_CORRUPT,
		"%s/%s is damaged: the write at byte %lld was on disk, and later writes depend "
		"on it. Restore a backup; or discard all writes from there on with \"%s\", and "
		"check the rest with itemctl check. " REFUSED_COPY,
		rec->dir, rec->logs[rec->damaged].name, (long long)rec->from, give_up(rec));
}

int
ldb_refusal_short(const struct recovery *rec)
{
	const char *name = rec->logs[rec->damaged].name;
	bool whole = rec->from == rec->end; /* no damage: for example an older copy */
	bool keeps = whole && rec->damaged + 1 == rec->n;

	return call_fail(
		rec->c, ERR_CORRUPT,
		"%s/%s is %s: %lld bytes of it were on disk, and %lld are valid. A crash "
		"cannot cause this: writes are missing. Put the original back, or restore a "
		"backup; or discard %s with \"%s\"%s, and check the rest with itemctl check. " REFUSED_COPY,
		rec->dir, name, whole ? "cut short, or an older copy" : "damaged",
		(long long)ldb_durable_bytes(rec->tables, name), (long long)rec->from,
		keeps ? "the missing writes" : "all writes from there on", give_up(rec),
		keeps ? ", which keeps all writes in the file" : "");
}

/*
 * A log begins where the manifest ends. No crash makes a gap there, and cutting the log would lose all of it. A
 * manifest that has lost complete edits at its end looks valid.
 */
int
ldb_refusal_gap(const struct recovery *rec)
{
	const char *name = rec->logs[rec->damaged].name;

	assert(rec->gap && rec->damaged < rec->n);
	if (rec->damaged == 0) {
		return call_fail(
			rec->c, ERR_CORRUPT,
			"%s/%s does not continue %s: writes between them are missing, or %s lost its "
			"end. Nothing was changed. Put the original back, or restore a backup. " REFUSED_COPY,
			rec->dir, name, rec->manifest.name, rec->manifest.name);
	}
	return call_fail(
		rec->c, ERR_CORRUPT,
		"%s/%s does not continue %s: writes between them were on disk and are missing, "
		"or one of the two is from another store. Put the original back, or restore a "
		"backup; or discard all writes from there on with \"%s\", and check the rest "
		"with itemctl check. " REFUSED_COPY,
		rec->dir, name, rec->logs[rec->damaged - 1].name, give_up(rec));
}
