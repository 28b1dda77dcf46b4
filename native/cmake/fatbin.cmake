# Compiles SOURCE for MACHINES (separated by |) to the fatbin OUT; what ptxas says of each kernel goes to OUT.log.
string(REPLACE "|" ";" machines "${MACHINES}")
execute_process(
  COMMAND ${NVCC} -std=c++20 -O3 -fatbin --compress-mode=size -Xptxas -v -MD -MF ${OUT}.d -MT ${OUT} -I${INCLUDE} ${machines} -o ${OUT} ${SOURCE}
  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE status)
file(WRITE ${OUT}.log "${said}")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "nvcc could not compile ${SOURCE}:\n${said}")
endif()
