"""What happens to a plant's signals before they reach a DAQ device's terminals: sensor, cable and conditioner of `[[disturbances]]`.

Imports the configuration, compiled code and the contract of a plant; knows no plant. All but hysteresis and delay are functions of the
instant alone, and these of the samples before it, so nothing depends on how time is cut into calls.
Imported by the virtual bench only.
"""
