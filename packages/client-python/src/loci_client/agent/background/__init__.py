"""Work behind a call's back: in tasks of an event loop, and in threads."""
