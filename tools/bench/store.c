/* store.c: see store.h. */
#include "store.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "celer/celer.h"
#include "cli.h"
#include "document.h"
#include "samples.h"

#define APPLICATION_ID 0x63656c72 /* "celr": what is in the file, for SQLite and file(1) */
#define BUSY_MS        20000      /* how long to wait for another process */
#define BUSY_STEP_MS   50
#define BUSY_NOTE_MS   2000 /* before that is worth a note */
#define BUSY_STOPPED   500  /* ms: how long, after SIGINT */
#define DOCUMENT_FORM  (JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(DOCUMENT_DIGITS))

struct store {
    sqlite3 *db;
    char path[PATH_MAX];
};

/* What leads from version i of the tables to version i + 1; version 0 is a file without any. */
static const char *const migrations[] = {
    /* What tells machines apart; document_machine. */
    "CREATE TABLE machine(id INTEGER PRIMARY KEY, cpu TEXT NOT NULL, microcode TEXT NOT NULL,"
    " hypervisor TEXT NOT NULL, isa TEXT NOT NULL, timer_hz REAL);"
    /* Code as it was measured. */
    "CREATE TABLE build(id INTEGER PRIMARY KEY, library TEXT NOT NULL, version TEXT NOT NULL,"
    " compiler TEXT NOT NULL, flags_cc TEXT NOT NULL, UNIQUE(library, version, compiler, flags_cc));"
    /* The documents. Everything else is made from them. */
    "CREATE TABLE run(id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, machine INTEGER NOT NULL REFERENCES machine,"
    " started TEXT NOT NULL, name TEXT NOT NULL, sha256 BLOB NOT NULL, document TEXT NOT NULL);"
    "CREATE INDEX run_by_time ON run(started);"
    /* Times are cycles of a call; unknown figures are NULL. */
    "CREATE TABLE result(run INTEGER NOT NULL REFERENCES run, position INTEGER NOT NULL,"
    " build INTEGER NOT NULL REFERENCES build, subject TEXT NOT NULL, function TEXT NOT NULL, backend TEXT NOT NULL,"
    " kind TEXT NOT NULL, mode TEXT NOT NULL, ways INTEGER NOT NULL, dst_len INTEGER NOT NULL,"
    " src_len INTEGER NOT NULL, n INTEGER NOT NULL, cycles REAL, ci_lo REAL, ci_hi REAL, canary_ratio REAL, ghz REAL,"
    " flags TEXT NOT NULL, PRIMARY KEY(run, position)) WITHOUT ROWID;"
    "CREATE INDEX result_by_function ON result(function);",

    /* What ran, apart from what came of it: of a build, under that name, and with that backend. */
    "CREATE TABLE subject(id INTEGER PRIMARY KEY, build INTEGER NOT NULL REFERENCES build, label TEXT NOT NULL,"
    " backend TEXT NOT NULL, UNIQUE(build, label, backend));"
    "INSERT INTO subject(build, label, backend) SELECT DISTINCT build, subject, backend FROM result;"
    "ALTER TABLE result RENAME TO result_1;"
    "CREATE TABLE result(run INTEGER NOT NULL REFERENCES run, position INTEGER NOT NULL,"
    " subject INTEGER NOT NULL REFERENCES subject, function TEXT NOT NULL, kind TEXT NOT NULL, mode TEXT NOT NULL,"
    " ways INTEGER NOT NULL, dst_len INTEGER NOT NULL, src_len INTEGER NOT NULL, n INTEGER NOT NULL, cycles REAL,"
    " ci_lo REAL, ci_hi REAL, canary_ratio REAL, ghz REAL, flags TEXT NOT NULL, PRIMARY KEY(run, position))"
    " WITHOUT ROWID;"
    "INSERT INTO result SELECT run, position, subject.id, function, kind, mode, ways, dst_len, src_len, n, cycles,"
    " ci_lo, ci_hi, canary_ratio, ghz, flags FROM result_1 JOIN subject ON subject.build = result_1.build AND"
    " subject.label = result_1.subject AND subject.backend = result_1.backend;"
    "DROP TABLE result_1;"
    "CREATE INDEX result_by_function ON result(function);"
    /* Of the results whose samples were to be kept. */
    "CREATE TABLE samples(run INTEGER NOT NULL, position INTEGER NOT NULL, sha256 BLOB NOT NULL, packed BLOB NOT NULL,"
    " PRIMARY KEY(run, position), FOREIGN KEY(run, position) REFERENCES result);"
    /* Rows of one `celer compare` have the same uid. */
    "CREATE TABLE comparison(uid TEXT NOT NULL, position INTEGER NOT NULL,"
    " machine INTEGER NOT NULL REFERENCES machine, started TEXT NOT NULL, seed INTEGER NOT NULL,"
    " min_effect REAL NOT NULL, base INTEGER NOT NULL REFERENCES subject, test INTEGER NOT NULL REFERENCES subject,"
    " function TEXT NOT NULL, kind TEXT NOT NULL, mode TEXT NOT NULL, base_ways INTEGER NOT NULL,"
    " test_ways INTEGER NOT NULL, dst_len INTEGER NOT NULL, src_len INTEGER NOT NULL, base_cycles REAL,"
    " test_cycles REAL, ratio REAL, ci_lo REAL, ci_hi REAL, p REAL, p_adjusted REAL, n INTEGER NOT NULL,"
    " rejected INTEGER NOT NULL, verdict TEXT NOT NULL, PRIMARY KEY(uid, position)) WITHOUT ROWID;"
    "CREATE INDEX comparison_by_function ON comparison(function);",
};
#define VERSION ((int)(sizeof migrations / sizeof migrations[0]))

/* --- Reasons --- */

static enum store_status say(char *why, size_t size, enum store_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static enum store_status say(char *why, size_t size, enum store_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(why, size, format, args);
    va_end(args);
    return status;
}

/* Why the file, or a new one in its folder, cannot be written; `otherwise` when the system says that it can. SQLite does
   not tell: it tries several ways, and the errno of the last one is that of another question. */
static const char *place_reason(const struct store *store, const char *otherwise)
{
    char above[PATH_MAX];
    snprintf(above, sizeof above, "%s", store->path);
    char *const slash = strrchr(above, '/');
    if (slash != NULL)
        slash[slash == above] = 0;
    else
        strcpy(above, ".");
    const bool bad = (access(store->path, W_OK) != 0 && errno != ENOENT) || access(above, W_OK) != 0;
    return bad ? strerror(errno) : otherwise;
}

/* What the last error of SQLite means to whoever called. Of those that are not about the place, all come from a file
   that is not what it says it is. */
static enum store_status failed(const struct store *store, char *why, size_t size)
{
    const char *const text = sqlite3_errmsg(store->db);
    if (sqlite3_extended_errcode(store->db) == SQLITE_IOERR_CORRUPTFS)
        return say(why, size, STORE_REFUSED, "%s: damaged (%s)", store->path, text);
    switch (sqlite3_errcode(store->db) & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return say(why, size, STORE_UNWRITABLE, "%s: another process keeps it locked", store->path);
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return say(why, size, STORE_UNWRITABLE, "%s: %s", store->path, place_reason(store, text));
    case SQLITE_OK: /* it was not SQLite that failed */
    case SQLITE_NOMEM:
        return say(why, size, STORE_UNWRITABLE, "out of memory");
    case SQLITE_NOTADB:
        return say(why, size, STORE_REFUSED, "%s: not a history of celer (%s)", store->path, text);
    default:
        return say(why, size, STORE_REFUSED, "%s: damaged (%s)", store->path, text);
    }
}

/* --- Statements --- */

/* Prepares a statement and binds its parameters in order, by a letter each: 't' text, 'i' int64_t, 'd' double (NAN is
   NULL), 'b' bytes and their number (size_t). NULL: failed. */
static sqlite3_stmt *prepare(struct store *store, const char *sql, const char *types, ...)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK)
        return NULL;
    va_list args;
    va_start(args, types);
    int code = SQLITE_OK;
    for (int i = 1; types[i - 1] != 0 && code == SQLITE_OK; i++)
        switch (types[i - 1]) {
        case 't':
            code = sqlite3_bind_text(statement, i, va_arg(args, const char *), -1, SQLITE_TRANSIENT);
            break;
        case 'i':
            code = sqlite3_bind_int64(statement, i, va_arg(args, int64_t));
            break;
        case 'd': /* SQLite makes NULL of a NAN itself */
            code = sqlite3_bind_double(statement, i, va_arg(args, double));
            break;
        default: {
            const void *bytes = va_arg(args, const void *);
            code = sqlite3_bind_blob64(statement, i, bytes, va_arg(args, size_t), SQLITE_TRANSIENT);
        }
        }
    va_end(args);
    if (code == SQLITE_OK)
        return statement;
    sqlite3_finalize(statement);
    return NULL;
}

/* Runs it and frees it. *value, unless value is NULL, is the first column of the first row; left alone without rows. */
static bool finish(sqlite3_stmt *statement, int64_t *value)
{
    if (statement == NULL)
        return false;
    if (sqlite3_step(statement) == SQLITE_ROW && value != NULL)
        *value = sqlite3_column_int64(statement, 0);
    return sqlite3_finalize(statement) == SQLITE_OK;
}

static bool run_sql(struct store *store, const char *sql)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

/* Keeps the reason of what went wrong before. */
static void roll_back(struct store *store)
{
    if (!sqlite3_get_autocommit(store->db))
        run_sql(store, "ROLLBACK");
}

static const char *column(sqlite3_stmt *statement, int i)
{
    const char *text = (const char *)sqlite3_column_text(statement, i);
    return text != NULL ? text : "";
}

static double column_number(sqlite3_stmt *statement, int i)
{
    return sqlite3_column_type(statement, i) == SQLITE_NULL ? NAN : sqlite3_column_double(statement, i);
}

/* --- Opening --- */

static bool choose_path(struct store *store, const char *path, char *why, size_t size)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    int n;
    if (path != NULL)
        n = snprintf(store->path, sizeof store->path, "%s", path);
    else if (data != NULL && data[0] == '/')
        n = snprintf(store->path, sizeof store->path, "%s/celer/bench.db", data);
    else if (home != NULL && home[0] == '/')
        n = snprintf(store->path, sizeof store->path, "%s/.local/share/celer/bench.db", home);
    else {
        say(why, size, STORE_UNWRITABLE,
            "no place for the history: neither XDG_DATA_HOME nor HOME is a path");
        return false;
    }
    if (n > 0 && (size_t)n < sizeof store->path)
        return true;
    say(why, size, STORE_UNWRITABLE, "no place for the history: its path is %s",
        n > 0 ? "too long" : "empty");
    return false;
}

/* No process is writing, and none died while it did. */
static bool nobody_writes(const struct store *store)
{
    static const char *const suffixes[] = {"-wal", "-journal"};
    for (size_t i = 0; i < 2; i++) {
        char path[PATH_MAX + 16];
        snprintf(path, sizeof path, "%s%s", store->path, suffixes[i]);
        if (access(path, F_OK) == 0)
            return false;
    }
    return true;
}

/* The folders above the file. Those of the user's own data are nobody else's business. */
static bool make_folders(struct store *store, mode_t permissions)
{
    bool ok = true;
    for (char *p = strchr(store->path + 1, '/'); ok && p != NULL; p = strchr(p + 1, '/')) {
        *p = 0;
        ok = mkdir(store->path, permissions) == 0 || errno == EEXIST;
        *p = '/';
    }
    return ok;
}

/* For SQLite: whether to try again what another process has locked, for the (tries + 1)th time. */
static int on_busy(void *arg, int tries)
{
    const struct store *const store = arg;
    const int waited = tries * BUSY_STEP_MS;
    if (waited == BUSY_NOTE_MS)
        cli_error("note: %s: another process keeps it locked; waiting up to %d s", store->path,
                  BUSY_MS / 1000);
    if (waited >= (cli_stopped_by != 0 ? BUSY_STOPPED : BUSY_MS))
        return 0;
    sqlite3_sleep(BUSY_STEP_MS);
    return 1;
}

/* As an URI: no name means something special to SQLite then. */
static int open_database(struct store *store, int flags, const char *query)
{
    char uri[3 * PATH_MAX + 32];
    size_t used = (size_t)snprintf(uri, sizeof uri, "file:%s", store->path[0] == '/' ? "//" : "./");
    for (const char *p = store->path; *p != 0; p++)
        if (strchr("?#%", *p) != NULL)
            used += (size_t)snprintf(uri + used, sizeof uri - used, "%%%02X", (unsigned)*p);
        else
            uri[used++] = *p;
    snprintf(uri + used, sizeof uri - used, "%s", query);
    sqlite3_close(store->db);
    store->db = NULL;
    const int code = sqlite3_open_v2(uri, &store->db, flags | SQLITE_OPEN_URI, NULL);
    if (code == SQLITE_OK) {
        sqlite3_extended_result_codes(store->db, 1);
        sqlite3_busy_handler(store->db, on_busy, store);
        /* The file may come from anyone. */
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    }
    return code;
}

struct identity {
    int64_t application, version, tables;
};

static bool identify(struct store *store, struct identity *id)
{
    sqlite3_stmt *s = prepare(store,
                              "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master)"
                              " FROM pragma_application_id, pragma_user_version",
                              "");
    if (s == NULL)
        return false;
    if (sqlite3_step(s) == SQLITE_ROW)
        *id = (struct identity){sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1),
                                sqlite3_column_int64(s, 2)};
    return sqlite3_finalize(s) == SQLITE_OK;
}

/* Brings the tables to this version. Whoever comes second finds it done by another process. */
static bool migrate(struct store *store)
{
    char mark[96];
    struct identity id = {0};
    if (!run_sql(store, "BEGIN IMMEDIATE") || !identify(store, &id))
        return false;
    if (id.version >= VERSION)
        return run_sql(store, "COMMIT");
    for (int64_t v = id.version; v < VERSION; v++)
        if (!run_sql(store, migrations[v]))
            return false;
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
             APPLICATION_ID, VERSION);
    return run_sql(store, mark);
}

/* Nothing is written before it is clear what the file is. */
static enum store_status open_checked(struct store *store, enum store_access mode, char *why, size_t size)
{
    struct identity id = {0};
    if (!identify(store, &id))
        return failed(store, why, size);
    const bool empty = id.tables == 0 && id.application == 0;
    if (!empty && id.application != APPLICATION_ID)
        return say(why, size, STORE_REFUSED, "%s: the database of another program", store->path);
    if (id.version > VERSION)
        return say(why, size, STORE_REFUSED,
                   "%s: made by a newer celer (version %lld of the tables; this one has %d)", store->path,
                   (long long)id.version, VERSION);
    if (id.version < 0)
        return say(why, size, STORE_REFUSED, "%s: damaged (version %lld)", store->path,
                   (long long)id.version);
    if (mode == STORE_READ && id.version == 0)
        return say(why, size, STORE_ABSENT, "%s: empty, there is no history yet", store->path);
    if (mode == STORE_WRITE && sqlite3_db_readonly(store->db, "main") != 0)
        return say(why, size, STORE_UNWRITABLE, "%s: %s", store->path, place_reason(store, "read-only"));
    /* Readers and a writer at a time. Where that is refused, now or by the file system, they take turns. */
    if (mode == STORE_WRITE)
        run_sql(store, "PRAGMA journal_mode = WAL");
    if (id.version < VERSION) {
        if (migrate(store))
            return open_checked(store, mode, why, size);
        enum store_status status = failed(store, why, size);
        if (status == STORE_UNWRITABLE && mode == STORE_READ)
            status =
                say(why, size, status, "%s: made by an older celer, and cannot be brought up to date: %s",
                    store->path, place_reason(store, sqlite3_errmsg(store->db)));
        roll_back(store);
        return status;
    }
    if (!run_sql(store, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON") ||
        (mode == STORE_READ && !run_sql(store, "PRAGMA query_only = ON")))
        return failed(store, why, size);
    return STORE_OK;
}

enum store_status store_open(struct store **opened, const char *path, enum store_access mode, char *why,
                             size_t size)
{
    struct store *const store = calloc(1, sizeof *store);
    struct stat st;
    enum store_status status = STORE_OK;
    *opened = NULL;
    if (store == NULL)
        return say(why, size, STORE_UNWRITABLE, "out of memory");
    if (!choose_path(store, path, why, size))
        status = STORE_UNWRITABLE;
    else if (mode == STORE_WRITE && !make_folders(store, path != NULL ? 0777 : 0700))
        status = say(why, size, STORE_UNWRITABLE, "%s: %s", store->path, strerror(errno));
    else if (stat(store->path, &st) == 0 && !S_ISREG(st.st_mode))
        status = say(why, size, STORE_REFUSED, "%s: not a file", store->path);
    else if (mode == STORE_READ && stat(store->path, &st) != 0)
        status = errno == ENOENT || errno == ENOTDIR
                     ? say(why, size, STORE_ABSENT, "%s: there is no history yet", store->path)
                     : say(why, size, STORE_UNWRITABLE, "%s: %s", store->path, strerror(errno));
    else if (open_database(store, SQLITE_OPEN_READWRITE | (mode == STORE_WRITE ? SQLITE_OPEN_CREATE : 0),
                           "") != SQLITE_OK)
        status = failed(store, why, size);
    else
        status = open_checked(store, mode, why, size);
    /* In a folder that cannot be written to SQLite has no place for its locks; if nobody else can either, none are
       needed. */
    if (status == STORE_UNWRITABLE && mode == STORE_READ && nobody_writes(store) &&
        open_database(store, SQLITE_OPEN_READONLY, "?immutable=1") == SQLITE_OK)
        status = open_checked(store, mode, why, size);
    if (status == STORE_OK)
        *opened = store;
    else
        store_close(store);
    return status;
}

void store_close(struct store *store)
{
    if (store != NULL)
        sqlite3_close(store->db);
    free(store);
}

const char *store_path(const struct store *store)
{
    return store->path;
}

/* --- Adding --- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static int64_t count_of(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

/* The form in which functions are looked up: "sha3_256", however it was written. */
static void plain_function(char *plain, size_t size, const char *function)
{
    snprintf(plain, size, "%s", function);
    for (char *p = plain; *p != 0; p++)
        if (*p == '-')
            *p = '_';
        else if (*p >= 'A' && *p <= 'Z')
            *p = (char)(*p - 'A' + 'a');
}

/* The number of this machine; a new one for a machine that nobody has seen. */
static bool add_machine(struct store *store, const json_t *document, int64_t *id)
{
    static const char find[] =
        "SELECT id FROM machine WHERE cpu = ?1 AND microcode = ?2 AND hypervisor = ?3 AND isa = ?4 AND"
        " (timer_hz IS NULL OR ?5 IS NULL OR abs(timer_hz - ?5) <= ?6 * timer_hz) ORDER BY id";
    static const char learn[] = "UPDATE machine SET timer_hz = ?2 WHERE id = ?1 AND timer_hz IS NULL";
    static const char insert[] =
        "INSERT INTO machine(cpu, microcode, hypervisor, isa, timer_hz) VALUES(?, ?, ?, ?, ?)";
    const struct document_machine m = document_machine(document);
    *id = 0;
    if (!finish(prepare(store, find, "ttttdd", m.cpu, m.microcode, m.hypervisor, m.isa, m.timer_hz,
                        DOCUMENT_TIMER_TOLERANCE),
                id))
        return false;
    if (*id != 0)
        return finish(prepare(store, learn, "id", *id, m.timer_hz), NULL);
    if (!finish(prepare(store, insert, "ttttd", m.cpu, m.microcode, m.hypervisor, m.isa, m.timer_hz), NULL))
        return false;
    *id = sqlite3_last_insert_rowid(store->db);
    return true;
}

static bool add_subject(struct store *store, const struct store_subject *s, int64_t *id)
{
    static const char insert_build[] =
        "INSERT OR IGNORE INTO build(library, version, compiler, flags_cc) VALUES(?, ?, ?, ?)";
    static const char find_build[] =
        "SELECT id FROM build WHERE library = ? AND version = ? AND compiler = ? AND flags_cc = ?";
    static const char insert[] = "INSERT OR IGNORE INTO subject(build, label, backend) VALUES(?, ?, ?)";
    static const char find[] = "SELECT id FROM subject WHERE build = ? AND label = ? AND backend = ?";
    int64_t build = 0;
    return finish(prepare(store, insert_build, "tttt", s->library, s->version, s->compiler, s->flags_cc),
                  NULL) &&
           finish(prepare(store, find_build, "tttt", s->library, s->version, s->compiler, s->flags_cc),
                  &build) &&
           finish(prepare(store, insert, "itt", build, s->label, s->backend), NULL) &&
           finish(prepare(store, find, "itt", build, s->label, s->backend), id);
}

static const json_t *find_subject(const json_t *document, const char *label)
{
    const json_t *subjects = json_object_get(document, "subjects");
    size_t i = 0;
    while (i + 1 < json_array_size(subjects) &&
           strcmp(text_of(json_array_get(subjects, i), "label"), label) != 0)
        i++;
    return json_array_get(subjects, i);
}

static bool add_result(struct store *store, int64_t run, size_t position, const json_t *document,
                       const json_t *result)
{
    static const char insert[] = "INSERT INTO result VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const json_t *cycles = json_object_get(result, "cycles"), *flags = json_object_get(result, "flags");
    const json_t *const named = find_subject(document, text_of(result, "subject"));
    char function[128], joined[128] = "";
    int64_t subject = 0;
    plain_function(function, sizeof function, text_of(result, "function"));
    for (size_t i = 0, used = 0; i < json_array_size(flags) && used < sizeof joined; i++)
        used += (size_t)snprintf(joined + used, sizeof joined - used, "%s%s", i > 0 ? " " : "",
                                 json_string_value(json_array_get(flags, i)));
    if (!add_subject(store,
                     &(struct store_subject){.label = text_of(result, "subject"),
                                             .library = text_of(named, "library"),
                                             .version = text_of(named, "version"),
                                             .backend = text_of(result, "backend"),
                                             .compiler = text_of(named, "compiler"),
                                             .flags_cc = text_of(named, "flags_cc")},
                     &subject))
        return false;
    return finish(prepare(store, insert, "iiitttiiiidddddt", run, (int64_t)position, subject, function,
                          text_of(result, "kind"), text_of(result, "mode"), count_of(result, "ways"),
                          count_of(result, "dst_len"), count_of(result, "src_len"), count_of(result, "n"),
                          number_of(cycles, "median"), number_of(cycles, "ci_lo"), number_of(cycles, "ci_hi"),
                          number_of(result, "canary_ratio"), number_of(result, "ghz"), joined),
                  NULL);
}

static bool add_samples(struct store *store, int64_t run, size_t position, const json_t *samples)
{
    static const char insert[] = "INSERT INTO samples VALUES(?, ?, ?, ?)";
    uint8_t digest[CELER_SHA256_LEN];
    size_t size;
    uint8_t *const packed = samples_pack(samples, &size);
    if (packed == NULL)
        return false;
    celer_sha256(digest, packed, size);
    const bool ok = finish(
        prepare(store, insert, "iibb", run, (int64_t)position, digest, sizeof digest, packed, size), NULL);
    free(packed);
    return ok;
}

static bool add_results(struct store *store, int64_t run, const json_t *document)
{
    size_t i;
    const json_t *result;
    json_array_foreach(json_object_get(document, "results"), i, result)
    {
        const json_t *const samples = json_object_get(result, "samples");
        if (!add_result(store, run, i, document, result) ||
            (samples != NULL && !add_samples(store, run, i, samples)))
            return false;
    }
    return true;
}

/* As a text, without the samples; NULL when out of memory. */
static char *text_of_document(const json_t *document)
{
    size_t i;
    json_t *result, *const bare = json_copy((json_t *)(uintptr_t)document), *const results = json_array();
    bool ok = json_object_set(bare, "results", results) == 0;
    json_array_foreach(json_object_get(document, "results"), i, result)
    {
        json_t *const copy = json_copy(result);
        json_object_del(copy, "samples");
        ok = ok && json_array_append_new(results, copy) == 0;
    }
    char *const text = ok ? json_dumps(bare, DOCUMENT_FORM) : NULL;
    json_decref(results);
    json_decref(bare);
    return text;
}

/* Inside of a transaction. */
static enum store_status add(struct store *store, const json_t *document, char *why, size_t size)
{
    static const char insert[] =
        "INSERT INTO run(uid, machine, started, name, sha256, document) VALUES(?, ?, ?, ?, ?, ?)";
    char reason[256], uid[DOCUMENT_ID_SIZE];
    uint8_t digest[CELER_SHA256_LEN];
    int64_t known = 0, machine = 0;
    if (!document_check(document, reason, sizeof reason))
        return say(why, size, STORE_REFUSED, "%s", reason);
    char *const text = text_of_document(document);
    if (text == NULL)
        return say(why, size, STORE_UNWRITABLE, "out of memory");
    celer_sha256(digest, text, strlen(text));
    const json_t *run = json_object_get(document, "run");
    snprintf(uid, sizeof uid, "%s", text_of(run, "id"));
    if (uid[0] == 0)
        for (size_t i = 0; i < sizeof uid / 2; i++)
            snprintf(uid + 2 * i, 3, "%02x", digest[i]);
    bool ok = finish(prepare(store, "SELECT 1 FROM run WHERE uid = ?", "t", uid), &known);
    if (ok && known == 0) {
        ok = add_machine(store, document, &machine) &&
             finish(prepare(store, insert, "tittbt", uid, machine, text_of(run, "started"),
                            text_of(run, "name"), digest, sizeof digest, text),
                    NULL) &&
             add_results(store, sqlite3_last_insert_rowid(store->db), document);
    }
    free(text);
    return !ok ? failed(store, why, size) : known != 0 ? STORE_KNOWN : STORE_OK;
}

/* Begins; whoever cannot write now learns it before anything is done. */
static enum store_status begin(struct store *store, char *why, size_t size)
{
    return run_sql(store, "BEGIN IMMEDIATE") ? STORE_OK : failed(store, why, size);
}

static enum store_status end(struct store *store, enum store_status status, char *why, size_t size)
{
    if ((status == STORE_OK || status == STORE_KNOWN) && !run_sql(store, "COMMIT"))
        status = failed(store, why, size);
    roll_back(store);
    return status;
}

enum store_status store_add(struct store *store, const json_t *document, char *why, size_t size)
{
    enum store_status status = begin(store, why, size);
    if (status == STORE_OK)
        status = end(store, add(store, document, why, size), why, size);
    return status;
}

enum store_status store_import(struct store *store, const char *file, size_t *added, size_t *known, char *why,
                               size_t size)
{
    size_t counts[2] = {0, 0};
    json_t *const documents = document_load(file, why, size);
    *added = *known = 0;
    if (documents == NULL)
        return STORE_REFUSED;
    enum store_status status = begin(store, why, size);
    if (status == STORE_OK) {
        for (size_t i = 0; status == STORE_OK && i < json_array_size(documents); i++) {
            status = add(store, json_array_get(documents, i), why, size);
            counts[status == STORE_KNOWN]++;
            if (status == STORE_KNOWN)
                status = STORE_OK;
        }
        status = end(store, status, why, size);
    }
    json_decref(documents);
    if (status == STORE_OK) {
        *added = counts[0];
        *known = counts[1];
    }
    return status;
}

static bool add_verdict(struct store *store, const json_t *run, int64_t machine, double min_effect,
                        size_t position, const struct store_verdict *v)
{
    static const char insert[] =
        "INSERT INTO comparison VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?)";
    char function[128];
    int64_t base, test;
    plain_function(function, sizeof function, v->function);
    return add_subject(store, &v->base, &base) && add_subject(store, &v->test, &test) &&
           finish(prepare(store, insert, "tiitidiitttiiiidddddddiit", text_of(run, "id"), (int64_t)position,
                          machine, text_of(run, "started"), count_of(run, "seed"), min_effect, base, test,
                          function, v->kind, v->mode, (int64_t)v->base_ways, (int64_t)v->test_ways,
                          (int64_t)v->dst_len, (int64_t)v->src_len, v->base_cycles, v->test_cycles, v->ratio,
                          v->ci_lo, v->ci_hi, v->p, v->p_adjusted, (int64_t)v->n, (int64_t)v->rejected,
                          v->verdict),
                  NULL);
}

enum store_status store_add_verdicts(struct store *store, const json_t *document, double min_effect,
                                     const struct store_verdict *verdicts, size_t n, char *why, size_t size)
{
    int64_t machine;
    enum store_status status = begin(store, why, size);
    if (status != STORE_OK)
        return status;
    bool ok = add_machine(store, document, &machine);
    for (size_t i = 0; ok && i < n; i++)
        ok = add_verdict(store, json_object_get(document, "run"), machine, min_effect, i, &verdicts[i]);
    return end(store, ok ? STORE_OK : failed(store, why, size), why, size);
}

/* --- Asking --- */

/* Whether the columns `at` (digest) and `at` + 1 are as they were put there. */
static bool is_intact(sqlite3_stmt *statement, int at)
{
    uint8_t digest[CELER_SHA256_LEN];
    const void *const bytes = sqlite3_column_blob(statement, at + 1);
    celer_sha256(digest, bytes, (size_t)sqlite3_column_bytes(statement, at + 1));
    const void *const stored = sqlite3_column_blob(statement, at);
    return stored != NULL && sqlite3_column_bytes(statement, at) == (int)sizeof digest &&
           memcmp(stored, digest, sizeof digest) == 0;
}

static void say_damaged(const struct store *store, char *why, size_t size)
{
    say(why, size, STORE_REFUSED, "%s: damaged (a run is not as it was stored)", store->path);
}

/* The text in the columns `at` (digest) and `at` + 1 (document) of the row; NULL: it is not what was put there. */
static const char *stored_text(const struct store *store, sqlite3_stmt *statement, int at, char *why,
                               size_t size)
{
    if (is_intact(statement, at))
        return column(statement, at + 1);
    say_damaged(store, why, size);
    return NULL;
}

/* Gives the samples of a stored run back to its document. False and why. */
static bool attach_samples(struct store *store, int64_t run, json_t *document, char *why, size_t size)
{
    sqlite3_stmt *s = prepare(
        store, "SELECT position, sha256, packed FROM samples WHERE run = ? ORDER BY position", "i", run);
    bool good = s != NULL;
    while (good && sqlite3_step(s) == SQLITE_ROW) {
        json_t *const result =
            json_array_get(json_object_get(document, "results"), (size_t)sqlite3_column_int64(s, 0));
        good =
            is_intact(s, 1) && json_object_set_new(result, "samples",
                                                   samples_unpack(sqlite3_column_blob(s, 2),
                                                                  (size_t)sqlite3_column_bytes(s, 2))) == 0;
        if (!good)
            say_damaged(store, why, size);
    }
    if (s == NULL || (sqlite3_finalize(s) != SQLITE_OK && good)) {
        failed(store, why, size);
        good = false;
    }
    return good;
}

/* A line of the export, from the text of a document; with its samples, if it has any. */
static bool export_one(struct store *store, int64_t run, const char *text, bool samples, FILE *to, char *why,
                       size_t size)
{
    if (!samples) {
        fprintf(to, "%s\n", text);
        return true;
    }
    json_t *const document = json_loads(text, 0, NULL);
    bool good = document != NULL && attach_samples(store, run, document, why, size);
    if (document == NULL)
        say(why, size, STORE_UNWRITABLE, "out of memory");
    else if (good && json_dumpf(document, to, DOCUMENT_FORM) != 0 && !ferror(to)) {
        say(why, size, STORE_UNWRITABLE, "out of memory");
        good = false;
    }
    json_decref(document);
    if (good)
        putc('\n', to);
    return good;
}

/* Of the statement, which is freed, each row is a run: digest, document, id, whether there are samples. */
static bool export_all(struct store *store, sqlite3_stmt *s, FILE *to, char *why, size_t size)
{
    bool good = s != NULL;
    while (good && sqlite3_step(s) == SQLITE_ROW) {
        const char *text = stored_text(store, s, 0, why, size);
        good = text != NULL && export_one(store, sqlite3_column_int64(s, 2), text,
                                          sqlite3_column_int(s, 3) != 0, to, why, size);
    }
    if (s == NULL || (sqlite3_finalize(s) != SQLITE_OK && good)) {
        failed(store, why, size);
        good = false;
    }
    return good;
}

#define EXPORTED "SELECT sha256, document, id, EXISTS (SELECT 1 FROM samples WHERE run = id) FROM run"

bool store_export(struct store *store, FILE *to, char *why, size_t size)
{
    return export_all(store, prepare(store, EXPORTED " ORDER BY started, id", ""), to, why, size);
}

/* The run that is meant by `which`; see store_get. False: none or several, and why. */
static bool find_run(struct store *store, const char *which, int64_t *id, char *why, size_t size)
{
    /* Labels come first, the latest of them; else all ids that begin so, of which there may be one only. */
    sqlite3_stmt *const s =
        prepare(store,
                "SELECT id, (name = ?1 AND name <> '') OR ?1 = 'latest' AS sure FROM run WHERE sure OR"
                " (length(?1) >= 4 AND substr(uid, 1, length(?1)) = lower(?1))"
                " ORDER BY sure DESC, started DESC, id DESC LIMIT 2",
                "t", which);
    size_t found = 0;
    bool sure = false;
    while (s != NULL && !sure && sqlite3_step(s) == SQLITE_ROW) {
        *id = sqlite3_column_int64(s, 0);
        sure = sqlite3_column_int(s, 1) != 0;
        found++;
    }
    if (s == NULL || sqlite3_finalize(s) != SQLITE_OK)
        failed(store, why, size);
    else if (found == 0)
        say(why, size, STORE_REFUSED, "%s: there is no run '%s'", store->path, which);
    else if (found > 1)
        say(why, size, STORE_REFUSED, "%s: the ids of several runs begin with '%s'", store->path, which);
    else
        return true;
    return false;
}

bool store_export_run(struct store *store, const char *which, FILE *to, char *why, size_t size)
{
    int64_t id;
    return find_run(store, which, &id, why, size) &&
           export_all(store, prepare(store, EXPORTED " WHERE id = ?", "i", id), to, why, size);
}

bool store_each_run(struct store *store, void (*visit)(const struct store_run *run, void *arg), void *arg,
                    char *why, size_t size)
{
    sqlite3_stmt *s = prepare(store,
                              "SELECT uid, started, name, cpu, machine,"
                              " (SELECT count(*) FROM result WHERE result.run = run.id)"
                              " FROM run JOIN machine ON machine.id = machine ORDER BY started, run.id",
                              "");
    while (s != NULL && sqlite3_step(s) == SQLITE_ROW) {
        const struct store_run run = {.id = column(s, 0),
                                      .started = column(s, 1),
                                      .name = column(s, 2),
                                      .cpu = column(s, 3),
                                      .machine = sqlite3_column_int64(s, 4),
                                      .results = (size_t)sqlite3_column_int64(s, 5)};
        visit(&run, arg);
    }
    if (s != NULL && sqlite3_finalize(s) == SQLITE_OK)
        return true;
    failed(store, why, size);
    return false;
}

json_t *store_get(struct store *store, const char *which, char *why, size_t size)
{
    int64_t id;
    if (!find_run(store, which, &id, why, size))
        return NULL;
    sqlite3_stmt *const s = prepare(store, "SELECT sha256, document FROM run WHERE id = ?", "i", id);
    if (s == NULL || sqlite3_step(s) != SQLITE_ROW) {
        failed(store, why, size);
        sqlite3_finalize(s);
        return NULL;
    }
    const char *const text = stored_text(store, s, 0, why, size);
    json_t *const document = text != NULL ? json_loads(text, 0, NULL) : NULL;
    if (text != NULL && document == NULL)
        say(why, size, STORE_REFUSED, "out of memory");
    sqlite3_finalize(s);
    return document;
}

bool store_history(struct store *store, const char *function,
                   void (*visit)(const struct store_point *point, void *arg), void *arg, char *why,
                   size_t size)
{
    char plain[128];
    plain_function(plain, sizeof plain, function);
    sqlite3_stmt *s = prepare(
        store,
        "SELECT started, uid, name, cpu, machine, label, library, version, backend, compiler,"
        " flags_cc, function, kind, mode, ways, dst_len, src_len, n, cycles, ci_lo, ci_hi,"
        " canary_ratio, ghz, flags FROM result JOIN run ON run.id = run"
        " JOIN subject ON subject.id = subject JOIN build ON build.id = build JOIN machine ON machine.id = machine"
        " WHERE function = ? AND cycles IS NOT NULL ORDER BY started, run.id, position",
        "t", plain);
    while (s != NULL && sqlite3_step(s) == SQLITE_ROW) {
        const struct store_point point = {.started = column(s, 0),
                                          .run = column(s, 1),
                                          .name = column(s, 2),
                                          .cpu = column(s, 3),
                                          .machine = sqlite3_column_int64(s, 4),
                                          .subject = {.label = column(s, 5),
                                                      .library = column(s, 6),
                                                      .version = column(s, 7),
                                                      .backend = column(s, 8),
                                                      .compiler = column(s, 9),
                                                      .flags_cc = column(s, 10)},
                                          .function = column(s, 11),
                                          .kind = column(s, 12),
                                          .mode = column(s, 13),
                                          .ways = (uint32_t)sqlite3_column_int64(s, 14),
                                          .dst_len = (uint64_t)sqlite3_column_int64(s, 15),
                                          .src_len = (uint64_t)sqlite3_column_int64(s, 16),
                                          .n = (uint64_t)sqlite3_column_int64(s, 17),
                                          .cycles = column_number(s, 18),
                                          .ci_lo = column_number(s, 19),
                                          .ci_hi = column_number(s, 20),
                                          .canary_ratio = column_number(s, 21),
                                          .ghz = column_number(s, 22),
                                          .flags = column(s, 23)};
        visit(&point, arg);
    }
    if (s != NULL && sqlite3_finalize(s) == SQLITE_OK)
        return true;
    failed(store, why, size);
    return false;
}
