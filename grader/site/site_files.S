/* The files of grader/site/html/, built in: texts that end in NUL. The paths are relative to the top of the source
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
        file    site_css, "grader/site/html/course.css"
        file    site_js, "grader/site/html/course.js"
        file    site_theme, "grader/site/html/theme.js"

        .section .note.GNU-stack, "", %progbits
