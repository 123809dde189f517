"""The package that gives a module, and the package's own name."""

import pytest

from repoquarry.execution.provision.python import install_plan


@pytest.mark.parametrize(
    ("requirement", "name"),
    [("PyYAML", "pyyaml"), ("setuptools<81", "setuptools"), ("typing_extensions==4.1", "typing-extensions"), ("", "")],
)
def test_the_name_of_a_requirement_is_canonical_and_without_versions(requirement: str, name: str) -> None:
    assert install_plan.named_by(requirement) == name


def test_a_module_whose_package_is_bounded_by_the_table_has_the_name_alone() -> None:
    assert install_plan.package_of("pkg_resources") == "setuptools<81"
    assert install_plan.name_of("pkg_resources") == "setuptools"
    assert install_plan.name_of("yaml.constructor") == "pyyaml"
