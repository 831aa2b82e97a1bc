/* history.c: see history.h. */
#include "history.h"
#include "cli.h"

void history_note(enum store_status status, const char *why)
{
    if (status != STORE_OK && status != STORE_KNOWN)
        cli_error("note: this run is not kept: %s", why);
}

bool history_open(struct store **history, const char *db)
{
    char why[1024];
    const enum store_status status = store_open(history, db, STORE_WRITE, why, sizeof why);
    if (status == STORE_REFUSED)
        cli_error("%s; --no-db measures without it", why);
    else
        history_note(status, why);
    return status != STORE_REFUSED;
}
