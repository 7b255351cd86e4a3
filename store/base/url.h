/* url - what of a URL may stand in a message */
#ifndef STORE_BASE_URL_H
#define STORE_BASE_URL_H

#include "store/base/arena.h"

/** url_shown - @url, which may be none, without "user:password@"; in @a, or @url itself */
const char *url_shown(struct arena *a, const char *url);

#endif
