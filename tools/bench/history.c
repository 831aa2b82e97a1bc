/* history.c: see history.h. */
#include "history.h"
#include "cli.h"

bool history_note(enum store_status status, const char *why)
{
    if (status != STORE_OK && status != STORE_KNOWN)
        cli_error("%sthis run is not kept: %s", status != STORE_REFUSED ? "note: " : "", why);
    return status != STORE_REFUSED;
}

bool history_open(struct store **history, const char *db)
{
    char why[1024];
    const enum store_status status = store_open(history, db, STORE_WRITE, why, sizeof why);
    if (status != STORE_REFUSED)
        return history_note(status, why);
    cli_error("%s; --no-db measures without it", why);
    return false;
}
