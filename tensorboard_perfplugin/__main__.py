# PYTHON_ARGCOMPLETE_OK
"""`python -m tensorboard_perfplugin` is the command `perfplugin`."""

import sys

from .cli import main

sys.exit(main())
