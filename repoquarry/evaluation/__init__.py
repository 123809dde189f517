"""Evaluation on published benchmarks.

Source: Rashid et al., SWE-PolyBench: A multi-language benchmark for repository level evaluation of coding agents, 2025.
"""
