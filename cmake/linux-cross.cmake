# What the toolchain files of Linux targets share. Debian's cross compilers and the target's own libraries, which
# multi-arch installs beside the host's (scripts/setup cross); tests run under qemu-user.
#
#   set(CROSS_PROCESSOR aarch64)
#   include(${CMAKE_CURRENT_LIST_DIR}/linux-cross.cmake)
set(CROSS_TRIPLE ${CROSS_PROCESSOR}-linux-gnu)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${CROSS_PROCESSOR})
set(CMAKE_C_COMPILER ${CROSS_TRIPLE}-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${CROSS_TRIPLE})

# The target's pkg-config files, and none of the host's.
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/${CROSS_TRIPLE}/pkgconfig:/usr/share/pkgconfig)

# No -L: the loader and the libraries are where the target's programs look for them. QEMU_CPU names the core.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CROSS_PROCESSOR})
