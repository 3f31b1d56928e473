"""The tests. They run from the repository's root, as a package: `from tests.kit import ...`."""
