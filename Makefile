# make             the release library: target/release/libgelu.so and libgelu.a
# make static      an archive for embedding, target/static/libgelu.a: only the header's names are visible in it
# make quickstart  builds it, compiles examples/quickstart.c against it and runs it on real activations
# make check       builds and passes every test
# make doc         the API reference for C and C++: target/doc-c/index.html
# make mex         the gateway for Octave, with the library in it: target/mex/gelu_mex.mex
# make bench-peers measures it beside PyTorch, onnxruntime, MKL and libm, and writes docs/PERFORMANCE.md
#                  (BENCH_FLAGS=--xnnpack FILE.so: XNNPACK too)
# make bench-cold  measures short calls when the caches are cold: benches/cold_calls.c (BENCH_FLAGS: its options)
# make report      checks accuracy and speed on this machine: one HTML page, REPORT=target/report/index.html
#                  (VENV: a virtual environment with the peers; REPORT_FLAGS=--quick: a sample, in seconds)
# make install     installs what make built: PREFIX=/usr/local, LIBDIR=PREFIX/lib, INCLUDEDIR=PREFIX/include, DESTDIR
# make uninstall   removes it again, with the same variables
# make dist        packs the built libraries into an archive that works wherever it is unpacked, in target/dist
# make clean       removes what was built

CARGO ?= cargo
CC ?= cc
CFLAGS ?= -O2
DATA ?= examples/data/minilm_mlp_preactivations_f32.npy
LIB := target/release
DIST := target/dist
REPORT ?= target/report/index.html
PREFIX ?= /usr/local
MKOCTFILE ?= mkoctfile
MEX_DIR ?= target/mex
MEX_LIBRARY ?= target/static/libgelu.a
export PREFIX DESTDIR LIBDIR INCLUDEDIR DOCDIR

.PHONY: all static quickstart check doc mex bench-peers bench-cold report install uninstall dist clean

all:
	$(CARGO) build --release --locked --target-dir target

static: all
	tools/static_library.sh $(LIB)/libgelu.a target/static/libgelu.a

quickstart: all
	$(CC) -std=c11 -Wall -Wextra $(CFLAGS) $(LDFLAGS) -Iinclude examples/quickstart.c -L$(LIB) -lgelu \
		-Wl,-rpath,'$(CURDIR)/$(LIB)' -o $(LIB)/quickstart
	$(LIB)/quickstart $(DATA)

check:
	$(CARGO) test --locked
	$(CARGO) test --release --locked

doc:
	mkdir -p target
	doxygen docs/Doxyfile

mex: static
	mkdir -p $(MEX_DIR)
	$(MKOCTFILE) --mex $(MEXFLAGS) -Iinclude examples/matlab/gelu_mex.c $(MEX_LIBRARY) -o $(MEX_DIR)/gelu_mex.mex

bench-peers: all
	python3 benches/bench_peers.py --markdown docs/PERFORMANCE.md --picture docs/performance.png \
		--cold-picture docs/cold.png $(BENCH_FLAGS)

bench-cold: all
	$(CC) -std=c11 -Wall -Wextra $(CFLAGS) $(LDFLAGS) -Iinclude benches/cold_calls.c -ldl -lm -o $(LIB)/cold_calls
	$(LIB)/cold_calls $(LIB)/libgelu.so $(BENCH_FLAGS)

report: all
	python3 tools/report.py --library '$(LIB)/libgelu.so' $(if $(VENV),--venv '$(VENV)') $(REPORT_FLAGS) '$(REPORT)'

# Root installs what the user built, and needs no cargo for it.
install:
	@test -e '$(LIB)/libgelu.so' || $(MAKE) all
	tools/install.sh install '$(LIB)'

uninstall:
	tools/install.sh uninstall

dist: all
	tools/dist.sh '$(LIB)' '$(DIST)'

clean:
	$(CARGO) clean --target-dir target
