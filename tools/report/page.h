/* page.h: the report as one HTML file that needs no other, nor a network. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H
#include "charts.h"
#include "data.h"
#include "text.h"

/* charts: without styles of their own. Whatever went wrong is in t->failed. */
void page_write(struct text *t, const struct data *data, const struct charts *charts);

/* All rows of the tables, with a heading, as CSV. */
void page_csv(struct text *t, const struct data *data);

/* page.css and page.js, as the build put them into the program. */
extern const char page_css[], page_js[];
#endif
