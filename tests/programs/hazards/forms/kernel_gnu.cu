// compiler: g++
// check: race,not-guaranteed
// flags: -O2
// out: 60 forms
#include "kernel.h"
// hazard: race 98 98
// err: kernel.h:98: read_char in stream 1 reads d[0..0]
// hazard: race 99 99
// err: kernel.h:99: read_short in stream 1 reads d[2..3]
// hazard: race 100 100
// err: kernel.h:100: read_int in stream 1 reads d[0..3]
// hazard: race 101 101
// err: kernel.h:101: read_double in stream 1 reads d[8..15]
// hazard: race 102 102
// err: kernel.h:102: read_int128 in stream 1 reads d[0..15]
// hazard: race 103 103
// err: kernel.h:103: read_float4 in stream 1 reads d[16..31]
// hazard: race 104 104
// err: kernel.h:104: read_double2 in stream 1 reads d[0..15]
// hazard: race 105 105
// err: kernel.h:105: read_struct12 in stream 1 reads d[0..11]
// hazard: race 106 106
// err: kernel.h:106: read_struct24 in stream 1 reads d[0..23]
// hazard: race 107 107
// err: kernel.h:107: read_struct128 in stream 1 reads d[0..127]
// hazard: race 108 108
// err: kernel.h:108: read_packed in stream 1 reads d[0..12]
// hazard: race 109 109
// err: kernel.h:109: read_member in stream 1 reads d[1..4]
// hazard: race 110 110
// err: kernel.h:110: read_fields in stream 1 reads d[0..3]
// hazard: race 111 111
// err: kernel.h:111: read_unaligned in stream 1 reads d[5..8]
// hazard: race 112 112
// err: kernel.h:112: read_builtin_memcpy in stream 1 reads d[3..6]
// hazard: race 113 113
// err: kernel.h:113: read_loop in stream 1 reads d[0..399]
// hazard: race 114 114
// err: kernel.h:114: read_odd_bytes in stream 1 reads d[1..99]
// hazard: race 115 115
// err: kernel.h:115: read_memcpy in stream 1 reads d[0..63]
// hazard: race 116 116
// err: kernel.h:116: read_memcpy_n in stream 1 reads d[0..76]
// hazard: race 117 117
// err: kernel.h:117: read_memcmp in stream 1 reads d[0..15]
// hazard: race 118 118
// err: kernel.h:118: read_virtual in stream 1 reads d[0..7]
// hazard: race 119 119
// err: kernel.h:119: read_reference in stream 1 reads d[4..7]
// hazard: not-guaranteed 120 120
// err: kernel.h:120: read_volatile in stream 1 atomically reads d[0..3]
// hazard: not-guaranteed 121 121
// err: kernel.h:121: read_atomic in stream 1 atomically reads d[0..7]
// hazard: not-guaranteed 122 122
// err: kernel.h:122: read_std_atomic in stream 1 atomically reads d[0..3]
// hazard: race 123 123
// err: kernel.h:123: write_char in stream 1 writes d[0..0]
// hazard: race 124 124
// err: kernel.h:124: write_short in stream 1 writes d[2..3]
// hazard: race 125 125
// err: kernel.h:125: write_int in stream 1 writes d[0..3]
// hazard: race 126 126
// err: kernel.h:126: write_double in stream 1 writes d[8..15]
// hazard: race 127 127
// err: kernel.h:127: write_int128 in stream 1 writes d[0..15]
// hazard: race 128 128
// err: kernel.h:128: write_float4 in stream 1 writes d[16..31]
// hazard: race 129 129
// err: kernel.h:129: write_struct12 in stream 1 writes d[0..11]
// hazard: race 130 130
// err: kernel.h:130: write_struct128 in stream 1 writes d[0..127]
// hazard: race 131 131
// err: kernel.h:131: write_members in stream 1 writes d[1..12]
// hazard: race 132 132
// err: kernel.h:132: write_unaligned in stream 1 writes d[5..8]
// hazard: race 133 133
// err: kernel.h:133: write_loop in stream 1 writes d[0..399]
// hazard: race 134 134
// err: kernel.h:134: write_zeros in stream 1 writes d[0..399]
// hazard: race 135 135
// err: kernel.h:135: write_copy in stream 1 writes d[0..399]
// hazard: race 136 136
// err: kernel.h:136: write_even_bytes in stream 1 writes d[0..98]
// hazard: race 137 137
// err: kernel.h:137: write_memset in stream 1 writes d[0..63]
// hazard: race 138 138
// err: kernel.h:138: write_memcpy in stream 1 writes d[0..63]
// hazard: race 139 139
// err: kernel.h:139: write_memmove in stream 1 writes d[0..63]
// hazard: race 140 140
// err: kernel.h:140: write_memcpy_n in stream 1 writes d[0..76]
// hazard: race 141 141
// err: kernel.h:141: write_vptr in stream 1 writes d[0..7]
// hazard: race 142 142
// err: kernel.h:142: write_volatile in stream 1 atomically updates d[0..3]
// hazard: race 143 143
// err: kernel.h:143: write_atomic in stream 1 atomically updates d[0..7]
// hazard: race 144 144
// err: kernel.h:144: write_std_atomic in stream 1 atomically updates d[0..3]
// hazard: race 145 145
// err: kernel.h:145: update in stream 1 reads and writes d[0..3]
// hazard: race 146 146
// err: kernel.h:146: update_double in stream 1 reads and writes d[0..7]
// hazard: race 147 147
// err: kernel.h:147: update_char in stream 1 reads and writes d[0..0]
// hazard: race 148 148
// err: kernel.h:148: update_field in stream 1 writes d[0..3]
// hazard: race 149 149
// err: kernel.h:149: update_swap in stream 1 reads and writes d[0..7]
// hazard: race 150 150
// err: kernel.h:150: update_atomic in stream 1 atomically updates d[0..7]
// hazard: race 151 151
// err: kernel.h:151: update_sync in stream 1 atomically updates d[0..3]
// hazard: race 152 152
// err: kernel.h:152: update_exchange in stream 1 atomically updates d[0..3]
// hazard: race 153 153
// err: kernel.h:153: update_compare in stream 1 atomically updates d[0..7]
// hazard: race 154 154
// err: kernel.h:154: read_ldg in stream 1 reads d[0..15]
// hazard: race 155 155
// err: kernel.h:155: atomic_add in stream 1 atomically updates d[0..3]
// hazard: race 156 156
// err: kernel.h:156: atomic_add_double in stream 1 atomically updates d[0..7]
// hazard: race 157 157
// err: kernel.h:157: atomic_cas in stream 1 atomically updates d[0..7]
