/* site_command.c - `threelane site`: the course as pages for a browser. */
#include <limits.h>
#include <stdio.h>
#include "grader/commands/command.h"
#include "grader/lessons/markdown.h"
#include "grader/site/site.h"

int command_site(const Options *options)
{
    Catalogue catalogue;
    SiteWritten written;
    char error[PATH_MAX + 500];
    SiteOptions site = {.folder = options->output ? options->output : "site",
                        .figures = options->figures,
                        .solutions = options->solutions};
    if (!markdown_possible())
        return command_fail(VERDICT_USAGE,
                            "Threelane was built without what reads Markdown: `.ci/setup site` "
                            "installs it (%s), then make",
                            MARKDOWN_MISSING);
    int status = command_course(options, &catalogue, NULL);
    if (status) return status;

    if (!site_write(&catalogue, &site, &written, error, sizeof error)) {
        status = command_fail(VERDICT_USAGE, "%s", error);
    } else {
        terminal_printf(&options->out, STYLE_GOOD, "%s/index.html", site.folder);
        terminal_printf(&options->out, STYLE_PLAIN, ": %zu pages, %zu figures that play",
                        written.pages, written.figures);
        if (written.texts)
            terminal_printf(&options->out, STYLE_PLAIN, ", %zu as text", written.texts);
        terminal_text(&options->out, STYLE_PLAIN, "\n");
    }
    catalogue_close(&catalogue);
    return status;
}
