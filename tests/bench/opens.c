/*
 * opens - open, read and close the files named on standard input, one thread, in that order
 *
 *   opens ROOT < NAMES        NAMES are relative to ROOT; prints files/s
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { FILES_MAX = 1000000, READ_BYTES = 65536 };

static double
now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	static char *names[FILES_MAX];
	static char content[READ_BYTES];
	size_t n = 0;
	char *line = NULL;
	size_t cap = 0;

	if (argc != 2 || chdir(argv[1]) != 0) {
		(void)fprintf(stderr, "usage: opens ROOT < NAMES\n");
		return 2;
	}
	while (n < FILES_MAX && getline(&line, &cap, stdin) > 0) {
		line[strcspn(line, "\n")] = '\0';
		names[n++] = strdup(line);
	}
	double start = now_s();

	for (size_t i = 0; i < n; i++) {
		int fd = open(names[i], O_RDONLY | O_CLOEXEC);

		if (fd < 0 || read(fd, content, sizeof(content)) <= 0) {
			perror(names[i]);
			return 1;
		}
		(void)close(fd);
	}
	printf("%.0f files/s\n", (double)n / (now_s() - start));
	return 0;
}
