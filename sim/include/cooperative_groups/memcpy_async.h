/* cooperative_groups/memcpy_async.h - a group's threads copy together, and go on while the copy does. */
#ifndef _COOPERATIVE_GROUPS_MEMCPY_ASYNC
#define _COOPERATIVE_GROUPS_MEMCPY_ASYNC
#include "../cooperative_groups.h"
#include "threelane/async.h"

namespace cooperative_groups {
namespace details {

/* ALIGN: what both addresses and the size are known to be multiples of. */
template <size_t ALIGN, class Group> THREELANE_INLINE void copy(const Group &group, void *to, const void *from, size_t bytes)
{
    char *target = (char *)to;
    const char *source = (const char *)from;
    if (ALIGN >= 4) {
        ::tl::copy<ALIGN>(group, to, from, bytes, 0, 0, 0);
        return;
    }
    size_t apart = (size_t)to ^ (size_t)from, align = 16, head;
    while (align > ALIGN && apart & (align - 1)) align /= 2;
    head = -(size_t)from & (align - 1);
    if (align < 4 || bytes < head + align || !threelane_is_shared(to) || !threelane_is_global(from)) {
        ::tl::copy_now<ALIGN>(group, target, source, bytes);
        return;
    }
    size_t middle = (bytes - head) / align * align;
    ::tl::copy_now<ALIGN>(group, target, source, head);
    for (size_t at = head + group.thread_rank() * align; at < head + middle; at += group.size() * align)
        threelane_copy_async(target + at, source + at, (unsigned)align, (unsigned)align);
    ::tl::copy_now<ALIGN>(group, target + head + middle, source + head + middle, bytes - head - middle);
}
template <class Size> struct AlignOf { static constexpr size_t value = 1; };
template <size_t N, template <size_t> class Aligned> struct AlignOf<Aligned<N>> { static constexpr size_t value = N; };
template <class T> struct AlignOfType { static constexpr size_t value = alignof(T); };
template <> struct AlignOfType<void> { static constexpr size_t value = 1; };
}

template <class Group, class T, class Size>
THREELANE_INLINE void memcpy_async(const Group &group, T *to, const T *from, const Size &bytes)
{
    constexpr size_t HINT = details::AlignOf<Size>::value > 1 ? details::AlignOf<Size>::value
                                                             : details::AlignOfType<T>::value;
    details::copy<(HINT > 16 ? 16 : HINT)>(group, (void *)to, (const void *)from, (size_t)bytes);
    threelane_copy_commit();
}
template <class Group, class T, class To, class From>
THREELANE_INLINE void memcpy_async(const Group &group, T *to, const To &to_count, const T *from, const From &from_count)
{
    size_t count = (size_t)to_count < (size_t)from_count ? (size_t)to_count : (size_t)from_count;
    constexpr size_t HINT = details::AlignOf<To>::value > 1 ? details::AlignOf<To>::value : alignof(T);
    details::copy<(HINT > 16 ? 16 : HINT)>(group, (void *)to, (const void *)from, count * sizeof(T));
    threelane_copy_commit();
}
template <unsigned STAGE, class Group> THREELANE_INLINE void wait_prior(const Group &group, THREELANE_AT)
{
    threelane_copy_wait(STAGE < 8 ? STAGE : 8);
    ::tl::sync_group(group, file, line, 0);
}
template <class Group> THREELANE_INLINE void wait(const Group &group, THREELANE_AT)
{
    threelane_copy_wait(0);
    ::tl::sync_group(group, file, line, 0);
}
}
#endif
