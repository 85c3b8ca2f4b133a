// status: 97
// err: event_as_stream.cu:7: cudaStreamQuery:
// err: is an event, not a stream
int main()
{
    cudaEvent_t e;
    cudaEventCreate(&e), cudaStreamQuery((cudaStream_t)e);
    return 0;
}
