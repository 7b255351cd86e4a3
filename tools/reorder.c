/* reorder - see reorder.h */
#include "tools/reorder.h"

#include <stddef.h>

#include "store/base/slice.h"

#include "tools/commands.h"
#include "tools/synonyms.h"

void
reorder_java(int *argc, char **argv)
{
	int java = *argc > 1 && strcmp(argv[1], "java") == 0 ? 1 : 2;

	for (int i = java; i < *argc && (i > java || strcmp(argv[i], "java") == 0); i++) {
		if (strcasestr(argv[i], "dynamodb") != NULL &&
		    slice_ends(slice_from(argv[i]), SLICE(".jar"))) {
			argv[1] = (char *)"serve";
			memmove(&argv[2], &argv[i + 1], (size_t)(*argc - i) * sizeof(*argv));
			*argc -= i - 1;
			return;
		}
	}
}

bool
reorder_command(int argc, char **argv)
{
	for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *ours = synonyms_command(argv[i]);
		char *command = argv[i];

		if (argv[i][0] != '-' && commands_find(ours == NULL ? argv[i] : ours) != NULL) {
			memmove(&argv[2], &argv[1], (size_t)(i - 1) * sizeof(*argv));
			argv[1] = command;
			return true;
		}
	}
	return false;
}
