"""The one exception that means: the user can put this right."""


class UserError(Exception):
    """Something the user asked for cannot be done; the message says what, where and what to do."""

    def __init__(self, message: str, exit_code: int = 2) -> None:
        super().__init__(message)
        self.exit_code = exit_code
