// A stream variable that was never given a stream.
// status: 97
// err: not_a_stream.cu:8: cudaStreamSynchronize: 0x1230 is not a stream: was it ever created?
int main()
{
    cudaStream_t s = (cudaStream_t)0x1230;
    cudaFree(0);
    cudaStreamSynchronize(s);
    return 0;
}
