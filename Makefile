# The front door; the build itself is CMake (see CMakePresets.json).
.PHONY: demo test build install lint fuzz coverage bench clean

BUILD = build/release
PREFIX ?= /usr/local

demo: build
	@tools/demo $(BUILD)/programs/dosimeter

build:
	@tools/install-packages build
	@cmake --preset release -DDOSI_TESTS=OFF >/dev/null
	@cmake --build $(BUILD)

# Builds with sanitizers and runs every test, then the checks of the sources.
test:
	@tools/install-packages test
	@cmake --preset dev >/dev/null
	@cmake --build build/dev
	@ctest --test-dir build/dev --output-on-failure -j "$$(nproc)"
	@$(MAKE) --no-print-directory lint

# Second compiler, static analysis, layers, exported symbols.
lint:
	@tools/install-packages test
	@tools/lint

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

fuzz:
	@tools/install-packages test
	@cmake --preset fuzz >/dev/null
	@cmake --build build/fuzz
	@tools/fuzz build/fuzz

coverage:
	@tools/install-packages test
	@cmake --preset coverage >/dev/null
	@cmake --build build/coverage
	@ctest --test-dir build/coverage
	@tools/coverage build/coverage

bench:
	@cmake --preset release -DDOSI_TESTS=ON >/dev/null
	@cmake --build $(BUILD)
	@tools/bench $(BUILD)

clean:
	@rm -rf build
