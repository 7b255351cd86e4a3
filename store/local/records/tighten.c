/* tighten - removal of other users' permissions from the store's folders */
#include "store/local/records/tighten.h"

#include <stddef.h>

#include "store/base/core/buf.h"
#include "store/base/core/cleanup.h"
#include "store/base/system/private.h"
#include "store/base/system/say.h"

void
tighten_store(const char *dir, int at)
{
	static const char *const names[] = {"db", "backups", "rejected", "scratch", "damaged"};
	struct buf done = {0};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		cleanup(cleanup_fd) int fd = private_folder(at, names[i], false);

		if (fd >= 0 && private_tighten(fd)) {
			buf_fmt(&done, "%s%s", done.len == 0 ? "" : ", ", names[i]);
		}
	}
	if (done.len > 0) {
		say("%s: other users had access to %.*s: now only the owner has", dir,
		    SLICE_ARG(buf_view(&done)));
	}
	buf_release(&done);
}
