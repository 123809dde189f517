"""Training of the shipped static embedding model, run by `scripts/train_static_model.py`. Not part of the package."""
