"""Builds bot.pyx in place: python setup.py build_ext --inplace."""

from __future__ import annotations

from Cython.Build import cythonize
from setuptools import Extension, setup

import tilery

# Cython finds tilery/capi.pxd by itself, wherever Python finds tilery.
setup(name="bot", ext_modules=cythonize([Extension("bot", ["bot.pyx"], include_dirs=[tilery.get_include()])]))
