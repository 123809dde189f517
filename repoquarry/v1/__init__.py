"""Generated messages and services of the contract."""
