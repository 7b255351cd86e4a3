/*
 * ldb_room - see ldb_room.h
 *
 * The disk is measured with one system call, at least once a second and after a part of the free space was committed.
 * The files, whose sizes say how much LevelDB will write, are measured after 32 MB. They are also measured before a
 * refusal, if the free space has grown or the last measurement is at least FILES_MS old. In between, all bytes that
 * were committed since count as log.
 */
#include "store/kv/ldb_room.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "store/base/core/clock.h"
#include "store/base/system/folder.h"
#include "store/kv/ldb_damage.h"

#define MB (UINT64_C(1) << 20)

enum {
	DISK_MS_MAX = 1000, /* between two measurements of the disk, at most */
	DISK_MB_PER_MS = 8, /* the rate at which other programs are assumed to fill it */
	FILES_MS = 20,      /* between two measurements of the files before a refusal, at least */
	DISK_PART = 8,   /* the disk is measured after an eighth of the spare space was committed */
	FILES_MB = 32,   /* the files are measured after this was committed */
	MARGIN_PART = 8, /* the margin as a part of the disk */
	MARGIN_MB = 64,
	MARGIN_COMMIT = 4, /* divisors of the margin, see ldb_room.h */
	MARGIN_OPEN = 8,
	DEEP_MB = 32, /* LevelDB compacts at most about this much of the levels from 2 on */
};

/* The size of a log as a table: LevelDB adds an index, a filter and 8 bytes per key. */
static uint64_t
room_as_table(uint64_t log)
{
	return log + log / 4;
}

/* ------------------------------------------------------------ looking */

/* Return: free bytes; UINT64_MAX: not known */
static uint64_t
room_on_disk(int dir, uint64_t *margin)
{
	struct statvfs st;

	*margin = 0;
	if (fstatvfs(dir, &st) != 0 || st.f_blocks == 0) {
		return UINT64_MAX;
	}
	uint64_t part = (uint64_t)st.f_blocks * st.f_frsize / MARGIN_PART;

	*margin = part < MARGIN_MB * MB ? part : MARGIN_MB * MB;
	/* Some file systems reserve a part for root. */
	return (uint64_t)(geteuid() == 0 ? st.f_bfree : st.f_bavail) * st.f_frsize;
}

static uint64_t
room_logs(int dir)
{
	cleanup(cleanup_dir) DIR *d = folder_list(dir);
	const char *entry;
	uint64_t bytes = 0;
	struct stat st;

	while ((entry = folder_next(d)) != NULL) {
		if (slice_ends(slice_from(entry), SLICE(".log")) &&
		    fstatat(dir, entry, &st, AT_SYMLINK_NOFOLLOW) == 0) {
			bytes += (uint64_t)st.st_size;
		}
	}
	return bytes;
}

/* The megabytes in a line of "leveldb.stats": level, number of files, size, ... */
static uint64_t
room_level(const char *line, unsigned *level)
{
	char *end;
	unsigned long n = strtoul(line, &end, 10);

	*level = (unsigned)n;
	if (end == line || *end != ' ') {
		return 0; /* a heading */
	}
	(void)strtoul(end, &end, 10);
	return strtoul(end, NULL, 10) + 1; /* it was rounded */
}

/* The bytes that one compaction may write before it removes its input. */
static uint64_t
room_compaction(leveldb_t *db)
{
	const char *const from = "";
	const char *const to = "\xff\xff";
	const size_t from_len = 0;
	const size_t to_len = 2;
	uint64_t all = 0;
	uint64_t upper = 0;
	uint64_t deep = 0;

	if (db == NULL) {
		return 0;
	}
	leveldb_approximate_sizes(db, 1, &from, &from_len, &to, &to_len, &all);
	if (all <= DEEP_MB * MB) {
		return all;
	}
	cleanup(ldb_free_text) char *stats = leveldb_property_value(db, "leveldb.stats");

	for (const char *line = stats; line != NULL && *line != '\0';) {
		unsigned level;
		uint64_t mb = room_level(line, &level);

		if (level < 2) {
			upper += mb * MB;
		} else {
			deep += mb * MB;
		}
		line = strchr(line, '\n');
		line = line == NULL ? NULL : line + 1;
	}
	deep = deep < DEEP_MB * MB ? deep : DEEP_MB * MB;
	return upper + deep < all ? upper + deep : all;
}

static void
room_look_at_disk(struct ldb_room *room)
{
	room->free = room_on_disk(room->dir, &room->margin);
	room->disk_ms = clock_steady_ms();
	room->since_disk = 0;
}

static void
room_look_at_files(struct ldb_room *room)
{
	room->logs = room_logs(room->dir);
	room->compaction = room_compaction(room->db);
	room->files_ms = clock_steady_ms();
	room->since_files = 0;
}

/* ------------------------------------------------------------ judging */

static uint64_t
room_left(const struct ldb_room *room)
{
	return room->free > room->since_disk ? room->free - room->since_disk : 0;
}

static uint64_t
room_need(const struct ldb_room *room, bool grows, uint64_t bytes)
{
	uint64_t logs = room_as_table(room->logs + room->since_files + bytes) + bytes;

	return grows ? logs + room->compaction + room->margin : logs + room->margin / MARGIN_COMMIT;
}

static int
room_refuse(struct call *c, const char *name, uint64_t need, uint64_t left)
{
	return call_fail(
		c, ERR_NO_SPACE,
		"No space left on device: %.1f MB must be free on the disk of %s for this, "
		"and %.1f MB are: make room there, or delete items and run itemctl compact",
		(double)need / 1e6, name, (double)left / 1e6);
}

static bool
room_is_old(const struct ldb_room *room, uint64_t need)
{
	uint64_t left = room_left(room);
	uint64_t spare = left > need ? left - need : 0;
	uint64_t ms = spare / (DISK_MB_PER_MS * MB);

	ms = ms > DISK_MS_MAX ? DISK_MS_MAX : ms;
	return room->disk_ms == 0 || room->since_disk > spare / DISK_PART ||
	       clock_steady_ms() >= room->disk_ms + ms;
}

/* Measures again if that may change the result. */
static bool
room_enough(struct ldb_room *room, bool grows, uint64_t bytes)
{
	if (room->files_ms == 0 || room->since_files > FILES_MB * MB) {
		room_look_at_files(room);
	}
	if (room_is_old(room, room_need(room, grows, bytes))) {
		room_look_at_disk(room);
	}
	if (room_left(room) >= room_need(room, grows, bytes)) {
		return true;
	}
	uint64_t before = room->free;

	room_look_at_disk(room);
	if (room->free > before || clock_steady_ms() >= room->files_ms + FILES_MS) {
		room_look_at_files(room);
	}
	return room_left(room) >= room_need(room, grows, bytes);
}

int
ldb_room_to_commit(struct ldb_room *room, struct call *c, bool grows, uint64_t bytes)
{
	return room_enough(room, grows, bytes)
		       ? 0
		       : room_refuse(c, room->name, room_need(room, grows, bytes), room_left(room));
}

void
ldb_room_committed(struct ldb_room *room, uint64_t bytes)
{
	room->since_disk += bytes;
	room->since_files += bytes;
}

int
ldb_room_to_compact(const struct ldb_room *room, struct call *c)
{
	struct ldb_room now = {.name = room->name, .dir = room->dir, .db = room->db};

	room_look_at_disk(&now);
	room_look_at_files(&now);
	uint64_t need = room_need(&now, false, 0) + now.compaction;

	return now.free >= need ? 0 : room_refuse(c, now.name, need, now.free);
}

int
ldb_room_to_open(struct call *c, const char *name, int dir)
{
	uint64_t margin;
	uint64_t left = room_on_disk(dir, &margin);
	uint64_t need = room_as_table(room_logs(dir)) + margin / MARGIN_OPEN;

	return left >= need ? 0 : room_refuse(c, name, need, left);
}
