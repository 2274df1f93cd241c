#!/usr/bin/env bash
# Fails where a function of the shared library other than the dispatched entries holds an instruction on a ymm or zmm
# register or a VEX or EVEX encoded one: it would be met on a processor without AVX. Prints the entries that hold some.
set -euo pipefail
library=$1
objdump -d --no-show-raw-insn "$library" | awk '
    /^[0-9a-f]+ <.*>:$/ { name = substr($2, 2, length($2) - 3); next }
    $2 ~ /^v[a-z]/ && $2 !~ /^(verr|verw)$/ { count[name] += 1; if ($0 ~ /zmm|\{%k[1-7]\}/) wide[name] += 1 }
    END {
        for (name in count) {
            if (name !~ /gelu.*kernel.*vector.*(avx2|avx512)/) { print "AVX in " name; bad = 1 }
            else if (name ~ /vector.*avx2/ && wide[name]) { print "AVX-512 in " name; bad = 1 }
            else { print count[name], name; entries += 1 }
        }
        if (entries == 0) { print "no entry found"; bad = 1 }
        exit bad
    }'
