"""The features of the server: each module's ``register(server)`` attaches its handlers.

A handler that needs the engine takes ``server.session``; modules here import the engine inside their handlers only, so that
registering them costs nothing.
"""
