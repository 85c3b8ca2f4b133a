/* The files of timeline/exports/html/, built in. */
        .include "common/built_in.inc"

        .section .rodata
        file    html_css, "timeline/exports/html/timeline.css"
        file    html_js, "timeline/exports/html/timeline.js"
        file    html_part, "timeline/exports/html/part.html"
        file    html_figure, "timeline/exports/html/figure.html"

        file    html_more_js, "timeline/exports/html/more.js"
        file    html_more_css, "timeline/exports/html/more.css"

        .section .note.GNU-stack, "", %progbits
