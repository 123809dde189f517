"""Provisioning of JavaScript repositories with npm: manifest, installation, repairs, and a check that imports load."""
