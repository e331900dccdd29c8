class Report(list):
    def __call__(self, name, flaw):
        self.append((name, flaw))

    def skip(self, name, reason):
        self.append((name, f"skipped: {reason}"))
