# The front door; the build itself is CMake (see CMakePresets.json).
.PHONY: demo test test-peers build install wheel deb test-packages lint fuzz \
	coverage bench bench-check soundness slow-questions attacks bench-peers clean

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
	@! test -f build/python/skipped || cat build/python/skipped
	@$(MAKE) --no-print-directory lint

# The Python package against the real Opacus, dp_accounting and JAX Privacy,
# which are installed into build/python (with torch, some gigabytes); columns
# of plans and statements of SQL in DuckDB, PostgreSQL and Spark (Java).
test-peers:
	@tools/install-packages test
	@tools/test-python --peers
	@cmake --preset dev >/dev/null
	@cmake --build build/dev --target sql_tool
	@tools/test-sql build/dev/tests/sql_tool --peers
	@tools/test-arrow

# Second compiler, static analysis, layers, exported symbols.
lint:
	@tools/install-packages test
	@tools/lint

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

# The Python package: an sdist, and a wheel that needs no compiler, in
# build/wheel.
wheel:
	@tools/install-packages packages
	@tools/make-wheel

# Debian packages, in build/release/packages.
deb: build
	@tools/install-packages packages
	@cd $(BUILD) && cpack --config CPackConfig.cmake >cpack.log || \
	    { cat cpack.log >&2; exit 1; }
	@ls $(BUILD)/packages/*.deb

# The wheel, the sdist and the Debian packages on a bare Debian 12 (root).
test-packages: wheel deb
	@tools/test-packages

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

# Instructions that the program takes for some questions, against
# bench/baseline.csv: more than 5 % worse fails. UPDATE=1 rewrites the file.
bench-check:
	@tools/install-packages test
	@cmake --preset release >/dev/null
	@cmake --build $(BUILD) --target dosimeter_cli
	@tools/bench-check $(BUILD)/programs/dosimeter $(if $(UPDATE),--update)

# The same questions asked of other accountants, which are installed into
# build/peers; OPTIONS as of bench/peers/run --help.
bench-peers:
	@tools/install-packages test
	@bench/peers/run $(OPTIONS)

# Questions of every kind about 10^5 random plans, by routes against each
# other, by enumeration and by what plans have in common; one process a core.
PLANS = 100000
soundness:
	@cmake --preset release -DDOSI_TESTS=ON >/dev/null
	@cmake --build $(BUILD) --target prop_routes prop_questions \
	    prop_metamorphic prop_json prop_finite prop_calibrate
	@tools/soundness $(BUILD)/tests $(PLANS)

# Random questions that take longer than the operations they count.
slow-questions:
	@cmake --preset release -DDOSI_TESTS=ON >/dev/null
	@cmake --build $(BUILD) --target prop_work
	@DOSI_TIMED=1 DOSI_EFFORT=50 $(BUILD)/tests/prop_work

# Attacks on what is released, at length: neighbours released 10^5 times each,
# words of two processes or snapshots, the sampler on 10^7 strings a law, and
# the time of draws, which is reported only.
attacks:
	@tools/install-packages test
	@cmake --preset release -DDOSI_TESTS=ON >/dev/null
	@cmake --build $(BUILD) --target prop_neighbours test_words_reuse \
	    prop_noise_strings_1 prop_noise_strings_2 prop_noise_strings_4 \
	    prop_noise_strings_8 bench_timing
	@tools/attacks $(BUILD)

clean:
	@rm -rf build
