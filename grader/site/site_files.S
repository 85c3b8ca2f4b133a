/* The files of grader/site/html/, built in. */
        .include "common/built_in.inc"

        .section .rodata
        file    site_css, "grader/site/html/course.css"
        file    site_js, "grader/site/html/course.js"
        file    site_theme, "grader/site/html/theme.js"

        .section .note.GNU-stack, "", %progbits
