"""Tests in which a computed structure and a loaded specimen are one: pure functions, without instruments."""
