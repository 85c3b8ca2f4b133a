/* The files of grader/classroom/html/, built in. */
        .include "common/built_in.inc"

        .section .rodata
        file    class_css, "grader/classroom/html/class.css"
        file    class_js, "grader/classroom/html/class.js"

        .section .note.GNU-stack, "", %progbits
