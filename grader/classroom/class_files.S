/* The files of grader/classroom/html/, built in: texts that end in NUL. The paths are relative to the top of the source
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
        file    class_css, "grader/classroom/html/class.css"
        file    class_js, "grader/classroom/html/class.js"

        .section .note.GNU-stack, "", %progbits
