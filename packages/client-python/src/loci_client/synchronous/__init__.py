# Generated from ../asynchronous/__init__.py by `npm run generate`.
"""The client whose calls block their thread."""
