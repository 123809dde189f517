"""llama.cpp's HTTP server for a test: `llama_server.py PORT CONTEXT MODEL [TEMPLATE]`; needs the package xllamacpp."""

from __future__ import annotations

import importlib
import os
import sys
import time
from pathlib import Path


def main(port: int, context: int, model: str, template: str = "") -> None:
    xllamacpp = importlib.import_module("xllamacpp")
    settings = xllamacpp.CommonParams()
    settings.model.path, settings.model_alias = model, {"smollm2"}
    settings.n_ctx, settings.n_parallel = context, 1
    settings.port, settings.hostnames = port, ["127.0.0.1"]
    settings.use_jinja, settings.endpoint_slots = True, True
    # On a busy machine 1 is faster: threads wait for the slowest one.
    threads = int(os.environ.get("REPOQUARRY_TEST_LLAMA_THREADS", "2"))
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    if template:
        settings.chat_template = Path(template).read_text(encoding="utf-8")
    server = xllamacpp.Server(settings)
    print("listening", server.listening_address, flush=True)
    while True:
        time.sleep(3_600)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])
