"""Published benchmarks, run on our own answers.

Source: Rashid et al., SWE-PolyBench: A multi-language benchmark for repository level evaluation of coding agents, 2025.
"""
