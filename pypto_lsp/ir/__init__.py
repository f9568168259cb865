"""The in-memory IR: data types, types, nodes; knows nothing of the DSL's syntax."""
