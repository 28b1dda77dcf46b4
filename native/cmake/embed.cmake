# Writes the bytes of IN as a C++ array hinm_fatbin_NAME to OUT.
file(READ "${IN}" hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," body "${hex}")
file(WRITE "${OUT}" "#include <cstddef>
extern const unsigned char hinm_fatbin_${NAME}[];
extern const std::size_t hinm_fatbin_${NAME}_size;
alignas(64) const unsigned char hinm_fatbin_${NAME}[] = {${body}};
const std::size_t hinm_fatbin_${NAME}_size = ${size};
")
