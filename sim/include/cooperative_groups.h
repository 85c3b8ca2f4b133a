/* cooperative_groups.h - groups of threads over the barriers and warp primitives of threelane/device.h. */
#ifndef _COOPERATIVE_GROUPS_H_
#define _COOPERATIVE_GROUPS_H_
#include "threelane/device.h"
#include "cooperative_groups/cluster.h"

namespace cooperative_groups {

#define THREELANE_MEMBER inline __attribute__((always_inline))

namespace details {
THREELANE_MEMBER unsigned rank_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
THREELANE_MEMBER unsigned block_size() { return blockDim.x * blockDim.y * blockDim.z; }
THREELANE_MEMBER unsigned lane() { return rank_in_block() % 32; }
}

/* All threads of a block. */
class thread_block {
public:
    static THREELANE_MEMBER void sync(THREELANE_AT) { threelane_sync(file, line); }
    static THREELANE_MEMBER unsigned size() { return details::block_size(); }
    static THREELANE_MEMBER unsigned num_threads() { return details::block_size(); }
    static THREELANE_MEMBER unsigned thread_rank() { return details::rank_in_block(); }
    static THREELANE_MEMBER dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
    static THREELANE_MEMBER dim3 thread_index() { return dim3(threadIdx); }
    static THREELANE_MEMBER dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
    static THREELANE_MEMBER dim3 dim_threads() { return group_dim(); }
    struct arrival_token {};
    static THREELANE_MEMBER arrival_token barrier_arrive() { return arrival_token(); }
    static THREELANE_MEMBER void barrier_wait(arrival_token, THREELANE_AT) { threelane_sync(file, line); }
};
THREELANE_MEMBER thread_block this_thread_block() { return thread_block(); }

/* All threads of a grid: the kernel must have been launched cooperatively. */
class grid_group {
public:
    THREELANE_MEMBER void sync(THREELANE_AT) const { threelane_sync_grid(file, line); }
    THREELANE_MEMBER bool is_valid() const { return true; }
    static THREELANE_MEMBER unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static THREELANE_MEMBER unsigned long long block_rank()
    {
        return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static THREELANE_MEMBER unsigned long long size() { return num_blocks() * details::block_size(); }
    static THREELANE_MEMBER unsigned long long num_threads() { return size(); }
    static THREELANE_MEMBER unsigned long long thread_rank()
    {
        return block_rank() * details::block_size() + details::rank_in_block();
    }
    static THREELANE_MEMBER dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
    static THREELANE_MEMBER dim3 dim_blocks() { return group_dim(); }
    static THREELANE_MEMBER dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
};
THREELANE_MEMBER grid_group this_grid() { return grid_group(); }

/* Lanes of one warp. Ranks follow the lanes' order. */
class warp_group {
protected:
    unsigned mask_, rank_, size_;
    THREELANE_MEMBER warp_group(unsigned mask)
        : mask_(mask), rank_((unsigned)__builtin_popcount(mask & ((1u << details::lane()) - 1))),
          size_((unsigned)__builtin_popcount(mask))
    {
    }
    /* the lane of a rank */
    THREELANE_MEMBER unsigned lane_of(unsigned rank) const
    {
        unsigned rest = mask_;
        for (unsigned i = 0; i < rank; i++) rest &= rest - 1;
        return rest ? (unsigned)__builtin_ctz(rest) : 0;
    }
    /* a mask of lanes as a mask of ranks */
    THREELANE_MEMBER unsigned ranks_of(unsigned lanes) const
    {
        unsigned ranks = 0, rank = 0;
        for (unsigned rest = mask_; rest; rest &= rest - 1, rank++)
            if (lanes & rest & -rest) ranks |= 1u << rank;
        return ranks;
    }
public:
    THREELANE_MEMBER void sync(THREELANE_AT) const { __syncwarp(mask_, file, line); }
    /* the lanes of the group that give the same value */
    template <class T> THREELANE_MEMBER unsigned lanes_like(T value, const char *file, int line) const
    {
        return __match_any_sync(mask_, value, file, line);
    }
    THREELANE_MEMBER unsigned size() const { return size_; }
    THREELANE_MEMBER unsigned num_threads() const { return size_; }
    THREELANE_MEMBER unsigned thread_rank() const { return rank_; }
    template <class T> THREELANE_MEMBER T shfl(T value, unsigned rank, THREELANE_AT) const
    {
        return __shfl_sync(mask_, value, (int)lane_of(rank % size_), 32, file, line);
    }
    template <class T> THREELANE_MEMBER T shfl_up(T value, unsigned by, THREELANE_AT) const
    {
        return __shfl_sync(mask_, value, (int)lane_of(by > rank_ ? rank_ : rank_ - by), 32, file, line);
    }
    template <class T> THREELANE_MEMBER T shfl_down(T value, unsigned by, THREELANE_AT) const
    {
        return __shfl_sync(mask_, value, (int)lane_of(rank_ + by < size_ ? rank_ + by : rank_), 32, file, line);
    }
    template <class T> THREELANE_MEMBER T shfl_xor(T value, unsigned ranks, THREELANE_AT) const
    {
        return __shfl_sync(mask_, value, (int)lane_of((rank_ ^ ranks) < size_ ? rank_ ^ ranks : rank_), 32, file, line);
    }
    THREELANE_MEMBER unsigned ballot(int predicate, THREELANE_AT) const
    {
        return ranks_of(__ballot_sync(mask_, predicate, file, line));
    }
    THREELANE_MEMBER int any(int predicate, THREELANE_AT) const { return __any_sync(mask_, predicate, file, line); }
    THREELANE_MEMBER int all(int predicate, THREELANE_AT) const { return __all_sync(mask_, predicate, file, line); }
    template <class T> THREELANE_MEMBER unsigned match_any(T value, THREELANE_AT) const
    {
        return ranks_of(__match_any_sync(mask_, value, file, line));
    }
    template <class T> THREELANE_MEMBER unsigned match_all(T value, int &same, THREELANE_AT) const
    {
        return ranks_of(__match_all_sync(mask_, value, &same, file, line));
    }
};

class coalesced_group : public warp_group {
    friend class thread_group;
public:
    THREELANE_MEMBER explicit coalesced_group(unsigned mask) : warp_group(mask) {}
    THREELANE_MEMBER unsigned meta_group_rank() const { return 0; }
    THREELANE_MEMBER unsigned meta_group_size() const { return 1; }
};
THREELANE_MEMBER coalesced_group coalesced_threads(THREELANE_AT) { return coalesced_group(__activemask(file, line)); }
/* The threads of a group that come with the same label, or the same answer. */
template <class Label>
THREELANE_MEMBER coalesced_group labeled_partition(const warp_group &group, Label label, THREELANE_AT)
{
    return coalesced_group(group.lanes_like(label, file, line));
}
THREELANE_MEMBER coalesced_group binary_partition(const warp_group &group, bool answer, THREELANE_AT)
{
    return coalesced_group(group.lanes_like((int)answer, file, line));
}

namespace details {
THREELANE_MEMBER unsigned tile_mask(unsigned size)
{
    unsigned first = lane() / size * size;
    return (size >= 32 ? ~0u : (1u << size) - 1) << first;
}
}

/* SIZE consecutive threads of a block, SIZE a power of two up to 32. */
template <unsigned SIZE, class Parent = void> class thread_block_tile : public warp_group {
    static_assert(SIZE >= 1 && SIZE <= 32 && (SIZE & (SIZE - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");
    unsigned meta_rank_, meta_size_;
    template <unsigned, class> friend class thread_block_tile;
public:
    /* thread_block_tile<32> names a tile of any parent */
    template <class Other>
    THREELANE_MEMBER thread_block_tile(const thread_block_tile<SIZE, Other> &other)
        : warp_group(other), meta_rank_(other.meta_rank_), meta_size_(other.meta_size_)
    {
    }
    THREELANE_MEMBER explicit thread_block_tile(unsigned parent_rank, unsigned parent_size)
        : warp_group(details::tile_mask(SIZE)), meta_rank_(parent_rank / SIZE),
          meta_size_((parent_size + SIZE - 1) / SIZE)
    {
        this->size_ = SIZE;
        this->rank_ = details::rank_in_block() % SIZE;
    }
    static constexpr THREELANE_MEMBER unsigned size() { return SIZE; }
    static constexpr THREELANE_MEMBER unsigned num_threads() { return SIZE; }
    THREELANE_MEMBER unsigned meta_group_rank() const { return meta_rank_; }
    THREELANE_MEMBER unsigned meta_group_size() const { return meta_size_; }
};
template <unsigned SIZE, class Parent>
THREELANE_MEMBER thread_block_tile<SIZE, Parent> tiled_partition(const Parent &parent)
{
    return thread_block_tile<SIZE, Parent>(parent.thread_rank(), parent.size());
}

/* Any of the above whose kind is known only at run time. */
class thread_group {
    unsigned mask_, size_, rank_;     /* mask_ 0: the whole block */
public:
    THREELANE_MEMBER thread_group(const thread_block &)
        : mask_(0), size_(details::block_size()), rank_(details::rank_in_block())
    {
    }
    template <unsigned SIZE, class Parent>
    THREELANE_MEMBER thread_group(const thread_block_tile<SIZE, Parent> &tile)
        : mask_(details::tile_mask(SIZE)), size_(SIZE), rank_(tile.thread_rank())
    {
    }
    THREELANE_MEMBER thread_group(const coalesced_group &group)
        : mask_(group.mask_), size_(group.size()), rank_(group.thread_rank())
    {
    }
    THREELANE_MEMBER explicit thread_group(unsigned tile)
        : mask_(details::tile_mask(tile)), size_(tile), rank_(details::rank_in_block() % tile)
    {
    }
    THREELANE_MEMBER void sync(THREELANE_AT) const
    {
        if (mask_) __syncwarp(mask_, file, line);
        else threelane_sync(file, line);
    }
    THREELANE_MEMBER unsigned size() const { return size_; }
    THREELANE_MEMBER unsigned num_threads() const { return size_; }
    THREELANE_MEMBER unsigned thread_rank() const { return rank_; }
};
THREELANE_MEMBER thread_group tiled_partition(const thread_group &, unsigned size) { return thread_group(size); }
THREELANE_MEMBER thread_group tiled_partition(const thread_block &, unsigned size) { return thread_group(size); }

template <class Group> THREELANE_MEMBER void sync(const Group &group, THREELANE_AT) { group.sync(file, line); }

/* ---- cooperative_groups/reduce.h and scan.h ---- */

template <class T> struct plus { THREELANE_MEMBER T operator()(T a, T b) const { return a + b; } };
template <class T> struct less { THREELANE_MEMBER T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T> struct greater { THREELANE_MEMBER T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T> struct bit_and { THREELANE_MEMBER T operator()(T a, T b) const { return a & b; } };
template <class T> struct bit_or { THREELANE_MEMBER T operator()(T a, T b) const { return a | b; } };
template <class T> struct bit_xor { THREELANE_MEMBER T operator()(T a, T b) const { return a ^ b; } };

template <class Group, class T, class Op> THREELANE_MEMBER T reduce(const Group &group, T value, Op op, THREELANE_AT)
{
    T result = group.shfl(value, 0, file, line);
    for (unsigned i = 1; i < group.size(); i++) result = op(result, group.shfl(value, i, file, line));
    return result;
}
template <class Group, class T, class Op>
THREELANE_MEMBER T inclusive_scan(const Group &group, T value, Op op, THREELANE_AT)
{
    for (unsigned by = 1; by < group.size(); by *= 2) {
        T other = group.shfl_up(value, by, file, line);
        if (group.thread_rank() >= by) value = op(other, value);
    }
    return value;
}
template <class Group, class T> THREELANE_MEMBER T inclusive_scan(const Group &group, T value, THREELANE_AT)
{
    return inclusive_scan(group, value, plus<T>(), file, line);
}
template <class Group, class T, class Op>
THREELANE_MEMBER T exclusive_scan(const Group &group, T value, Op op, THREELANE_AT)
{
    T before = group.shfl_up(inclusive_scan(group, value, op, file, line), 1, file, line);
    return group.thread_rank() ? before : T();
}
template <class Group, class T> THREELANE_MEMBER T exclusive_scan(const Group &group, T value, THREELANE_AT)
{
    return exclusive_scan(group, value, plus<T>(), file, line);
}
#undef THREELANE_MEMBER
}
#endif
