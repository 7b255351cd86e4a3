/*
 * files - system calls on many files, divided among threads
 *
 *   files open ROOT THREADS <NAMES       open, read and close each file
 *   files stat ROOT THREADS <NAMES       stat each, once to fill the caches, then STAT_ROUNDS times
 *   files create ROOT THREADS N          create, write and close N new files in ROOT/NEW#0, ROOT/NEW#1...
 *
 * NAMES are relative to ROOT.  Prints files/s.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FILES_MAX = 1000000, READ_BYTES = 65536, THREADS_MAX = 16, STAT_ROUNDS = 10 };

static char *names[FILES_MAX];
static size_t n_names;
static size_t n_threads;

static void
die(const char *what)
{
	perror(what);
	exit(1);
}

static void
open_one(size_t i)
{
	char content[READ_BYTES];
	int fd = open(names[i], O_RDONLY | O_CLOEXEC);

	if (fd < 0 || read(fd, content, sizeof(content)) <= 0) {
		die(names[i]);
	}
	(void)close(fd);
}

static void
stat_one(size_t i)
{
	struct stat st;

	if (stat(names[i], &st) != 0) {
		die(names[i]);
	}
}

static void
create_one(size_t i)
{
	static const char text[] =
		"{\"Status\":\"OPEN\",\"Total\":17,\"Note\":\"a line of text\"}\n";
	char name[64];

	(void)snprintf(name, sizeof(name), "NEW#%zu/ITEM#%08zu.json", i % n_threads, i);
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	if (fd < 0 || write(fd, text, sizeof(text) - 1) != sizeof(text) - 1 || close(fd) != 0) {
		die(name);
	}
}

static const struct mode {
	const char *word;
	void (*one)(size_t i);
	int rounds;
	int warm_ups;
	int reads_names;
} modes[] = {
	{"open", open_one, 1, 0, 1},
	{"stat", stat_one, STAT_ROUNDS, 1, 1},
	{"create", create_one, 1, 0, 0},
};

struct share {
	pthread_t thread;
	const struct mode *mode;
	size_t first;
};

static void *
run_share(void *arg)
{
	const struct share *s = arg;

	for (size_t i = s->first; i < n_names; i += n_threads) {
		s->mode->one(i);
	}
	return NULL;
}

static void
run(const struct mode *mode)
{
	struct share shares[THREADS_MAX];

	for (size_t i = 0; i < n_threads; i++) {
		shares[i] = (struct share){.mode = mode, .first = i};
		if (pthread_create(&shares[i].thread, NULL, run_share, &shares[i]) != 0) {
			die("pthread_create");
		}
	}
	for (size_t i = 0; i < n_threads; i++) {
		(void)pthread_join(shares[i].thread, NULL);
	}
}

static double
now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
read_names(void)
{
	char *line = NULL;
	size_t cap = 0;

	while (n_names < FILES_MAX && getline(&line, &cap, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		names[n_names++] = strdup(line);
	}
	free(line);
}

static const struct mode *
mode_of(const char *word)
{
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (strcmp(word, modes[i].word) == 0) {
			return &modes[i];
		}
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	const struct mode *mode = argc >= 4 ? mode_of(argv[1]) : NULL;

	if (mode == NULL || argc != (mode->reads_names ? 4 : 5) || chdir(argv[2]) != 0) {
		(void)fprintf(
			stderr,
			"usage: files open|stat ROOT THREADS <NAMES | files create ROOT THREADS N\n");
		return 2;
	}
	n_threads = strtoul(argv[3], NULL, 10);
	if (n_threads < 1 || n_threads > THREADS_MAX) {
		(void)fprintf(stderr, "files: 1 to %d threads\n", THREADS_MAX);
		return 2;
	}
	if (mode->reads_names) {
		read_names();
	} else {
		n_names = strtoul(argv[4], NULL, 10);
	}
	for (int i = 0; i < mode->warm_ups; i++) {
		run(mode);
	}
	double start = now_s();

	for (int i = 0; i < mode->rounds; i++) {
		run(mode);
	}
	printf("%.0f files/s\n", (double)n_names * mode->rounds / (now_s() - start));
	return 0;
}
