/* row_stream_pages - a row stream over pages of Query and Scan, for any engine */
#ifndef STORE_ENGINE_ROW_STREAM_PAGES_H
#define STORE_ENGINE_ROW_STREAM_PAGES_H

#include "store/engine/row_stream.h"

/**
 * row_stream_pages_open - open without a request: errors of the engine come from row_stream_next(); pair with
 * row_stream_close()
 */
struct row_stream *row_stream_pages_open(struct engine *e, struct call *c,
					 const struct row_stream_in *in);

#endif
