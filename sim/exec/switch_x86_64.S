/* void fiber_switch(void **save_sp, void *to_sp): saves what the ABI calls callee-saved on the running stack, leaves
 * that stack's pointer in *save_sp and goes on where to_sp was saved. A fresh stack is prepared to look like a saved
 * one. */
#if defined(__x86_64__)
.text
.globl fiber_switch
.type fiber_switch, @function
.balign 16
fiber_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size fiber_switch, .-fiber_switch
#endif
.section .note.GNU-stack, "", %progbits
