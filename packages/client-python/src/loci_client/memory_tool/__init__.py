"""A memory tool over blocks: what a model keeps for itself in files below `/memories`."""
