"""From syntax to IR: static values, annotations, decorators, bodies, jit specialisation; knows nothing of passes."""
