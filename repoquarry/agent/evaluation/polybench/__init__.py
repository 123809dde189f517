"""SWE-PolyBench: retrieval of files and syntax nodes, and pass rates, from patches or ranked places.

Source: Rashid et al., SWE-PolyBench: A multi-language benchmark for repository level evaluation of coding agents, 2025.
"""
