"""Failures as exceptions; each carries the hint that hgc gives."""
from __future__ import annotations

import enum


class Status(enum.IntEnum):
    """hgc_rt_status of hgc_rt.h."""

    OK = 0
    INVALID_ARGUMENT = 1
    OUT_OF_MEMORY = 2
    UNSUPPORTED_CPU = 3
    IO_ERROR = 4
    DEVICE_FAILED = 5
    VERSION_MISMATCH = 6
    INTERNAL = 7
    FAILED_INSTANCE = 8
    NO_VARIANT = 9
    BUSY = 10
    UNSUPPORTED = 11
    BAD_WEIGHTS = 12
    NO_DEVICE = 13

    @classmethod
    def _missing_(cls, value: object) -> "Status":
        """A status that a newer library has is still a failure."""
        return cls.INTERNAL


class HgcError(Exception):
    """Base of all failures; `message` says what happened, `hint` what to do."""

    def __init__(self, message: str, hint: str = ""):
        super().__init__(f"{message}\nhint: {hint}" if hint else message)
        self.message = message
        self.hint = hint


class CompileError(HgcError):
    """`hgc` refused a model or its options, or is not installed; `exit_code` is 70 for a bug in hgc."""

    def __init__(self, message: str, hint: str = "", exit_code: int = 1):
        super().__init__(message, hint)
        self.exit_code = exit_code


class ModelError(HgcError):
    """A compiled model could not be loaded or called."""

    def __init__(self, message: str, hint: str = "", status: Status = Status.INTERNAL):
        super().__init__(message, hint)
        self.status = status


class ArgumentError(ModelError, ValueError):
    """An argument of a call is wrong: name, type, shape or place."""

    def __init__(self, message: str, hint: str = "", status: Status = Status.INVALID_ARGUMENT):
        super().__init__(message, hint, status)


def model_error(code: int, text: str) -> ModelError:
    """The exception for a status and its `last_error`."""
    status = Status(code)
    message, _, hint = text.strip().partition("\nhint: ")
    wrong_argument = status in (Status.INVALID_ARGUMENT, Status.NO_VARIANT)
    return (ArgumentError if wrong_argument else ModelError)(message or status.name, hint, status)
