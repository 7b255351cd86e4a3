/* commands - see commands.h */
#include "tools/cli/commands.h"

#include <assert.h>
#include <string.h>

static const struct help_group *commands_table;

void
commands_use(const struct help_group *groups)
{
	commands_table = groups;
}

const struct help_group *
commands_groups(void)
{
	assert(commands_table != NULL);
	return commands_table;
}

const struct command *
commands_find(const char *name)
{
	for (const struct help_group *g = commands_groups(); g->title != NULL; g++) {
		for (size_t i = 0; g->commands[i] != NULL; i++) {
			if (strcmp(g->commands[i]->name, name) == 0) {
				return g->commands[i];
			}
		}
	}
	return NULL;
}

const struct command *
commands_get(enum command_id id)
{
	for (const struct help_group *g = commands_groups(); g->title != NULL; g++) {
		for (size_t i = 0; g->commands[i] != NULL; i++) {
			if (g->commands[i]->id == id) {
				return g->commands[i];
			}
		}
	}
	assert(false);
	return NULL;
}
