"""The packages of an environment are read from their metadata."""

from pathlib import Path

from repoquarry.execution.provision.python.installer import holder_of, required_by


def test_what_metadata_requires_in_the_form_of_today() -> None:
    metadata = (
        "Metadata-Version: 2.1\nName: pandas\nRequires-Dist: python-dateutil (>=2.5.0)\nRequires-Dist: pytz (>=2011k)\n"
        "Requires-Dist: odd[fast] (>dev) ; python_version < '3'\nRequires-Dist: hypothesis; extra == 'test'\n\nRequires-Dist: none\n"
    )
    assert required_by(metadata) == ("python-dateutil>=2.5.0", "pytz", "odd[fast]; python_version < '3'")


def test_the_package_that_gives_a_module(tmp_path: Path) -> None:
    place = tmp_path / "lib" / "python3.8" / "site-packages"
    for name, record in (("qpid_tools-0.26", "qpidtoollibs/__init__.py,,\n"), ("six-1.0", "six.py,,\nsixth/a.py,,\n")):
        info = place / f"{name}.dist-info"
        info.mkdir(parents=True)
        (info / "RECORD").write_text(record)
    assert holder_of(tmp_path, "qpidtoollibs") == "qpid-tools"
    assert holder_of(tmp_path, "six") == "six"
    assert holder_of(tmp_path, "qpid") == ""
