class Shell:
    def run(self, command, argument):
        getattr(self, "do_" + command)(argument)
        handler = getattr(self, f"help_{command}", self.no_help)
        return handler()

    def do_open(self, argument):
        pass

    def do_close(self, argument):
        pass

    def help_open(self):
        pass

    def no_help(self):
        pass

    def undone(self):
        pass


Shell().run("open", 1)
