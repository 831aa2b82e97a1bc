/* plugin.c: see plugin.h. */
#include "plugin.h"
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli.h"
#include "crash.h"
#include "work.h"

/* Where `make install` puts plug-ins, as seen from the folder of the program, so that the tree may be moved. */
#ifndef CELER_PEERS_DIR
#  define CELER_PEERS_DIR "../lib/celer/peers"
#endif

static const char suffix[] = ".so";

/* --- One object --- */

static bool refuse(char *why, size_t size, const char *reason)
{
    snprintf(why, size, "%s", reason);
    why[strcspn(why, "\n")] = 0;
    return false;
}

static bool has_function(const struct celer_subject *s)
{
    switch (s->kind) {
    case CELER_KIND_HASH:
        return s->run.hash != NULL;
    case CELER_KIND_XOF:
        return s->run.xof != NULL;
    case CELER_KIND_MANY:
        return s->run.many != NULL;
    case CELER_KIND_PERMUTATION:
        return s->run.permutation != NULL;
    case CELER_KIND_CHAIN:
        return s->run.chain != NULL;
    case CELER_KIND_KEM: /* may lack some of them, or say in open why it has none */
        return s->open != NULL || s->run.kem.keygen != NULL || s->run.kem.encaps != NULL ||
               s->run.kem.decaps != NULL;
    default: /* kinds of the future are left alone */
        return true;
    }
}

/* NULL, or what contradicts the contract. */
static const char *flaw_of_subject(const struct celer_subject *s)
{
    if (s->function == NULL || s->backend == NULL || s->notes == NULL)
        return "a text that is NULL";
    if (!has_function(s))
        return "nothing to run";
    if (s->out_len == 0)
        return "an output of no bytes";
    if (s->ways == 0 && s->kind != CELER_KIND_MANY)
        return "no ways";
    return NULL;
}

static bool check(const struct celer_provider *p, char *why, size_t size)
{
    if (p->abi != CELER_PROVIDER_ABI) { /* nothing behind it has a meaning then */
        snprintf(why, size, "it is made for number %u of the interface, and this celer has number %d",
                 (unsigned)p->abi, CELER_PROVIDER_ABI);
        return false;
    }
    if (p->subject_size != sizeof(struct celer_subject)) {
        snprintf(why, size, "its subjects have %u bytes where those of this celer have %zu",
                 (unsigned)p->subject_size, sizeof(struct celer_subject));
        return false;
    }
    if (p->library == NULL || p->version == NULL || p->compiler == NULL || p->flags == NULL)
        return refuse(why, size, "its table has a text that is NULL");
    if (p->subjects == NULL || p->subject_count == 0)
        return refuse(why, size, "it has nothing to measure");
    for (size_t i = 0; i < p->subject_count; i++) {
        const char *flaw = flaw_of_subject(&p->subjects[i]);
        if (flaw != NULL) {
            const char *name = p->subjects[i].function;
            snprintf(why, size, "its subject %zu, %s, has %s", i, name != NULL ? name : "without a name",
                     flaw);
            return false;
        }
    }
    return true;
}

static bool load(const char *file, const struct celer_provider **provider, char *why, size_t size)
{
    typedef const struct celer_provider *entry(const char **);
    char path[4096];
    entry *get;
    /* A name without a slash would be looked for among the system's libraries. */
    const int n = snprintf(path, sizeof path, "%s%s", strchr(file, '/') == NULL ? "./" : "", file);
    if (n < 0 || (size_t)n >= sizeof path)
        return refuse(why, size, "its name is too long");
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL) {
        const char *reason = dlerror();
        const size_t prefix = strlen(path);
        if (strncmp(reason, path, prefix) == 0 && strncmp(reason + prefix, ": ", 2) == 0)
            reason += prefix + 2;
        return refuse(why, size, reason);
    }
    void *symbol = dlsym(object, "celer_provider_1");
    memcpy(&get, &symbol, sizeof get); /* ISO C has no cast from one to the other */
    const char *reason = "it serves nothing here, and gives no reason";
    if (get == NULL)
        refuse(why, size, "it has no symbol celer_provider_1, so it is no plug-in for this celer");
    else {
        const struct celer_provider *got = get(&reason);
        if (got == NULL)
            refuse(why, size, reason);
        else if (check(got, why, size)) {
            *provider = got;
            return true;
        }
    }
    dlclose(object);
    return false;
}

bool plugin_load(const char *file, const struct celer_provider **provider, char *why, size_t size)
{
    crash_loading(file);
    const bool good = load(file, provider, why, size);
    crash_loading(NULL);
    if (good)
        crash_provider(*provider);
    return good;
}

/* --- Those that are installed --- */

/* The libraries in the folder peers, and how to get them. */
static const char packaged[] = "not found when celer was built; scripts/setup peers installs it",
                  unpackaged[] = "not found when celer was built; install it yourself, then build celer anew";
static const struct {
    const char *name, *missing;
} known[] = {
    {"openssl", packaged},     {"libgcrypt", packaged}, {"cryptopp", packaged}, {"botan", packaged},
    {"nettle", packaged},      {"libsodium", packaged}, {"libb2", packaged},    {"mbedtls", packaged},
    {"wolfssl", packaged},     {"liboqs", unpackaged},  {"xkcp", unpackaged},   {"libblake3", unpackaged},
    {"libblake2", unpackaged},
};
#define KNOWN (sizeof known / sizeof known[0])

static struct plugin *find(struct plugin *plugins, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(plugins[i].name, name) == 0)
            return &plugins[i];
    return NULL;
}

/* The object NAME.so of a folder, unless a folder before it had one. */
static void add_file(struct plugin *plugins, size_t *count, const char *folder, const char *entry)
{
    char name[sizeof plugins->name];
    const size_t len = strlen(entry);
    if (len < sizeof suffix || len - (sizeof suffix - 1) >= sizeof name ||
        strcmp(entry + len - (sizeof suffix - 1), suffix) != 0)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(len - (sizeof suffix - 1)), entry);
    struct plugin *p = find(plugins, *count, name);
    if (p == NULL) {
        if (*count == PLUGIN_MAX)
            return;
        p = &plugins[(*count)++];
        memset(p, 0, sizeof *p);
        memcpy(p->name, name, sizeof name);
    }
    if (p->file[0] != 0)
        return;
    const int n = snprintf(p->file, sizeof p->file, "%s/%s", folder, entry);
    p->why[0] = 0;
    if (n < 0 || (size_t)n >= sizeof p->file) {
        p->file[0] = 0;
        refuse(p->why, sizeof p->why, "its name is too long");
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct plugin *)a)->name, ((const struct plugin *)b)->name);
}

size_t plugin_find_all(struct plugin plugins[PLUGIN_MAX])
{
    static const char *const folders[] = {"peers", CELER_PEERS_DIR};
    char program[2048];
    size_t count = 0;
    for (; count < KNOWN; count++) {
        memset(&plugins[count], 0, sizeof plugins[count]);
        snprintf(plugins[count].name, sizeof plugins[count].name, "%s", known[count].name);
        refuse(plugins[count].why, sizeof plugins[count].why, known[count].missing);
    }
    const ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
    if (len <= 0)
        return count;
    program[len] = 0;
    *strrchr(program, '/') = 0;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char folder[2560];
        const struct dirent *entry;
        snprintf(folder, sizeof folder, "%s/%s", program, folders[i]);
        DIR *dir = opendir(folder);
        while (dir != NULL && (entry = readdir(dir)) != NULL)
            add_file(plugins, &count, folder, entry->d_name);
        if (dir != NULL)
            closedir(dir);
    }
    if (count > KNOWN) /* the order of a folder is nobody's choice */
        qsort(plugins + KNOWN, count - KNOWN, sizeof *plugins, by_name);
    return count;
}

bool plugin_load_found(struct plugin *plugin)
{
    if (plugin->provider == NULL && plugin->file[0] != 0)
        plugin_load(plugin->file, &plugin->provider, plugin->why, sizeof plugin->why);
    return plugin->provider != NULL;
}

/* NULL when the subject can run, else why not. */
static const char *absence(const struct celer_subject *s)
{
    struct task task = {.subject = s};
    const char *const why = task_open(&task);
    if (why == NULL)
        task_close(&task);
    return why;
}

/* Why nothing of it can run here; NULL when something can. */
static const char *absence_of_all(const struct celer_provider *p)
{
    const char *why = NULL;
    for (size_t i = 0; i < p->subject_count; i++)
        if ((why = absence(&p->subjects[i])) == NULL)
            break;
    return why;
}

/* Whether an earlier subject is of the same function, and runs or does not as this one. */
static bool is_repeated(const struct celer_provider *p, size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (strcmp(p->subjects[i].function, p->subjects[j].function) == 0 &&
            (absence(&p->subjects[i]) == NULL) == (absence(&p->subjects[j]) == NULL))
            return true;
    return false;
}

static void list_provider(const struct celer_provider *p, FILE *to)
{
    fprintf(to, "library %s %s:", p->library, p->version);
    for (size_t i = 0; i < p->subject_count; i++)
        if (absence(&p->subjects[i]) == NULL && !is_repeated(p, i))
            fprintf(to, " %s", p->subjects[i].function);
    for (size_t i = 0; i < p->subject_count; i++) {
        const char *why = absence(&p->subjects[i]);
        if (why != NULL && !is_repeated(p, i))
            fprintf(to, "; no %s (%s)", p->subjects[i].function, why);
    }
    putc('\n', to);
}

static bool has_named(const struct celer_provider *p, const char *function)
{
    for (size_t i = 0; i < p->subject_count; i++)
        if (strcmp(p->subjects[i].function, function) == 0 && absence(&p->subjects[i]) == NULL)
            return true;
    return false;
}

/* False after one line on stderr when the file that was named is of no use. */
static bool load_named(const char *file, const struct celer_provider **provider)
{
    char text[512];
    const char *why = text;
    if (*file == 0)
        cli_error("--plugin: '' is not the name of a file");
    else if (plugin_load(file, provider, text, sizeof text) && (why = absence_of_all(*provider)) == NULL)
        return true;
    else
        cli_error("%s: %s", file, why);
    return false;
}

bool plugin_list(const char *const *files, size_t file_count, FILE *to)
{
    bool good = true;
    struct plugin *plugins = calloc(PLUGIN_MAX, sizeof *plugins);
    const size_t count = plugins != NULL ? plugin_find_all(plugins) : 0;
    for (size_t i = 0; i < count; i++)
        if (plugin_load_found(&plugins[i]))
            list_provider(plugins[i].provider, to);
        else
            fprintf(to, "library %s: %s\n", plugins[i].name, plugins[i].why);
    free(plugins);
    for (size_t i = 0; i < file_count; i++) {
        const struct celer_provider *provider;
        if (load_named(files[i], &provider))
            list_provider(provider, to);
        else
            good = false;
    }
    return good;
}

char *plugin_that_have(const char *function, char *text, size_t size)
{
    struct plugin *plugins = calloc(PLUGIN_MAX, sizeof *plugins);
    const size_t count = plugins != NULL ? plugin_find_all(plugins) : 0;
    text[0] = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(text);
        if (plugin_load_found(&plugins[i]) && has_named(plugins[i].provider, function))
            snprintf(text + used, size - used, "%s%s", used > 0 ? "," : "", plugins[i].name);
    }
    free(plugins);
    return text;
}

/* --- What was asked for --- */

static bool add(struct plugin_set *set, const struct celer_provider *provider)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->providers[i] == provider)
            return true;
    const struct celer_provider **grown = realloc(set->providers, (set->count + 1) * sizeof *grown);
    if (grown == NULL) {
        cli_error("out of memory");
        return false;
    }
    set->providers = grown;
    set->providers[set->count++] = provider;
    return true;
}

static bool add_all(struct plugin_set *set, struct plugin *plugins, size_t count)
{
    char missing[2048] = "";
    for (size_t i = 0; i < count; i++) {
        if (plugin_load_found(&plugins[i])) {
            if (!add(set, plugins[i].provider))
                return false;
            continue;
        }
        /* Several with the same reason share it. */
        const bool more =
            i + 1 < count && plugins[i + 1].file[0] == 0 && strcmp(plugins[i].why, plugins[i + 1].why) == 0;
        const size_t used = strlen(missing);
        snprintf(missing + used, sizeof missing - used, more ? " %s," : " %s (%s);", plugins[i].name,
                 plugins[i].why);
    }
    if (missing[0] != 0)
        cli_error("note: not compared:%.*s", (int)strlen(missing) - 1, missing);
    return true;
}

static bool add_named(struct plugin_set *set, struct plugin *plugins, size_t count, const char *name)
{
    struct plugin *p = find(plugins, count, name);
    if (p == NULL) {
        char names[1024] = "";
        for (size_t i = 0; i < count; i++)
            snprintf(names + strlen(names), sizeof names - strlen(names), " %s", plugins[i].name);
        cli_error("unknown library '%s'; there are:%s all", name, names);
        return false;
    }
    if (!plugin_load_found(p)) {
        cli_error("%s: %s", p->file[0] != 0 ? p->file : name, p->why);
        return false;
    }
    return add(set, p->provider);
}

static bool add_with(struct plugin_set *set, const char *with)
{
    struct plugin *plugins = calloc(PLUGIN_MAX, sizeof *plugins);
    if (plugins == NULL) {
        cli_error("out of memory");
        return false;
    }
    const size_t count = plugin_find_all(plugins);
    bool good = true;
    for (const char *p = with; good && p != NULL; p = strchr(p, ',') != NULL ? strchr(p, ',') + 1 : NULL) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, ","), p);
        good = strcmp(name, "all") == 0 ? add_all(set, plugins, count) : add_named(set, plugins, count, name);
    }
    free(plugins);
    return good;
}

bool plugin_collect(struct plugin_set *set, const struct celer_provider *own, const char *with,
                    const char *const *files, size_t file_count)
{
    memset(set, 0, sizeof *set);
    bool good = add(set, own) && (with == NULL || add_with(set, with)), replaced = false;
    for (size_t i = 0; good && i < file_count; i++) {
        const struct celer_provider *provider;
        good = load_named(files[i], &provider) && add(set, provider);
        if (good)
            replaced |= strcmp(provider->library, own->library) == 0;
    }
    if (good && replaced)
        memmove(set->providers, set->providers + 1, --set->count * sizeof *set->providers);
    if (!good)
        plugin_set_free(set);
    return good;
}

void plugin_set_free(struct plugin_set *set)
{
    free(set->providers);
    memset(set, 0, sizeof *set);
}
