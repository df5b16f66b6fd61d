"""The comparison of compiled models with other runtimes; ../peers.py starts it."""
