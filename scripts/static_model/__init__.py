"""How the shipped static embedding model is made; run by `scripts/train_static_model.py`. Not part of the package."""
