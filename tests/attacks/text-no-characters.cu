// ex43 compile error: error:
// never: ￾|￿|﷐|🿿| 
// Bytes that are no characters of XML, in the source and in the compiler's messages.
#include "ex43.h"
#error ￿ ￾ ﷐ 🿿 􏿿 ��� ���   [2J  ‮
