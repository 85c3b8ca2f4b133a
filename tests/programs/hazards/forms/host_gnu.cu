// compiler: g++
// check: all
// flags: -O2
// out: 56 forms
#include "host.h"
// hazard: host-race 87 26
// err: :26: host code reads h[0..0]
// hazard: host-race 87 27
// err: :27: host code reads h[2..3]
// hazard: host-race 87 28
// err: :28: host code reads h[0..3]
// hazard: host-race 87 29
// err: :29: host code reads h[8..15]
// hazard: host-race 87 30
// err: :30: host code reads h[0..15]
// hazard: host-race 87 31
// err: :31: host code reads h[16..31]
// hazard: host-race 87 32
// err: :32: host code reads h[0..15]
// hazard: host-race 87 33
// err: :33: host code reads h[0..11]
// hazard: host-race 87 34
// err: :34: host code reads h[0..23]
// hazard: host-race 87 35
// err: :35: host code reads h[0..127]
// hazard: host-race 87 36
// err: :36: host code reads h[0..12]
// hazard: host-race 87 37
// err: :37: host code reads h[1..4]
// hazard: host-race 87 38
// err: :38: host code reads h[0..3]
// hazard: host-race 87 39
// err: :39: host code reads h[5..8]
// hazard: host-race 87 40
// err: :40: host code reads h[3..6]
// hazard: host-race 87 41
// err: :41: host code reads h[0..399]
// hazard: host-race 87 42
// err: :42: host code reads h[1..99]
// hazard: host-race 87 43
// err: :43: host code reads h[0..63]
// hazard: host-race 87 44
// err: :44: host code reads h[0..76]
// hazard: host-race 87 45
// err: :45: host code reads h[0..15]
// hazard: host-race 87 46
// err: :46: host code reads h[0..7]
// hazard: host-race 87 47
// err: :47: host code reads h[4..7]
// hazard: not-guaranteed 87 48
// err: :48: host code atomically reads h[0..3]
// hazard: not-guaranteed 87 49
// err: :49: host code atomically reads h[0..7]
// hazard: not-guaranteed 87 50
// err: :50: host code atomically reads h[0..3]
// hazard: host-race 87 51
// err: :51: host code writes h[0..0]
// hazard: host-race 87 52
// err: :52: host code writes h[2..3]
// hazard: host-race 87 53
// err: :53: host code writes h[0..3]
// hazard: host-race 87 54
// err: :54: host code writes h[8..15]
// hazard: host-race 87 55
// err: :55: host code writes h[0..15]
// hazard: host-race 87 56
// err: :56: host code writes h[16..31]
// hazard: host-race 87 57
// err: :57: host code writes h[0..11]
// hazard: host-race 87 58
// err: :58: host code writes h[0..127]
// hazard: host-race 87 59
// err: :59: host code writes h[1..12]
// hazard: host-race 87 60
// err: :60: host code writes h[5..8]
// hazard: host-race 87 61
// err: :61: host code writes h[0..399]
// hazard: host-race 87 62
// err: :62: host code writes h[0..399]
// hazard: host-race 87 63
// err: :63: host code writes h[0..399]
// hazard: host-race 87 64
// err: :64: host code writes h[0..98]
// hazard: host-race 87 65
// err: :65: host code writes h[0..63]
// hazard: host-race 87 66
// err: :66: host code writes h[0..63]
// hazard: host-race 87 67
// err: :67: host code writes h[0..63]
// hazard: host-race 87 68
// err: :68: host code writes h[0..76]
// hazard: host-race 87 15
// err: :15: host code writes h[0..7]
// hazard: host-race 87 70
// err: :70: host code atomically updates h[0..3]
// hazard: host-race 87 71
// err: :71: host code atomically updates h[0..7]
// hazard: host-race 87 72
// err: :72: host code atomically updates h[0..3]
// hazard: host-race 87 73
// err: :73: host code reads and writes h[0..3]
// hazard: host-race 87 74
// err: :74: host code reads and writes h[0..7]
// hazard: host-race 87 75
// err: :75: host code reads and writes h[0..0]
// hazard: host-race 87 76
// err: :76: host code writes h[0..3]
// hazard: host-race 87 77
// err: :77: host code reads and writes h[0..7]
// hazard: host-race 87 78
// err: :78: host code atomically updates h[0..7]
// hazard: host-race 87 79
// err: :79: host code atomically updates h[0..3]
// hazard: host-race 87 80
// err: :80: host code atomically updates h[0..3]
// hazard: host-race 87 81
// err: :81: host code atomically updates h[0..7]
