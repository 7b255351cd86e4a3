#include "store/base/core/error.h"

#include <errno.h>
#include <string.h>

static const struct {
	const char *wire;
	int http;
	int posix;
	int exit;
} errors[ERR_COUNT] = {
#define ERROR(name, wire_, http_, posix_, exit_) \
	[ERR_##name] = {.wire = (wire_), .http = (http_), .posix = (posix_), .exit = (exit_)},
#include "store/base/core/error.def"
#undef ERROR
};

const char *
error_wire(enum err code)
{
	return errors[code].wire;
}

int
error_http(enum err code)
{
	return errors[code].http;
}

int
error_posix(enum err code)
{
	return errors[code].posix;
}

int
error_exit(enum err code)
{
	return errors[code].exit;
}

enum err
error_of_path(int e)
{
	switch (e) {
	case ENOENT:
	case ENOTDIR:
	case EISDIR:
	case EEXIST:
	case ENOTEMPTY:
	case ELOOP:
	case ENAMETOOLONG:
		return ERR_VALIDATION;
	default:
		return error_of_disk(e);
	}
}

enum err
error_of_disk(int e)
{
	return e == ENOSPC || e == EDQUOT ? ERR_NO_SPACE : ERR_IO;
}

enum err
error_from_wire(const char *wire)
{
	for (int code = ERR_NONE + 1; code < ERR_COUNT; code++) {
		if (strcmp(errors[code].wire, wire) == 0) {
			return (enum err)code;
		}
	}
	return ERR_IO;
}
