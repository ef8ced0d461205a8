"""What some trainers need besides a Loader: a module for each.

Each imports its trainer, which is no dependency of this package.
"""
