/* In which context a stream was made: many of them, made again, and gone. */
#include "gpu/tracer/stream_contexts.h"
#include "tests/unit/cases.h"

START_TEST(streams_and_contexts)
{
    StreamContext owner = {NULL, 7};
    int contexts[2];
    static char streams[40000];
    ck_assert(!stream_contexts_find(streams, &owner) && owner.number == 7);
    for (int i = 0; i < 40000; i++)
        stream_contexts_add(&streams[i], (StreamContext){&contexts[i % 2], 1 + (unsigned)i % 2});
    for (int i = 0; i < 40000; i += 3) stream_contexts_drop(&streams[i]);
    stream_contexts_drop(contexts); /* never made */
    for (int i = 0; i < 40000; i++) {
        bool there = stream_contexts_find(&streams[i], &owner);
        ck_assert_int_eq(there, i % 3 != 0);
        if (there) ck_assert_uint_eq(owner.number, 1 + (unsigned)i % 2);
        if (there) ck_assert_ptr_eq(owner.context, &contexts[i % 2]);
    }
    stream_contexts_add(&streams[1], (StreamContext){&contexts[0], 3}); /* its end was not seen */
    ck_assert(stream_contexts_find(&streams[1], &owner) && owner.number == 3);
}
END_TEST
CASES("owners")
