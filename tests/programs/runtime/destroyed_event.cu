// status: 97
// err: destroyed_event.cu:10: cudaStreamWaitEvent: the event was destroyed at
// err: destroyed_event.cu:9
int main()
{
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaEventRecord(e);
    cudaEventDestroy(e);
    cudaStreamWaitEvent(0, e, 0);
    return 0;
}
