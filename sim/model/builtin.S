/* The device models that are built into the runtime library: the text of sim/devices/NAME.ini, and one table of them.
 *
 * A new device is its ini file and one line below (`device NAME`); nothing else knows the names. The paths are
 * relative to the top of the source tree, which is where make runs and what -I. names.
 *
 *     struct { const char *name, *text, *end; } model_builtin[];   a NULL name ends it
 */
        .macro  device name
        .section .rodata
1:      .asciz  "\name"
2:      .incbin "sim/devices/\name\().ini"
3:      .byte   0
        .section .data.rel.ro, "aw", %progbits
        .quad   1b, 2b, 3b
        .endm

        .section .data.rel.ro, "aw", %progbits
        .balign 8
        .hidden model_builtin
        .globl  model_builtin
        .type   model_builtin, %object
model_builtin:
        device  unit
        device  classroom
        device  h200
        device  h100
        device  one-copy-engine
        device  one-queue
        device  bytes
        device  room
        device  launch-cost
        .quad   0, 0, 0
        .size   model_builtin, . - model_builtin

        .section .note.GNU-stack, "", %progbits
