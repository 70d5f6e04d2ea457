"""What stands behind the names of `import rig`: records and simulations as arrays of xarray, comparisons, pictures.

xarray comes with the extra `notebook`, and is imported when it is used.
Imports the report, the recorder, prediction and configuration. Imported by the package itself, inside its functions.
"""
