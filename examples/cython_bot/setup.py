"""Builds bot.pyx and fast_evaluation.pyx in place: python setup.py build_ext --inplace."""

from __future__ import annotations

from Cython.Build import cythonize
from setuptools import Extension, setup

import tilery

NAMES = ("bot", "fast_evaluation")

# Cython finds tilery/capi.pxd by itself, wherever Python finds tilery.
modules = [Extension(name, [f"{name}.pyx"], include_dirs=[tilery.get_include()]) for name in NAMES]
setup(name="bots", ext_modules=cythonize(modules))
