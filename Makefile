# Everything a person or CI asks of this repository. `make` alone lists it.

SWIFT_FOLDERS := Package.swift Sources Tests Examples

PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help setup build install release demo test test-here test-full sanitize-core test-tools test-clients test-packages fuzz \
	sanitize soak soak-page soak-camera cluster-test conformance clients lint format bench bench-load bench-quick clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing: libraries, OpenVINO, the models; LANGUAGES="ru cs ar" for what Tesseract reads
	@LANGUAGES="$(LANGUAGES)" scripts/setup.sh

build: setup ## build both executables in release, with the Swift runtime in them
	@[ -x .build/release/glyphwire ] || echo 'build: the first build takes some 13 minutes on two cores; [n/m] counts its steps'
	swift build -c release --static-swift-stdlib --product glyphwire
	swift build -c release --static-swift-stdlib --product glyphwire-replay

install: export PREFIX := $(PREFIX)
install: export DESTDIR := $(DESTDIR)
install: ## install what `make build` made; PREFIX=/usr/local, and DESTDIR for packages
	@scripts/install.sh

release: ## make the tarball, the Debian package and the container image, test them, and list their SHA-256, in dist
	scripts/release.sh

demo: build ## read the demo session through a server: words, latencies, annotated pictures
	@demo/run

test: setup lint ## run every test
	@$(MAKE) --no-print-directory test-here

test-here:
	@scripts/test.sh
	python3 -m unittest discover --quiet --start-directory bench/tests --top-level-directory bench
	python3 -m unittest discover --quiet --start-directory models/build/tests --top-level-directory models/build
	bench/check .build/debug/glyphwire

fuzz: setup ## look for bytes that break something; FUZZ_SECONDS for each of its targets (60)
	@Tests/Fuzz/run $(TARGETS)

# Tests with others' tools wait for browsers, brokers and cameras most of the time, and the sanitizer's have no sockets and wait
# for nothing; side by side with the Swift tests, all three fill two cores.
test-full: setup lint ## run every test, those of clients, the address sanitizer, and tests with other tools, which it installs
	swift build --build-tests
	@$(MAKE) --no-print-directory --jobs=3 test-here sanitize-core test-packages

sanitize-core:
	nice -n 19 scripts/sanitize.sh --core address

test-tools:
	Tests/Operator/run
	Tests/OtherTools/run

# After the tools' tests and not beside them: both install packages.
test-clients: export GLYPHWIRE_PROGRAM = $(CURDIR)/.build/debug/glyphwire
test-clients: test-tools
	scripts/client-tools.sh
	clients/conformance/run-tests
	clients/conformance/conformance all --start "$$GLYPHWIRE_PROGRAM"
	clients/run-tests

# Last, when little else runs: a Debian boots in it.
test-packages: test-clients
	Tests/Packages/run

soak-page: build ## leave the live page open for half an hour, and see that nothing grows; MINUTES=30
	GLYPHWIRE_PROGRAM="$(CURDIR)/.build/release/glyphwire" python3 -B Tests/Operator/soak.py $(or $(MINUTES),30) live

soak-camera: build ## leave the page of a phone's camera open for ten minutes, and see that nothing grows; MINUTES=10
	GLYPHWIRE_PROGRAM="$(CURDIR)/.build/release/glyphwire" python3 -B Tests/Operator/soak.py $(or $(MINUTES),10) camera

sanitize: setup ## run the Swift tests under the address sanitizer and the thread sanitizer
	@scripts/sanitize.sh

soak: build ## the long tests, 50 minutes; TESTS="overload restart", SOAK_MINUTES or SOAK_HOURS for each
	@Tests/Soak/soak $(TESTS)

cluster-test: build ## cameras on several servers behind HAProxy: spread, drained, killed, added
	@deploy/cluster-test

bench: build ## compare speed and accuracy with other engines; SETS="FOLDER..." names the pictures
	@bench/run $(SETS)

bench-load: build ## measure the server under 1 to 32 streams, and the wire path alone
	@bench/run --load

bench-quick: build ## hold the accuracy to its floors, on a few typeset pictures
	@bench/check

conformance: build ## check the server and every client against the test vectors and a stub server
	@scripts/client-tools.sh
	@clients/conformance/conformance all --start .build/release/glyphwire

clients: build ## run the tests that each client has of its own
	@scripts/client-tools.sh
	@GLYPHWIRE_PROGRAM="$(CURDIR)/.build/release/glyphwire" clients/run-tests

lint: ## check formatting, function sizes, Python, words, examples, the links between Markdown files, and what Sources cites of the logs
	swift format lint --strict --parallel --recursive $(SWIFT_FOLDERS)
	python3 scripts/check-links.py
	python3 scripts/check-examples.py
	python3 scripts/code-metrics.py --check
	python3 scripts/check-words.py
	@scripts/lint-python.sh

format: ## format the Swift sources in place
	swift format --in-place --parallel --recursive $(SWIFT_FOLDERS)

clean: ## remove what was built and what demo and bench wrote; what setup fetched stays
	rm -rf .build demo/out bench/out dist
