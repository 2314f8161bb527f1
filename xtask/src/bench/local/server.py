"""Asks a server of llama.cpp what the file of requests says: server.py MODEL REQUESTS."""

import json
import os
import sys
import time

import xllamacpp

model, requests = sys.argv[1:3]
with open(requests) as file:
    asked = json.load(file)
params = xllamacpp.CommonParams()
params.model.path = model
params.n_ctx = asked["context"]
params.n_parallel = 1
params.warmup = False
params.cpuparams.n_threads = os.cpu_count()
params.cpuparams_batch.n_threads = os.cpu_count()
begun = time.monotonic()
server = xllamacpp.Server(params)
load = time.monotonic() - begun
request = {
    "messages": [{"role": "user", "content": asked["prompt"]}],
    "max_tokens": asked["most"],
    "seed": 1,
    "temperature": 0.4,
}
begun = time.monotonic()
answer = server.handle_chat_completions(request)
took = time.monotonic() - begun
if isinstance(answer, str):
    answer = json.loads(answer)
times = answer["timings"]
with open("/proc/self/status") as file:
    peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
print()
print(json.dumps({
    "load_s": load,
    "prompt_tokens": times["prompt_n"],
    "prompt_per_s": times["prompt_per_second"],
    "answer_tokens": times["predicted_n"],
    "answer_per_s": times["predicted_per_second"],
    "turn_s": took,
    "whole": answer["choices"][0]["finish_reason"] == "stop",
    "peak_mb": peak * 1.024 / 1000,
}), flush=True)
os._exit(0)
