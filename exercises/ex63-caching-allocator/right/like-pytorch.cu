// as PyTorch does it: C++ containers, a pool of events, a list of events that are looked through at every request
#include "ex63.h"
#include <deque>
#include <map>
#include <set>
#include <vector>

struct Block {
    char *at;
    size_t bytes;
    cudaStream_t stream;
    std::set<cudaStream_t> uses;
    int event_count;
};

static std::map<void *, Block *> held;
static std::map<cudaStream_t, std::multimap<size_t, Block *>> pools;
static std::map<cudaStream_t, std::deque<std::pair<cudaEvent_t, Block *>>> pending;
static std::vector<cudaEvent_t> event_pool;
static std::vector<Block *> everything;
static char *unused;
static size_t left;

static cudaEvent_t take_event(void)
{
    cudaEvent_t event;
    if (event_pool.empty()) {
        cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
        return event;
    }
    event = event_pool.back();
    event_pool.pop_back();
    return event;
}

static void to_pool(Block *block)
{
    pools[block->stream].insert({block->bytes, block});
}

static void process_events(void)
{
    for (auto &one : pending) {
        auto &events = one.second;
        while (!events.empty() && cudaEventQuery(events.front().first) == cudaSuccess) {
            event_pool.push_back(events.front().first);
            if (--events.front().second->event_count == 0) to_pool(events.front().second);
            events.pop_front();
        }
    }
}

void allocatorStart(void *slab, size_t bytes)
{
    unused = (char *)slab;
    left = bytes;
}

void *allocate(size_t bytes, cudaStream_t stream)
{
    const size_t size = (bytes + 511) / 512 * 512;
    process_events();

    Block *block;
    auto &pool = pools[stream];
    auto best = pool.lower_bound(size);              // the smallest that is large enough
    if (best != pool.end()) {
        block = best->second;
        pool.erase(best);
    } else {
        if (size > left) return nullptr;
        block = new Block{unused, size, stream, {}, 0};
        everything.push_back(block);
        unused += size;
        left -= size;
    }
    held[block->at] = block;
    return block->at;
}

void recordStream(void *at, cudaStream_t stream)
{
    Block *block = held.at(at);
    if (stream != block->stream) block->uses.insert(stream);
}

void release(void *at)
{
    Block *block = held.at(at);
    held.erase(at);
    for (cudaStream_t stream : block->uses) {
        cudaEvent_t event = take_event();
        cudaEventRecord(event, stream);
        pending[stream].push_back({event, block});
        block->event_count++;
    }
    block->uses.clear();
    if (block->event_count == 0) to_pool(block);
}

void allocatorStop(void)
{
    process_events();
    for (auto &one : pending)
        for (auto &wait : one.second) event_pool.push_back(wait.first);
    for (cudaEvent_t event : event_pool) cudaEventDestroy(event);
    for (Block *block : everything) delete block;
    pending.clear();
    pools.clear();
    event_pool.clear();
    everything.clear();
}
