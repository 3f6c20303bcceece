"""The exception of faults that a user can cause or mend."""


class Error(RuntimeError):
    """What happened, where (a file with its line, a key, a cloth), and what to do.

    The last two may be empty.
    """

    what: str
    where: str
    what_to_do: str

    def __init__(self, what: str, where: str = "", what_to_do: str = ""):
        text = (f"{where}: " if where else "") + what + (f" — {what_to_do}" if what_to_do else "")
        super().__init__(text)
        self.what, self.where, self.what_to_do = what, where, what_to_do
