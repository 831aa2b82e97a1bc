# make install: headers, both libraries, pkg-config file, CMake package, man pages. The command: tools/CMakeLists.txt.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/celer TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(TARGETS celer_shared celer_static EXPORT celer)

# find_package(celer) gives celer::celer (shared) and celer::static.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/celer)
install(EXPORT celer NAMESPACE celer:: FILE celer-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(celer-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/celer-config-version.cmake DESTINATION ${package_dir})

# The pkg-config file finds its prefix from its own place, so that the installed tree may be moved.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH CELER_PC_TO_PREFIX /${pc_dir} /)
string(REGEX REPLACE "/$" "" CELER_PC_TO_PREFIX "${CELER_PC_TO_PREFIX}")
configure_file(cmake/celer.pc.in celer.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/celer.pc DESTINATION ${pc_dir})

file(GLOB man_pages CONFIGURE_DEPENDS docs/man/*.1)
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE TYPE DOC)
