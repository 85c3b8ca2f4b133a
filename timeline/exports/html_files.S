/* The files of timeline/exports/html/, built in: texts that end in NUL. The paths are relative to the top of the source
 * tree, which is where make runs and what -I. names. */
        .macro  file name, path
        .hidden \name
        .globl  \name
        .type   \name, %object
\name:  .incbin "\path"
        .byte   0
        .size   \name, . - \name
        .endm

        .section .rodata
        file    html_css, "timeline/exports/html/timeline.css"
        file    html_js, "timeline/exports/html/timeline.js"
        file    html_part, "timeline/exports/html/part.html"
        file    html_figure, "timeline/exports/html/figure.html"

        file    html_more_js, "timeline/exports/html/more.js"
        file    html_more_css, "timeline/exports/html/more.css"

        .section .note.GNU-stack, "", %progbits
