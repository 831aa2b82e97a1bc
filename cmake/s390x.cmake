# s390x Linux, big-endian: cmake --preset s390x
set(CROSS_PROCESSOR s390x)
include(${CMAKE_CURRENT_LIST_DIR}/linux-cross.cmake)
