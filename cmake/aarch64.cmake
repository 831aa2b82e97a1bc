# AArch64 Linux, little-endian: cmake --preset aarch64
set(CROSS_PROCESSOR aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/linux-cross.cmake)
