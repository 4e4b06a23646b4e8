"""What stores of agents' frameworks keep: values under a namespace and a key, as memories."""
