"""Contact laws by name: the ten of the family F = K delta^n (1 + a delta'/v0), v0 latched at first touch, and those of a user's own.

`a` is the damping that a law of the family assigns to a wanted restitution e (hu2016, table of its reference [1]). What it really gives is
in model.contact.restitution; the tenth law is that relation inverted.

A law of any other form is a file with LAW: in `model/contact/other_laws`, or of one's own in `contact_laws` of a folder that the user's
settings name, in an installed package (entry point of the group `clearance_rig.contact_laws`), or anywhere that Python imports from
(`law = "mylab.rubber"`, or `"mylab.laws:RUBBER"` for another name than LAW).
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import math
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from model.contact.restitution import exact_damping
from model.errors import ModelError, in_one_line

if TYPE_CHECKING:
    from model.compiled.signatures import ContactLaw

OTHER = "model.contact.other_laws"


class Law:
    """What a contact does.

    `damping`: a at a wanted restitution; `force`: compiled for `model.compiled.signatures.LAW`, with what `model.contact.force` has among
    its parameters; none: that of the family. At rest, delta' = 0, it has to be K delta^n: that is where a mechanism starts from.
    """

    def __init__(self, damping: Callable[[float], float], force: ContactLaw | None = None) -> None:
        self.damping, self._own = damping, force

    @property
    def of_family(self) -> bool:
        """Whether its force is that of the family."""
        return self._own is None

    @property
    def force(self) -> ContactLaw:
        """Its force, compiled."""
        if self._own is not None:
            return self._own
        from model.contact.force import force  # compiled code, which who only reads a configuration need not wait for

        return force

    @property
    def fingerprint(self) -> str:
        """Of the file that its force is written in: what is compiled with it built in is compiled anew when that changes.

        Raises ModelError where there is no such file.
        """
        try:
            file = inspect.getsourcefile(inspect.unwrap(self.force))
        except TypeError:
            file = None
        if file is None or not Path(file).exists():
            raise ModelError("a contact law without a file of its own")
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:20]


LAWS: dict[str, Law] = {
    "hertz": Law(lambda e: 0.0),
    "hunt_crossley": Law(lambda e: 3 * (1 - e) / 2),
    "herbert_mcwhannell": Law(lambda e: 6 * (1 - e) / ((2 * e - 1) ** 2 + 3)),
    "lee_wang": Law(lambda e: 3 * (1 - e) / 4),
    "lankarani_nikravesh": Law(lambda e: 3 * (1 - e**2) / 4),
    "gonthier": Law(lambda e: (1 - e**2) / e),  # usual approximation
    "zhiying_qishao": Law(lambda e: 3 * (1 - e**2) * math.exp(2 * (1 - e)) / 4),
    "flores": Law(lambda e: 8 * (1 - e) / (5 * e)),
    "hu_guo": Law(lambda e: 3 * (1 - e) / (2 * e)),  # hu2016 eq 28
    "exact": Law(exact_damping),
}


class UnknownLaw(ModelError):
    """There is no law of that name."""


@cache
def find(name: str) -> Law:
    """The law of this name. Raises ModelError for one that there is not, or whose file cannot be taken."""
    if (known := LAWS.get(name)) is not None:
        return known
    places = {point.name: point.value for point in entry_points(group="clearance_rig.contact_laws")}
    place = places.get(name, name if {*".:"} & {*name} else f"{OTHER}.{name}")
    module, _, attribute = place.partition(":")
    unknown = UnknownLaw(f"unknown contact law {name!r}; expected one of {', '.join(LAWS)}, or one of your own")
    if not all(part.isidentifier() for part in (*module.split("."), attribute or "LAW")):
        raise unknown
    try:
        found = vars(importlib.import_module(module)).get(attribute or "LAW")
    except ModuleNotFoundError as error:
        if error.name not in (module, module.partition(".")[0]):
            raise ModelError(f"contact law {name} cannot be taken: {error}") from error
        raise unknown from None
    except Exception as error:  # the user's program: it may raise whatever it likes
        raise ModelError(f"contact law {name} cannot be taken: {in_one_line(error)}") from error
    if not isinstance(found, Law):
        raise ModelError(f"contact law {name}: expected LAW = model.contact.laws.Law(damping, force) in its file, got {found!r:.60}")
    return found


def need(name: str) -> None:
    """Raises ValueError for a law that there is not."""
    try:
        find(name)
    except ModelError as error:
        raise ValueError(str(error)) from error


def check(name: str) -> None:
    """Raises ValueError, with the key, for a law that there is not."""
    try:
        find(name)
    except UnknownLaw:
        raise ValueError(f"law: expected one of {', '.join(LAWS)}, or one of your own; got {name!r}") from None
    except ModelError as error:
        raise ValueError(f"law: {error}") from error


def damping(law: str, restitution: float) -> float:
    """a of `law` at `restitution`. Raises ModelError for an unknown law or a restitution outside (0, 1]."""
    found = find(law)
    if not 0.0 < restitution <= 1.0:
        raise ModelError(f"restitution must be in (0, 1], got {restitution:g}")
    return found.damping(restitution)


def of_family(law: str) -> bool:
    """Whether its force is that of the family, whose slope is known in closed form."""
    return find(law).of_family
