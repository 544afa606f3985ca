"""The mechanisms of examples/, each by its own equations: what mechanisms.py holds the program against.

Every module has `reference(times)`, which returns for each time a dictionary from the body's name to
(position of its origin, rotation matrix body to world or None, velocity of its origin), SI and world axes, and raises
AssertionError where its own cross-checks fail. Parameters are those of the example of the same name, written again.
"""
