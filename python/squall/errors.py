"""The exception for errors that the user can correct."""


class UserError(Exception):
    """A request that cannot be carried out. The message says what is wrong, where, and what to do."""

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code
