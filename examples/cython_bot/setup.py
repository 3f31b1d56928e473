"""Builds bot.pyx in place: python setup.py build_ext --inplace."""

from __future__ import annotations

from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

import tilery

bot = Extension("bot", ["bot.pyx"], include_dirs=[tilery.get_include()])
# Cython finds tilery/capi.pxd by itself where tilery is installed; an editable install has to say where its files are.
setup(name="bot", ext_modules=cythonize([bot], include_path=[str(Path(tilery.__file__).parents[1])]))
