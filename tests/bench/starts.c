/*
 * starts - measures the time from the start of a server to its first answer
 *
 *   starts RUNS COMMAND...      prints the median in milliseconds
 *
 * COMMAND prints "listening on HOST:PORT"; it gets a ListTables request and is ended.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/http.h"

enum { ADDRESS_BYTES = 128 };

static double
now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static pid_t
start(char **command, FILE **says)
{
	int out[2];

	if (pipe(out) != 0) {
		die("a pipe", NULL);
	}
	pid_t child = fork();

	if (child == 0) {
		(void)dup2(out[1], STDOUT_FILENO);
		(void)close(out[0]);
		(void)close(out[1]);
		(void)execvp(command[0], command);
		die(command[0], "cannot be started");
	}
	(void)close(out[1]);
	*says = fdopen(out[0], "r");
	return child;
}

static double
once(char **command)
{
	char address[ADDRESS_BYTES];
	struct http h;
	FILE *says;
	double begin = now_ms();
	pid_t child = start(command, &says);

	if (child < 0 || says == NULL || fscanf(says, "listening on %127s", address) != 1) {
		die(command[0], "does not listen");
	}
	http_open(&h, address);
	http_ask(&h, "ListTables", "{}", 2);
	double taken = now_ms() - begin;

	http_close(&h);
	(void)kill(child, SIGTERM);
	(void)waitpid(child, NULL, 0);
	(void)fclose(says);
	return taken;
}

static int
compare(const void *a, const void *b)
{
	double x = *(const double *)a;
	double y = *(const double *)b;

	return (x > y) - (x < y);
}

int
main(int argc, char **argv)
{
	int runs = argc > 2 ? atoi(argv[1]) : 0;

	if (runs < 1) {
		(void)fprintf(stderr, "usage: starts RUNS COMMAND...\n");
		return 2;
	}
	double *taken = calloc((size_t)runs, sizeof(*taken));

	for (int i = 0; i < runs; i++) {
		taken[i] = once(argv + 2);
	}
	qsort(taken, (size_t)runs, sizeof(*taken), compare);
	printf("%.1f ms\n", taken[runs / 2]);
	free(taken);
	return 0;
}
