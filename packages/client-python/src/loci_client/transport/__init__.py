"""What blocking and asynchronous clients do each in its own way: connecting, waiting, ending."""
