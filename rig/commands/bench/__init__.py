"""Commands of a bench: its devices, instruments and sensors."""
