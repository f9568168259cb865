"""The compiler's passes from program to program, one module each.

They make the IR that the compiler would make, orchestration included, which is what one wants to look at and to verify. Rules
that look at the code of files do not run them: those use the faster paths through single kernels in the package above.
"""
