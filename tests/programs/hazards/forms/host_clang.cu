// compiler: clang++
// check: all
// flags: -O2
// out: 56 forms
#include "host.h"
// hazard: host-race 87 26
// err: host.h:26: host code reads h[0..0]
// hazard: host-race 87 27
// err: host.h:27: host code reads h[2..3]
// hazard: host-race 87 28
// err: host.h:28: host code reads h[0..3]
// hazard: host-race 87 29
// err: host.h:29: host code reads h[8..15]
// hazard: host-race 87 30
// err: host.h:30: host code reads h[0..15]
// hazard: host-race 87 31
// err: host.h:31: host code reads h[16..31]
// hazard: host-race 87 32
// err: host.h:32: host code reads h[0..15]
// hazard: host-race 87 33
// err: host.h:33: host code reads h[0..11]
// hazard: host-race 87 34
// err: host.h:34: host code reads h[0..23]
// hazard: host-race 87 35
// err: host.h:35: host code reads h[0..127]
// hazard: host-race 87 36
// err: host.h:36: host code reads h[0..12]
// hazard: host-race 87 37
// err: host.h:37: host code reads h[1..4]
// hazard: host-race 87 38
// err: host.h:38: host code reads h[0..3]
// hazard: host-race 87 39
// err: host.h:39: host code reads h[5..8]
// hazard: host-race 87 40
// err: host.h:40: host code reads h[3..6]
// hazard: host-race 87 41
// err: host.h:41: host code reads h[0..399]
// hazard: host-race 87 42
// err: host.h:42: host code reads h[1..99]
// hazard: host-race 87 43
// err: host.h:43: host code reads h[0..63]
// hazard: host-race 87 44
// err: host.h:44: host code reads h[0..76]
// hazard: host-race 87 45
// err: host.h:45: host code reads h[0..15]
// hazard: host-race 87 46
// err: host.h:46: host code reads h[0..7]
// hazard: host-race 87 47
// err: host.h:47: host code reads h[4..7]
// hazard: not-guaranteed 87 48
// err: host.h:48: host code reads atomically h[0..3]
// hazard: not-guaranteed 87 49
// err: host.h:49: host code reads atomically h[0..7]
// hazard: not-guaranteed 87 50
// err: host.h:50: host code reads atomically h[0..3]
// hazard: host-race 87 51
// err: host.h:51: host code writes h[0..0]
// hazard: host-race 87 52
// err: host.h:52: host code writes h[2..3]
// hazard: host-race 87 53
// err: host.h:53: host code writes h[0..3]
// hazard: host-race 87 54
// err: host.h:54: host code writes h[8..15]
// hazard: host-race 87 55
// err: host.h:55: host code writes h[0..15]
// hazard: host-race 87 56
// err: host.h:56: host code writes h[16..31]
// hazard: host-race 87 57
// err: host.h:57: host code writes h[0..11]
// hazard: host-race 87 58
// err: host.h:58: host code writes h[0..127]
// hazard: host-race 87 59
// err: host.h:59: host code writes h[1..12]
// hazard: host-race 87 60
// err: host.h:60: host code writes h[5..8]
// hazard: host-race 87 61
// err: host.h:61: host code writes h[0..399]
// hazard: host-race 87 62
// err: host.h:62: host code writes h[0..399]
// hazard: host-race 87 63
// err: host.h:63: host code writes h[0..399]
// hazard: host-race 87 64
// err: host.h:64: host code writes h[0..98]
// hazard: host-race 87 65
// err: host.h:65: host code writes h[0..63]
// hazard: host-race 87 66
// err: host.h:66: host code writes h[0..63]
// hazard: host-race 87 67
// err: host.h:67: host code writes h[0..63]
// hazard: host-race 87 68
// err: host.h:68: host code writes h[0..76]
// hazard: host-race 87 15
// err: host.h:15: host code writes h[0..7]
// hazard: host-race 87 70
// err: host.h:70: host code updates atomically h[0..3]
// hazard: host-race 87 71
// err: host.h:71: host code updates atomically h[0..7]
// hazard: host-race 87 72
// err: host.h:72: host code updates atomically h[0..3]
// hazard: host-race 87 73
// err: host.h:73: host code reads and writes h[0..3]
// hazard: host-race 87 74
// err: host.h:74: host code reads and writes h[0..7]
// hazard: host-race 87 75
// err: host.h:75: host code reads and writes h[0..0]
// hazard: host-race 87 76
// err: host.h:76: host code reads and writes h[0..3]
// hazard: host-race 87 77
// err: host.h:77: host code reads and writes h[0..7]
// hazard: host-race 87 78
// err: host.h:78: host code updates atomically h[0..7]
// hazard: host-race 87 79
// err: host.h:79: host code updates atomically h[0..3]
// hazard: host-race 87 80
// err: host.h:80: host code updates atomically h[0..3]
// hazard: host-race 87 81
// err: host.h:81: host code updates atomically h[0..7]
