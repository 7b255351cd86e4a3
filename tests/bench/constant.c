/*
 * constant - answers every request with the same bytes, to measure the limit of libmicrohttpd
 *
 *   constant BYTES      prints "listening on HOST:PORT", ends at the end of its input
 */
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char asked; /* marks a request whose headers have been seen */

static enum MHD_Result
answer(void *response, struct MHD_Connection *connection, const char *url, const char *method,
       const char *version, const char *upload, size_t *upload_size, void **state)
{
	(void)url;
	(void)method;
	(void)version;
	(void)upload;
	if (*state == NULL) {
		*state = &asked;
		return MHD_YES;
	}
	if (*upload_size > 0) {
		*upload_size = 0;
		return MHD_YES;
	}
	return MHD_queue_response(connection, MHD_HTTP_OK, response);
}

int
main(int argc, char **argv)
{
	size_t n = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	char *bytes = calloc(1, n + 6);
	char end;

	if (n == 0 || bytes == NULL) {
		(void)fprintf(stderr, "usage: constant BYTES\n");
		return 2;
	}
	/* The clients check that the answer has an item. */
	memset(bytes, ' ', n);
	memcpy(bytes, "ITEM#", 5);
	struct MHD_Response *response =
		MHD_create_response_from_buffer(n, bytes, MHD_RESPMEM_MUST_FREE);
	struct MHD_Daemon *d = MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0,
						NULL, NULL, answer, response, MHD_OPTION_END);

	if (d == NULL) {
		return 1;
	}
	(void)MHD_add_response_header(response, "Content-Type", "application/x-amz-json-1.0");
	printf("listening on 127.0.0.1:%u\n",
	       MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT)->port);
	(void)fflush(stdout);
	while (read(STDIN_FILENO, &end, 1) > 0) {
	}
	MHD_stop_daemon(d);
	MHD_destroy_response(response);
	return 0;
}
