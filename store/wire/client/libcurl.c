/* libcurl - loads libcurl with dlopen(3) and looks up a table of names */
#include "store/wire/client/libcurl.h"

#include <dlfcn.h>

static const char *const names[] = {
#define F(name) "curl_" #name,
	LIBCURL_FUNCTIONS(F)
#undef F
};

enum { N_NAMES = sizeof(names) / sizeof(names[0]) };

_Static_assert(sizeof(struct libcurl) == N_NAMES * sizeof(void *), "one pointer per function");

int
libcurl_load(struct call *c, const char *name, struct libcurl *out)
{
	void *functions[N_NAMES];
	void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);

	if (library == NULL) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): glibc's dlerror() is thread-safe */
		return call_fail(c, ERR_NOT_SUPPORTED, "libcurl is needed for that: %s", dlerror());
	}
	for (size_t i = 0; i < N_NAMES; i++) {
		functions[i] = dlsym(library, names[i]);
		if (functions[i] == NULL) {
			return call_fail(c, ERR_NOT_SUPPORTED, "%s has no function %s", name,
					 names[i]);
		}
	}
	memcpy(out, functions, sizeof(*out));
	return 0;
}
