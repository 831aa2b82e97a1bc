/* plugin.h: providers in shared objects: other libraries, and celer as another compiler or another commit made it.
   What such an object has to be is in celer/provider.h. Objects stay loaded until the program ends. */
#ifndef BENCH_PLUGIN_H
#define BENCH_PLUGIN_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "celer/provider.h"

/* Loads one object. False, and one line without a name in `why`, when it cannot be loaded, is none, is of another
   ABI, says itself that it cannot serve, or has a table that contradicts itself. */
bool plugin_load(const char *file, const struct celer_provider **provider, char *why, size_t size);

/* A library that celer has a plug-in for, or an object found where plug-ins are installed. */
struct plugin {
    char name[32];                         /* as --with takes it: "openssl" */
    char file[4096];                       /* "" when there is none */
    const struct celer_provider *provider; /* after plugin_load_found */
    char why[256];                         /* why file is "" or provider is NULL; else "" */
};
#define PLUGIN_MAX 64

/* All there are, by name, those missing among them; nothing is loaded yet. Returns how many. They are looked for in
   the folder peers beside the program, which is so in a build, and then where `make install` puts them. */
size_t plugin_find_all(struct plugin plugins[PLUGIN_MAX]);

/* Loads it if it has a file; false and `why` when that fails or there is none. */
bool plugin_load_found(struct plugin *plugin);

/* A line for each, and for each of `files`: what it has, what it lacks and why, or why it cannot be used; of a file that
   is on stderr, and the answer false. */
bool plugin_list(const char *const *files, size_t file_count, FILE *to);

/* Those that have a function of that name and can run it, as --with takes them: "openssl,nettle"; "": none. Returns
   text. */
char *plugin_that_have(const char *function, char *text, size_t size);

/* What is measured. */
struct plugin_set {
    const struct celer_provider **providers;
    size_t count;
};

/* What --with and --plugin come to: `own`, then the plug-ins `with` names ("openssl,nettle", "all"; NULL: none), then
   `files`. A file that is celer itself takes the place of `own`: whoever brings celer as two compilers made it wants
   those compared, without a third. All that is missing of "all" is told in one note on stderr. False after one line on
   stderr when anything asked for by name cannot be had, a file of which nothing can run here among them, or when out of
   memory. */
bool plugin_collect(struct plugin_set *set, const struct celer_provider *own, const char *with,
                    const char *const *files, size_t file_count);
void plugin_set_free(struct plugin_set *set);
#endif
