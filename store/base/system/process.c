/* process - see process.h */
#include "store/base/system/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/sysmacros.h>

#include "store/base/system/folder.h"

/* Field numbers of /proc/PID/stat, see proc(5), and a flag of the kernel. */
enum {
	FIELD_STATE = 3,
	FIELD_TERMINAL = 7,
	FIELD_FLAGS = 9,
	FIELD_STARTED = 22,
	FIELD_SIGNALS = 31, /* pending for this thread; of a killed one, SIGKILL is among them */
	FLAG_EXITING = 0x4, /* PF_EXITING */
	STAT_BYTES = 1024,
	DECIMAL = 10,
};

/* Returns field @wanted of @text, which begins with field @first; NULL if there are fewer fields. */
static const char *
process_field(const char *text, int first, int wanted)
{
	assert(first <= wanted);
	for (int i = first; i < wanted; i++) {
		text = strchr(text, ' ');
		if (text == NULL) {
			return NULL;
		}
		text++;
	}
	return text;
}

/* Returns the fields of @stat from the state on; NULL if there are none. */
static const char *
process_state(const char *stat)
{
	/* The name, in brackets, may contain anything; no field after it contains a bracket. */
	const char *end = strrchr(stat, ')');

	return end != NULL && end[1] == ' ' ? end + 2 : NULL;
}

/* Reads the file @path below the folder @dir. Returns false if it cannot be read. */
static bool
process_read(int dir, const char *path, char text[STAT_BYTES])
{
	cleanup(cleanup_fd) int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, STAT_BYTES - 1);

	text[n < 0 ? 0 : n] = '\0';
	return n > 0;
}

bool
process_thread_is_dying(const char *stat)
{
	const char *state = process_state(stat);
	const char *flags = state == NULL ? NULL : process_field(state, FIELD_STATE, FIELD_FLAGS);
	const char *signals =
		state == NULL ? NULL : process_field(state, FIELD_STATE, FIELD_SIGNALS);

	if (flags == NULL || signals == NULL) {
		return false;
	}
	return state[0] == 'Z' || state[0] == 'X' ||
	       (strtoul(flags, NULL, DECIMAL) & FLAG_EXITING) != 0 ||
	       (strtoul(signals, NULL, DECIMAL) & (1UL << (SIGKILL - 1))) != 0;
}

/* Returns 1 if the thread is dying; 0 if not; -1 if it is gone or cannot be read. */
static int
process_ask_thread(int task, const char *thread)
{
	char path[64];
	char text[STAT_BYTES];

	return snprintf(path, sizeof(path), "%s/stat", thread) < (int)sizeof(path) &&
			       process_read(task, path, text)
		       ? process_thread_is_dying(text)
		       : -1;
}

bool
process_is_dying(pid_t pid)
{
	char path[64];
	bool any = false;

	(void)snprintf(path, sizeof(path), "/proc/%d/task", pid);

	cleanup(cleanup_dir) DIR *d = pid <= 0 ? NULL : opendir(path);
	const char *entry;

	while (d != NULL && (entry = folder_next(d)) != NULL) {
		int r = entry[0] == '.' ? -1 : process_ask_thread(dirfd(d), entry);

		if (r == 0) {
			return false;
		}
		any = any || r == 1;
	}
	return any;
}

/* Reads /proc/PID/stat to @text and returns its fields from the state on; NULL if it cannot be read. */
static const char *
process_stat(pid_t pid, char text[STAT_BYTES])
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	return pid > 0 && process_read(AT_FDCWD, path, text) ? process_state(text) : NULL;
}

bool
process_is_stopped(pid_t pid)
{
	char text[STAT_BYTES];
	const char *state = process_stat(pid, text);

	return state != NULL && state[0] == 'T';
}

/* Decodes a device number as the kernel prints it: the bits of the minor number are on both sides of the major one. */
static dev_t
process_device(unsigned long number)
{
	const unsigned long low = 0xff, high = 0xfff00;

	return makedev((number >> 8) & 0xfff, (unsigned)((number & low) | ((number >> 12) & high)));
}

bool
process_terminal(pid_t pid, dev_t *terminal, uint64_t *started)
{
	char text[STAT_BYTES];
	const char *state = process_stat(pid, text);
	const char *number =
		state == NULL ? NULL : process_field(state, FIELD_STATE, FIELD_TERMINAL);
	const char *start = state == NULL ? NULL : process_field(state, FIELD_STATE, FIELD_STARTED);

	if (number == NULL || start == NULL) {
		return false;
	}
	*terminal = process_device(strtoul(number, NULL, DECIMAL));
	*started = strtoull(start, NULL, DECIMAL);
	return true;
}
