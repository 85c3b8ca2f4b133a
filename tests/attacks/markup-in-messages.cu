// ex43 compile error: .
// Messages of the compiler that break out of HTML, XML, CSV and JSON.
#include "ex43.h"
#error <script>alert(1)</script> ]]> --> </pre></body> "=cmd|'/c calc'!A1" \u0000 \" \\ {"verdict":"pass"} &amp; &#0; %s%n
#line 1 "<img src=x onerror=alert(2)>.cu"
int x = "=HYPERLINK(\"http://example.com\")]]><script>";
void asyncPipeline(const float *, float *, float *, float *) {}
