# The front door; CMake does the work, and CMakePresets.json has its other builds.
# CC, CFLAGS, LDFLAGS and -jN are heeded: CFLAGS=-O2 make clean bench
.PHONY: all bench bench-kem bench-all test install clean
.NOTPARALLEL: # "make -j clean bench" means: one after the other
all:
	@scripts/build
bench:
	@scripts/build --target celer_tool --target celer_peers >&2 && scripts/bench
bench-kem:
	@SELECT=kem $(MAKE) --no-print-directory bench
bench-all:
	@SELECT='sha3 sha2 permutation' $(MAKE) --no-print-directory bench
test:
	@scripts/setup test && scripts/build -D CELER_TESTS=ON && ctest --preset release
install: all
	@cmake --install build $(if $(PREFIX),--prefix "$(PREFIX)")
clean:
	rm -rf build
