"""The client whose calls an event loop waits for."""
