"""Module search path of the product's processes: the interpreter's folders and the product's, none that a caller or a repository chooses.

This module imports nothing that a starting interpreter has not loaded: an import before the restriction could find another file.
"""

import os
import sys

PRODUCT_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
"""Folder that holds the package `repoquarry`: a folder of packages, or a checkout."""

_PACKAGE_FOLDERS = ("site-packages", "dist-packages")


def restrict_search_path() -> None:
    """Remove the script's folder, the current directory, PYTHONPATH, the user site and projects of `.pth` files from the search path.

    Python programs that this process starts get neither of the first three nor the user site.
    """
    site = sys.modules.get("site")
    user_site = getattr(site, "USER_SITE", None)
    installed = site.getsitepackages() if site is not None else []
    standard = os.path.dirname(os.__file__)
    start = (
        sys.path.index(standard) if standard in sys.path else 0
    )  # a caller's folders come before the standard library
    added = [
        folder
        for folder in sys.path[start:]
        if os.path.basename(folder) in (*_PACKAGE_FOLDERS, "lib-dynload") and folder != user_site
    ]
    # one that PYTHONPATH names as well is only there
    named = [folder for folder in sys.path[:start] if folder in installed]
    sys.path[:] = dict.fromkeys([standard, *added, *named, PRODUCT_FOLDER])
    os.environ.pop("PYTHONPATH", None)
    os.environ["PYTHONSAFEPATH"] = "1"
    if user_site != PRODUCT_FOLDER:
        os.environ["PYTHONNOUSERSITE"] = "1"
