/* transfer_names - name of an export's folder */
#include "store/op/op_transfer.h"

void
transfer_folder(struct buf *out, const struct transfer *t)
{
	struct slice prefix = t->place.prefix;

	buf_slice(out, prefix);
	if (prefix.len > 0 && !slice_ends(prefix, SLICE("/"))) {
		buf_char(out, '/');
	}
	buf_str(out, "AWSDynamoDB/");
	buf_slice(out, t->id);
}
