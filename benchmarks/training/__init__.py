"""The parts of training.py."""
