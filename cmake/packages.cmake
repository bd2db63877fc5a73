# Three Debian packages (make deb): the program, the shared libraries, and what
# building against them needs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR Dosimeter)
set(CPACK_PACKAGE_CONTACT "The developers of Dosimeter <dosimeter@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

get_target_property(abi dosimeter SOVERSION)
set(library libdosimeter${abi})
set(version ${PROJECT_VERSION})
set(components ${CPACK_COMPONENTS_ALL})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME dosimeter)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libdosimeter-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library} (= ${version})")
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"Says how much privacy a release or a training costs, as an interval that
provably contains the exact value; finds the noise for a target, releases
statistics and trains models with exactly that noise.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
"The shared libraries: accounting, questions as JSON, exact noise.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"Headers, the static library, and files for CMake and pkg-config.")
foreach(package dosimeter ${library} libdosimeter-dev)
    list(POP_FRONT components component)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE RENAME copyright
        DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package}
        COMPONENT ${component})
endforeach()
include(CPack)
